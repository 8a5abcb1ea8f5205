package reason

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// kind tells how a hardware split finds its resource type.
type kind int

const (
	kindGuided kind = iota
	kindShared
	kindUnguided
)

// hardware has the resource type by which an MPI_Comm_split_type splits, worked out from where the ranks ran at that
// step.
type hardware struct {
	t         *hw.Topology
	bindings  []*hw.Binding
	kind      kind
	chosen    int                        // index into the topology's resources; -1: none
	tried     []Fact                     // of kindUnguided: the types tried, coarsest first
	instances map[ofBinding][]*hw.Object // the instances that a binding may use
}

// ofBinding is a resource type with the PUs that a rank is bound to.
type ofBinding struct {
	resource int
	binding  *hw.Binding
}

// byHardware works out the resource type by which the call splits.
func (c *call) byHardware() *hardware {
	if c.hardware != nil {
		return c.hardware
	}
	h := &hardware{t: c.s.Topology, bindings: c.s.BindingsAt(c.step.Number), chosen: -1, instances: map[ofBinding][]*hw.Object{}}
	c.hardware = h
	row := slices.IndexFunc(c.world, func(w int32) bool { return !c.undefined(c.row(int(w))) })
	if h.t == nil || row < 0 {
		return h
	}
	name, key, value := c.guide(row)
	switch {
	case name == engine.TypeShared.String() || value == engine.ValueSharedMemory:
		h.kind, h.chosen = kindShared, h.t.ResourceIndex("hwloc://Machine")
	case name == engine.TypeHWUnguided.String():
		h.kind = kindUnguided
		h.descend(c.world, c.asking())
	case key != "" && key != engine.KeyPsetName:
		h.chosen = h.t.ResourceIndex(value)
	}
	return h
}

// asking returns the world ranks of the processes of MPI_Comm_split_type that want a communicator.
func (c *call) asking() []int32 {
	list := make([]int32, 0, len(c.world))
	for row, w := range c.world {
		if !c.undefined(row) {
			list = append(list, w)
		}
	}
	return list
}

// undefined reports whether the process of a row passed MPI_UNDEFINED to MPI_Comm_split_type.
func (c *call) undefined(row int) bool { return c.text("split_type", row) == "MPI_UNDEFINED" }

func (h *hardware) resource() *hw.Resource { return &h.t.Resources()[h.chosen] }

// instance returns the index of the single instance of a resource type to which a rank is restricted, or -1.
func (h *hardware) instance(resource int, world int) int {
	return int(h.t.Restricted(h.bindings[world])[resource])
}

// descend tries the resource types from the coarsest to the finest, as an unguided split of the group does, and notes
// why each is taken or not. The bindings of the whole group decide; the text about the type taken counts only the ranks
// that ask for a communicator.
func (h *hardware) descend(group, asking []int32) {
	for i, r := range h.t.Resources() {
		if r.ByNameOnly {
			continue
		}
		count := h.count(i, group)
		why := ""
		switch {
		case len(count) == 0:
			why = "no: no rank is restricted to one instance"
		case slices.Contains(slices.Collect(maps.Values(count)), len(group)):
			why = "no: one instance has " + ofAll(len(group), len(group))
		default:
			why = "taken: " + shares(h.count(i, asking), len(asking))
			if n := len(group) - len(asking); n > 0 {
				why += fmt.Sprintf("; %d passed MPI_UNDEFINED", n)
			}
			h.chosen = i
		}
		h.tried = append(h.tried, Fact{r.URI, why})
		if h.chosen >= 0 {
			return
		}
	}
}

// count returns how many of some ranks are restricted to each instance of a resource type.
func (h *hardware) count(resource int, ranks []int32) map[int]int {
	count := map[int]int{}
	for _, w := range ranks {
		if k := h.instance(resource, int(w)); k >= 0 {
			count[k]++
		}
	}
	return count
}

// shares describes how the instances of a type divide a group: "2 instances, 4 to 8 ranks each".
func shares(count map[int]int, size int) string {
	least, most, sum := size, 0, 0
	for _, n := range count {
		least, most, sum = min(least, n), max(most, n), sum+n
	}
	if len(count) == 0 {
		return "no rank that asks is restricted to an instance"
	}
	if len(count) == 1 {
		return "1 instance has " + ofAll(sum, size)
	}
	text := fmt.Sprintf("%d instances, %d ranks each", len(count), least)
	switch {
	case most == 1:
		text = fmt.Sprintf("%d instances, 1 rank each", len(count))
	case most > least:
		text = fmt.Sprintf("%d instances, %d to %d ranks each", len(count), least, most)
	}
	if left := size - sum; left > 0 {
		text += fmt.Sprintf("; %d in none", left)
	}
	return text
}

// cpuset returns the PUs that a rank may use, with the host where there are several hosts.
func (h *hardware) cpuset(world int) string {
	b := h.bindings[world]
	if len(h.t.Hosts) > 1 {
		return b.CPUSet.String() + " of " + h.t.Hosts[b.Host].Name
	}
	return b.CPUSet.String()
}

// pus returns "PUs 4-5" or "PU 4", with the host where there are several hosts.
func (h *hardware) pus(world int) string {
	if h.bindings[world].CPUSet.Len() == 1 {
		return "PU " + h.cpuset(world)
	}
	return "PUs " + h.cpuset(world)
}

// touched lists the instances of a resource type that a rank may use.
func (h *hardware) touched(resource, world int) []*hw.Object {
	at := ofBinding{resource, h.bindings[world]}
	list, ok := h.instances[at]
	if !ok {
		for _, o := range h.t.Resources()[resource].Instances {
			if h.meets(o, at.binding) {
				list = append(list, o)
			}
		}
		h.instances[at] = list
	}
	return list
}

// names names the instances of a resource type that a rank may use: "Core L#6-7 (P#6-7)"; "" for none.
func (h *hardware) names(resource, world int) string {
	list := h.touched(resource, world)
	if len(list) == 0 {
		return ""
	}
	logical, os := indexes(list)
	text := bare(h.t.Resources()[resource].URI) + " L#" + some(logical)
	if len(os) == len(list) {
		text += " (P#" + some(os) + ")"
	}
	return text
}

// indexes returns the logical indexes of objects, and the OS indexes that are known.
func indexes(list []*hw.Object) (logical, os []int) {
	for _, o := range list {
		logical = append(logical, o.LogicalIndex)
		if o.OSIndex != hw.Unknown {
			os = append(os, o.OSIndex)
		}
	}
	return logical, os
}

// some writes indexes as ranges, "0-3,7"; of many ranges only the first four.
func some(list []int) string {
	const most = 4
	ranges := engine.RanksOf(list...)
	if len(ranges) > most {
		return ranges[:most].String() + ",..."
	}
	return ranges.String()
}

// bare returns a resource's name without its provider: "NUMANode".
func bare(uri string) string {
	if _, name, ok := strings.Cut(uri, "://"); ok {
		return name
	}
	return uri
}

// meets reports whether a binding may use an object.
func (h *hardware) meets(o *hw.Object, b *hw.Binding) bool {
	if o.Type == hw.Machine || o.Type == hw.Level {
		above := h.t.Hosts[b.Host]
		for above != nil && above != o {
			above = above.Parent
		}
		return above == o
	}
	return h.t.HostIndex(o) == b.Host && o.CPUSet.Intersects(b.CPUSet)
}

// touchedText tells why a rank is not restricted to a single instance.
func (h *hardware) touchedText(resource, world int) string {
	if n := len(h.touched(resource, world)); n > 0 {
		return fmt.Sprintf("%s: %d instances, so the rank is not restricted to one", h.names(resource, world), n)
	}
	return "no " + bare(h.t.Resources()[resource].URI) + ": " + h.whereabouts(world) + " outside all of them"
}

// whereabouts returns "Core L#3 lies", "Core L#0-3 (P#0-3) lie", or without cores "PUs 0-3 lie".
func (h *hardware) whereabouts(world int) string {
	if cores := h.t.ResourceIndex("hwloc://Core"); cores >= 0 {
		switch len(h.touched(cores, world)) {
		case 0:
		case 1:
			return h.names(cores, world) + " lies"
		default:
			return h.names(cores, world) + " lie"
		}
	}
	return h.pus(world) + choose(engine.RanksOf(h.bindings[world].CPUSet.Indexes()...), " lies", " lie")
}

// devices adds which GPUs and network cards are local to the instance to which a rank is restricted.
func (h *hardware) devices(e *Explanation, world int) {
	list := h.touched(h.chosen, world)
	if len(list) != 1 || list[0].Type == hw.Machine || list[0].Type == hw.Level {
		return
	}
	var names []string
	for _, d := range h.t.Located() {
		if d.Kind() == "Block" || d.Kind() == "DMA" || d.Object.CPUSet.First() < 0 || d.Object.Host() != list[0].Host() {
			continue
		}
		if r, i := h.t.Near(d.Object); r != nil && d.Object.CPUSet.SubsetOf(list[0].CPUSet) &&
			!r.Instances[i].CPUSet.Equal(list[0].Host().CPUSet) {
			names = append(names, d.Kind()+" "+d.Name)
		}
	}
	switch last := len(names) - 1; {
	case last == 0:
		e.add("devices", "%s is local to %s", names[0], h.names(h.chosen, world))
	case last > 0:
		e.add("devices", "%s and %s are local to %s", strings.Join(names[:last], ", "), names[last], h.names(h.chosen, world))
	}
}

// nodes adds which NUMA nodes that a rank may use do not count as instances, and why.
func (h *hardware) nodes(e *Explanation, world int) {
	if r := h.resource(); r.Type != hw.NUMANode || r.Subtype != "" {
		return
	}
	var same, empty []*hw.Object
	tiers := map[string][]*hw.Object{}
	for _, o := range h.t.Objects(hw.NUMANode) {
		switch tier := hw.MemoryTier(o); {
		case h.t.HostIndex(o) != h.bindings[world].Host || slices.Contains(h.resource().Instances, o):
		case o.CPUSet.Empty():
			empty = append(empty, o)
		case !h.meets(o, h.bindings[world]):
		case tier != "" && !h.stoodFor(o):
			tiers[tier] = append(tiers[tier], o)
		default:
			same = append(same, o)
		}
	}
	for _, r := range h.t.Resources() {
		if list := tiers[r.Subtype]; r.Type == hw.NUMANode && len(list) > 0 {
			e.add("not counted", "%s: %s is not ordinary memory, but the separate type %s", nodeNames(list), r.Subtype, r.URI)
		}
	}
	if len(same) > 0 {
		e.add("not counted", "%s: another node has the same CPUs, and only the node with the lowest P# counts", nodeNames(same))
	}
	if len(empty) > 0 {
		e.add("not counted", "%s: the node has no CPUs", nodeNames(empty))
	}
}

// stoodFor reports whether special memory with the same CPUs counts as an instance in place of o.
func (h *hardware) stoodFor(o *hw.Object) bool {
	return slices.ContainsFunc(h.resource().Instances, func(n *hw.Object) bool {
		return hw.MemoryTier(n) != "" && n.Host() == o.Host() && n.CPUSet.Equal(o.CPUSet)
	})
}

// nodeNames returns "NUMANode L#1 (P#4)".
func nodeNames(list []*hw.Object) string {
	logical, os := indexes(list)
	return "NUMANode L#" + some(logical) + " (P#" + some(os) + ")"
}

// guide returns the split type that a process passed to MPI_Comm_split_type, and key and value of its info argument.
func (c *call) guide(row int) (kind, key, value string) {
	key, value, _ = strings.Cut(c.text("info", row), "=")
	return c.text("split_type", row), key, value
}

func (c *call) typeFacts(e *Explanation, row int) {
	kind, key, value := c.guide(row)
	e.Facts = []Fact{{"split type", kind}}
	if key != "" {
		e.Facts = append(e.Facts, Fact{"info", key + " = " + value})
	}
}

// typeMember explains why a process holds a communicator of MPI_Comm_split_type.
func (c *call) typeMember(e *Explanation, row, focus int) {
	c.typeFacts(e, row)
	_, key, value := c.guide(row)
	mates := c.same(row)
	e.Order = c.order(mates, focus)
	if key == engine.KeyPsetName {
		e.Rule = psetRule
		e.add("set", "%s are in %s", ofAll(len(mates), len(c.world)), value)
		return
	}
	h := c.byHardware()
	r, world := h.resource(), int(c.world[row])
	h.named(e, value)
	if focus >= 0 {
		e.add("cpuset", "%s", h.cpuset(world))
		c.since(e, world)
	}
	e.add("instance", "%s, and no other %s", h.names(h.chosen, world), bare(r.URI))
	e.add("members", "%s", ofAll(len(mates), len(c.world)))
	h.devices(e, world)
	e.Tried, e.Rule = h.tried, guidedRule
	switch {
	case h.kind == kindShared:
		e.Rule = sharedRule
	case h.kind == kindUnguided:
		e.Rule = unguidedRule
	}
	h.nodes(e, world)
}

// named adds the resource for which a name stands, when the resource's own name is another.
func (h *hardware) named(e *Explanation, value string) {
	switch uri := h.resource().URI; {
	case h.kind == kindGuided && value != uri:
		e.add("resource", "%s: other MPIs may not know it by the name %q", uri, value)
	case h.kind == kindShared:
		e.add("resource", "%s: memory is shared within a host", uri)
	}
}

// typeNull explains an MPI_COMM_NULL that MPI_Comm_split_type returned.
func (c *call) typeNull(e *Explanation, row int, alone bool) {
	kind, key, value := c.guide(row)
	if kind == "MPI_UNDEFINED" {
		e.Facts, e.Rule = []Fact{{"split type", kind}}, undefinedRule
		return
	}
	c.typeFacts(e, row)
	e.Rule = guidedRule
	if key == engine.KeyPsetName {
		c.psetNull(e, value)
		return
	}
	h := c.byHardware()
	e.Tried = h.tried
	switch {
	case h.kind == kindUnguided:
		e.Rule = unguidedRule
		if h.chosen < 0 {
			e.add("level", "none: no resource type has an instance with a strict subset of the group")
			return
		}
	case key == "":
		e.add("info", "no key that names a resource was given")
		e.Rule = noKeyRule
		return
	case h.chosen < 0:
		e.add("resource", "%s", c.unknownResource(value))
		e.Rule = unknownRule
		return
	default:
		h.named(e, value)
	}
	world := int(c.world[row])
	if !alone && len(h.touched(h.chosen, world)) == 0 {
		e.add("touches", "no %s: the PUs lie outside all of them", bare(h.resource().URI))
		return // without the PUs, so that ranks on other PUs have the same explanation
	}
	e.add("cpuset", "%s", h.cpuset(world))
	e.add("touches", "%s", h.touchedText(h.chosen, world))
	h.nodes(e, world)
	c.since(e, world)
}

// Absent tells why step k, a split by a named resource type, made no communicator because the machine
// has no instance of that type; "" for any other step.
func Absent(s *engine.Snapshot, k int) string {
	st := &s.Steps[k-1]
	if st.Call != engine.CallSplitType || st.Err != nil || s.Topology == nil {
		return ""
	}
	c := newCall(s, st)
	for row := range c.world {
		_, key, value := c.guide(row)
		if c.undefined(row) || key == "" || key == engine.KeyPsetName {
			continue
		}
		if h := c.byHardware(); h.kind == kindGuided && h.chosen < 0 {
			return c.unknownResource(value)
		}
		return ""
	}
	return ""
}

// unknownResource writes that this machine has no such resource. For a name that no machine has, it also suggests a
// name.
func (c *call) unknownResource(value string) string {
	if c.s.Topology == nil {
		return fmt.Sprintf("no instance of %q on this machine", value)
	}
	var names, uris []string
	for _, r := range c.s.Topology.Resources() {
		names, uris = append(names, bare(r.URI)), append(uris, r.URI)
	}
	text := fmt.Sprintf("no instance of %q on this machine", value)
	if hw.KnownResource(value) {
		return fmt.Sprintf("no instance of hwloc://%s on this machine, which has %s", bare(value), strings.Join(uris, ", "))
	}
	if devices, ok := c.s.Topology.NamedDevices(value); ok {
		if len(devices) == 0 {
			return text + ": a device holds no processes; split by hwloc://NUMANode, whose ranks share the devices near it"
		}
		return text + ": a device holds no processes; " + hw.Advise(c.s.Topology.Localities(devices))
	}
	if near := spell.Nearest(bare(value), names); near != "" {
		return text + ": did you mean " + uris[slices.Index(names, near)] + "?"
	}
	return text + ", which has " + strings.Join(uris, ", ")
}

// since adds the PUs on which a rank runs now, when it has moved since the call.
func (c *call) since(e *Explanation, world int) {
	then, now := c.byHardware(), hardware{t: c.s.Topology, bindings: c.s.Bindings}
	if then.cpuset(world) != now.cpuset(world) {
		e.add("now", "it runs on %s; the PUs at the time of the call counted", now.pus(world))
	}
}

// psetNull explains why a process got no communicator from a split by process set.
func (c *call) psetNull(e *Explanation, name string) {
	e.Rule = psetRule
	switch {
	case !sessionDerived(c.s, c.on):
		e.add("set", "valid nowhere: the communicator split does not derive from a session")
	case c.someGot(name):
		e.add("set", "this process is not in %s", name)
	default:
		e.add("set", "%s is not a process set of the session, or has no process of the communicator", name)
	}
}

// someGot reports whether some process that named the process set got a communicator.
func (c *call) someGot(name string) bool {
	if c.sets == nil {
		c.sets = map[string]bool{}
		for row := range c.world {
			if _, key, value := c.guide(row); key == engine.KeyPsetName && c.part[row] >= 0 {
				c.sets[value] = true
			}
		}
	}
	return c.sets[name]
}

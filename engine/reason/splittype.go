package reason

import (
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// guide returns what a process passed to MPI_Comm_split_type: the split type, and key and value of its
// info argument.
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

// named adds the resource that a name stands for, where that resource has another name of its own.
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
		return // so that ranks on other PUs have the same explanation
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

// unknownResource tells that this machine has no such resource. For a name that no machine has, it
// also suggests a name.
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

// since adds the PUs that a rank runs on now, when they are others than at the call.
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

package reason

import (
	"fmt"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/hw"
)

// kind is how a split by hardware finds its resource type.
type kind int

const (
	kindGuided kind = iota
	kindShared
	kindUnguided
)

// hardware is what a MPI_Comm_split_type found on the machine, worked out from the bindings.
type hardware struct {
	t        *hw.Topology
	bindings []*hw.Binding
	kind     kind
	chosen   int    // index into the topology's resources; -1: none
	tried    []Fact // of kindUnguided: the levels, coarsest first
	places   map[place]string
}

type place struct {
	resource int
	binding  *hw.Binding
}

// byHardware works out which resource type the call splits by.
func (c *call) byHardware() *hardware {
	if c.hardware != nil {
		return c.hardware
	}
	h := &hardware{t: c.s.Topology, bindings: c.s.Bindings, chosen: -1, places: map[place]string{}}
	c.hardware = h
	row := slices.IndexFunc(c.world, func(w int32) bool { return c.text("split_type", c.row(int(w))) != "MPI_UNDEFINED" })
	if h.t == nil || row < 0 {
		return h
	}
	name, key, value := c.guide(row)
	switch {
	case name == engine.TypeShared.String() || value == engine.ValueSharedMemory:
		h.kind, h.chosen = kindShared, h.index("hwloc://Machine")
	case name == engine.TypeHWUnguided.String():
		h.kind = kindUnguided
		h.descend(c.world)
	case key != "" && key != engine.KeyPsetName:
		h.chosen = h.index(value)
	}
	return h
}

func (h *hardware) index(name string) int {
	r, _ := h.t.Lookup(name)
	list := h.t.Resources()
	return slices.IndexFunc(list, func(x hw.Resource) bool { return r != nil && x.URI == r.URI && x.Type == r.Type })
}

func (h *hardware) resource() *hw.Resource { return &h.t.Resources()[h.chosen] }

// instance is the one instance of a resource type that a rank is restricted to, or -1.
func (h *hardware) instance(resource int, world int) int {
	return int(h.t.Restricted(h.bindings[world])[resource])
}

// descend tries the resource types from the coarsest to the finest, as an unguided split does, and
// notes what speaks for or against each.
func (h *hardware) descend(group []int32) {
	for i, r := range h.t.Resources() {
		if r.ByNameOnly {
			continue
		}
		count := map[int]int{}
		for _, w := range group {
			if k := h.instance(i, int(w)); k >= 0 {
				count[k]++
			}
		}
		why := ""
		switch {
		case len(count) == 0:
			why = "no: no rank is restricted to one instance"
		case len(count) == 1 && only(count) == len(group):
			why = "no: one instance has " + ofAll(len(group), len(group))
		default:
			why = "taken: " + shares(count, len(group))
			h.chosen = i
		}
		h.tried = append(h.tried, Fact{r.URI, why})
		if h.chosen >= 0 {
			return
		}
	}
}

func only(count map[int]int) int {
	for _, n := range count {
		return n
	}
	return 0
}

// shares says how the instances of a type divide a group: "2 instances, 4 to 8 ranks each".
func shares(count map[int]int, size int) string {
	least, most, sum := size, 0, 0
	for _, n := range count {
		least, most, sum = min(least, n), max(most, n), sum+n
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

// cpuset is where a rank may run, with the host where there are several.
func (h *hardware) cpuset(world int) string {
	b := h.bindings[world]
	if len(h.t.Hosts) > 1 {
		return b.CPUSet.String() + " of " + h.t.Hosts[b.Host].Name
	}
	return b.CPUSet.String()
}

// touched names the instances of a resource type that a rank may use: "Core L#6-7 (P#6-7)".
func (h *hardware) touched(resource, world int) string {
	at := place{resource, h.bindings[world]}
	if text, ok := h.places[at]; ok {
		return text
	}
	r := &h.t.Resources()[resource]
	var logical, os []int
	for _, o := range r.Instances {
		if h.meets(o, at.binding) {
			logical = append(logical, o.LogicalIndex)
			if o.OSIndex != hw.Unknown {
				os = append(os, o.OSIndex)
			}
		}
	}
	text := ""
	if len(logical) > 0 {
		text = bare(r.URI) + " L#" + engine.RanksOf(logical...).String()
		if len(os) == len(logical) {
			text += " (P#" + engine.RanksOf(os...).String() + ")"
		}
	}
	h.places[at] = text
	return text
}

// bare is a resource's name without its provider: "NUMANode".
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

// touchedText says why a rank is not restricted to one instance.
func (h *hardware) touchedText(resource, world int) string {
	text := h.touched(resource, world)
	if text == "" {
		return "no instance: its PUs lie outside of all of them"
	}
	return text + ": more than one instance, so the rank is not restricted to one"
}

// nodes says, where it matters, which NUMA nodes count.
func (h *hardware) nodes(e *Explanation) {
	if h.resource().Type != hw.NUMANode {
		return
	}
	var left []string
	for _, o := range h.t.Objects(hw.NUMANode) {
		if !slices.Contains(h.resource().Instances, o) {
			left = append(left, fmt.Sprint("L#", o.LogicalIndex))
		}
	}
	if len(left) == 0 {
		return
	}
	const most = 8
	if n := len(left); n > most {
		left = append(left[:most], fmt.Sprintf("... %d in all", n))
	}
	e.add("default nodes", "of NUMA nodes with the same CPUs only the default one counts, and none without CPUs; "+
		"left out: %s", strings.Join(left, ", "))
}

package reason

import (
	"fmt"
	"slices"

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

// hardware is what a MPI_Comm_split_type found on the machine, worked out from where the ranks ran then.
type hardware struct {
	t        *hw.Topology
	bindings []*hw.Binding
	kind     kind
	chosen   int                    // index into the topology's resources; -1: none
	tried    []Fact                 // of kindUnguided: the levels, coarsest first
	places   map[place][]*hw.Object // instances that a binding meets
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
	h := &hardware{t: c.s.Topology, bindings: c.s.BindingsAt(c.step.Number), chosen: -1, places: map[place][]*hw.Object{}}
	c.hardware = h
	row := slices.IndexFunc(c.world, func(w int32) bool { return !c.undefined(c.row(int(w))) })
	if h.t == nil || row < 0 {
		return h
	}
	name, key, value := c.guide(row)
	switch {
	case name == engine.TypeShared.String() || value == engine.ValueSharedMemory:
		h.kind, h.chosen = kindShared, h.index("hwloc://Machine")
	case name == engine.TypeHWUnguided.String():
		h.kind = kindUnguided
		h.descend(c.world, c.asking())
	case key != "" && key != engine.KeyPsetName:
		h.chosen = h.index(value)
	}
	return h
}

// asking are the processes of MPI_Comm_split_type that want a communicator.
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

// descend tries the resource types from the coarsest to the finest, as an unguided split of the group
// does, and notes what speaks for or against each. Where all of the group run decides; of the type
// taken only those that ask for a communicator count.
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
		case len(count) == 1 && only(count) == len(group):
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

// count tells how many of some ranks are restricted to each instance of a resource type.
func (h *hardware) count(resource int, ranks []int32) map[int]int {
	count := map[int]int{}
	for _, w := range ranks {
		if k := h.instance(resource, int(w)); k >= 0 {
			count[k]++
		}
	}
	return count
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
	if len(count) == 0 {
		return "none of the ranks that ask is restricted to an instance"
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

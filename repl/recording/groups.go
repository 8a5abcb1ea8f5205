package recording

import (
	"errors"
	"fmt"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
)

// passed returns the group that a call got as the argument of that name, in world ranks.
func (p *Process) passed(c *call, name string) ([]int32, error) {
	id, ok := c.number(name)
	if !ok {
		return nil, fmt.Errorf("the call has no argument %s that is a number", name)
	}
	g, ok := p.groups[id]
	if !ok {
		return nil, fmt.Errorf("group %d has no call before that made it", id)
	}
	return g, nil
}

// group computes the group that a call returned, and keeps it under the process's number.
func (p *Process) group(c *call, of *comm) error {
	if c.result.kind != gotGroup {
		return nil
	}
	g, err := p.makeGroup(c, of)
	if err != nil {
		return err
	}
	if g != nil && len(g) != int(c.result.size) && c.result.size > 0 {
		return fmt.Errorf("the group has %d processes as its call says, and %d as the library said", len(g), c.result.size)
	}
	if c.result.id > 0 {
		p.groups[c.result.id] = g
	}
	return nil
}

// errNoList is the error for an argument that is not a list, or that the recorder had no room for.
var errNoList = errors.New("the ranks of the call are not a list, or too many for the recorder to keep")

func (p *Process) makeGroup(c *call, of *comm) ([]int32, error) {
	switch c.op.call {
	case engine.CallGroup, engine.CallRemoteGroup:
		if of == nil {
			return nil, errors.New("the call is made on no communicator")
		}
		here, there := of.members, of.remote
		if of.remote != nil && slices.Contains(of.remote, int32(p.Rank)) {
			here, there = there, here
		}
		if c.op.call == engine.CallRemoteGroup {
			return there, nil
		}
		return here, nil
	case engine.CallGroupFromPset:
		return p.processSet(c)
	}
	a, err := p.passed(c, "group")
	if err != nil {
		return nil, err
	}
	switch c.op.call {
	case engine.CallGroupUnion, engine.CallGroupIntersection, engine.CallGroupDifference:
		b, err := p.passed(c, "group2")
		if err != nil {
			return nil, err
		}
		return combine(c.op.call, a, b), nil
	}
	return selected(c, a)
}

// processSet returns the group of mpi://SELF or mpi://WORLD; nil for other process sets, of which only the size is
// known.
func (p *Process) processSet(c *call) ([]int32, error) {
	name, _ := c.arg("pset")
	switch unquoted(name) {
	case "mpi://SELF":
		return []int32{int32(p.Rank)}, nil
	case "mpi://WORLD":
		return p.comms[worldID].members, nil
	}
	return nil, nil
}

// selected computes the group of MPI_Group_incl, MPI_Group_excl and their range variants (MPI-5.0 §7.3.2).
func selected(c *call, from []int32) ([]int32, error) {
	name := "ranks"
	ranged := c.op.call == engine.CallGroupRangeIncl || c.op.call == engine.CallGroupRangeExcl
	if ranged {
		name = "ranges"
	}
	text, _ := c.arg(name)
	ranks, ok := list(text)
	if ok && ranged {
		ranks, ok = unrolled(ranks)
	}
	if !ok {
		return nil, errNoList
	}
	for _, r := range ranks {
		if r < 0 || int(r) >= len(from) {
			return nil, fmt.Errorf("rank %d is none of a group of %d", r, len(from))
		}
	}
	if c.op.call == engine.CallGroupIncl || c.op.call == engine.CallGroupRangeIncl {
		if len(ranks) > len(from) {
			return nil, fmt.Errorf("%d ranks of a group of %d: each can be taken once", len(ranks), len(from))
		}
		g := make([]int32, len(ranks))
		for i, r := range ranks {
			g[i] = from[r]
		}
		return g, nil
	}
	out := make([]bool, len(from))
	for _, r := range ranks {
		out[r] = true
	}
	g := []int32{}
	for i, m := range from {
		if !out[i] {
			g = append(g, m)
		}
	}
	return g, nil
}

// unrolled returns the ranks of triplets of first, last and stride; false for bad triplets.
func unrolled(triplets []int32) ([]int32, bool) {
	var g []int32
	for t := range slices.Chunk(triplets, 3) {
		if len(t) < 3 || t[2] == 0 {
			return nil, false
		}
		var ok bool
		if g, ok = span(g, int64(t[0]), fmt.Sprintf("%d:%d", t[1], t[2])); !ok {
			return nil, false
		}
	}
	return g, true
}

// combine returns the union, the intersection or the difference of two groups, in the order of the first (MPI-5.0
// §7.3.2).
func combine(c engine.Call, a, b []int32) []int32 {
	without := func(list, other []int32, in bool) []int32 { // in or not in the other
		has := map[int32]bool{}
		for _, m := range other {
			has[m] = true
		}
		return slices.DeleteFunc(slices.Clone(list), func(m int32) bool { return has[m] == in })
	}
	switch c {
	case engine.CallGroupUnion:
		return slices.Concat(a, without(b, a, true))
	case engine.CallGroupIntersection:
		return without(a, b, false)
	}
	return without(a, b, true)
}

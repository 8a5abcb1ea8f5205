package tui

import (
	"slices"

	"codeberg.org/commsplit/commsplit/tui/moment"
)

// pair is a moment and the moment before it, side by side.
type pair struct {
	before, after *moment.Moment
	from, to      int // the variables that show
	moved         []bool
}

// pairKey identifies a pair.
type pairKey struct {
	after *moment.Moment
	to    int
}

// besides makes the pair of a moment, which is not the beginning, and the moment of the step before, for the
// variable that shows.
func besides(after *moment.Moment, handle int) *pair {
	p := &pair{before: after.Before(), after: after, to: handle}
	p.from = origin(p.before, p.after, p.to)
	p.moved = whoMoved(p)
	if after.Size() >= large {
		p.before.Prepared()
	}
	return p
}

// pair returns the pair of the current moment and variable; nil at the beginning, and as long as it is not made.
func (v *hwView) pair(m *Model) *pair {
	of := pairKey{m.moment, m.handle}
	if of.after.Step == 0 {
		return nil
	}
	p, _ := v.pairs.get(m, of, func() *pair { return besides(of.after, of.to) })
	return p
}

// origin returns the variable whose earlier value a variable is compared with: the variable itself if it existed
// before, otherwise the variable that held the parent of its communicators.
func origin(before, after *moment.Moment, handle int) int {
	h := &after.Handles[handle]
	if k := before.Handle(h.Name); k >= 0 {
		return k
	}
	p := after.Parting(handle)
	if p.Len() == 0 {
		return 0
	}
	c := after.View.Snapshot.Comm(p.Comm(0))
	if c == nil {
		return 0
	}
	return max(before.Holder(c.Parent, -1), 0)
}

// whoMoved returns, for each world rank, whether it moved. If the bindings differ, a rank moved when it runs in
// another place. If both sides show the same variable, a rank moved when it has another communicator or rank there.
// Otherwise, a rank moved when it has another place in the order of its group.
func whoMoved(p *pair) []bool {
	out := make([]bool, p.after.Size())
	if p.before.Ground != p.after.Ground {
		for r := range out {
			out[r] = p.before.Ground.Home(r) != p.after.Ground.Home(r)
		}
		return out
	}
	if p.before.Handles[p.from].Name == p.after.Handles[p.to].Name {
		for r := range out {
			out[r] = p.to > 0 && !p.before.Parting(p.from).Alike(p.after.Parting(p.to), r)
		}
		return out
	}
	old := func(r int32) int {
		if p.from == 0 {
			return int(r)
		}
		_, rank, _ := p.before.Parting(p.from).Place(int(r))
		return rank
	}
	for k := range p.after.Parting(p.to).Len() {
		c := p.after.View.Snapshot.Comm(p.after.Parting(p.to).Comm(k))
		if c == nil {
			continue
		}
		for _, group := range [][]int32{c.Group, c.Remote} {
			sorted := slices.Clone(group)
			slices.SortStableFunc(sorted, func(a, b int32) int { return old(a) - old(b) })
			for i, r := range group {
				out[r] = sorted[i] != r
			}
		}
	}
	return out
}

// pairSights returns both sides of the pair; while there is no pair, only the current moment.
func (m *Model) pairSights() []sight {
	p := m.hw.pair(m)
	if p == nil {
		return []sight{{moment: m.moment, handle: m.handle}}
	}
	return []sight{
		{head: "before: " + p.before.Handles[p.from].Name, moment: p.before, handle: p.from},
		{head: "after: " + p.after.Handles[p.to].Name, moment: p.after, handle: p.to, moved: p.moved},
	}
}

// toggleBefore shows the step before beside the current step, or the current step alone.
func (m *Model) toggleBefore() {
	switch {
	case m.hw.paired:
		m.hw.paired = false
	case m.moment.Step == 0:
		m.notice = "this is the beginning: nothing was before"
	default:
		m.hw.paired = true
	}
}

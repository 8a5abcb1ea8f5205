package tui

import (
	"slices"

	"commsplit/tui/scene"
)

// pair is a moment beside the one before it, or beside one that might have been.
type pair struct {
	before, after *scene.Moment
	from, to      int // the variables that show
	moved         []bool
}

// besides makes the pair of the present moment and the step before it; nil at the beginning.
func besides(m *Model) *pair {
	if m.moment.Step == 0 {
		return nil
	}
	p := &pair{before: m.moment.At(m.moment.Step - 1), after: m.moment, to: m.handle}
	p.from = origin(p.before, p.after, p.to)
	p.moved = whoMoved(p)
	return p
}

// origin is the variable that held before what a variable was made of: itself, when it had another value then,
// else the one with the parent of its communicators.
func origin(before, after *scene.Moment, handle int) int {
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

// whoMoved tells of each world rank whether it is elsewhere: on other hardware; else, of one variable, in another
// communicator or at another rank; else, of what was made of another one, at another place in the order.
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
			out[r] = p.to > 0 && p.before.Parting(p.from).Cell(r) != p.after.Parting(p.to).Cell(r)
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

// sights are both sides.
func (p *pair) sights(m *Model) []sight {
	if p.after != m.moment || p.to != m.handle { // another step shows
		if *p = (pair{}); m.moment.Step > 0 {
			*p = *besides(m)
		} else {
			return []sight{{moment: m.moment, handle: m.handle}}
		}
	}
	return []sight{
		{head: "before: " + p.before.Handles[p.from].Name, moment: p.before, handle: p.from},
		{head: "after: " + p.after.Handles[p.to].Name, moment: p.after, handle: p.to, moved: p.moved},
	}
}

func (p *pair) note() string { return "before | after; » marks who moved" }

// toggleBefore shows the step before beside the present one, or the present one alone.
func (m *Model) toggleBefore() {
	if m.hw.pair != nil {
		m.hw.pair = nil
		return
	}
	if m.hw.pair = besides(m); m.hw.pair == nil {
		m.notice = "this is the beginning: nothing was before"
	}
}

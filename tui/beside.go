package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// pair is a moment and the moment before it, side by side.
type pair struct {
	before, after *moment.Moment // nil until made
	from, to      int            // the variables that show
	moved         []bool
	asked         pairKey // in a large world: the pair that the pane needs
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
	return p
}

// pairMsg is a pair of a large world, made in the background once keys rest.
type pairMsg struct{ *pair }

// pairBeside returns the command that makes the pair that the pane needs; nil when it needs none.
func (m *Model) pairBeside() tea.Cmd {
	p := m.hw.pair
	if p == nil || p.asked != (pairKey{m.moment, m.handle}) || p.shows(m) {
		return nil
	}
	after, handle := m.moment, m.handle
	return func() tea.Msg {
		made := besides(after, handle)
		made.before.Prepared()
		return pairMsg{made}
	}
}

// paired shows a pair made in the background, unless the pane has stopped showing pairs. If the pane needs another
// pair by then, paired starts making that one.
func (m *Model) paired(msg pairMsg) tea.Cmd {
	if m.hw.pair == nil {
		return nil
	}
	m.hw.pair = msg.pair
	m.redraw()
	if !msg.shows(m) {
		return m.rest()
	}
	return nil
}

// shows reports whether the pair is that of the current moment and variable.
func (p *pair) shows(m *Model) bool { return p.after == m.moment && p.to == m.handle }

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

// sights returns both sides of the pair; while there is no pair, only the current moment.
func (p *pair) sights(m *Model) []sight {
	switch {
	case p.shows(m):
	case m.moment.Step == 0:
		return []sight{{moment: m.moment, handle: m.handle}}
	case m.moment.Size() >= large: // no key waits until a pair is made
		p.asked = pairKey{m.moment, m.handle}
		return []sight{{moment: m.moment, handle: m.handle}}
	default: // the pair is of another step
		*p = *besides(m.moment, m.handle)
	}
	return []sight{
		{head: "before: " + p.before.Handles[p.from].Name, moment: p.before, handle: p.from},
		{head: "after: " + p.after.Handles[p.to].Name, moment: p.after, handle: p.to, moved: p.moved},
	}
}

func (p *pair) note(m *Model) string {
	if m.moment.Step > 0 && !p.shows(m) {
		return "looking at " + spell.Plural(m.moment.Size(), "rank") + " ..."
	}
	return "before | after; » marks who moved"
}

// toggleBefore shows the step before beside the current step, or the current step alone.
func (m *Model) toggleBefore() {
	switch {
	case m.hw.pair != nil:
		m.hw.pair = nil
	case m.moment.Step == 0:
		m.notice = "this is the beginning: nothing was before"
	default:
		m.hw.pair = &pair{}
	}
}

package tui

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// Showing a step, and finding its phases, looks at every rank. In a large world this happens in the background, so
// that no key has to wait for it.

// goal is a step to show.
type goal struct {
	step   int
	stuck  int // see moment.Place
	depth  depth
	phases int // further phases that were asked for while the step is looked up
}

// depth is how far into a step a goal leads.
type depth int

const (
	whole       depth = iota
	inside            // to its first phase
	worthInside       // to its first phase if the step divides contributions; otherwise the whole step
)

// found is a step that was looked up.
type found struct {
	from, to *moment.Moment
	fresh    int            // the variable that the step made; -1: none, or the step is not after from
	motion   *moment.Motion // the phases of the step; nil where the whole step shows
	err      error          // why there are no phases
}

// seek shows a step; in a large world, once the step is looked up. A session that plays goes on from there.
func (m *Model) seek(g goal) tea.Cmd {
	m.going = &g
	from, handle, asked := m.moment, m.handle, g
	if from.Size() < large {
		return m.stepped(lookUp(from, handle, asked), &g)
	}
	return func() tea.Msg {
		f := lookUp(from, handle, asked)
		f.to.Prepared()
		return news(func(m *Model) tea.Cmd { return m.stepped(f, &g) })
	}
}

// lookUp finds a step, and its phases if the goal is inside it. handle is the variable that shows at the moment
// from.
func lookUp(from *moment.Moment, handle int, g goal) found {
	f := found{from: from, to: from.To(moment.Place{Step: g.step, Stuck: g.stuck}), fresh: -1}
	if g.step > from.Step {
		f.fresh = changed(from, f.to)
	}
	if g.depth == whole {
		return f
	}
	preferred := f.fresh
	if preferred < 0 {
		preferred = max(0, f.to.Handle(from.Handles[handle].Name))
	}
	f.motion, f.err = f.to.Motion(g.step, preferred)
	switch {
	case f.motion == nil:
	case g.depth == worthInside && !slices.Contains(f.motion.Stages, reason.Divide):
		f.motion = nil
	default:
		f.motion.Width()
	}
	return f
}

// stepped shows a step that was looked up, unless the moment has changed since, or another step was asked for.
func (m *Model) stepped(f found, g *goal) tea.Cmd {
	if m.moment != f.from || m.going != g {
		return nil
	}
	m.arrive(f.to, f.fresh)
	switch p := &m.player; {
	case f.motion != nil:
		if m.handle = f.motion.Handle; m.handle > 0 {
			m.choose(m.sel)
		}
		p.begin(f.motion, true)
		p.to(m, min(1+g.phases, len(f.motion.Stages)))
	case g.depth == inside:
		m.notice = f.err.Error()
	}
	if m.player.on {
		return m.tick()
	}
	return nil
}

// arrive shows a step and the communicators that it made.
func (m *Model) arrive(next *moment.Moment, fresh int) {
	m.see(next)
	if fresh >= 0 {
		m.handle = fresh
		m.choose(m.sel)
	}
	if m.sel.Empty() {
		m.show(whyPane)
	}
}

// stepTo shows the session after another step.
func (m *Model) stepTo(k int) tea.Cmd {
	if !m.resting() {
		return nil
	}
	if m.player.inside() > 0 && k > m.moment.Step {
		k-- // the step inside which the session is becomes the current step
	}
	m.player.stop()
	m.player.leave(m)
	switch {
	case k < 0:
		m.notice = "this is the beginning"
		return nil
	case k > m.latest() && m.asked != nil:
		m.notice = "the next step answers the question"
		return nil
	case k > m.moment.Last:
		m.notice = "this is the present"
		return nil
	}
	m.notice = ".step " + strconv.Itoa(k)
	return m.seek(goal{step: k})
}

// stepBy shows the next stop (1), or the stop before (-1).
func (m *Model) stepBy(by int) tea.Cmd {
	if !m.resting() {
		return nil
	}
	p := m.moment.Place()
	if m.going != nil {
		p = moment.Place{Step: m.going.step, Stuck: m.going.stuck}
	}
	next, ok := m.moment.Beside(p, by)
	switch {
	case !ok || next.Stuck == 0 || m.player.inside() > 0:
		return m.stepTo(next.Step)
	case m.asked != nil && next.Step >= m.latest():
		return m.stepTo(m.latest() + 1)
	}
	m.player.stop()
	m.player.leave(m)
	m.notice = "here ranks were blocked; [ and ] go on"
	return m.seek(goal{step: next.Step, stuck: next.Stuck})
}

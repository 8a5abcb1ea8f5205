package tui

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/engine/reason"
	"commsplit/tui/scene"
)

// To show a step, and to take it apart into its phases, takes a look at every rank. In a large world this is done
// beside the screen, so that no key waits for it, and no picture of a session that plays.

// goal is a step that is to show.
type goal struct {
	step   int
	depth  depth
	phases int // how many more phases were asked for while the step is looked up
}

// depth is how far into a step a goal leads.
type depth int

const (
	whole       depth = iota
	inside            // to its first phase
	worthInside       // to its first phase where the step divides contributions, which is worth watching
)

// steppedMsg is a step that was looked up.
type steppedMsg struct {
	goal     *goal
	from, to *scene.Moment
	fresh    int           // the variable that the step made; -1: none, or it is not later than where one was
	motion   *scene.Motion // the phases of the step; nil where it shows as a whole
	err      error         // why there are none
}

// seek shows a step, in a large world once it is looked up. A session that plays goes on from there.
func (m *Model) seek(g goal) tea.Cmd {
	m.going = &g
	from, handle, asked := m.moment, m.handle, g
	look := func() steppedMsg {
		found := lookUp(from, handle, asked)
		found.goal = &g
		return found
	}
	if from.Size() < large {
		return m.stepped(look())
	}
	return func() tea.Msg {
		found := look()
		found.to.Prepared()
		return found
	}
}

// lookUp finds a step, and its phases where the goal is inside of it; handle is the variable that shows before.
func lookUp(from *scene.Moment, handle int, g goal) steppedMsg {
	found := steppedMsg{from: from, to: from.At(g.step), fresh: -1}
	if g.step > from.Step {
		found.fresh = changed(from, found.to)
	}
	if g.depth == whole {
		return found
	}
	preferred := found.fresh
	if preferred < 0 {
		preferred = max(0, found.to.Handle(from.Handles[handle].Name))
	}
	found.motion, found.err = found.to.Motion(g.step, preferred)
	switch {
	case found.motion == nil:
	case g.depth == worthInside && !slices.Contains(found.motion.Stages, reason.Divide):
		found.motion = nil
	default:
		found.motion.Width()
	}
	return found
}

// stepped shows a step that was looked up, unless something else shows or is asked for by now.
func (m *Model) stepped(msg steppedMsg) tea.Cmd {
	if m.moment != msg.from || m.going != msg.goal {
		return nil
	}
	m.arrive(msg.to, msg.fresh)
	switch p := &m.player; {
	case msg.motion != nil:
		if m.handle = msg.motion.Handle(); m.handle > 0 {
			m.choose(m.sel)
		}
		p.begin(msg.motion, true)
		p.to(m, min(1+msg.goal.phases, len(msg.motion.Stages)))
	case msg.goal.depth == inside:
		m.notice = msg.err.Error()
	}
	if m.player.on {
		return m.tick()
	}
	return nil
}

// arrive shows a step and the communicators that it made.
func (m *Model) arrive(next *scene.Moment, fresh int) {
	m.see(next)
	if fresh >= 0 {
		m.handle = fresh
		m.choose(m.sel)
	}
	if m.sel.Empty() {
		m.show(whyPane)
	}
}

// stepTo shows the session as after another step.
func (m *Model) stepTo(k int) tea.Cmd {
	if !m.resting() {
		return nil
	}
	if m.player.inside() > 0 && k > m.moment.Step {
		k-- // the step that is taken apart gets done
	}
	m.player.stop()
	m.player.leave(m)
	switch {
	case k < 0:
		m.notice = "this is the beginning"
		return nil
	case k > m.latest() && m.asked != nil:
		m.notice = "what comes then answers the question"
		return nil
	case k > m.moment.Last:
		m.notice = "this is the present"
		return nil
	}
	m.notice = ".step " + strconv.Itoa(k)
	return m.seek(goal{step: k})
}

// step is the step that shows, or is looked up.
func (m *Model) step() int {
	if m.going != nil {
		return m.going.step
	}
	return m.moment.Step
}

package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/render"
	"commsplit/repl"
	"commsplit/repl/lang"
	"commsplit/tui/scene"
)

// running is lines that run, beside the screen.
type running struct {
	cancel   context.CancelFunc
	done     chan struct{} // closed when they have ended
	messages chan tea.Msg  // questions, then the end; has room for one, as each question waits
	judged   []verdict     // on predictions; the screen is told with the next message
	seen     int           // the step that the person saw last
	heard    int           // lines that ranks had said by then
	asked    bool          // there was a question
}

// next waits for what the lines have to tell.
func (r *running) next() tea.Msg { return <-r.messages }

// openedMsg says that there is a session, or why not.
type openedMsg struct {
	console *repl.Console
	moment  *scene.Moment
	err     error
}

// ranMsg says that lines have run; failed: one of them was wrong.
type ranMsg struct {
	moment *scene.Moment
	failed bool
	judged []verdict
}

// waitingMsg comes now and then while lines run.
type waitingMsg struct{}

// open starts a session.
func (m *Model) open(cfg repl.Config) tea.Cmd {
	out, width, crashed, journal, files := m.output, 100, m.crashed, m.opts.Journal, m.opts.AllowFiles
	return func() tea.Msg {
		c, err := repl.NewConsole(background, cfg, out.as(said), out.as(wrong), render.Style{Width: width})
		if err != nil {
			return openedMsg{err: err}
		}
		c.AllowFiles = files
		c.Prompt, c.Brief, c.Session.Crashed = true, true, crashed
		c.KeepJournal(journal)
		c.Welcome()
		return openedMsg{c, scene.NewMoment(c.Session.View(), -1, nil), nil}
	}
}

func (m *Model) opened(msg openedMsg) tea.Cmd {
	if m.failed = msg.err; msg.err != nil {
		return tea.Quit
	}
	m.console = msg.console
	m.log.add(m.output.take()...)
	m.see(msg.moment)
	m.notice = m.console.Lost()
	return m.runQueue()
}

// run runs lines one after the other, as if they were typed.
func (m *Model) run(lines ...string) tea.Cmd {
	if !m.idle() {
		m.notice = "a line is still running: Ctrl-C stops it"
		return nil
	}
	var steps []step
	for _, line := range lines {
		pending := m.lines.Pending()
		m.log.add(entry{m.console.PromptText(pending) + line, typed})
		chunks, err := m.lines.Feed(line, true)
		for _, chunk := range chunks {
			steps = append(steps, doing(chunk))
		}
		if err != nil {
			steps = append(steps, func(context.Context, *repl.Console) error { return err })
		}
	}
	if len(steps) == 0 {
		return nil
	}
	return m.perform(steps)
}

func doing(chunk *lang.Chunk) step {
	return func(ctx context.Context, c *repl.Console) error { return c.Do(ctx, chunk) }
}

// perform takes steps with the session beside the screen. It goes on after a step that failed only
// if that was no part of a script.
func (m *Model) perform(steps []step) tea.Cmd {
	ctx, cancel := context.WithCancel(background)
	r := &running{cancel: cancel, done: make(chan struct{}), messages: make(chan tea.Msg, 1)}
	r.seen, r.heard = m.moment.Last, len(m.moment.Present.Snapshot.Output)
	m.busy, m.notice, m.log.fresh = r, "", 0
	m.console.Style.Width = m.logWidth()
	m.player.stop()
	m.player.leave(m)
	c, before := m.console, m.moment
	r.predicting(ctx, c, before)
	work := func() tea.Msg {
		go r.work(ctx, c, before, steps)
		return r.next()
	}
	return tea.Batch(work, m.lookAgain())
}

func (r *running) work(ctx context.Context, c *repl.Console, before *scene.Moment, steps []step) {
	defer close(r.done)
	defer r.cancel()
	defer func() {
		if v := recover(); v != nil && c.Session.Crashed != nil {
			c.Session.Crashed(v)
		} else if v != nil {
			panic(v)
		}
	}()
	failed := false
	for _, step := range steps {
		if err := step(ctx, c); err != nil {
			repl.WriteError(c.Err, err)
			if failed = true; errors.Is(ctx.Err(), context.Canceled) {
				break
			}
		}
	}
	r.messages <- ranMsg{scene.NewMoment(c.Session.View(), -1, before), failed, r.verdicts()}
}

// lookAgain wakes the screen while lines run, to show what they say.
func (m *Model) lookAgain() tea.Cmd {
	return tea.Tick(100*time.Millisecond, func(time.Time) tea.Msg { return waitingMsg{} })
}

func (m *Model) stillRunning() tea.Cmd {
	if m.busy == nil {
		return nil
	}
	m.log.add(m.output.take()...)
	return m.lookAgain()
}

// ran shows what lines came to.
func (m *Model) ran(msg ranMsg) tea.Cmd {
	seen, asked := m.busy.seen, m.busy.asked
	m.busy, m.asked = nil, nil
	told := m.output.take()
	m.log.add(told...)
	m.log.fresh = len(told)
	fresh := changed(m.moment, msg.moment)
	m.see(msg.moment)
	if fresh >= 0 && len(msg.moment.View.Snapshot.Waiting) == 0 {
		m.handle = fresh
	}
	switch {
	case msg.failed:
		m.show(logPane)
	case len(msg.moment.View.Snapshot.Waiting) > 0:
		m.choose(scene.Selection{})
		m.show(whyPane)
	case len(told) > 1 && fresh < 0:
		m.show(logPane)
		if len(told) > m.height/3 {
			m.notice = "5 goes to the log, + shows it alone"
		}
	case fresh >= 0:
		m.show(whyPane)
	}
	if m.console.Quitting() {
		return tea.Quit
	}
	m.judge(msg.judged)
	if cmd := m.runQueue(); cmd != nil {
		m.player.autoplay = false
		return cmd
	}
	auto := m.player.autoplay && !msg.failed
	m.player.autoplay = false
	switch {
	case auto && asked && seen < m.moment.Last:
		m.goTo(seen) // the steps before were seen with the questions
		return m.playOrPause()
	case auto && !asked:
		return m.playOrPause()
	}
	return nil
}

// changed is the handle that lines made or made anew: the last one that holds a communicator, else the
// last one; -1 for none.
func changed(before, after *scene.Moment) int {
	found := -1
	for k := len(after.Handles) - 1; k > 0; k-- {
		h := &after.Handles[k]
		i := before.Handle(h.Name)
		if i >= 0 && slices.Equal(before.Handles[i].IDs, h.IDs) {
			continue
		}
		if slices.ContainsFunc(h.IDs, func(id int32) bool { return id >= 0 }) {
			return k
		}
		found = max(found, k)
	}
	return found
}

// see makes a moment the one that shows.
func (m *Model) see(next *scene.Moment) {
	before := m.moment
	m.moment = next
	if before == nil || !before.Ground.SameWorld(next.Ground) {
		m.hw.folds, m.comms.folds, m.ranks.folds = scene.Folds{}, scene.Folds{}, scene.Folds{}
		m.sel = scene.Selection{}
	}
	if before != nil && m.handle < len(before.Handles) {
		m.handle = max(0, next.Handle(before.Handles[m.handle].Name))
	}
	m.choose(m.known(m.sel))
}

// known is what a selection still means.
func (m *Model) known(s scene.Selection) scene.Selection {
	var comms []int
	for _, id := range s.Comms {
		if m.moment.View.Snapshot.Comm(id) != nil {
			comms = append(comms, id)
		}
	}
	s.Comms = comms
	return s
}

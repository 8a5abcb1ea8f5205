package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/render"
	"commsplit/repl"
	"commsplit/repl/edit"
	"commsplit/tui/scene"
)

// enter runs the line at the prompt.
func (m *Model) enter() tea.Cmd {
	switch {
	case m.asked != nil && m.player.on && m.prompt.empty():
		m.stepTo(m.latest()) // to the question
		m.notice = ""
		return nil
	case m.asked != nil:
		return m.predict()
	}
	line := m.prompt.take()
	if strings.TrimSpace(line) == "?" {
		m.help()
		return nil
	}
	if strings.TrimSpace(line) == "" && !m.lines.Pending() && len(m.queue) == 0 {
		return nil
	}
	return m.submit(repl.Typed(line)...)
}

// submit runs lines that were typed or pasted, those that come while others run after these.
func (m *Model) submit(lines ...string) tea.Cmd {
	if m.idle() {
		return m.run(lines...)
	}
	m.queue = append(m.queue, lines...)
	return nil
}

// runQueue runs the lines that were typed while others ran.
func (m *Model) runQueue() tea.Cmd {
	lines := m.queue
	m.queue = nil
	if len(lines) == 0 {
		return nil
	}
	return m.run(lines...)
}

// dropQueue gives up the lines that wait, as a shell does after Ctrl-C; the history has them.
func (m *Model) dropQueue() {
	if n := len(m.queue); n > 0 {
		m.notice = render.Plural(n, "line") + " that waited will not run; the history has them"
		m.queue = nil
	}
}

func (m *Model) complete() {
	if m.prompt.text() == "" && m.prompt.options == nil {
		m.focusOn(m.focus)
		return
	}
	if m.idle() {
		m.prompt.propose(m.console.Session.Complete, 1)
	}
}

func (m *Model) completeBack() {
	if m.prompt.options != nil && m.idle() {
		m.prompt.propose(m.console.Session.Complete, -1)
	}
}

// forward moves the cursor; at the end it takes the ghost.
func (m *Model) forward() {
	if ghost := m.prompt.ghost(); ghost != "" && m.asked == nil {
		m.prompt.insert([]rune(ghost))
		return
	}
	m.prompt.move(m.prompt.Cursor() + 1)
}

// forwardWord moves the cursor by a word; at the end it takes a word of the ghost.
func (m *Model) forwardWord() {
	if ghost := m.prompt.ghost(); ghost != "" && m.asked == nil {
		m.prompt.insert([]rune(edit.FirstWord(ghost)))
		return
	}
	m.prompt.move(m.prompt.WordRight())
}

// giveUp is Ctrl-C at the prompt.
func (m *Model) giveUp() tea.Cmd {
	switch {
	case m.busy != nil:
		return m.interrupt()
	case len(m.queue) > 0: // the session is not open yet
		m.dropQueue()
	case !m.prompt.empty() || m.lines.Pending():
		m.prompt.set("")
		m.lines.Reset()
		m.prompt.cut.Reset()
	default:
		m.notice = "Ctrl-D leaves; Esc goes to the panes"
	}
	return nil
}

// endOfInput is Ctrl-D at the prompt.
func (m *Model) endOfInput() tea.Cmd {
	if !m.prompt.empty() {
		m.prompt.change(func() { m.prompt.DeleteChar(1) })
		return nil
	}
	if m.asked != nil { // no prediction
		return m.predict()
	}
	return tea.Quit
}

func (m *Model) stopOrQuit() tea.Cmd {
	if m.busy != nil {
		return m.interrupt()
	}
	return m.quit()
}

// quit leaves; with lines in the session it asks once.
func (m *Model) quit() tea.Cmd {
	if m.leaving || m.busy == nil && (m.console == nil || len(m.console.Session.Chunks()) == 0) {
		return tea.Quit
	}
	m.leaving = true
	m.notice = "q again leaves; Ctrl-S saves the session as a script first"
	return nil
}

// nextPane gives the keys to the next pane that can show.
func (m *Model) nextPane(step int) { m.focusOn((m.focus + paneID(step) + panes) % panes) }

func (m *Model) sideways(step int) {
	switch m.focus {
	case hwPane:
		m.hw.sideways(m, step)
	case commPane:
		m.comms.sideways(m, step)
	case rankPane:
		m.ranks.sideways(m, step)
	default:
		m.turnHandle(step)
	}
}

// unfold opens or closes the row with the cursor; where nothing is below, it brings the explanation to
// the front.
func (m *Model) unfold() {
	m.rowCount() // brings the rows up to date
	switch {
	case m.focus == hwPane && m.hw.at < len(m.hw.rows) && m.hw.rows[m.hw.at].Fold != scene.Bare:
		m.hw.fold(m)
	case m.focus == commPane && len(m.comms.rows) > 0 && m.comms.rows[m.comms.at].Fold != scene.Bare:
		m.comms.fold(m)
	case m.focus == rankPane && len(m.ranks.rows) > 0 && m.ranks.rows[m.ranks.at].fold != scene.Bare:
		m.ranks.fold(m)
	default:
		if m.sel.Empty() {
			m.moved()
		}
		m.show(whyPane)
	}
}

// clear goes back: out of a phase, to no selection, to the prompt.
func (m *Model) clear() {
	if m.sel.Empty() && m.player.phase == 0 && !m.player.on {
		m.typing = true
		return
	}
	m.player.stop()
	m.choose(scene.Selection{})
	m.player.leave(m)
}

func (m *Model) toggleAll() {
	m.all = !m.all
	m.hw.refold()
}

func (m *Model) toggleWorld() {
	m.world = !m.world
	m.hw.refold()
}

func (m *Model) toggleZoom() {
	m.zoom = !m.zoom
	m.arrange()
}

// saveLine begins the line that saves the session.
func (m *Model) saveLine() {
	m.typing = true
	m.prompt.set(".save session.mpi")
}

// findKey types what is looked for.
func (m *Model) findKey(msg tea.KeyMsg) tea.Cmd {
	f := &m.find
	switch msg.String() {
	case "enter":
		f.typing = false
		m.findNext(1)
	case "esc", "ctrl+c":
		*f = finder{}
	case "backspace":
		if r := []rune(f.text); len(r) > 0 {
			f.text = string(r[:len(r)-1])
		}
	default:
		if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace {
			f.text += string(msg.Runes)
		}
	}
	return nil
}

// stepTo shows the session as after another step.
func (m *Model) stepTo(k int) {
	if !m.resting() {
		return
	}
	m.player.stop()
	m.player.leave(m)
	switch {
	case k < 0:
		m.notice = "this is the beginning"
		return
	case k > m.latest() && m.asked != nil:
		m.notice = "what comes then answers the question"
		return
	case k > m.moment.Last:
		m.notice = "this is the present"
		return
	}
	m.goTo(k)
	m.notice = ".step " + itoa(k)
}

// goTo shows a step and what it made.
func (m *Model) goTo(k int) {
	before := m.moment
	m.see(m.moment.At(k))
	if fresh := changed(before, m.moment); fresh >= 0 && k > before.Step {
		m.handle = fresh
		m.choose(m.sel)
	}
	if m.sel.Empty() {
		m.show(whyPane)
	}
}

package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// copiedMsg says what went to the clipboard, or why not.
type copiedMsg string

// copyPane copies all of the focused pane, also what does not show.
func (m *Model) copyPane() tea.Cmd {
	r, ok := m.layout.of(m.focus)
	if !ok {
		return nil
	}
	r.h, r.x = 1<<12, 0
	hw, comms, ranks, why, back := m.hw.list, m.comms.list, m.ranks.list, m.why.top, m.log.back
	defer func() { // what shows stays where it is
		m.hw.list, m.comms.list, m.ranks.list, m.why.top, m.log.back = hw, comms, ranks, why, back
	}()
	m.log.back = 0
	var b strings.Builder
	for _, l := range m.pane(r)[1:] {
		b.WriteString(strings.TrimRight(l.Plain(), " ") + "\n")
	}
	return m.copy(b.String(), paneNames[m.focus])
}

// copyScript copies what .save would write.
func (m *Model) copyScript() tea.Cmd {
	if !m.idle() {
		return nil
	}
	return m.copy(m.console.Session.Text(), "the session")
}

func (m *Model) copy(text, what string) tea.Cmd {
	if m.opts.Copy == nil {
		return nil
	}
	return func() tea.Msg {
		if err := m.opts.Copy(text); err != nil {
			return copiedMsg("not copied: " + err.Error())
		}
		return copiedMsg(what + " went to the terminal's clipboard")
	}
}

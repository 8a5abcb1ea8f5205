package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/completion"
	"codeberg.org/commsplit/commsplit/repl/edit"
)

// editor is the line at the prompt.
type editor struct {
	edit.Editor
	cut   *repl.Input // cuts what is typed into entries of the history
	aside []string    // lines that were being typed when others took their place, the latest last
}

// take ends the line and returns it. A statement of several lines joins the history once it is complete.
func (e *editor) take() string {
	text := e.Take()
	for _, line := range repl.Typed(text) {
		e.cut.Feed(line, true) //nolint:errcheck // the history has mistakes, too
		for _, entry := range e.cut.Entries() {
			e.Keep(entry)
		}
	}
	return text
}

// push puts another line at the prompt, until pop brings back the line that was being typed.
func (e *editor) push(line string) {
	e.aside = append(e.aside, e.Text())
	e.Set(line)
}

func (e *editor) pop() {
	if last := len(e.aside) - 1; last >= 0 {
		e.Set(e.aside[last])
		e.aside = e.aside[:last]
	}
}

// enter runs the line at the prompt.
func (m *Model) enter() tea.Cmd {
	switch {
	case m.asked != nil:
		return m.predict()
	case m.halt != nil:
		return m.tryLine(m.prompt.take())
	}
	line := m.prompt.take()
	m.prompt.pop()
	if strings.TrimSpace(line) == "?" {
		m.help()
		return nil
	}
	if strings.TrimSpace(line) == "" && !m.lines.Pending() && len(m.queue) == 0 {
		return nil
	}
	if cmd, ok := m.exerciseWord(line); ok {
		return cmd
	}
	return m.submit(repl.Typed(line)...)
}

// complete handles Tab at the prompt.
func (m *Model) complete() {
	if m.prompt.Empty() && !m.prompt.Proposing() {
		m.focusOn(m.focus)
		return
	}
	m.prompt.Propose(1)
}

// proposals returns completions of the line, while the session rests.
func (m *Model) proposals(line string) (start int, options []string) {
	if !m.idle() {
		return len(line), nil
	}
	return completion.Complete(m.console.Session, line)
}

// besideProposal returns a remark on a proposal: how many instances a resource type has.
func (m *Model) besideProposal(option string) string {
	if !m.idle() {
		return ""
	}
	return completion.Count(m.console.Session, option)
}

// giveUp handles Ctrl-C at the prompt.
func (m *Model) giveUp() tea.Cmd {
	switch {
	case m.busy != nil && !m.busy.stopping:
		return m.interrupt()
	case len(m.queue) > 0: // the session is not open yet, or winds down
		m.dropQueue()
	case m.console == nil && m.prompt.Empty():
		return m.leaveUnopened()
	case !m.prompt.Empty() || m.lines.Pending() || len(m.prompt.aside) > 0:
		m.prompt.Set("")
		m.prompt.pop()
		m.lines.Reset()
		m.prompt.cut.Reset()
	default:
		m.notice = "Ctrl-D leaves; Esc goes to the panes"
	}
	return nil
}

// endOfInput handles Ctrl-D at the prompt.
func (m *Model) endOfInput() tea.Cmd {
	if !m.prompt.Empty() {
		m.prompt.Change(func(l *edit.Line) { l.DeleteChar(1) })
		return nil
	}
	if m.asked != nil { // no prediction
		return m.predict()
	}
	return tea.Quit
}

// edit types into the line.
func (m *Model) edit(msg tea.KeyMsg) tea.Cmd {
	if msg.Type == tea.KeySpace {
		m.prompt.Type([]rune{' '})
		return nil
	}
	if msg.Type != tea.KeyRunes {
		return nil
	}
	if msg.Alt { // a shell's key that this prompt does not have: it must not open anything
		m.notice = "Alt-" + string(msg.Runes) + " does nothing here: F1 lists the keys, Esc goes to the panes"
		return nil
	}
	if msg.Paste {
		return m.paste(msg.Runes)
	}
	if m.prompt.Empty() && string(msg.Runes) == "?" { // no line begins so
		m.help()
		return nil
	}
	m.prompt.Type(msg.Runes)
	return nil
}

// paste types a text; each line in it that ends is entered.
func (m *Model) paste(text []rune) tea.Cmd {
	var lines []string
	for text != nil {
		line, rest, ended := edit.CutPaste(text)
		m.prompt.Type(line)
		if ended {
			lines = append(lines, repl.Typed(m.prompt.take())...)
		}
		text = rest
	}
	if len(lines) == 0 {
		return nil
	}
	return m.submit(lines...)
}

// searchKey handles a key while Ctrl-R searches for a line. A key that means nothing to the search ends the search,
// and then edits the line.
func (m *Model) searchKey(msg tea.KeyMsg) tea.Cmd {
	if (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt {
		m.prompt.Type(msg.Runes)
	} else if !m.prompt.SearchKey(msg.String()) {
		return m.key(msg)
	}
	return nil
}

// begins returns an action that puts the beginning of a line at the prompt. A line that is being typed comes back after
// that line.
func begins(line string) func(m *Model) tea.Cmd {
	return does(func(m *Model) {
		m.typing = true
		switch {
		case m.asked != nil:
			m.notice = "answer the question first; Enter alone shows the answer"
		case m.prompt.Empty() || m.prompt.Text() == line:
			m.prompt.Set(line)
		default:
			m.prompt.push(line)
			m.notice = "your line comes back after this one"
		}
	})
}

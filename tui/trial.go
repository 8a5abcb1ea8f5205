package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/render"
	"commsplit/repl"
	"commsplit/repl/lang"
	"commsplit/tui/scene"
)

// trial is one thing to try on a session of its own.
type trial struct {
	name   string
	config repl.Config
	before []*lang.Chunk // lines that run first
	line   string        // the line whose result counts; "": that of before's last handle
	do     func(m *Model) tea.Cmd
}

// tried is a trial and what came of it.
type tried struct {
	trial
	moment *scene.Moment
	handle int
	err    error
}

// triedMsg is trials that were carried out.
type triedMsg struct {
	columns []tried
	more    bool // they join the ones that show
}

// carryOut runs a trial; crashed gets a panic of its ranks.
func (t trial) carryOut(crashed func(any)) tried {
	out := tried{trial: t}
	var said strings.Builder
	c, err := repl.NewConsole(background, t.config, &said, &said, render.Style{Width: 80})
	if err != nil {
		out.err = err
		return out
	}
	defer c.Session.Close()
	c.Brief, c.Session.Crashed = true, crashed
	chunks := t.before
	if t.line != "" {
		list, err := repl.ParseLines("<input>", []string{t.line})
		if err != nil {
			out.err = err
			return out
		}
		chunks = append(chunks[:len(chunks):len(chunks)], list...)
	}
	before := scene.NewMoment(c.Session.View(), -1, nil)
	for _, chunk := range chunks {
		before = scene.NewMoment(c.Session.View(), -1, before)
		if err := c.Do(background, chunk); err != nil {
			out.err = err
			return out
		}
	}
	out.moment = scene.NewMoment(c.Session.View(), -1, before)
	if out.handle = changed(before, out.moment); out.handle < 0 {
		out.handle = len(out.moment.Handles) - 1
	}
	return out
}

// try carries out trials beside the screen.
func (m *Model) try(list []trial, more bool) tea.Cmd {
	m.notice = "trying ..."
	crashed := m.crashed
	return func() tea.Msg {
		msg := triedMsg{more: more}
		for _, t := range list {
			msg.columns = append(msg.columns, t.carryOut(crashed))
		}
		return msg
	}
}

package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/repl"
	"commsplit/repl/lang"
)

// compareKeys tries the last split with other keys.
func (m *Model) compareKeys() tea.Cmd {
	if !m.idle() || m.moment.Past() {
		m.notice = "} comes back to the present first"
		return nil
	}
	chunks := m.console.Session.Chunks()
	cfg := m.console.Session.Config()
	last := -1
	for i, c := range chunks {
		if c.Kind == lang.Command && hasKey(c.Verb.Text) {
			last = i
		}
	}
	base, before := "split world color=rank%2", chunks
	if last >= 0 {
		base, before = withoutKey(chunks[last]), chunks[:last]
	}
	with := func(key string) trial {
		line := base + " key=" + key
		return trial{"key=" + key, cfg, before, line, func(m *Model) tea.Cmd { return m.run(line) }}
	}
	m.over = &compareView{head: base + " with other keys", custom: with}
	return m.try([]trial{with("0"), with("rank"), with("-rank")}, false)
}

// hasKey reports whether a verb has a key to order ranks by.
func hasKey(verb string) bool {
	v := repl.FindVerb(verb)
	if v == nil {
		return false
	}
	for _, p := range v.Params {
		if p.Name == "key" {
			return true
		}
	}
	return false
}

// withoutKey is a command without its key and the name of its result.
func withoutKey(c *lang.Chunk) string {
	words := []string{c.Verb.Text}
	v := repl.FindVerb(c.Verb.Text)
	dropped := false
	for i, a := range c.Args {
		name := a.Name
		if name == "" && i < len(v.Params) {
			name = v.Params[i].Name
		}
		switch {
		case name == "key":
			dropped = true
		case a.Name == "" && !dropped:
			words = append(words, a.Text)
		default:
			words = append(words, name+"="+a.Text)
		}
	}
	text := strings.Join(words, " ")
	if c.Ranks.Text != "" {
		text = "@" + c.Ranks.Text + " " + text
	}
	return text
}

// compareBindings tries the lines of the session on other placements.
func (m *Model) compareBindings() tea.Cmd {
	if !m.idle() {
		return nil
	}
	chunks := m.console.Session.Chunks()
	if len(chunks) == 0 {
		m.notice = "write a split first; then C shows it on other bindings"
		return nil
	}
	var list []trial
	for _, p := range m.placements() {
		if strings.HasPrefix(p.name, "bind-to") {
			list = append(list, trial{p.name, p.config, chunks, "", func(m *Model) tea.Cmd { return m.place(p) }})
		}
	}
	m.over = &compareView{head: "the last result on other bindings"}
	return m.try(list, false)
}

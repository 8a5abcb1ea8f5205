package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// mode is a state of the screen; a key may mean something else in each state.
type mode uint8

const (
	inPanes   mode = 1 << iota
	atPrompt       // while a line is typed
	inFront        // while a list or the help is in front
	comparing      // while a what-if is in front
	teaching       // before a room full of people, while no line is typed
	anywhere  = inPanes | atPrompt
)

// binding is an action and its keys. The table of bindings is the only place that defines keys: actions, the
// footer, the help and the README's table come from that table.
type binding struct {
	keys   []string // as bubbletea names them
	show   string   // as a person reads them
	footer string   // a word for the footer; "": not in the footer
	help   string   // what the key does
	where  mode
	do     func(m *Model) tea.Cmd // nil: the editor or the list in front handles the key
}

// section is a titled group of bindings.
type section struct {
	name     string
	bindings []binding
}

// at returns the binding of a key in a mode; nil for none.
func at(where mode, key string) *binding {
	for i := range keyTable {
		for k := range keyTable[i].bindings {
			b := &keyTable[i].bindings[k]
			if b.where&where != 0 && b.do != nil && slices.Contains(b.keys, key) {
				return b
			}
		}
	}
	return nil
}

// bindingsNow lists the bindings of the current mode.
func (m *Model) bindingsNow() []binding {
	where := inPanes
	what, compares := m.over.(*compareView)
	switch {
	case compares:
		where = comparing
	case m.over != nil:
		where = inFront
	case m.typing:
		where = atPrompt
	}
	if m.teaches() {
		where |= teaching
	}
	var list []binding
	for _, s := range keyTable {
		for _, b := range s.bindings {
			if b.where&where != 0 && (!compares || what.takes(b)) {
				list = append(list, b)
			}
		}
	}
	return list
}

// keys handles a message with one key, or with several keys that were typed fast.
func (m *Model) keys(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyRunes || msg.Paste || msg.Alt || len(msg.Runes) < 2 {
		return m.key(msg)
	}
	var all []tea.Cmd
	for _, r := range msg.Runes {
		all = append(all, m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
	}
	return tea.Batch(all...)
}

// key handles a key.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	name := msg.String()
	m.prompt.Answers, m.notice = m.asked != nil, ""
	switch {
	case m.over != nil:
		return m.over.key(m, msg)
	case m.find.typing:
		return m.findKey(msg)
	case m.typing && m.prompt.Searching():
		return m.searchKey(msg)
	case m.teaches() && at(teaching, name) != nil:
		return at(teaching, name).do(m)
	case m.typing:
		if b := at(atPrompt, name); b != nil && !msg.Paste {
			return b.do(m)
		}
		return m.edit(msg)
	case m.moment == nil && name != "q" && name != "ctrl+c" && name != "ctrl+z":
		return nil
	}
	if name != "q" && name != "ctrl+c" {
		m.leaving = false
	}
	if b := at(inPanes, name); b != nil {
		return b.do(m)
	}
	m.notice = elsewhere(name)
	return nil
}

// habits tell, for keys of other programs, which key does their work here.
var habits = map[string]string{
	"_": "+ shows all panes again", "e": ": begins a line", "R": "Ctrl-L draws the screen anew", "J": "j and k move, Ctrl-D pages",
	"K": "j and k move, Ctrl-D pages", "L": "l goes right, v to the next variable", "u": "z takes back the last line", "ctrl+f": "Ctrl-D pages down",
	"ctrl+b": "Ctrl-U pages up", "ctrl+j": "j moves down", "ctrl+k": "k moves up", "D": "d shows context ids", "0": "{ goes to the beginning",
}

// elsewhere tells which key does the work of a key that does nothing in panes, or where that key works.
func elsewhere(name string) string {
	shown := strings.Replace(strings.ToUpper(name[:1])+name[1:], "Ctrl+", "Ctrl-", 1)
	if len(name) == 1 {
		shown = name
	}
	b := at(atPrompt, name)
	switch {
	case habits[name] != "":
		return shown + " does nothing here: " + habits[name]
	case b != nil:
		return shown + " works at the prompt (: goes there): " + b.help
	}
	return shown + " does nothing here; ? lists the keys"
}

// teaches reports whether keys go on and back before a room full of people.
func (m *Model) teaches() bool {
	return m.shown == forLesson && m.over == nil && m.asked == nil && (!m.typing || m.prompt.Empty())
}

// KeyRow is a row of the table of keys that people read: the section, the keys, their action.
type KeyRow struct{ Section, Keys, Help string }

// Keys lists all keys, in the order of the help.
func Keys() []KeyRow {
	var list []KeyRow
	for _, s := range keyTable {
		for _, b := range s.bindings {
			list = append(list, KeyRow{s.name, b.show, b.help})
		}
	}
	return list
}

// wheelRows is how many rows one click of the wheel scrolls.
const wheelRows = 3

// mouse selects the thing under a click and scrolls the pane under the wheel.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	wheel := map[tea.MouseButton]int{tea.MouseButtonWheelUp: -wheelRows, tea.MouseButtonWheelDown: wheelRows}[msg.Button]
	click := msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress
	if m.moment == nil || m.over == nil && m.drag(msg) || wheel == 0 && !click {
		return nil
	}
	if m.over != nil {
		return m.mouseInFront(msg, wheel, click)
	}
	switch {
	case click && m.layout.footer && msg.Y == m.height-1:
		return m.clickFooter(msg.X)
	case click && msg.Y >= m.layout.prompt:
		m.typing = true
		return nil
	case click && msg.Y == 0:
		return m.clickTitle(msg.X)
	}
	for _, r := range m.layout.rects {
		if msg.X < r.x || msg.X >= r.x+r.w || msg.Y < r.y || msg.Y >= r.y+r.h {
			continue
		}
		if wheel != 0 {
			m.focusOn(r.pane)
			m.move(wheel)
			return nil
		}
		if b := m.startButton(r, msg.Y-r.y); b != nil {
			return b.do(m)
		}
		m.click(r, msg.X-r.x, msg.Y-r.y)
		if cursor, _ := m.panes[r.pane].rows(m); cursor != nil {
			m.show(whyPane)
		}
	}
	return nil
}

func (m *Model) mouseInFront(msg tea.MouseMsg, wheel int, click bool) tea.Cmd {
	r := m.front()
	inside := msg.X >= r.x && msg.X < r.x+r.w && msg.Y >= r.y && msg.Y < r.y+r.h
	p, isPicker := m.over.(*picker)
	switch {
	case wheel != 0:
		key := tea.KeyUp
		if wheel > 0 {
			key = tea.KeyDown
		}
		return m.over.key(m, tea.KeyMsg{Type: key})
	case !inside:
		m.over = nil
	case click && isPicker:
		rows := p.visible(p.shown(), r.w-4, r.h-2)
		if k := msg.Y - r.y - 1; k >= 0 && k < len(rows) && rows[k].item >= 0 {
			p.at = rows[k].item
			return p.choose(m)
		}
	}
	return nil
}

// click puts the cursor under the mouse; a click on a rule changes the pane that shows.
func (m *Model) click(r rect, x, y int) {
	if y == 0 {
		m.clickTab(r, x)
		return
	}
	m.focusOn(r.pane)
	m.panes[r.pane].click(m, r, y-1, x)
}

// clickTab focuses the pane whose name is at column x of a rule.
func (m *Model) clickTab(r rect, x int) {
	for _, t := range m.tabs(r) {
		if x >= t.x && x < t.x+t.w {
			m.focusOn(t.pane)
			return
		}
	}
	m.focusOn(r.pane)
}

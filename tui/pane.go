package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// paneID is the index of a pane in the table of panes.
type paneID int

// The panes, in the order of the table.
const (
	hwPane paneID = iota
	commPane
	rankPane
	whyPane
	logPane
	sitesPane
	timePane
)

// paneTable is all panes. The key of a pane is its number, from 1.
var paneTable = []struct {
	name string
	area area
	key  string // another key of the pane; "": none
	of   func(m *Model) pane
}{
	{"Hardware", leftArea, "", func(m *Model) pane { return &m.hw }},
	{"Communicators", rightArea, "", func(m *Model) pane { return &m.comms }},
	{"Ranks", rightArea, "", func(m *Model) pane { return &m.ranks }},
	{"Why", underLeft, "", func(m *Model) pane { return &m.why }},
	{"Log", underRight, "@", func(m *Model) pane { return &m.log }},
	{"Sites", underRight, "", func(m *Model) pane { return &m.sites }},
	{"Time", underRight, "", func(m *Model) pane { return &m.timed }},
}

// pane is a part of the screen with one view of the session. Its methods are called only while there is a moment
// to show. A pane embeds plainPane, textPane or rowPane, which have the methods that such panes do not need.
type pane interface {
	// lines returns at most height lines.
	lines(m *Model, width, height int) []paint.Line
	// note returns a text beside the name of the pane; "" for none.
	note(m *Model) string
	// hidden returns which rows show at a height, or how many lines are hidden; "" when all show.
	hidden(height int) string

	// rows brings the rows up to date, and returns the cursor and the number of rows; a pane without a cursor,
	// which scrolls, returns nil.
	rows(m *Model) (cursor *list, n int)
	// text returns the words of a row, in which / searches.
	text(m *Model, row int) string
	// moved selects the row, or the cell, at the cursor.
	moved(m *Model)
	// scroll scrolls a pane without a cursor by lines.
	scroll(by int)
	// seek scrolls a pane without a cursor to the next line that contains a text, below (step 1) or above (-1) the line
	// found before. It returns the number of the line in words; "" when no line contains the text.
	seek(m *Model, text string, step int) string
	// sideways goes a step to the right (1) or to the left (-1).
	sideways(m *Model, step int)
	// fold opens or closes the row with the cursor; it reports whether that row can be opened.
	fold(m *Model) bool
	// click handles a click on a line below the rule, in column x.
	click(m *Model, r rect, line, x int)

	// reveal moves the cursor to the selection.
	reveal(m *Model, r rect)
	// renew forgets which rows were opened and closed, for another world.
	renew()
	// bookmark returns a function that scrolls the pane back to where it is scrolled now.
	bookmark() (back func())
}

// plainPane has the methods that most panes do not need: it has no rows, and nothing to select.
type plainPane struct{}

func (plainPane) note(*Model) string           { return "" }
func (plainPane) rows(*Model) (*list, int)     { return nil, 0 }
func (plainPane) text(*Model, int) string      { return "" }
func (plainPane) moved(*Model)                 {}
func (plainPane) scroll(int)                   {}
func (plainPane) sideways(m *Model, step int)  { m.turnHandle(step) }
func (plainPane) fold(*Model) bool             { return false }
func (plainPane) click(*Model, rect, int, int) {}
func (plainPane) reveal(*Model, rect)          {}
func (plainPane) renew()                       {}

func (plainPane) seek(*Model, string, int) string { return "" }

// textPane is the base of panes whose text is made whole, and scrolls.
type textPane struct {
	plainPane
	top  int // the first line that shows
	told []paint.Line
}

// window returns the lines that show at a height, each behind a blank.
func (v *textPane) window(height int) []paint.Line {
	v.top = max(0, min(v.top, len(v.told)-height))
	var out []paint.Line
	for _, l := range v.told[v.top:min(len(v.told), v.top+height)] {
		out = append(out, append(paint.Line{{Text: " ", Ink: paint.Plain}}, l...))
	}
	return out
}

func (v *textPane) scroll(by int) { v.top = max(0, v.top+by) }

func (v *textPane) seek(_ *Model, text string, step int) string {
	i := nextWith(len(v.told), v.top, step, text, func(i int) string { return v.told[i].Plain() })
	if i < 0 {
		return ""
	}
	v.top = i
	return "line " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(v.told))
}

func (v *textPane) bookmark() (back func()) {
	was := v.top
	return func() { v.top = was }
}

// rowPane is the base of panes with a cursor on rows that open and close.
type rowPane struct {
	plainPane
	list
	folds moment.Folds
}

func (v *rowPane) renew() { v.folds = moment.Folds{} }

func (v *rowPane) bookmark() (back func()) {
	was := v.list
	return func() { v.list = was }
}

// list is a cursor on rows, and the window of rows that show.
type list struct {
	at  int // the row with the cursor
	top int // the first row that shows
}

// to puts the cursor on row i of n rows, or on the nearest row.
func (l *list) to(i, n int) { l.at = max(0, min(i, n-1)) }

// window scrolls a window of height rows to the cursor, and returns which rows show.
func (l *list) window(n, height int) (from, to int) {
	l.to(l.at, n)
	height = max(height, 1)
	switch {
	case l.at < l.top:
		l.top = l.at
	case l.at >= l.top+height:
		l.top = l.at - height + 1
	}
	l.top = max(0, min(l.top, n-height))
	return l.top, min(n, l.top+height)
}

// center puts the cursor on row i, and scrolls so that the row is in the middle, unless it shows already.
func (l *list) center(i, height int) {
	if i < l.top || i >= l.top+height {
		l.top = i - height/2
	}
	l.at = i
}

// rowsShown tells which of n rows show, from row first on as many as have room; "" when all do.
func rowsShown(first, room, n int) string {
	if n <= room {
		return ""
	}
	return strconv.Itoa(first+1) + "-" + strconv.Itoa(min(first+room, n)) + "/" + strconv.Itoa(n)
}

// focused returns the pane that has the focus.
func (m *Model) focused() pane { return m.panes[m.focus] }

// show makes a pane show among those that share its place.
func (m *Model) show(p paneID) {
	m.clock++
	m.recent[p] = m.clock
	m.arrange()
}

// focusOn gives a pane the focus.
func (m *Model) focusOn(p paneID) {
	m.focus, m.typing = p, false
	m.show(p)
}

// nextPane gives the focus to the next pane.
func (m *Model) nextPane(step int) {
	n := len(m.panes)
	m.focusOn(paneID((int(m.focus) + step + n) % n))
}

// move moves the cursor of the focused pane by rows, or scrolls a pane without a cursor.
func (m *Model) move(by int) {
	p := m.focused()
	cursor, n := p.rows(m)
	if cursor == nil {
		p.scroll(by)
		return
	}
	if cursor.to(cursor.at+by, n); n > 0 {
		p.moved(m)
	}
	m.show(whyPane)
}

// scrollBelow scrolls why, or the pane that shows in its place, by pages: for a person who types a line.
func (m *Model) scrollBelow(pages int) {
	for _, r := range m.layout.rects {
		if slices.Contains(r.panes, whyPane) {
			m.panes[r.pane].scroll(pages * max(r.h-2, 1))
		}
	}
}

// unfold opens or closes the row with the cursor; if the row cannot be opened, it shows the explanation.
func (m *Model) unfold() {
	p := m.focused()
	if p.fold(m) {
		return
	}
	if m.sel.Empty() {
		p.moved(m)
	}
	m.show(whyPane)
}

// choose sets the selection, and lights its ranks in all panes.
func (m *Model) choose(s moment.Selection) {
	m.redraw()
	m.sel, m.lit = s, m.moment.Lit(s)
	if rank := s.Rank(); rank >= 0 {
		m.viewer = rank
	}
	m.why.top, m.why.read = 0, nil // a page begins with its news
	m.arrange()
	for i := range m.panes {
		if p := paneID(i); p != m.focus || m.typing {
			m.reveal(p)
		}
	}
}

// reveal scrolls a pane, if it shows, to the selection.
func (m *Model) reveal(p paneID) {
	if r, ok := m.layout.of(p); ok {
		m.panes[p].reveal(m, r)
	}
}

// clear does the first of these that it can: forget the text that / found; leave a phase and clear the selection;
// go to the prompt.
func (m *Model) clear() {
	if cursor, _ := m.focused().rows(m); cursor == nil && m.find.text != "" { // lines with the text are lit
		m.find = finder{}
		return
	}
	if m.sel.Empty() && m.player.phase == 0 && !m.player.on {
		m.typing = true
		return
	}
	m.player.stop()
	m.choose(moment.Selection{})
	m.player.leave(m)
}

// turnHandle makes the next variable, or the one before, the current one.
func (m *Model) turnHandle(step int) {
	n := len(m.moment.Handles)
	m.handle = (m.handle + step + n) % n
	m.player.leave(m) // the phase has the letters of another variable
	m.notice = "cells show " + m.moment.Handles[m.handle].Name
	m.why.top = 0
}

func (m *Model) toggleAll() {
	if len(m.moment.Handles) == 1 {
		m.notice = "there is no variable yet: a split creates one"
		return
	}
	m.all = !m.all
}

func (m *Model) toggleWorld() {
	m.world = !m.world
	if m.notice = "cells have ranks in their communicators"; m.world {
		m.notice = "cells have world ranks"
	}
}

// toggles returns an action that switches between all panes and others.
func toggles(what shown) func(m *Model) tea.Cmd {
	return does(func(m *Model) {
		if m.shown != what {
			m.shown = what
		} else {
			m.shown = allPanes
		}
		m.arrange()
	})
}

// on goes on in front of a room full of people: to the next part of a lesson, or the next phase of a session.
func (m *Model) on() tea.Cmd {
	if m.halt != nil {
		return m.goOn()
	}
	return m.phaseOn()
}

// finder holds the text that / searches for.
type finder struct {
	text   string
	typing bool
}

// findKey handles a key while the text for / is typed.
func (m *Model) findKey(msg tea.KeyMsg) tea.Cmd {
	f := &m.find
	switch msg.String() {
	case "enter":
		f.typing = false
		m.findNext(1)
	case "esc", "ctrl+c":
		*f = finder{}
	default:
		typeInto(&f.text, msg)
	}
	return nil
}

// typeInto applies a key to the end of a text, and reports whether the key typed something.
func typeInto(text *string, msg tea.KeyMsg) bool {
	switch r := []rune(*text); {
	case (msg.Type == tea.KeyBackspace || msg.Type == tea.KeyCtrlH) && len(r) > 0:
		*text = string(r[:len(r)-1])
	case (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt:
		*text += string(msg.Runes)
		return true
	}
	return false
}

// findNext moves the cursor of the focused pane to the next row that contains the text of the finder, below the
// cursor (step 1) or above it (-1). A list of ranks is selected instead; in a pane of text, only if no line
// contains it.
func (m *Model) findNext(step int) {
	if m.find.text == "" {
		m.notice = "search with / first"
		return
	}
	p := m.focused()
	cursor, n := p.rows(m)
	found := ""
	if cursor == nil {
		found = p.seek(m, m.find.text, step)
	}
	ranks, err := engine.ParseRanks(strings.TrimPrefix(m.find.text, "w"), m.moment.Size()) // w8, as in cells
	switch {
	case found != "":
		m.notice = found
		return
	case err == nil:
		m.choose(moment.Selection{Ranks: ranks})
		m.reveal(m.focus)
		return
	case cursor == nil:
		m.notice = "nothing here contains " + m.find.text
		return
	}
	if v, ok := p.(*hwView); ok && v.findObject(m, m.find.text, step) {
		return
	}
	if i := nextWith(n, cursor.at, step, m.find.text, func(i int) string { return p.text(m, i) }); i >= 0 {
		cursor.at = i
		p.moved(m)
		return
	}
	if i := nextWith(len(m.moment.Handles), m.handle, step, m.find.text, func(i int) string { return m.moment.Handles[i].Name }); i > 0 {
		m.turnHandle(i - m.handle)
		return
	}
	m.notice = "nothing here contains " + m.find.text
}

// nextWith returns the index of the next of n texts that contains part, regardless of case, behind index at (step
// 1) or before it (-1), starting over at the ends; -1 when none contains it.
func nextWith(n, at, step int, part string, text func(i int) string) int {
	part = strings.ToLower(part)
	for k := 1; k <= n; k++ {
		i := ((at+step*k)%n + n) % n
		if strings.Contains(strings.ToLower(text(i)), part) {
			return i
		}
	}
	return -1
}

// lighten lights a text wherever it occurs in a line, regardless of case.
func lighten(l paint.Line, part string) paint.Line {
	var out paint.Line
	for _, s := range l {
		rest, low := s.Text, strings.ToLower(s.Text)
		for len(low) == len(rest) { // lowercase may change the length: then the span stays as it is
			i := strings.Index(low, strings.ToLower(part))
			if i < 0 {
				break
			}
			out.Add(rest[:i], s.Ink)
			out.Add(rest[i:i+len(part)], s.Ink.Lit())
			rest, low = rest[i+len(part):], low[i+len(part):]
		}
		out.Add(rest, s.Ink)
	}
	return out
}

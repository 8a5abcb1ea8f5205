package tui

import (
	"strings"

	"commsplit/engine"
	"commsplit/tui/scene"
)

// list is a cursor on rows of which a window shows.
type list struct {
	at  int // the row with the cursor
	top int // the first row that shows
}

// to puts the cursor on a row of n, as near as there is one.
func (l *list) to(i, n int) { l.at = max(0, min(i, n-1)) }

// window moves the window of so many rows to where the cursor is, and tells which rows show.
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

// center moves the window so that a row is in its middle, unless it shows already.
func (l *list) center(i, height int) {
	if i < l.top || i >= l.top+height {
		l.top = i - height/2
	}
	l.at = i
}

// choose makes something the selection, which lights up everywhere.
func (m *Model) choose(s scene.Selection) {
	m.sel, m.lit = s, m.moment.Lit(s)
	if rank := s.Rank(); rank >= 0 {
		m.viewer = rank
	}
	m.why.top = 0
	m.arrange()
	for p := range panes {
		if p != m.focus || m.typing {
			m.reveal(p)
		}
	}
}

// reveal scrolls a pane to the selection.
func (m *Model) reveal(p paneID) {
	r, ok := m.layout.of(p)
	if !ok {
		return
	}
	switch p {
	case hwPane:
		m.hw.update(m, r.w)
		m.hw.reveal(m, r.h-1)
	case commPane:
		m.comms.reveal(m, r.h-1)
	case rankPane:
		m.ranks.reveal(m, r.h-1)
	}
}

// turnHandle makes the next variable the present one.
func (m *Model) turnHandle(step int) {
	n := len(m.moment.Handles)
	m.handle = (m.handle + step + n) % n
	if m.player.phase > 0 {
		m.player.label(m)
	}
	m.hw.refold()
	m.notice = "cells show " + m.moment.Handles[m.handle].Name
	m.why.top = 0
}

// finder looks for ranks, communicators and objects by what a person types.
type finder struct {
	text   string
	typing bool
}

// findNext goes to the next row of the focused pane whose text has what is looked for, after the
// cursor in the given direction.
func (m *Model) findNext(step int) {
	if m.find.text == "" {
		m.notice = "/ looks for something first"
		return
	}
	if ranks, err := engine.ParseRanks(m.find.text, m.moment.Size()); err == nil && m.focus != commPane {
		m.pick(ranks)
		return
	}
	v, n := m.cursor(), m.rowCount()
	if v == nil || n == 0 {
		return
	}
	for k := 1; k <= n; k++ {
		i := (v.at + step*k%n + n) % n
		if strings.Contains(strings.ToLower(m.rowText(i)), strings.ToLower(m.find.text)) {
			v.at = i
			m.moved()
			return
		}
	}
	m.notice = "nothing here has " + m.find.text
}

// pick selects ranks and goes to them.
func (m *Model) pick(ranks engine.Ranks) {
	m.choose(scene.Selection{Ranks: ranks})
	m.reveal(m.focus)
}

// cursor is that of the focused pane; nil when it has none.
func (m *Model) cursor() *list {
	switch m.focus {
	case hwPane:
		return &m.hw.list
	case commPane:
		return &m.comms.list
	case rankPane:
		return &m.ranks.list
	}
	return nil
}

func (m *Model) rowCount() int {
	switch m.focus {
	case hwPane:
		m.hw.sync(m)
		return len(m.hw.rows)
	case commPane:
		m.comms.update(m)
		return m.comms.count()
	case rankPane:
		m.ranks.update(m)
		return m.ranks.count()
	}
	return 0
}

func (m *Model) rowText(i int) string {
	switch m.focus {
	case hwPane:
		return m.hw.rows[i].Label
	case commPane:
		r := &m.comms.rows[i]
		return m.moment.RowName(r) + " " + m.moment.Made(r.Comms[0], 80)
	}
	return m.ranks.label(m, i)
}

// moved tells the focused pane that its cursor moved.
func (m *Model) moved() {
	switch m.focus {
	case hwPane:
		m.hw.moved(m)
	case commPane:
		m.comms.moved(m)
	case rankPane:
		m.ranks.moved(m)
	}
}

// move moves the cursor of the focused pane by rows, or scrolls one that has no cursor.
func (m *Model) move(by int) {
	switch m.focus {
	case whyPane:
		m.why.top = max(0, m.why.top+by)
	case logPane:
		m.log.scroll(by)
	default:
		v := m.cursor()
		v.to(v.at+by, m.rowCount())
		m.moved()
		m.show(whyPane)
	}
}

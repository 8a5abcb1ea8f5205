package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// borders are how far a person has dragged the borders between panes from where the layout has them.
type borders struct {
	column int            // columns, of the border between the left and the right panes
	rules  map[paneID]int // lines, of the rules above panes, by the first of the panes in that place
	held   *grip          // nil: no border is dragged
}

// grip is the border that is dragged.
type grip struct {
	pane paneID // whose rule it is; -1: the border between the columns
	last int    // the column or the line where the mouse was
}

// The least size of a pane next to a dragged border.
const (
	leastColumns = 20
	leastLines   = 3
)

// middle returns the column of the border between the left and the right panes; 0: there is none.
func (l *layout) middle() int {
	at := 0
	for _, r := range l.rects {
		if r.x > 0 && (at == 0 || r.x < at) {
			at = r.x
		}
	}
	return at
}

// shiftColumn moves the border between the columns, so far that no pane gets too narrow, and returns by how much.
func (l *layout) shiftColumn(by int) int {
	at := l.middle()
	for _, r := range l.rects {
		if r.x+r.w == at {
			by = max(by, min(leastColumns-r.w, 0))
		} else if r.x == at {
			by = min(by, max(r.w-leastColumns, 0))
		}
	}
	for i := range l.rects {
		switch r := &l.rects[i]; {
		case at == 0:
		case r.x+r.w == at:
			r.w += by
		case r.x == at:
			r.x, r.w = r.x+by, r.w-by
		}
	}
	return by
}

// shiftRule moves the rule above a pane by lines, with the rules beside it at which the same panes end, and returns
// by how many it moved.
func (l *layout) shiftRule(p paneID, by int) int {
	i := slices.IndexFunc(l.rects, func(r rect) bool { return r.panes[0] == p && r.y > top })
	if i < 0 {
		return 0
	}
	y, lo, hi := l.rects[i].y, l.rects[i].x, l.rects[i].x+l.rects[i].w
	along := func(r rect) bool { return (r.y == y || r.y+r.h == y) && r.x < hi && lo < r.x+r.w }
	for range l.rects { // panes above may reach beyond the pane, and those below them as well
		for _, r := range l.rects {
			if along(r) {
				lo, hi = min(lo, r.x), max(hi, r.x+r.w)
			}
		}
	}
	for _, r := range l.rects {
		switch {
		case along(r) && r.y == y:
			by = min(by, max(r.h-leastLines, 0))
		case along(r):
			by = max(by, min(leastLines-r.h, 0))
		}
	}
	moved := slices.Clone(l.rects)
	for i, r := range l.rects {
		switch {
		case along(r) && r.y == y:
			moved[i].y, moved[i].h = r.y+by, r.h-by
		case along(r):
			moved[i].h = r.h + by
		}
	}
	l.rects = moved
	return by
}

// gripAt returns the border at a place of the screen; nil where there is none.
func (l *layout) gripAt(x, y int) *grip {
	for _, r := range l.rects {
		names := r.tabs(0)
		last := names[len(names)-1]
		switch {
		case x == l.middle() && x > 0 && y >= r.y && y < r.y+r.h && x == r.x:
			return &grip{-1, x}
		case y == r.y && y > top && x > r.x+last.x+last.w && x < r.x+r.w:
			return &grip{r.panes[0], y}
		}
	}
	return nil
}

// drag handles a message of the mouse about a border, and reports whether the message was about one.
func (m *Model) drag(msg tea.MouseMsg) bool {
	b := &m.borders
	switch {
	case msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft:
		b.held = m.layout.gripAt(msg.X, msg.Y)
		return b.held != nil
	case b.held == nil || msg.Action == tea.MouseActionPress:
		return false
	case msg.Action == tea.MouseActionRelease:
		b.held = nil
	case b.held.pane < 0:
		b.column += m.layout.shiftColumn(msg.X - b.held.last)
		b.held.last = m.layout.middle()
	default:
		if b.rules == nil {
			b.rules = map[paneID]int{}
		}
		by := m.layout.shiftRule(b.held.pane, msg.Y-b.held.last)
		b.rules[b.held.pane] += by
		b.held.last += by
	}
	m.redraw()
	return true
}

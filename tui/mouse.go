package tui

import tea "github.com/charmbracelet/bubbletea"

// wheelRows is how far one notch of the wheel goes.
const wheelRows = 3

// mouse selects what is clicked and scrolls what the wheel is over.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	wheel := map[tea.MouseButton]int{tea.MouseButtonWheelUp: -wheelRows, tea.MouseButtonWheelDown: wheelRows}[msg.Button]
	click := msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress
	if m.moment == nil || wheel == 0 && !click {
		return nil
	}
	if m.over != nil {
		return m.mouseInFront(msg, wheel, click)
	}
	if click && msg.Y >= m.layout.prompt {
		m.typing = true
		return nil
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
		if m.click(r, msg.X-r.x, msg.Y-r.y); r.pane < whyPane {
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
		rows := p.visible(p.shown(), r.h-2)
		if k := msg.Y - r.y - 1; k >= 0 && k < len(rows) && rows[k].item >= 0 {
			p.at = rows[k].item
			return p.choose(m)
		}
	}
	return nil
}

// click puts the cursor where the mouse is; on a rule it goes through the panes that share a place.
func (m *Model) click(r rect, x, y int) {
	if y == 0 {
		m.clickTab(r, x)
		return
	}
	m.focusOn(r.pane)
	row := y - 1
	switch r.pane {
	case hwPane:
		m.hw.click(m, r, row, x)
	case commPane:
		if i := m.comms.top + row; i < m.comms.count() {
			again := i == m.comms.at && !m.sel.Empty()
			m.comms.at = i
			m.moved()
			if again {
				m.comms.fold(m)
			}
		}
	case rankPane:
		if i := m.ranks.top + row - 1; row > 0 && i < m.ranks.count() {
			m.ranks.at = i
			m.moved()
		}
	}
}

// clickTab gives the focus to the pane whose name is at a column of a rule.
func (m *Model) clickTab(r rect, x int) {
	at := 1
	for p := range panes {
		shown := p == r.pane
		for _, t := range r.tabs {
			shown = shown || t == p
		}
		if !shown {
			continue
		}
		end := at + len(" 1 "+paneNames[p]+" ") + 1
		if x < end {
			m.focusOn(p)
			return
		}
		at = end
	}
	m.focusOn(r.pane)
}

// click selects the line, or the core at a column of it; a line that is clicked again opens or
// closes.
func (v *hwView) click(m *Model, r rect, row, x int) {
	b := v.update(m, r.w)
	i := v.top + row - min(1, len(b.handles)-1)
	if i < 0 || i >= len(v.rows) {
		return
	}
	again := i == v.at && v.col < 0 && !m.sel.Empty()
	from, to := v.window(len(v.rows), r.h-1-min(1, len(b.handles)-1))
	column := v.column(from, to, r.w, b)
	v.at, v.col = i, -1
	if n := len(v.rows[i].Cells); n > 0 && x >= column {
		v.col = min((x-column)/(b.cell+3), n-1)
		again = false
	}
	v.moved(m)
	if again {
		v.fold(m)
	}
}

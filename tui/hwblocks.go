package tui

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"commsplit/render/paint"
	"commsplit/tui/scene"
)

// blocks is how cells are drawn: those of each variable that shows in a block of their own.
type blocks struct {
	handles []int // indexes of variables
	cell    int   // columns of a cell without its brackets
}

// mostBlocks is how many variables are shown side by side.
const mostBlocks = 4

// blocksNow is the variables that show: the present one, or as many around it as have room.
func (m *Model) blocksNow(width int) blocks {
	b := blocks{handles: []int{m.handle}}
	var list []int
	at := 0
	for k := 1; m.all && k < len(m.moment.Handles); k++ {
		if p := m.moment.Parting(k); p.Len() == 1 && p.Comm(0) == 0 {
			continue // as world
		}
		if k <= m.handle {
			at = len(list)
		}
		list = append(list, k)
		b.cell = max(b.cell, m.cellWidth(k))
	}
	if len(list) > 1 {
		const label = 20 // columns
		n := max(1, min(mostBlocks, (width-label)/(2*(b.cell+3)+2), len(list)))
		from := max(0, min(at-n/2, len(list)-n))
		b.handles = list[from : from+n]
	}
	for _, h := range b.handles {
		b.cell = max(b.cell, m.cellWidth(h))
	}
	return b
}

// cellKey is what the width of cells depends on.
type cellKey struct {
	moment *scene.Moment
	handle int
	world  bool
	phase  int
}

// cellWidth is the columns of the widest cell of a variable.
func (m *Model) cellWidth(handle int) int {
	k := cellKey{m.moment, handle, m.world, m.player.phase}
	w, ok := m.hw.widths[k]
	if !ok {
		if len(m.hw.widths) > 64 || m.hw.widths == nil {
			m.hw.widths = map[cellKey]int{}
		}
		w = m.measure(handle)
		m.hw.widths[k] = w
	}
	return w
}

func (m *Model) measure(handle int) int {
	if m.player.phase > 0 && handle == 0 {
		return m.player.wide
	}
	digits := len(strconv.Itoa(m.moment.Size() - 1))
	letters, rank := 0, 0
	if handle > 0 {
		p := m.moment.Parting(handle)
		for k := range p.Len() {
			w := len(p.Letter(k))
			n := 1
			if c := m.moment.View.Snapshot.Comm(p.Comm(k)); c != nil {
				n = max(len(c.Group), len(c.Remote))
				if c.Remote != nil {
					w++
				}
			}
			letters, rank = max(letters, w), max(rank, len(strconv.Itoa(n-1)))
		}
	}
	if handle == 0 || m.world {
		rank = digits
	}
	one := max(letters+rank, 1)
	if m.player.phase > 0 {
		one = max(one, m.player.wide)
	}
	if len(m.moment.View.Snapshot.Waiting) > 0 {
		one++
	}
	switch crowd := m.moment.Ground.Crowd(); {
	case crowd <= 1:
		return one
	case crowd == 2:
		return 2*one + 1
	default:
		return max(letters, 1) + 1 + len(strconv.Itoa(crowd)) + 2
	}
}

// heads names the variables above their blocks.
func (v *hwView) heads(m *Model, b blocks, column int) paint.Line {
	var l paint.Line
	l.Pad(column)
	most := 1
	for i := range v.rows {
		most = max(most, len(v.rows[i].Cells))
	}
	for k, h := range b.handles {
		ink := paint.Bold
		if h == m.handle {
			ink = paint.Accent
		}
		l.Add(tail(m.moment.Handles[h].Name, most*(b.cell+3)), ink)
		l.Pad(column + (k+1)*(most*(b.cell+3)+2))
	}
	return l
}

// tail shortens a name to so many columns at its beginning: elements of a list differ at the end.
func tail(name string, width int) string {
	if extra := paint.Width(name) - width; extra > 0 {
		return ansi.TruncateLeft(name, extra+1, "…")
	}
	return name
}

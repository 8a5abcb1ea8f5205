package tui

import (
	"strconv"
	"strings"

	"commsplit/render"
	"commsplit/render/paint"
	"commsplit/tui/scene"
)

// cells draws the leaves of a line: "│ A0 │[B1]│", lit ones in brackets.
func (v *hwView) cells(m *Model, l *paint.Line, r *scene.HWRow, handle int, b blocks, here bool) {
	l.Add("│", paint.Faint)
	for i, c := range r.Cells {
		text, ink := m.leaf(handle, c)
		open, end := " ", " "
		if n := m.lit.Count(c.Ranks); n > 0 {
			open, end, ink = "[", "]", ink.Lit()
		} else if c.Object != nil && c.Object == m.sel.Object || here && v.col == i {
			open, end, ink = "[", "]", paint.Plain.Lit()
		}
		l.Add(open+center(text, b.cell)+end, ink)
		l.Add("│", paint.Faint)
	}
}

func center(text string, width int) string {
	left := (width - paint.Width(text)) / 2
	if left < 0 {
		return paint.Cut(text, width)
	}
	return strings.Repeat(" ", left) + text + strings.Repeat(" ", width-left-paint.Width(text))
}

// leaf is what one core shows: its rank, its two ranks, or how many of which communicator.
func (m *Model) leaf(handle int, c scene.Cell) (string, paint.Ink) {
	ranks := m.moment.Ground.Ranks(c.Ranks)
	switch {
	case len(ranks) == 0:
		return "·", paint.Faint
	case m.moment.Ground.Crowd() <= 2:
		text, ink := m.cell(handle, ranks[0])
		if len(ranks) == 2 {
			second, _ := m.cell(handle, ranks[1])
			text += " " + second
		}
		return text, ink
	}
	if handle == 0 {
		return "×" + strconv.Itoa(len(ranks)), paint.Plain
	}
	list := m.shares(handle, ranks)
	if len(list) == 0 {
		return "", paint.Plain
	}
	text := list[0].Name + "×" + strconv.Itoa(list[0].N)
	if len(list) > 1 {
		text += "+" + strconv.Itoa(len(list)-1)
	}
	return text, m.partInk(list[0].Part)
}

// cell is one rank: "A2", or "3A" when cells name world ranks; "!" marks a rank that is blocked.
func (m *Model) cell(handle int, rank int32) (string, paint.Ink) {
	text, ink := "", paint.Plain
	if handle == 0 {
		text = strconv.Itoa(int(rank))
	} else {
		p := m.moment.Parting(handle)
		k, _, right := p.Place(int(rank))
		text, ink = bare(p.Cell(int(rank))), m.partInk(k)
		if m.world {
			name := bare(p.Cell(int(rank)))
			if k >= 0 {
				name = p.Letter(k)
			}
			if right {
				name += "'"
			}
			text = strconv.Itoa(int(rank)) + name
		}
	}
	if staged, k, ok := m.player.staged(rank); ok {
		return staged, k
	} else if m.player.phase > 0 && handle == 0 {
		return "·", paint.Faint
	}
	if m.moment.Blocked(int(rank)) {
		return text + "!", paint.Alarm
	}
	return text, ink
}

// bare is a cell of a table or of the hardware: empty for a rank that holds nothing yet.
func bare(text string) string {
	if text == render.NotYet {
		return ""
	}
	return text
}

func (m *Model) partInk(k int) paint.Ink { return paint.Part(k) }

// summary draws ranks that have no cell of their own: one by one while they fit, else counted.
func (v *hwView) summary(m *Model, l *paint.Line, r *scene.HWRow, handle, width int) {
	ranks := m.moment.Ground.Ranks(r.Own)
	if len(ranks) <= 8 && len(ranks)*(m.cellWidth(handle)+1) < width {
		l.Add("│", paint.Faint)
		for _, rank := range ranks {
			text, ink := m.cell(handle, rank)
			if m.lit.Has(int(rank)) {
				l.Add("["+text+"]", ink.Lit())
			} else {
				l.Add(" "+text+" ", ink)
			}
		}
		l.Add("│", paint.Faint)
		return
	}
	n := m.lit.Count(r.Own)
	note := ""
	if n > 0 {
		note = " [" + strconv.Itoa(n) + " lit]"
	}
	if handle == 0 {
		l.Add(paint.Cut(render.RankNoun(ranks, max(width-len(note), 12)), width-len(note)), litIf(paint.Plain, n == len(ranks)))
		l.Add(note, paint.Bold)
		return
	}
	v.shares(m, l, m.shares(handle, ranks), width-len(note), n == len(ranks))
	l.Add(note, paint.Bold)
}

// shares counts ranks by what they hold in a variable, but for those that hold nothing yet.
func (m *Model) shares(handle int, ranks []int32) []render.Share {
	list := m.moment.Parting(handle).Shares(ranks)
	if n := len(list); n > 0 && list[n-1].Part == render.Unset {
		return list[:n-1]
	}
	return list
}

// shares draws "A×64 B×64", and how many more there are.
func (v *hwView) shares(m *Model, l *paint.Line, list []render.Share, width int, lit bool) {
	used := 0
	for i, s := range list {
		text := s.Name + "×" + strconv.Itoa(s.N) + " "
		if used += paint.Width(text); used > width-12 && i < len(list)-1 {
			l.Add("… "+strconv.Itoa(len(list))+" comms", paint.Faint)
			return
		}
		l.Add(strings.TrimRight(text, " "), litIf(m.partInk(s.Part), lit))
		l.Add(" ", paint.Plain)
	}
}

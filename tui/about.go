package tui

import (
	"strconv"
	"strings"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/render/paint"
)

// aboutComms describes the selected communicators.
func (m *Model) aboutComms(ids []int, width int) []paint.Line {
	c := m.moment.View.Snapshot.Comm(ids[0])
	if c == nil {
		return nil
	}
	if len(ids) > 1 {
		list := make([]*engine.CommInfo, len(ids))
		for i, id := range ids {
			list[i] = m.moment.View.Snapshot.Comm(id)
		}
		text := strconv.Itoa(len(ids)) + " communicators that " + c.Op.String() + " made, of " + strconv.Itoa(m.lit.Len()) + " ranks in all"
		if state := m.moment.State(list); state != "" {
			text += ", " + state
		}
		return append(paragraph(nil, text, width, 2, paint.Bold), m.severalComms(list, width)...)
	}
	if c.Remote != nil {
		return append(m.commHead(c, width), m.sides(c, width)...)
	}
	return append(m.commHead(c, width), members(c.Group, width)...)
}

// mostSeveral is how many communicators are told one by one.
const mostSeveral = 100

// severalComms is a line for each communicator: "A half#2  64 ranks  0-63".
func (m *Model) severalComms(list []*engine.CommInfo, width int) []paint.Line {
	out := []paint.Line{nil}
	for i, c := range list {
		if i == mostSeveral {
			return append(out, paint.Text("... and "+itoa(len(list)-i)+" more", paint.Faint))
		}
		var l paint.Line
		if k := m.moment.Part(m.handle, c.ID); m.handle > 0 && k >= 0 {
			l.Add(m.moment.Parting(m.handle).Letter(k)+" ", m.partInk(k))
		}
		l.Add(m.moment.Name(c.ID)+"  ", paint.Bold)
		l.Add(render.Sizes(list[i:i+1])+"  ", paint.Plain)
		members := render.OrderList(c.Group, max(width-l.Width(), 8))
		if c.Remote != nil {
			members = render.OrderList(c.Group, width/3) + " | " + render.OrderList(c.Remote, width/3)
		}
		l.Add(members, paint.Faint)
		out = append(out, l)
	}
	return out
}

// commHead is the name, the size, and the call that made it.
func (m *Model) commHead(c *engine.CommInfo, width int) []paint.Line {
	letter := ""
	if k := m.moment.Part(m.handle, c.ID); m.handle > 0 && k >= 0 {
		letter = m.moment.Parting(m.handle).Letter(k)
	}
	head, made, stale := m.moment.Words.Comm(c, letter, width)
	out := paragraph(nil, head, width, 2, paint.Bold)
	out = paragraph(out, made, width, 2, paint.Plain)
	if stale != "" {
		out = paragraph(out, stale, width, 2, paint.Alarm)
	}
	return append(out, nil)
}

// mostMembers is how many members are listed one by one.
const mostMembers = 96

// members is a group in rank order: ranks above world ranks.
func members(group []int32, width int) []paint.Line {
	if len(group) > mostMembers {
		return paragraph(nil, "world ranks in rank order: "+render.OrderList(group, width*2), width, 2, paint.Plain)
	}
	cell := 2
	for _, w := range group {
		cell = max(cell, len(strconv.Itoa(int(w)))+1)
	}
	const label = 12
	perLine := max(1, (width-label)/cell)
	var out []paint.Line
	for lo := 0; lo < len(group); lo += perLine {
		ranks, worlds := paint.Line{}, paint.Line{}
		ranks.Add("rank", paint.Faint)
		worlds.Add("world rank", paint.Faint)
		ranks.Pad(label)
		worlds.Pad(label)
		for k := lo; k < min(lo+perLine, len(group)); k++ {
			ranks.Add(right(k, cell), paint.Bold)
			worlds.Add(right(int(group[k]), cell), paint.Plain)
		}
		out = append(out, ranks, worlds)
	}
	return out
}

func right(n, width int) string {
	s := strconv.Itoa(n)
	return strings.Repeat(" ", max(0, width-len(s))) + s
}

// sides draws an intercommunicator as two groups that face each other: the local one of the selected
// rank on the left.
func (m *Model) sides(c *engine.CommInfo, width int) []paint.Line {
	left, far := c.Group, c.Remote
	heads := [2]string{"left group", "right group"}
	if _, isRight, ok := placeIn(c, m.viewer); ok {
		heads = [2]string{"local group of rank " + strconv.Itoa(m.viewer), "remote group"}
		if isRight {
			left, far = far, left
		}
	}
	box := max(min((width-9)/2, 28), 12)
	n := min(max(len(left), len(far)), 12)
	var out []paint.Line
	add := func(a, middle, b string, ink paint.Ink) {
		var l paint.Line
		l.Add(a, ink)
		l.Pad(box)
		l.Add(middle, paint.Accent)
		l.Add(b, ink)
		out = append(out, l)
	}
	add(" "+paint.Cut(heads[0], box-2), "         ", " "+heads[1], paint.Bold)
	rule := strings.Repeat("─", box-2)
	add("╭"+rule+"╮", "         ", "╭"+rule+"╮", paint.Faint)
	for i := range n {
		middle := "         "
		if i == n/2 {
			middle = " ◀─────▶ "
		}
		var l paint.Line
		m.member(&l, left, i, n, box)
		l.Add(middle, paint.Accent)
		m.member(&l, far, i, n, box)
		out = append(out, l)
	}
	add("╰"+rule+"╯", "         ", "╰"+rule+"╯", paint.Faint)
	return paragraph(out, "A rank sends to ranks of the other group; choose a rank to see it from its side.", width, 0, paint.Faint)
}

// member draws the i-th of n lines of a box.
func (m *Model) member(l *paint.Line, group []int32, i, n, box int) {
	start := l.Width()
	l.Add("│", paint.Faint)
	switch {
	case i == n-1 && len(group) > n:
		l.Add(" ⋮ "+strconv.Itoa(len(group)-i)+" more", paint.Faint)
	case i < len(group):
		w := int(group[i])
		l.Add(" "+right(i, 2), paint.Bold)
		l.Add("  world "+strconv.Itoa(w), litIf(paint.Plain, w == m.viewer))
	}
	l.Pad(start + box - 1)
	l.Add("│", paint.Faint)
}

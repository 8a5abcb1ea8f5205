package tui

import (
	"strings"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/render/paint"
)

// aboutDeadlock draws who waits for whom, then the diagnosis.
func (m *Model) aboutDeadlock(width int) []paint.Line {
	waiting := m.moment.View.Snapshot.Waiting
	var out []paint.Line
	if boxes := m.twoBoxes(waiting, width); boxes != nil {
		out = append(out, boxes...)
	} else {
		out = append(out, circle(waiting, width)...)
		for i, w := range waiting {
			if i == 12 {
				out = append(out, paint.Text("... and more", paint.Faint))
				break
			}
			out = append(out, m.waitLines(w, width)...)
		}
	}
	out = append(out, nil)
	for text := range strings.SplitSeq(m.moment.View.Deadlock.Message, "\n") {
		out = paragraph(out, text, width, 2, paint.Plain)
	}
	return paragraph(out, "The ranks stay blocked until a line lets them go on; z takes the last line back.", width, 0, paint.Faint)
}

// circle draws sets of ranks that wait for each other in a ring: "rank 0 ─▶ rank 1 ─▶ rank 2 ─▶ rank
// 0"; nil when there is none, or no room.
func circle(waiting []engine.Wait, width int) []paint.Line {
	var l paint.Line
	for i, w := range render.Ring(waiting) {
		if i > 0 {
			l.Add(" ─▶ ", paint.Accent)
		}
		l.Add(render.RankNoun(listOf(w.Ranks), 24), paint.Alarm)
	}
	if l == nil || l.Width() > width {
		return nil
	}
	return []paint.Line{l, nil}
}

// waitLines tells of some ranks in which call they wait, and for whom.
func (m *Model) waitLines(w engine.Wait, width int) []paint.Line {
	t := m.moment.Words.Waiting(w, width)
	l := paint.Line{{Text: t.Who, Ink: paint.Alarm}, {Text: " " + t.What, Ink: paint.Plain}}
	out := []paint.Line{l}
	if t.Site != "" {
		if l.Width()+2+paint.Width(t.Site) <= width {
			out[0].Add("  "+t.Site, paint.Faint)
		} else {
			out = append(out, paint.Line{{Text: "     " + t.Site, Ink: paint.Faint}})
		}
	}
	return append(out, paint.Line{{Text: "  └▶ for ", Ink: paint.Accent}, {Text: t.Whom, Ink: paint.Bold}, {Text: t.Doing, Ink: paint.Plain}})
}

// twoBoxes draws two sets of ranks that wait for each other; nil when that is not the case, or there
// is no room.
func (m *Model) twoBoxes(waiting []engine.Wait, width int) []paint.Line {
	if len(waiting) != 2 {
		return nil
	}
	a, b := waiting[0], waiting[1]
	if !a.Missing().Has(b.Ranks.First()) || !b.Missing().Has(a.Ranks.First()) {
		return nil
	}
	arrows := []string{"── waits for ▶", "              ", "◀ waits for ──"}
	if width < 70 {
		arrows = []string{"────▶", "     ", "◀────"}
	}
	arrow := paint.Width(arrows[0])
	box := (width - arrow) / 2
	left, right := m.waitBox(a, box-4), m.waitBox(b, box-4)
	inner := 0
	for i := range left {
		inner = max(inner, paint.Width(left[i]), paint.Width(right[i]))
	}
	if inner > box-4 {
		return nil
	}
	rule := strings.Repeat("─", inner+2)
	line := func(l, r, mid string, ink paint.Ink) paint.Line {
		return paint.Line{{Text: "│ ", Ink: paint.Faint}, {Text: l + strings.Repeat(" ", inner-paint.Width(l)), Ink: ink},
			{Text: " │", Ink: paint.Faint}, {Text: mid, Ink: paint.Alarm}, {Text: "│ ", Ink: paint.Faint},
			{Text: r + strings.Repeat(" ", inner-paint.Width(r)), Ink: ink}, {Text: " │", Ink: paint.Faint}}
	}
	out := []paint.Line{paint.Text("╭"+rule+"╮"+strings.Repeat(" ", arrow)+"╭"+rule+"╮", paint.Faint)}
	for i := range left {
		ink := paint.Plain
		if i == 0 {
			ink = paint.Bold
		}
		out = append(out, line(left[i], right[i], arrows[i], ink))
	}
	return append(out, paint.Text("╰"+rule+"╯"+strings.Repeat(" ", arrow)+"╰"+rule+"╯", paint.Faint))
}

func (m *Model) waitBox(w engine.Wait, width int) []string {
	return []string{render.RankNoun(listOf(w.Ranks), width), paint.Cut(m.moment.Words.WaitCall(w), width), paint.Cut(w.Site(), width)}
}

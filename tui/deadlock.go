package tui

import (
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/tui/paint"
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
	out = paragraph(out, m.moment.View.Deadlock.Message, width, 2, paint.Plain)
	return paragraph(out, "The ranks stay blocked until a line lets them go on; z takes the last line back.", width, 0, paint.Faint)
}

// mostInCircle bounds the circles that are looked for.
const mostInCircle = 12

// circle draws sets of ranks that wait for each other in a ring: "rank 0 ─▶ rank 1 ─▶ rank 2 ─▶ rank
// 0"; nil when there is none.
func circle(waiting []engine.Wait, width int) []paint.Line {
	for start := range waiting {
		path := []int{start}
		for len(path) <= mostInCircle {
			next := waiterAmong(waiting, waiting[path[len(path)-1]].Missing())
			if next < 0 || next != start && slices.Contains(path, next) {
				break
			}
			path = append(path, next)
			if next != start {
				continue
			}
			var l paint.Line
			for i, k := range path {
				if i > 0 {
					l.Add(" ─▶ ", paint.Accent)
				}
				l.Add(render.RankNoun(listOf(waiting[k].Ranks), 24), paint.Alarm)
			}
			if len(path) < 3 || l.Width() > width {
				return nil
			}
			return []paint.Line{l, nil}
		}
	}
	return nil
}

// waiterAmong is the wait of one of some ranks; -1 when none of them waits.
func waiterAmong(waiting []engine.Wait, ranks engine.Ranks) int {
	return slices.IndexFunc(waiting, func(w engine.Wait) bool {
		return slices.ContainsFunc(ranks, func(r engine.Range) bool { return w.Ranks.Has(int(r.Lo)) || w.Ranks.Has(int(r.Hi)) })
	})
}

// waitLines tells of some ranks in which call they wait, and for whom.
func (m *Model) waitLines(w engine.Wait, width int) []paint.Line {
	var l paint.Line
	verb := " wait in "
	if w.Ranks.Len() == 1 {
		verb = " waits in "
	}
	l.Add(render.RankNoun(listOf(w.Ranks), width/3), paint.Alarm)
	l.Add(verb+m.waitCall(w), paint.Plain)
	out := []paint.Line{l}
	switch at := w.Site(); {
	case at == "":
	case l.Width()+2+paint.Width(at) <= width:
		out[0].Add("  "+at, paint.Faint)
	default:
		out = append(out, paint.Line{{Text: "     " + at, Ink: paint.Faint}})
	}
	var whom paint.Line
	whom.Add("  └▶ for ", paint.Accent)
	missing := w.Missing()
	switch {
	case len(missing) == 0:
		whom.Add("itself", paint.Bold)
	default:
		whom.Add(render.RankNoun(listOf(missing), width/2), paint.Bold)
		whom.Add(m.doing(missing, width/2), paint.Plain)
	}
	return append(out, whom)
}

func (m *Model) waitCall(w engine.Wait) string {
	if w.Comm < 0 {
		return w.Call.String()
	}
	return w.Call.String() + " on " + m.moment.Name(w.Comm)
}

// doing says what ranks that are waited for do.
func (m *Model) doing(ranks engine.Ranks, width int) string {
	for _, o := range m.moment.View.Snapshot.Waiting {
		if o.Ranks.Has(ranks.First()) {
			return paint.Cut(", in "+o.Call.String(), width)
		}
	}
	return ", which made no such call"
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
	return []string{render.RankNoun(listOf(w.Ranks), width), paint.Cut(m.waitCall(w), width), paint.Cut(w.Site(), width)}
}

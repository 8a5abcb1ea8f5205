package tui

import (
	"strings"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// firstSplit is the line that newcomers learn most from: its colors make two communicators, its keys reverse their
// order.
const firstSplit = "half = split world color=rank%2 key=-rank"

// startButtons are the keys of the greeting, which can be clicked as well.
var startButtons = []struct{ key, text string }{
	{"F2", firstSplit},
	{"F3", "start here: lessons of two minutes"},
	{"F4", "this or another machine: a laptop, Figure 7.3, a cluster"},
}

// startText returns the greeting: what the program does, three keys to press, and notes on the hardware. In a low
// pane it has no gaps.
func (m *Model) startText(width int) []paint.Line {
	r, ok := m.layout.of(whyPane)
	roomy := ok && r.h > 12
	var out []paint.Line
	gap := func() {
		if roomy {
			out = append(out, nil)
		}
	}
	out = paragraph(out, "See which ranks an MPI communicator split puts together, and why.", width, 0, paint.Bold)
	gap()
	for _, c := range startButtons {
		for i, row := range wrapped(c.text, width-6) {
			l := paint.Line{{Text: " ", Ink: paint.Plain}}
			if i == 0 {
				l.Add(" "+c.key+" ", paint.Accent.Lit())
			}
			l.Pad(6)
			l.Add(row, paint.Plain)
			out = append(out, l)
		}
		gap()
	}
	if hardware := m.moment.View.Snapshot.Topology; hardware != nil {
		notes := hardware.Notes
		if hardware == m.began {
			notes = m.notes
		}
		for _, n := range notes {
			out = paragraph(out, "Note: "+n, width, 2, paint.Plain)
		}
	}
	return paragraph(out, "Or type a line below; Esc goes to the panes, F1 lists all keys.", width, 0, paint.Plain)
}

// startButton returns the binding of the key that a line of the greeting names; nil for another line. Lines are
// counted from the rule of the pane.
func (m *Model) startButton(r rect, line int) *binding {
	if r.pane != whyPane || m.moment.Last > 0 || line == 0 {
		return nil
	}
	lines := m.panes[whyPane].lines(m, r.inner(), r.h-1)
	if line > len(lines) {
		return nil
	}
	text := strings.TrimLeft(lines[line-1].Plain(), " ")
	for _, c := range startButtons {
		if strings.HasPrefix(text, c.key+" ") {
			return at(anywhere, strings.ToLower(c.key))
		}
	}
	return nil
}

package tui

import "commsplit/render/paint"

// firstSplit is the line that shows a newcomer most: colors that make two communicators, keys that turn
// their order round.
const firstSplit = "half = split world color=rank%2 key=-rank"

// startText greets: what this is, three things to press, and what is restricted or not known of the hardware. A place of few lines gets it without gaps.
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
	for _, c := range []struct{ key, text string }{
		{"F2", firstSplit},
		{"F3", "start here: lessons of two minutes"},
		{"F4", "this machine, or another one: a laptop, Figure 7.3, a cluster"},
	} {
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

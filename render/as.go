package render

import (
	"io"

	"commsplit/engine"
	"commsplit/engine/deviation"
)

// As prints what a library would give otherwise: a line for each difference, wrapped, with the place,
// the call, the ranks and what they would get, and below the first of a kind why.
func As(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	if len(v.As.Notes) == 0 {
		p.paragraph(v.As.Library.String()+" would give the same: no known deviation applies", 0, inkPlain)
		return p.writeTo(w)
	}
	p.line(span{v.As.Library.String() + " would differ:", inkBold})
	told := map[string]bool{}
	for i := range v.As.Notes {
		n := &v.As.Notes[i]
		p.paragraph(noteHead(n, p.limit(p.width))+": "+n.Text, 2, inkPlain)
		if !told[n.Deviation] {
			p.paragraph(n.Rule+" ("+n.Source+")", 4, inkFaint)
			told[n.Deviation] = true
		}
	}
	return p.writeTo(w)
}

// noteHead is "demo.py:7 MPI_Comm_split, ranks 0-3".
func noteHead(n *deviation.Note, width int) string {
	head := rankNoun(listOf(n.Ranks), width/2)
	if n.Call != engine.CallNone {
		head = n.Call.String() + ", " + head
	}
	return words(n.Where, head)
}

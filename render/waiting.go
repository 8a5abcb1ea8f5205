package render

import "io"

// Waiting prints the ranks that are blocked: who waits, in which call on which communicator, at
// which line of the program, and for whom.
func Waiting(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	list := v.Snapshot.Waiting
	if len(list) == 0 {
		p.line(plain("no rank waits"))
		return p.writeTo(w)
	}
	names := newNaming(v)
	g := newGrid(column{flexible: true}, column{}, column{flexible: true}, column{flexible: true})
	g.row(head("Who"), head("What"), head("Where"), head("Waits for"))
	for _, wait := range list {
		ranks, missing := listOf(wait.Ranks), listOf(wait.Missing)
		who := fitted(func(width int) string { return rankNoun(ranks, width) })
		whom := quiet("cannot be told")
		if len(missing) > 0 {
			whom = fitted(func(width int) string { return rankNoun(missing, width) })
		}
		where := wait.Site()
		if where == "" {
			where = "-"
		}
		g.row(who, text(wait.Call.String()+" on "+names.of(wait.Comm)), text(where), whom)
	}
	g.drawTo(p)
	return p.writeTo(w)
}

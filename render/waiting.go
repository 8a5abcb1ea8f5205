package render

import (
	"cmp"
	"io"

	"codeberg.org/commsplit/commsplit/engine"
)

// waitingLines is the most calls with blocked ranks that have a line each.
const waitingLines = 24

// Waiting prints the ranks that are blocked: which ranks wait, in which call on which communicator, at which line
// of the program, and for which ranks. Of many different calls, Waiting shows those of the lowest ranks.
func Waiting(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	list := v.Snapshot.Waiting
	if len(list) == 0 {
		p.line(plain("no rank waits"))
		return p.writeTo(w)
	}
	words := NewWords(v)
	g := &grid{columns: []column{{flexible: true}, {}, {}, {flexible: true}}}
	g.below = 2
	g.row(head("Who"), head("What"), head("Where"), head("Waits for"))
	rest := max(0, len(list)-p.limit(waitingLines))
	for _, wait := range list[:len(list)-rest] {
		ranks, missing := wait.Ranks.List(), wait.Missing().List()
		who := cell{fit: func(width int) string { return RankNoun(ranks, width) }}
		whom := text(choose(len(ranks) == 1, "itself", "themselves"))
		if len(missing) > 0 {
			whom = cell{fit: func(width int) string { return RankNoun(missing, width) }}
		}
		g.row(who, text(words.WaitCall(wait)), text(cmp.Or(wait.Site(), "-")), whom)
	}
	g.drawTo(p)
	p.more("  ", rest, "line")
	return p.writeTo(w)
}

// Blocked returns, for each world rank, whether it waits in a call; nil when none does.
func Blocked(s *engine.Snapshot) []bool {
	var list []bool
	for _, w := range s.Waiting {
		if list == nil {
			list = make([]bool, s.Size)
		}
		for r := range w.Ranks.All {
			list[r] = true
		}
	}
	return list
}

// mostInRing is the most sets of ranks in a ring that is drawn.
const mostInRing = 12

// Ring returns the circle in which ranks wait for each other, for a drawing; the first wait is repeated at the
// end. It returns nil when there is no circle, or when the circle is too long to be drawn.
func Ring(waiting []engine.Wait) []engine.Wait {
	ring := engine.Circle(waiting)
	if len(ring) > mostInRing+1 {
		return nil
	}
	return ring
}

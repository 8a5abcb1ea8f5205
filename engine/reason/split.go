package reason

import (
	"fmt"

	"commsplit/engine"
)

// splitMember explains MPI_Comm_split: who has the same color, and where key puts the process.
func (c *call) splitMember(e *Explanation, row, focus int) {
	color, key := c.ints("color"), c.ints("key")
	mates := c.rows(func(r int) bool { return color[r] == color[row] && c.right[r] == c.right[row] })
	e.add("color", "%d, passed by %s", color[row], ofAll(len(mates), c.side(row)))
	if focus >= 0 {
		e.add("key", "%d", key[row])
	}
	e.Rule = splitRule
	if c.inter() {
		e.add("side", "the %s group; the other group passed color %d, too", sideName(c.right[row]), color[row])
		e.Rule = splitInterRule
	}
	e.Order = c.order(mates, focus)
}

// splitNull explains MPI_COMM_NULL of MPI_Comm_split.
func (c *call) splitNull(e *Explanation, row int) {
	color := c.ints("color")[row]
	if color == engine.Undefined {
		e.Facts, e.Rule = []Fact{{"color", "MPI_UNDEFINED"}}, undefinedRule
		return
	}
	e.add("color", "%d", color)
	e.add("side", "the %s group; nobody in the other group passed color %d", sideName(c.right[row]), color)
	e.Rule = oneSideRule
}

// side counts the processes of the row's own group.
func (c *call) side(row int) int {
	return len(c.rows(func(r int) bool { return c.right[r] == c.right[row] }))
}

func sideName(right bool) string {
	if right {
		return "right"
	}
	return "left"
}

// ofAll is "3 of the 8 ranks" or "all 8 ranks".
func ofAll(k, n int) string {
	switch {
	case n == 1:
		return "the only rank"
	case k == n && n == 2:
		return "both ranks"
	case k == n:
		return fmt.Sprintf("all %d ranks", n)
	}
	return fmt.Sprintf("%d of the %d ranks", k, n)
}

package render

import (
	"slices"

	"commsplit/engine"
)

// rowsOf finds, for the members of a communicator in rank order, their rows in the columns of a
// step that the given ranks made.
func rowsOf(ranks engine.Ranks, groups ...[]int32) []int {
	type member struct {
		world int32
		at    int
	}
	var members []member
	for _, g := range groups {
		for _, r := range g {
			members = append(members, member{r, len(members)})
		}
	}
	slices.SortFunc(members, func(a, b member) int { return int(a.world) - int(b.world) })
	rows := make([]int, len(members))
	before, k := 0, 0
	for _, span := range ranks {
		for ; k < len(members) && members[k].world <= span.Hi; k++ {
			rows[members[k].at] = before + int(members[k].world-span.Lo)
		}
		before += int(span.Hi-span.Lo) + 1
	}
	return rows
}

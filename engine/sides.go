package engine

import (
	"fmt"
	"strings"
)

// passing is a clause of a diagnosis about an argument: "ranks 0-3 pass A", "rank 4 passes B".
func passing(who []int32, what string) string {
	ranks := RanksOf(who...)
	return ranks.Noun() + " " + plural(ranks, "passes", "pass") + " " + what
}

// sides says who passed what: "ranks 0-3 pass A; rank 4 passes B". Processes that passed
// MPI_UNDEFINED agree with all and are left out.
func (op *operation) sides(what func(r int) string) string {
	return op.sidesOf(func(r int) bool { return op.call != CallSplitType || op.a[r] != Undefined }, what)
}

// sidesOf is sides of some of the processes.
func (op *operation) sidesOf(counts func(r int) bool, what func(r int) string) string {
	who := map[string][]int32{}
	var order []string
	for r, m := range op.core.all {
		if !counts(r) {
			continue
		}
		v := what(r)
		if who[v] == nil {
			order = append(order, v)
		}
		who[v] = append(who[v], m)
	}
	var parts []string
	for i, v := range order {
		if i == maxSides {
			parts = append(parts, fmt.Sprintf("and %d more", len(order)-i))
			break
		}
		parts = append(parts, passing(who[v], v))
	}
	return strings.Join(parts, "; ")
}

// side says who passed a group: "ranks 0-3 pass {0,1,2,3}". Members are world ranks.
func (op *operation) side(g *Group, which []int32, i int32) string {
	var who []int32
	for r, k := range which {
		if k == i {
			who = append(who, op.core.all[r])
		}
	}
	return passing(who, g.braces())
}

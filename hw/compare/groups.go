package compare

import (
	"cmp"
	"slices"

	"codeberg.org/commsplit/commsplit/hw"
)

// Group is machines that are equal.
type Group struct {
	Members     []int        // by their places in the list, ascending
	Like        int          // the larger group that it is most like; -1 for the largest
	Differences []Difference // from a machine of that group
}

// Groups sorts machines into those that are equal, the largest group first, of those as large the one that begins first. A
// machine is of the first group whose first machine it equals.
func Groups(machines []*hw.Topology) []Group {
	var groups []Group
	for i, m := range machines {
		at := slices.IndexFunc(groups, func(g Group) bool { return len(Of(machines[g.Members[0]], m)) == 0 })
		if at < 0 {
			groups = append(groups, Group{Members: []int{i}})
			continue
		}
		groups[at].Members = append(groups[at].Members, i)
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(len(b.Members), len(a.Members)) })
	for i := range groups {
		g := &groups[i]
		g.Like = -1
		for j, larger := range groups[:i] {
			list := Of(machines[larger.Members[0]], machines[g.Members[0]])
			if g.Like < 0 || len(list) < len(g.Differences) {
				g.Like, g.Differences = j, list
			}
		}
	}
	return groups
}

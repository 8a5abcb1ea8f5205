package engine

import "strings"

// mostWaits bounds the search for a circle.
const mostWaits = 64

// Circle is sets of ranks that wait for each other in turn, the first one again at the end: the shortest way
// around of the first set that has one; nil when there is none.
func Circle(waiting []Wait) []Wait {
	list := waiting[:min(len(waiting), mostWaits)]
	var ring []Wait
	for _, k := range around(list, func(a, b Wait) bool { return a.Missing().meets(b.Ranks) }) {
		ring = append(ring, list[k])
	}
	return ring
}

// circle says who waits for whom when sets of ranks wait for each other in a circle, over different
// communicators or for messages: the shape that is hardest to see. "" when there is none.
func circle(waiting []Wait) string {
	list := waiting[:min(len(waiting), mostWaits)]
	if path := around(list, needs); path != nil {
		return describeCircle(list, path)
	}
	return ""
}

// around is the shortest way around of the first wait that has one, given which wait needs which others.
func around(list []Wait, needs func(a, b Wait) bool) []int {
	needed := make([][]int, len(list)) // by wait, those that it needs
	for i := range list {
		for j := range list {
			if i != j && needs(list[i], list[j]) {
				needed[i] = append(needed[i], j)
			}
		}
	}
	for i := range list {
		if path := wayBack(needed, i); path != nil {
			return path
		}
	}
	return nil
}

// wayBack is the shortest way from a set of ranks over those that it waits for back to itself; nil when there
// is none.
func wayBack(needed [][]int, start int) []int {
	const unseen = -1
	from := filled(len(needed), unseen)
	for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		for _, j := range needed[i] {
			if from[j] == unseen {
				from[j] = int32(i)
				queue = append(queue, j)
			}
		}
		if from[start] == unseen {
			continue
		}
		path := []int{start}
		for k := int(from[start]); k != start; k = int(from[k]) {
			path = append([]int{k}, path...)
		}
		return append([]int{start}, path...)
	}
	return nil
}

// needs reports whether the ranks of a wait for some of b's, which are somewhere else: that ranks make
// different calls on one communicator is told otherwise.
func needs(a, b Wait) bool {
	if a.Comm == b.Comm && (a.together && b.together || a.Comm < 0) {
		return false
	}
	return a.wanted.meets(b.Ranks)
}

// describeCircle is "They wait in a circle: rank 0 for rank 1, rank 1 for rank 0."
func describeCircle(list []Wait, path []int) string {
	var parts []string
	for k := 0; k+1 < len(path); k++ {
		a, b := list[path[k]], list[path[k+1]]
		parts = append(parts, a.Ranks.Noun()+" for "+a.wanted.common(b.Ranks).Noun())
	}
	return "They wait in a circle: " + strings.Join(parts, ", ") + "."
}

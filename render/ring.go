package render

import (
	"slices"

	"commsplit/engine"
)

// mostInRing bounds the rings that are looked for.
const mostInRing = 12

// Ring is waits whose ranks wait for each other in turn, the first one again at the end; nil when
// there is none.
func Ring(waiting []engine.Wait) []engine.Wait {
	for start := range waiting {
		path := []int{start}
		for len(path) <= mostInRing {
			next := waiterAmong(waiting, waiting[path[len(path)-1]].Missing())
			if next < 0 || next != start && slices.Contains(path, next) {
				break
			}
			if path = append(path, next); next == start {
				break
			}
		}
		if len(path) > 2 && path[len(path)-1] == start {
			ring := make([]engine.Wait, len(path))
			for i, k := range path {
				ring[i] = waiting[k]
			}
			return ring
		}
	}
	return nil
}

// waiterAmong is the wait of one of some ranks; -1 when none of them waits.
func waiterAmong(waiting []engine.Wait, ranks engine.Ranks) int {
	return slices.IndexFunc(waiting, func(w engine.Wait) bool {
		return slices.ContainsFunc(ranks, func(r engine.Range) bool {
			return slices.ContainsFunc(w.Ranks, func(q engine.Range) bool { return q.Lo <= r.Hi && r.Lo <= q.Hi })
		})
	})
}

package scene

import (
	"cmp"
	"slices"
)

// Moves returns, for each thing of after, the cell of before that moves to its place: the cell with the same Ref, or else the
// cell that Thing.From names. An entry is nil for a thing that appears, and for a thing that is not a cell. A cell of before
// that no entry names vanishes.
func Moves(before, after *Scene) []*Thing {
	was := map[Ref]*Thing{}
	for i := range before.Things {
		if t := &before.Things[i]; t.Kind == Cell && t.Of.Kind != Nothing {
			was[t.Of] = t
		}
	}
	list := make([]*Thing, len(after.Things))
	for i := range after.Things {
		if t := &after.Things[i]; t.Kind == Cell {
			if list[i] = was[t.Of]; list[i] == nil && t.From != 0 {
				of := t.Of
				of.In = t.From
				list[i] = was[of]
			}
		}
	}
	return list
}

// Between returns the scene in which things have done a share, from 0 to 1, of their way from one scene to the next. Things
// on their way cover those that stay. The cells of a lane whose order changes would all meet where a straight way has its
// middle; so the lane goes as it is, and the cells in it pass one neighbor after the other.
func Between(before, after *Scene, share float64) *Scene {
	if share >= 1 {
		return after
	}
	moves := Moves(before, after)
	lanes := map[int][]int{} // by communicator: its cells that come from somewhere
	places := make([]Thing, len(after.Things))
	for i, from := range moves {
		if t := &after.Things[i]; from != nil {
			places[i] = along(from, t, share)
			if t.Of.In > 0 {
				lanes[t.Of.In] = append(lanes[t.Of.In], i)
			}
		}
	}
	for _, lane := range lanes {
		pass(lane, moves, after.Things, places, share)
	}
	out := *after
	out.Things = make([]Thing, 0, len(after.Things))
	var moving []Thing
	for i, from := range moves {
		t := after.Things[i]
		if from == nil || t.at(from) && t.at(&places[i]) {
			out.Add(t)
			continue
		}
		t.X, t.Y = places[i].X, places[i].Y
		moving = append(moving, t)
	}
	out.Things = append(out.Things, moving...)
	return &out
}

// pass finds the places of a lane's cells after a share of their way.
func pass(lane []int, moves []*Thing, things, places []Thing, share float64) {
	first, last := slices.Clone(lane), slices.Clone(lane) // in the order of the places before and after
	slices.SortStableFunc(first, func(a, b int) int { return moves[a].reads(moves[b]) })
	slices.SortStableFunc(last, func(a, b int) int { return things[a].reads(&things[b]) })
	goal := make(map[int]int, len(lane))
	for k, i := range last {
		goal[i] = k
	}
	// In each round, every second pair of neighbors changes places if that is their order in the end.
	orders := [][]int{first}
	for round := 0; !slices.Equal(orders[round], last); round++ {
		next := slices.Clone(orders[round])
		for k := round % 2; k+1 < len(next); k += 2 {
			if goal[next[k]] > goal[next[k+1]] {
				next[k], next[k+1] = next[k+1], next[k]
			}
		}
		orders = append(orders, next)
	}
	now := orders[int(share*float64(len(orders)-1))]
	for k, i := range now {
		places[i] = along(moves[first[k]], &things[last[k]], share)
	}
}

// reads compares the places of things in the order of reading.
func (t *Thing) reads(o *Thing) int { return cmp.Or(t.Y-o.Y, t.X-o.X) }

func (t *Thing) at(o *Thing) bool { return t.X == o.X && t.Y == o.Y }

// along returns a place on the straight way from one thing to another.
func along(from, to *Thing, share float64) Thing {
	step := func(a, b int) int { return a + int(float64(b-a)*share) }
	return Thing{X: step(from.X, to.X), Y: step(from.Y, to.Y)}
}

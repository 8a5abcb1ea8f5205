package scene

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
// on their way cover those that stay.
func Between(before, after *Scene, share float64) *Scene {
	if share >= 1 {
		return after
	}
	out := *after
	out.Things = make([]Thing, 0, len(after.Things))
	var moving []Thing
	for i, from := range Moves(before, after) {
		t := after.Things[i]
		if from == nil || from.X == t.X && from.Y == t.Y {
			out.Add(t)
			continue
		}
		t.X, t.Y = along(from.X, t.X, share), along(from.Y, t.Y, share)
		moving = append(moving, t)
	}
	out.Things = append(out.Things, moving...)
	return &out
}

func along(from, to int, share float64) int { return from + int(float64(to-from)*share) }

package picture

import (
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/lanes"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// mostKin is the most lanes of a lineage, and kinLines the most lines, unless the smallest lanes need more.
const (
	mostKin  = 56
	kinLines = 44
)

// Lineage arranges which communicator was made from which: each is a lane below the one that it was made from, with the
// call that made it, and the letter and the color that it has in tables of all variables. Siblings that one call made
// share a lane when they are many. There are at most so many lines, unless the smallest lanes need more.
func Lineage(v *render.View, width, lines int) *scene.Scene {
	rows := render.DescentOf(v.Snapshot).Fit(mostKin, 8, 4, 1)
	if len(rows) == 0 {
		out := &scene.Scene{}
		out.Lines(paint.Text(render.NoComms, paint.Plain))
		return out
	}
	rest := len(rows) - mostKin
	rows = rows[:min(len(rows), mostKin)]
	src, parts := sourceOf(v), render.PartingsOf(v.Snapshot, v.Handles)
	src.Parting = func(id int) *render.Parting { return render.Holding(parts, id) }
	var list []*lanes.Lane
	var around []lanes.Setting
	for i := range rows {
		list, around = append(list, src.Lane(rows[i].Comms, nobody)), append(around, lanes.Around(&rows[i], false))
	}
	last, look := src.Last(nil), look(v.Snapshot, width)
	look.Context = true
	out := roomiest(lanes.Rooms, append(list, last...), append(around, make([]lanes.Setting, len(last))...), look, lines)
	if rest > 0 {
		out.Lines(paint.Text(render.More(rest, "line"), paint.Faint))
	}
	return out
}

// lineage arranges Lineage for documents.
func lineage(v *render.View, _ *render.Handle) (*scene.Scene, error) {
	a := render.AncestryOf(v)
	return figure(a.Title(), a.Sentences(), fitted(func(width int) *scene.Scene { return Lineage(v, width, kinLines) }),
		"A, B, ...: the letter of the communicator, as in tables of all variables. "+memberCells), nil
}

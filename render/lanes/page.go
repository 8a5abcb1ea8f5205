package lanes

import (
	"strconv"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/render/paint"
)

// Page draws the communicators that a variable holds as lanes, and the lanes of ranks that hold none, for a page of
// that width. It takes as few lines as so many lanes need to fit into most, with each on a line of its own at worst;
// more communicators than most lines are counted. most of 0 is no limit.
func Page(v *render.View, h *render.Handle, width, most int) []paint.Line {
	list, rest := ofHandle(v, h, most)
	look := Look{Width: width, Rank: -1, Most: v.Snapshot.Size, Size: v.Snapshot.Size}
	var out []paint.Line
	for _, room := range pageRooms {
		look.Room = room
		if out = drawAll(list, look); most == 0 || len(out) <= most {
			break
		}
	}
	if rest > 0 {
		out = append(out, paint.Text("... and "+strconv.Itoa(rest)+" more communicators", paint.Plain))
	}
	return out
}

// pageRooms is what lanes of a page choose from.
var pageRooms = []Room{{Tall: true, Rows: 4}, {Tall: true, Rows: 2}, {Rows: 1}, {Dense: true, Rows: 1}}

// ofHandle makes the lanes of a variable; rest is how many communicators have none, so that all lanes get a line.
func ofHandle(v *render.View, h *render.Handle, most int) (list []*Lane, rest int) {
	p := render.PartingOf(v.Snapshot, h)
	words := render.NewWords(v)
	from := Source{Snapshot: v.Snapshot, Words: words, Made: words.Made, Parting: func(int) *render.Parting { return p }}
	last := from.Last(p)
	n := p.Len()
	if room := max(most-len(last)-1, 1); most > 0 && n > room {
		n, rest = room, n-room
	}
	for k := range n {
		if c := v.Snapshot.Comm(p.Comm(k)); c != nil {
			list = append(list, from.Lane([]*engine.CommInfo{c}, -1))
			continue
		}
		self := &Lane{Letter: p.Letter(k), Slot: p.Slot(k), Name: words.Name(p.Comm(k)), Note: "each rank alone in its own MPI_COMM_SELF",
			Size: strconv.Itoa(p.Held(k)) + " × 1 rank", Sides: []*Side{{}}}
		for r := range v.Snapshot.Size {
			if part, _, _ := p.Place(r); part == k {
				self.Sides[0].Group = append(self.Sides[0].Group, int32(r))
			}
		}
		list = append(list, self)
	}
	return append(list, last...), rest
}

// drawAll draws lanes below each other; dense ones have their sizes and their cells in columns.
func drawAll(list []*Lane, k Look) []paint.Line {
	at := Setting{Indent: 1}
	for _, l := range list {
		k.Column = max(k.Column, min(l.LeadWidth(at), k.Width/2))
	}
	var out []paint.Line
	for _, l := range list {
		out = append(out, l.Draw(at, k).Lines...)
	}
	return out
}

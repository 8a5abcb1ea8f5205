package page

import (
	"strconv"

	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/boxes"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Exercise is an exercise that a person solves on the page: the text about it, and each variable of the goal beside
// the person's result.
type Exercise struct {
	Note   string // how to read the comparison
	Rows   []Row
	Beside []Comparison
}

// Row is a row of a text: its look (a class of the page's style sheet) and its words; or an explanation.
type Row struct {
	Look, Text string
	Of         *render.View // that the explanation is about
	Why        *reason.Explanation
}

// Comparison is a variable on two sides: the goal, and the result.
type Comparison struct {
	Variable string
	Sides    [2]Side
}

// Side is what the ranks hold on one side. Without a result, Handle is nil, and world ranks show.
type Side struct {
	Head    string
	View    *render.View
	Handle  *render.Handle
	Differs []bool // by world rank; nil: no rank differs
}

// exercise is an exercise in the document. A row has a word for its look, a word for its text, a telling (0: none),
// and the world rank of the telling.
type exercise struct {
	Note   word         `json:"note"`
	Rows   [][4]int     `json:"rows"`
	Beside []comparison `json:"beside"`
}

type comparison struct {
	Name  string  `json:"name"`
	Sides [2]side `json:"sides"`
}

// side has a drawing for each area of Session.Rooms.
type side struct {
	Head  word      `json:"head"`
	Rooms []drawing `json:"rooms"`
}

// exercise adds the exercise in its present state.
func (c *collector) exercise() {
	if c.Exercise == nil {
		return
	}
	out := &exercise{Note: c.word(c.Exercise.Note), Rows: [][4]int{}, Beside: []comparison{}}
	e := &explainer{collector: c, ordered: map[*reason.Seat]int{}}
	for _, r := range c.Exercise.Rows {
		row := [4]int{c.word(r.Look), c.word(r.Text)}
		if r.Why != nil {
			row[3] = r.Why.Ranks.First()
			row[2] = c.tellings.written(e.telling(render.NewWords(r.Of).Telling(r.Why, "world rank "+strconv.Itoa(row[3]), strconv.Itoa(r.Why.Rank))))
		}
		out.Rows = append(out.Rows, row)
	}
	for _, x := range c.Exercise.Beside {
		out.Beside = append(out.Beside, c.compared(x))
	}
	c.doc.Exercise = out
}

// compared arranges both sides of a comparison, with cells of the same width. The goal has the letters and colors
// of the result; without a result, its own.
func (c *collector) compared(x Comparison) comparison {
	var held [2]*render.Held
	for i, s := range x.Sides {
		if held[i] = (&render.Held{}); s.Handle != nil {
			held[i].Parting = render.PartingOf(s.View.Snapshot, s.Handle)
		}
	}
	parts, goal := render.Together(c.partings(c.Last)...), held[0].Parting
	held[0].Parting = goal.Behind(parts)
	for i, p := range parts {
		if yours := x.Sides[1].Handle; yours != nil && c.last.Handles[i].Name == yours.Name {
			held[0].Parting, held[1].Parting = goal.As(p), p
		}
	}
	held[1].Waiting = render.Blocked(c.last.Snapshot)
	text := 1 + max(held[0].Width(c.doc.Size), held[1].Width(c.doc.Size)) // and the mark
	out := comparison{Name: x.Variable}
	for i, s := range x.Sides {
		out.Sides[i] = side{Head: c.word(s.Head), Rooms: c.sideOf(s, held[i], text)}
	}
	return out
}

// sideOf arranges the hardware of one side with what its ranks hold.
func (c *collector) sideOf(s Side, held *render.Held, text int) (list []drawing) {
	board := boxes.NewBoard(outline.Of(s.View.Snapshot, outline.NoDevices))
	look := &boxes.Look{Says: held.Says, Share: held.Share}
	look.Cell = func(rank int32) paint.Cell {
		cell := held.Cell(rank)
		cell.Moved = s.Differs != nil && s.Differs[rank]
		return cell
	}
	if held.Parting != nil {
		look.Under = held.World
	}
	if s.Differs != nil {
		look.Says = func(rank int32) string {
			if s.Differs[rank] {
				return held.Says(rank) + ", unlike the goal"
			}
			return held.Says(rank)
		}
	}
	number := map[*hw.Object]int{}
	if t := s.View.Snapshot.Topology; t != nil {
		number = layoutOf(t).number
	}
	d := drawer{own: true, word: c.word, index: func(o *hw.Object) int { return number[o] }}
	for _, in := range c.areas() {
		plan := board.Plan(nil, boxes.Size{Width: in.Columns, Height: in.Lines, Text: text, Fill: boxes.High})
		list = append(list, d.draw(plan.Scene(0, plan.Height, look)))
	}
	return list
}

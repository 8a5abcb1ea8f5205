package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/boxes"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// levels arranges all communicators that the variables hold around the hardware, as Figure 7.3 of MPI-5.0 does: solid
// lines are hardware, dashed lines are communicators, P0 to P11 are processes. A communicator stands around the
// object, or the objects side by side, on which its processes and no others run; communicators without such a
// place are named below the picture. It is an error when the world has no hardware.
func levels(v *render.View, _ *render.Handle) (*scene.Scene, error) {
	s := v.Snapshot
	if s.Topology == nil || s.Bindings == nil {
		return nil, fmt.Errorf("this world has no hardware around which communicators could be drawn")
	}
	f := framer{outline: outline.Of(s, outline.NoDevices)}
	f.all(v)
	plan := f.plan(s)
	cell := func(r int32) paint.Cell { return paint.Cell{Text: "P" + strconv.Itoa(int(r)), Slot: paint.NoSlot} }
	out := titled("Communicators on "+s.Topology.Name, strings.Join(f.said, " "))
	share := func(int32) paint.Cell { return paint.Cell{Text: "P", Slot: paint.NoSlot} }
	ground := plan.Scene(0, plan.Height, &boxes.Look{Cell: cell, Share: share})
	out.Below(ground, 1)
	out.Height++
	shown := plan.Borders()
	f.lost = append(f.lost, slices.DeleteFunc(f.placed, func(name string) bool { return slices.Contains(shown, name) })...)
	notes(out, max(ground.Width, leastFigure), f.notes()...)
	return out, nil
}

// framer puts borders of communicators around hardware.
type framer struct {
	outline *outline.Outline
	said    []string // in words: the ranks of each communicator
	placed  []string // the communicators with a border
	lost    []string // the communicators without a place
}

// mostLevels is the most lines of a picture in which each communicator has its border; of a world with more than
// manyRanks ranks, the picture has figureLines.
const (
	mostLevels = 200
	manyRanks  = 256
)

// plan fits the hardware with its borders into the least width in which all of them show; into the
// first where they never do.
func (f *framer) plan(s *engine.Snapshot) *boxes.Plan {
	board := boxes.NewBoard(f.outline)
	var p, least *boxes.Plan
	high := mostLevels
	if s.Size > manyRanks {
		high = figureLines
	}
	for width := widths[0]; width <= 2*widths[len(widths)-1]; width += 20 {
		p = board.Plan(nil, boxes.Size{Width: width, Height: high, Text: 1 + len(strconv.Itoa(s.Size-1))})
		if len(p.Borders()) == len(f.placed) {
			return p
		}
		if least == nil {
			least = p
		}
	}
	return least
}

// level is a communicator and the variable that holds it.
type level struct {
	name string
	slot int // of the color that all communicators of the variable have; paint.NoSlot for the world
	comm *engine.CommInfo
}

// all puts borders around the ranks of the world and of the communicators that variables hold: larger communicators
// first; of equally large ones, the older first.
func (f *framer) all(v *render.View) {
	s := v.Snapshot
	list := []level{{"MPI_COMM_WORLD", paint.NoSlot, s.Comm(0)}}
	seen := map[int]bool{0: true, engine.SelfID: true}
	slot := 0
	for i := range v.Handles {
		h := &v.Handles[i]
		before := len(list)
		for _, id := range h.IDs {
			if c := s.Comm(int(id)); c != nil && !seen[c.ID] {
				seen[c.ID] = true
				list = append(list, level{h.Name + "#" + strconv.Itoa(c.ID), slot % paint.Slots, c})
			}
		}
		if len(list) > before {
			slot++
		}
	}
	slices.SortStableFunc(list, func(a, b level) int {
		return cmp.Or(cmp.Compare(len(b.comm.Group), len(a.comm.Group)), cmp.Compare(a.comm.ID, b.comm.ID))
	})
	for _, l := range list {
		span, ok := f.span(l.comm)
		if ok && f.outline.Border(span, render.ObjectOf(s, l.comm), l.name, l.slot) {
			f.placed = append(f.placed, l.name)
		} else {
			f.lost = append(f.lost, l.name)
		}
		f.said = append(f.said, l.name+" is "+spell.Plural(len(l.comm.Group), "rank")+", world "+render.OrderList(l.comm.Group, 60)+".")
	}
}

// span returns where the ranks of a communicator are in the order of the outline; ok is false where other ranks
// are among them.
func (f *framer) span(c *engine.CommInfo) (span outline.Span, ok bool) {
	if c.Remote != nil || len(c.Group) == 0 {
		return span, false
	}
	at := make([]int32, len(c.Group))
	for i, r := range c.Group {
		at[i] = f.outline.At[r]
	}
	span = outline.Span{Lo: slices.Min(at), Hi: slices.Max(at) + 1}
	return span, span.Len() == len(at)
}

// notes returns the sentences below the picture.
func (f *framer) notes() []string {
	list := []string{"Solid lines are hardware, dashed lines are communicators, P0 is the process with rank 0 in MPI_COMM_WORLD."}
	if n := len(f.lost); n > 0 {
		const most = 8
		names := strings.Join(f.lost[:min(n, most)], ", ")
		if n > most {
			names += ", ... " + strconv.Itoa(n) + " in all"
		}
		list = append(list, "Not drawn, because no part of the picture has exactly their processes: "+names+".")
	}
	return list
}

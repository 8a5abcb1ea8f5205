// Package picture draws a moment of a session on a page, in the pictures of the terminal UI: the hardware as
// boxes, communicators as lanes, or both.
package picture

import (
	"io"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/boxes"
	"codeberg.org/commsplit/commsplit/render/lanes"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// Partition draws the communicators that a variable holds, as the style asks: as text, as boxes, as lanes, as the
// buckets of the calls that made them, or as boxes and lanes. With AsBuckets, communicators that no split made are
// lanes. With AsTime it draws the run, and with AsLineage all communicators, whatever the variable. In full, the boxes have the hardware that this process may
// not use, too.
func Partition(w io.Writer, v *render.View, h *render.Handle, st render.Style) error {
	if st.Picture == render.AsTree {
		return render.Result(w, v, h, "", st)
	}
	if v.Snapshot.Topology != nil && st.Full {
		whole, s := *v, *v.Snapshot
		s.Topology = s.Topology.Whole()
		whole.Snapshot = &s
		v = &whole
	}
	return write(w, Scene(v, h, st.Picture, st.Columns()), st)
}

// Scene arranges the communicators that a variable holds as a picture asks, in so many columns. A tree is text, and
// not arranged.
func Scene(v *render.View, h *render.Handle, as render.Picture, width int) *scene.Scene {
	switch as {
	case render.AsTime:
		return TimeOf(v, width, 0)
	case render.AsLineage:
		return Lineage(v, width, kinLines)
	}
	p := render.PartingOf(v.Snapshot, h)
	switch as {
	case render.AsLanes:
		return members(v, h, p, width)
	case render.AsBuckets:
		return buckets(v, h, p, width)
	case render.AsWhy:
		return reasons(v, h, p, width)
	}
	out := hardware(v, p, width)
	if as == render.AsSplit {
		out.Below(members(v, h, p, width), 1)
	}
	return out
}

// World draws the world ranks on the hardware.
func World(w io.Writer, v *render.View, st render.Style) error {
	return write(w, hardware(v, nil, st.Columns()), st)
}

// boxLines is the most lines of boxes; there are more only where even the smallest boxes need more.
const boxLines = 20

// hardware arranges the boxes with the ranks of a partition; with world ranks when p is nil.
func hardware(v *render.View, p *render.Parting, width int) *scene.Scene {
	s := v.Snapshot
	held := render.Held{Parting: p, Waiting: render.Blocked(s)}
	look := &boxes.Look{Cell: held.Cell, Share: held.Share, Says: held.Says}
	if p != nil {
		look.Under = held.World
	}
	plan := boxes.NewBoard(outline.Of(s, outline.NoDevices)).Plan(nil, boxes.Size{Width: width, Height: boxLines, Text: held.Width(s.Size)})
	return plan.Scene(0, plan.Height, look)
}

// mostAlone is the most communicators with a lane each; more communicators share a lane.
const mostAlone = 24

// members draws the lanes of a partition, then the lanes of ranks without a communicator.
func members(v *render.View, h *render.Handle, p *render.Parting, width int) *scene.Scene {
	src := source(v, h, p)
	return drawn(lanes.Rooms, src, commsOf(v, p), src.Last(p), width)
}

// None arranges the lanes of the ranks that hold no communicator of a variable, and of the ranks that wait.
func None(v *render.View, h *render.Handle, width int) *scene.Scene {
	src := sourceOf(v)
	list := src.Last(render.PartingOf(v.Snapshot, h))
	return roomiest(compact(), list, make([]lanes.Setting, len(list)), look(v.Snapshot, width), laneLines)
}

// buckets draws the buckets of the calls that made the communicators of a partition; then, as lanes, communicators
// of other calls and the ranks without a communicator.
func buckets(v *render.View, h *render.Handle, p *render.Parting, width int) *scene.Scene {
	src := source(v, h, p)
	out := &scene.Scene{}
	calls, others := callsOf(v, p)
	var told []int32 // ranks in buckets that made no communicator
	for i, call := range calls {
		if i > 0 {
			out.Height++
		}
		name := src.Words.Name(call.Step.Comm)
		out.Lines(paint.Text(call.Step.Call.String()+" on "+name, paint.Bold))
		out.Below(call.Taken(name, width), 1)
		for i := range call.Phases.Buckets {
			if b := &call.Phases.Buckets[i]; !b.Makes {
				told = slices.Concat(told, b.Ranks.List(), b.Right.List())
			}
		}
	}
	last := slices.DeleteFunc(src.Last(p), func(l *lanes.Lane) bool {
		return l.State == paint.Null && !slices.ContainsFunc(l.Sides[0].Group, func(r int32) bool { return !slices.Contains(told, r) })
	})
	out.Below(drawn(lanes.Rooms, src, others, last, width), 1)
	return out
}

// callsOf returns the first mostCalls calls that made communicators of a partition out of buckets, and the
// communicators of other calls.
func callsOf(v *render.View, p *render.Parting) (calls []*lanes.Call, others []*engine.CommInfo) {
	known := map[int]bool{}
	for _, c := range commsOf(v, p) {
		if known[c.Step] {
			continue
		}
		ph := divided(v.Snapshot, c.Step)
		if ph == nil || len(known) == mostCalls {
			others = append(others, c)
			continue
		}
		known[c.Step] = true
		calls = append(calls, &lanes.Call{Phases: ph, Snapshot: v.Snapshot, Parting: p})
	}
	return calls, others
}

// mostCalls is the most calls whose buckets are drawn.
const mostCalls = 4

// divided returns the phases of the split at a step; nil if the step is not a split into buckets.
func divided(s *engine.Snapshot, step int) *reason.Phases {
	if step < 1 || step > len(s.Steps) {
		return nil
	}
	ph, err := reason.Of(s, step)
	if err != nil || !slices.Contains(ph.Stages, reason.Sort) {
		return nil
	}
	return ph
}

// source makes a source of lanes for a partition.
func source(v *render.View, h *render.Handle, p *render.Parting) *lanes.Source {
	named := *v
	if h.Name != "" && !slices.ContainsFunc(v.Handles, func(o render.Handle) bool { return o.Name == h.Name }) {
		named.Handles = append(slices.Clone(v.Handles), *h)
	}
	src := sourceOf(&named)
	src.Parting = func(id int) *render.Parting {
		if p.Find(id) < 0 {
			return nil
		}
		return p
	}
	return src
}

// sourceOf makes a source of lanes without letters.
func sourceOf(v *render.View) *lanes.Source {
	words := render.NewWords(v)
	return &lanes.Source{Snapshot: v.Snapshot, Words: words, Made: words.Made}
}

// commsOf returns the communicators of a partition, except MPI_COMM_SELF.
func commsOf(v *render.View, p *render.Parting) []*engine.CommInfo {
	var comms []*engine.CommInfo
	for k := range p.Len() {
		if c := v.Snapshot.Comm(p.Comm(k)); c != nil { // nil for MPI_COMM_SELF, which each rank has for itself
			comms = append(comms, c)
		}
	}
	return comms
}

// nobody is a viewer outside both groups of every intercommunicator.
const nobody = -1

// drawn draws communicators as lanes, then the lanes of ranks without a communicator, in one of some rooms.
func drawn(rooms []lanes.Room, src *lanes.Source, comms []*engine.CommInfo, last []*lanes.Lane, width int) *scene.Scene {
	var list []*lanes.Lane
	if len(comms) > mostAlone {
		list = append(list, src.Lane(comms, nobody))
	} else {
		for _, c := range comms {
			list = append(list, src.Lane([]*engine.CommInfo{c}, nobody))
		}
	}
	list = append(list, last...)
	return roomiest(rooms, list, make([]lanes.Setting, len(list)), look(src.Snapshot, width), laneLines)
}

// look returns how lanes are drawn in so many columns.
func look(s *engine.Snapshot, width int) lanes.Look {
	return lanes.Look{Width: width, Rank: -1, Most: s.Size, Size: s.Size}
}

// compact returns the rooms of lanes without blank lines.
func compact() []lanes.Room {
	return slices.DeleteFunc(slices.Clone(lanes.Rooms), func(r lanes.Room) bool { return r.Blank })
}

// laneLines is the most lines of lanes; there are more only where the smallest lanes need more.
const laneLines = 28

// roomiest arranges lanes with the largest room in which they have at most most lines.
func roomiest(rooms []lanes.Room, list []*lanes.Lane, around []lanes.Setting, k lanes.Look, most int) *scene.Scene {
	one := func(i int, r lanes.Room) *scene.Scene {
		look := k
		look.Room = r
		return list[i].Scene(around[i], look)
	}
	for i, l := range list {
		k.Column = min(max(k.Column, l.LeadWidth(around[i])), k.Width*3/5)
	}
	high := func(i int, r lanes.Room) int {
		lines := one(i, r).Height
		if r.Blank && i == len(list)-1 {
			lines--
		}
		return lines
	}
	room := lanes.Choose(rooms, make([]int, len(list)), most, high)[0]
	out := &scene.Scene{Width: k.Width}
	for i := range list {
		out.Below(one(i, room), 0)
	}
	if room.Blank && len(list) > 0 {
		out.Height-- // behind the last lane
	}
	return out
}

// write draws a scene in the inks of a style, without blanks at their ends.
func write(w io.Writer, s *scene.Scene, st render.Style) error {
	inks := st.Palette()
	var b strings.Builder
	for _, l := range s.Draw() {
		for len(l) > 0 && l[len(l)-1].Ink < paint.Rank && strings.TrimSpace(l[len(l)-1].Text) == "" {
			l = l[:len(l)-1]
		}
		var row strings.Builder
		inks.Write(&row, l, min(l.Width(), st.Columns()))
		text := row.String()
		if st.Colors == paint.NoColor {
			text = strings.TrimRight(text, " ") // without color these blanks are invisible
		}
		b.WriteString(text + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

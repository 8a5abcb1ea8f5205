// Package picture draws a moment on a page as the terminal UI shows it: the hardware as boxes, communicators as
// lanes, or both.
package picture

import (
	"io"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/render"
	"commsplit/render/boxes"
	"commsplit/render/lanes"
	"commsplit/render/outline"
	"commsplit/render/paint"
)

// Partition draws the communicators that a variable holds, as the style asks: as text, as boxes, as lanes, as the
// buckets of the calls that made them, or as boxes and lanes. What no call made of buckets is drawn as lanes.
func Partition(w io.Writer, v *render.View, h *render.Handle, st render.Style) error {
	if st.Picture == render.AsTree {
		return render.Partition(w, v, h, st)
	}
	p := render.PartingOf(v.Snapshot, h)
	var lines []paint.Line
	switch st.Picture {
	case render.AsBoxes:
		lines = hardware(v, p, st)
	case render.AsLanes:
		lines = members(v, h, p, st)
	case render.AsBuckets:
		lines = buckets(v, h, p, st)
	default:
		lines = append(append(hardware(v, p, st), nil), members(v, h, p, st)...)
	}
	return write(w, lines, st)
}

// World draws the world ranks on the hardware.
func World(w io.Writer, v *render.View, st render.Style) error {
	return write(w, hardware(v, nil, st), st)
}

// boxLines is how many lines boxes may take, of which there are more only where even bars need them.
const boxLines = 20

// hardware is the boxes; without a partition, of world ranks.
func hardware(v *render.View, p *render.Parting, st render.Style) []paint.Line {
	s := v.Snapshot
	if s.Bindings == nil { // nobody knows where ranks run
		bare := *s
		bare.Topology = nil
		s = &bare
	}
	held := render.Held{Parting: p, Waiting: waiting(s)}
	look := &boxes.Look{Cell: held.Cell, Share: held.Share, Under: func(r int32) string { return "" }}
	if p != nil {
		look.Under = held.World
	}
	plan := boxes.NewBoard(outline.Of(s, outline.NoDevices)).Plan(nil, boxes.Size{Width: st.Columns(), Height: boxLines, Text: held.Width(s.Size)})
	return plan.Draw(0, plan.Height, look).Lines
}

// waiting tells of each world rank whether it is blocked; nil when nobody is.
func waiting(s *engine.Snapshot) []bool {
	var list []bool
	for _, w := range s.Waiting {
		if list == nil {
			list = make([]bool, s.Size)
		}
		for r := range w.Ranks.All {
			list[r] = true
		}
	}
	return list
}

// mostAlone is how many communicators have a lane each; more of them share one.
const mostAlone = 24

// members is the lanes of a partition, then of those who have no communicator.
func members(v *render.View, h *render.Handle, p *render.Parting, st render.Style) []paint.Line {
	src := source(v, h, p)
	return drawn(src, commsOf(v, p), src.Last(p), st)
}

// buckets is the calls that made the communicators of a partition of buckets, taken apart; then what other calls made,
// and those who have no communicator, as lanes.
func buckets(v *render.View, h *render.Handle, p *render.Parting, st render.Style) []paint.Line {
	s, src := v.Snapshot, source(v, h, p)
	var lines []paint.Line
	var others []*engine.CommInfo
	known := map[int]bool{}
	var told []int32 // ranks that went into a bucket that made nothing
	for _, c := range commsOf(v, p) {
		if known[c.Step] {
			continue
		}
		ph := divided(s, c.Step)
		if ph == nil || len(known) == mostCalls {
			others = append(others, c)
			continue
		}
		if known[c.Step] = true; len(known) > 1 {
			lines = append(lines, nil)
		}
		name := src.Words.Name(ph.Step.Comm)
		call := lanes.Call{Phases: ph, Snapshot: s, Parting: p}
		lines = append(lines, paint.Text(ph.Step.Call.String()+" on "+name, paint.Bold), nil)
		lines = append(lines, call.Taken(name, st.Columns())...)
		for i := range ph.Buckets {
			if b := &ph.Buckets[i]; !b.Makes {
				told = slices.Concat(told, b.Ranks.List(), b.Right.List())
			}
		}
	}
	last := slices.DeleteFunc(src.Last(p), func(l *lanes.Lane) bool {
		return l.State == paint.Null && !slices.ContainsFunc(l.Sides[0].Group, func(r int32) bool { return !slices.Contains(told, r) })
	})
	if rest := drawn(src, others, last, st); len(rest) > 0 {
		if len(lines) > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, rest...)
	}
	return lines
}

// mostCalls is how many calls are drawn with their buckets.
const mostCalls = 4

// divided is a call that put what processes passed into buckets, and sorted them; nil for another one.
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

// source makes the lanes of a partition.
func source(v *render.View, h *render.Handle, p *render.Parting) *lanes.Source {
	named := *v
	if !slices.ContainsFunc(v.Handles, func(o render.Handle) bool { return o.Name == h.Name }) {
		named.Handles = append(slices.Clone(v.Handles), *h)
	}
	words := render.NewWords(&named)
	return &lanes.Source{Snapshot: v.Snapshot, Words: words, Made: words.Made, Parting: func(id int) *render.Parting {
		if p.Find(id) < 0 {
			return nil
		}
		return p
	}}
}

// commsOf are the communicators of a partition.
func commsOf(v *render.View, p *render.Parting) []*engine.CommInfo {
	var comms []*engine.CommInfo
	for k := range p.Len() {
		if c := v.Snapshot.Comm(p.Comm(k)); c != nil { // MPI_COMM_SELF is another one for each rank
			comms = append(comms, c)
		}
	}
	return comms
}

// nobody sees the picture from the side of a group.
const nobody = -1

// drawn draws communicators as lanes, then the lanes of those who have none.
func drawn(src *lanes.Source, comms []*engine.CommInfo, last []*lanes.Lane, st render.Style) []paint.Line {
	var list []*lanes.Lane
	switch {
	case len(comms)+len(last) == 0:
		return nil
	case len(comms) > mostAlone:
		list = append(list, src.Lane(comms, nobody))
	default:
		for _, c := range comms {
			list = append(list, src.Lane([]*engine.CommInfo{c}, nobody))
		}
	}
	list = append(list, last...)
	return roomiest(list, lanes.Look{Width: st.Columns(), Rank: -1, Most: src.Snapshot.Size, Size: src.Snapshot.Size})
}

// laneLines is how many lines lanes may take, where less room for each makes them fit.
const laneLines = 28

// roomiest draws lanes as large as there are lines for.
func roomiest(list []*lanes.Lane, k lanes.Look) []paint.Line {
	var lines []paint.Line
	for _, k.Room = range lanes.Rooms {
		lines = lines[:0]
		for _, l := range list {
			lines = append(lines, l.Draw(lanes.Setting{}, k).Lines...)
		}
		if len(lines) <= laneLines {
			break
		}
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1].Plain()) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// write writes lines in the inks of a style, without blanks at their ends.
func write(w io.Writer, lines []paint.Line, st render.Style) error {
	inks := &paint.Palette{}
	if st.Colors != paint.NoColor {
		inks = paint.NewPalette(st.Colors, st.Dark)
	}
	var b strings.Builder
	for _, l := range lines {
		for len(l) > 0 && l[len(l)-1].Ink < paint.Rank && strings.TrimSpace(l[len(l)-1].Text) == "" {
			l = l[:len(l)-1]
		}
		var row strings.Builder
		inks.Write(&row, l, min(l.Width(), st.Columns()))
		text := row.String()
		if st.Colors == paint.NoColor {
			text = strings.TrimRight(text, " ") // which no color fills
		}
		b.WriteString(text + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

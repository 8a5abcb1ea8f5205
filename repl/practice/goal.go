package practice

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// Goal is what is to be reached on the world that is shown: who is with whom, in which order. It tells nothing of the
// calls that lead there.
type Goal struct {
	View    *render.View
	Handles []render.Handle
	Places  bool // where ranks run matters
}

// Goal is the goal on the world that is shown. The error is a *Malformed, or what ended ctx.
func (x *Exercise) Goal(ctx context.Context) (*Goal, error) {
	st, err := x.wanted(ctx, 0)
	if err != nil {
		return nil, err
	}
	past := *st.view.Snapshot // with the ranks where they are in the end
	g := &Goal{View: &render.View{Snapshot: &past}}
	g.View.Called = func(id int) string { return st.named(id) }
	past.Steps, past.Output, past.Raised, past.Waiting = nil, nil, nil, nil
	past.Comms = nil
	shown := map[int32]bool{}
	for _, h := range st.handles {
		if !slices.ContainsFunc(h.IDs, func(id int32) bool { return id >= 0 }) {
			continue // a value
		}
		g.Handles = append(g.Handles, h)
		for _, id := range h.IDs {
			shown[id] = true
		}
	}
	g.View.Handles = g.Handles
	for _, c := range st.view.Snapshot.Comms {
		if c.ID == 0 || shown[int32(c.ID)] {
			past.Comms = append(past.Comms, &engine.CommInfo{ID: c.ID, Context: c.Context, Context2: c.Context2, Parent: -1,
				Group: c.Group, Remote: c.Remote, Instance: -1})
		}
	}
	g.Places = x.placed(st)
	return g, nil
}

// named returns the first variable, of those that the answer sets, in which a rank holds that communicator.
func (st *state) named(id int) string {
	for _, h := range st.handles {
		if slices.Contains(h.IDs, int32(id)) {
			return h.Name
		}
	}
	return ""
}

// placed reports whether hardware is what the exercise is about.
func (x *Exercise) placed(st *state) bool {
	return slices.ContainsFunc(st.view.Snapshot.Steps, func(s engine.Step) bool { return s.Call == engine.CallSplitType })
}

// Draw draws the goal: lanes, and above the first of them the hardware, where it matters.
func (g *Goal) Draw(w io.Writer, st render.Style) error {
	for i := range g.Handles {
		st.Picture = render.AsLanes
		if g.Places && i == 0 {
			st.Picture = render.AsSplit
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		if len(g.Handles) > 1 {
			fmt.Fprintf(w, "%s:\n", g.Handles[i].Name)
		}
		if err := picture.Partition(w, g.View, g.lettered(i), st); err != nil {
			return err
		}
	}
	return nil
}

// lettered is one of the handles for a picture that shows all of them: its letters follow those of the handles before,
// so that a letter is one communicator.
func (g *Goal) lettered(handle int) *render.Handle {
	h := g.Handles[handle]
	h.Beside = g.Handles[:handle]
	return &h
}

// Lanes draws one of the handles without the hardware, lettered as where it stands alone.
func (g *Goal) Lanes(w io.Writer, handle int, st render.Style) error {
	st.Picture = render.AsLanes
	return picture.Partition(w, g.View, &g.Handles[handle], st)
}

// GivenLines are the lines that run before an answer.
func (x *Exercise) GivenLines() []*lang.Chunk { return x.given }

// Whole reports whether an answer is a program of which only the end tells whether it is right.
func (x *Exercise) Whole() bool { return x.Repair != "" || x.leaks || len(x.Names) == 0 }

func textOf(chunks []*lang.Chunk) string {
	var lines []string
	for _, c := range chunks {
		lines = append(lines, c.Text)
	}
	return strings.Join(lines, "\n")
}

package picture

import (
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// split arranges what the calls did that made the communicators of h: the hardware with the communicators on which the
// processes called, and beside it, or below it where both are wide, the hardware with the communicators that they got.
// It is an error when no call made a communicator of h.
func split(v *render.View, h *render.Handle) (*scene.Scene, error) {
	before, call := beforeOf(v, h)
	if before == nil {
		return nil, fmt.Errorf("no call made a communicator of %s: there is nothing before it", h.Name)
	}
	both := render.Together(render.PartingOf(v.Snapshot, h), render.PartingOf(v.Snapshot, before)) // h has the letters of its other pictures
	q, p := both[0], both[1]
	earlier, later := render.KeyOf(v, before, p), render.KeyOf(v, h, q)
	half := func(name string, k *render.Key, p *render.Parting) *scene.Scene {
		out := &scene.Scene{}
		out.Lines(paint.Text(name, paint.Bold))
		ground := fitted(func(width int) *scene.Scene { return hardware(v, p, width) })
		out.Below(ground, 0)
		out.Below(keyOf(k, p, max(ground.Width, leastFigure)), 1)
		return out
	}
	left, right := half("before: "+before.Name, earlier, p), half("after: "+h.Name, later, q)
	out := titled("Before and after "+call+" on "+before.Name, "Before: "+earlier.Sentences()+" After: "+later.Sentences())
	top := out.Height + 1
	out.Below(left, 1)
	if across := left.Width + splitGap + right.Width; across <= splitWide {
		middle := top + min(left.Height, right.Height)/3
		out.Add(scene.Thing{Kind: scene.Arrow, X: left.Width + 1, Y: middle, W: splitGap - 2, H: 1})
		out.Join(right, left.Width+splitGap, top)
		return out, nil
	}
	out.Add(scene.Thing{Kind: scene.Arrow, X: left.Width / 2, Y: out.Height, W: 1, H: 2})
	out.Height += 2
	out.Below(right, 0)
	return out, nil
}

// splitGap is the columns between the two pictures, and splitWide the most columns of both side by side.
const (
	splitGap  = 7
	splitWide = 240
)

// beforeOf is a variable with the communicators on which the calls were made that made those of h, and the name of
// the call; nil when no call made any. Processes that made no such call hold nothing in it.
func beforeOf(v *render.View, h *render.Handle) (before *render.Handle, call string) {
	s := v.Snapshot
	words := render.NewWords(v)
	before = &render.Handle{IDs: make([]int32, s.Size)}
	for r := range before.IDs {
		before.IDs[r] = render.Unset
	}
	done := map[int]bool{}
	for _, id := range h.IDs {
		c := s.Comm(int(id))
		if c == nil || c.Step < 1 || c.Step > len(s.Steps) || done[c.Step] {
			continue
		}
		done[c.Step] = true
		step := &s.Steps[c.Step-1]
		for _, on := range calledOn(s, step, c) {
			call = step.Call.String()
			if before.Name == "" {
				before.Name = variableOf(words.Name(on.ID))
			}
			for _, r := range slices.Concat(on.Group, on.Remote) {
				if step.Ranks.Has(int(r)) {
					before.IDs[r] = int32(on.ID)
				}
			}
		}
	}
	if call == "" {
		return nil, ""
	}
	for r := range before.IDs {
		if before.IDs[r] == render.Unset && r < len(h.IDs) && h.IDs[r] == -1 {
			before.IDs[r] = madeNothing(s, call, r)
		}
	}
	return before, call
}

// madeNothing is the id of the communicator on which a process made its last call of that name that made no
// communicator, which is where its MPI_COMM_NULL comes from; Unset when it made none.
func madeNothing(s *engine.Snapshot, call string, rank int) int32 {
	for i := range slices.Backward(s.Steps) {
		if x := &s.Steps[i]; len(x.Made) == 0 && x.Comm >= 0 && x.Call.String() == call && x.Ranks.Has(rank) {
			return int32(x.Comm)
		}
	}
	return render.Unset
}

// calledOn are the communicators on which the processes made the call that made c: that of the step, or of an
// intercommunicator c that joins groups, the latest communicators with its groups. The trace does not tell more.
func calledOn(s *engine.Snapshot, step *engine.Step, c *engine.CommInfo) []*engine.CommInfo {
	on := s.Comm(step.Comm)
	switch {
	case on == nil:
		return nil
	case c.Remote == nil || on.Remote != nil:
		return []*engine.CommInfo{on}
	}
	var list []*engine.CommInfo
	for _, group := range [][]int32{c.Group, c.Remote} {
		for _, x := range slices.Backward(s.Comms) {
			if x.Step < step.Number && x.Remote == nil && slices.Equal(x.Group, group) {
				list = append(list, x)
				break
			}
		}
	}
	return list
}

// variableOf is the name of a communicator without its number: "half" of "half#2", "#2" of "#2".
func variableOf(name string) string {
	if variable, _, _ := strings.Cut(name, "#"); variable != "" {
		return variable
	}
	return name
}

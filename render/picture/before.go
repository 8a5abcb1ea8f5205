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
	o, err := bothOf(v, h)
	if err != nil {
		return nil, err
	}
	left, right := o.left("before: "), o.right("after: ")
	out := titled("Before and after "+o.call+" on "+o.before.Name, "Before: "+o.earlier.Sentences()+" After: "+o.later.Sentences())
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

// both holds the processes before and after the calls that made the communicators of a variable.
type both struct {
	v              *render.View
	before, after  *render.Handle
	call           string // the name of the calls
	p, q           *render.Parting
	earlier, later *render.Key
}

func bothOf(v *render.View, h *render.Handle) (*both, error) {
	before, call := beforeOf(v, h)
	if before == nil {
		return nil, fmt.Errorf("no call made a communicator of %s: there is nothing before it", h.Name)
	}
	list := render.Together(render.PartingOf(v.Snapshot, h), render.PartingOf(v.Snapshot, before)) // h has the letters of its other pictures
	q, p := list[0], list[1]
	return &both{v, before, h, call, p, q, render.KeyOf(v, before, p), render.KeyOf(v, h, q)}, nil
}

func (o *both) left(title string) *scene.Scene  { return o.half(title+o.before.Name, o.earlier, o.p) }
func (o *both) right(title string) *scene.Scene { return o.half(title+o.after.Name, o.later, o.q) }

// half arranges the hardware with the communicators of one of the two variables.
func (o *both) half(title string, k *render.Key, p *render.Parting) *scene.Scene {
	out := &scene.Scene{}
	out.Lines(paint.Text(title, paint.Bold))
	ground := fitted(func(width int) *scene.Scene { return hardware(o.v, p, width) })
	out.Below(ground, 0)
	out.Below(keyOf(k, p, max(ground.Width, leastFigure)), 1)
	return out
}

// Overlays arranges the phases of the calls that made the communicators of h, for the overlays of one slide: the
// processes that call; what they passed, in buckets; the buckets sorted; and what the processes got. Of calls without
// buckets there are the first and the last alone. It is an error when no call made a communicator of h.
func Overlays(v *render.View, h *render.Handle) ([]*scene.Scene, error) {
	o, err := bothOf(v, h)
	if err != nil {
		return nil, err
	}
	list := []*scene.Scene{o.left(o.call + " on ")}
	list[0].Title = "The phases of " + o.call + " on " + o.before.Name
	calls, _ := callsOf(v, o.q)
	for i, title := range []string{"the buckets: who passed which color", "each bucket sorted by key"} {
		out := &scene.Scene{}
		out.Lines(paint.Text(title, paint.Bold))
		for _, call := range calls {
			out.Below(call.Buckets(widths[0], i == 1), 1)
		}
		if len(calls) > 0 {
			list = append(list, out)
		}
	}
	return append(list, o.right("each process gets ")), nil
}

// splitGap is the columns between the two pictures, and splitWide the most columns of both side by side.
const (
	splitGap  = 7
	splitWide = 240
)

// beforeOf returns the communicators on which the calls that made the communicators of h were made, as a variable,
// and the name of these calls; nil when no call made a communicator of h. Processes that made no such call hold
// nothing in the variable.
func beforeOf(v *render.View, h *render.Handle) (before *render.Handle, call string) {
	s := v.Snapshot
	words := render.NewWords(v)
	before = &render.Handle{IDs: slices.Repeat([]int32{render.Unset}, s.Size)}
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

// madeNothing returns the communicator on which a process made its last call of that name that made no
// communicator: the process has its MPI_COMM_NULL from there. It returns Unset when there is no such call.
func madeNothing(s *engine.Snapshot, call string, rank int) int32 {
	for i := range slices.Backward(s.Steps) {
		if x := &s.Steps[i]; len(x.Made) == 0 && x.Comm >= 0 && x.Call.String() == call && x.Ranks.Has(rank) {
			return int32(x.Comm)
		}
	}
	return render.Unset
}

// calledOn returns the communicators on which the processes made the call that made c: that of the step; if c is
// an intercommunicator that joins groups, the latest communicators with these groups, because the trace does not
// tell more.
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

// variableOf returns the name of a communicator without its number: "half" for "half#2", "#2" for "#2".
func variableOf(name string) string {
	if variable, _, _ := strings.Cut(name, "#"); variable != "" {
		return variable
	}
	return name
}

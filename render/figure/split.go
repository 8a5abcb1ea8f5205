package figure

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/render"
)

// Split draws what the calls did that made the communicators of h: the hardware with the communicators on which
// the processes called, and beside it, or below it where both are wide, the hardware with the communicators that
// they got. It is an error when no call made a communicator of h.
func Split(w io.Writer, v *render.View, h *render.Handle, theme Theme) error {
	s := v.Snapshot
	before, call := beforeOf(v, h)
	if before == nil {
		return fmt.Errorf("no call made a communicator of %s: there is nothing before it", h.Name)
	}
	both := render.Together(render.PartingOf(s, h), render.PartingOf(s, before)) // h has the letters of its other pictures
	q, p := both[0], both[1]
	left, right := groundOf(s, p), groundOf(s, q)
	d := &drawing{}
	title := "Before and after " + call + " on " + before.Name
	across := left.w + splitGap + right.w
	stacked := across > splitWide
	room := max(across, leastWide)
	if stacked {
		room = max(left.w, right.w, leastWide)
	}
	wide, y := d.head(title, room)
	wide = max(wide, room)
	top := y + margin + padding
	put := func(name string, t *tile, k *render.Key, x, y int, reading bool) int {
		d.text(x, y+fontSize, "bold", name)
		t.draw(d, x, y+lineHigh+spacing)
		y += lineHigh + spacing + t.h + lineHigh
		keyWide, keyHigh := d.key(k, x, y, max(t.w, leastWide/2), reading)
		wide = max(wide, x-margin+keyWide)
		return y + keyHigh
	}
	earlier, later := render.KeyOf(v, before, p), render.KeyOf(v, h, q)
	end := put("before: "+before.Name, left, earlier, margin, top, false)
	if stacked {
		x := margin + min(left.w, right.w)/2
		d.arrow(x, end+spacing, x, end+splitGap-spacing)
		end = put("after: "+h.Name, right, later, margin, end+splitGap, true)
	} else {
		x, mid := margin+left.w, top+lineHigh+spacing+min(left.h, right.h)/2
		d.arrow(x+spacing, mid, x+splitGap-spacing, mid)
		end = max(end, put("after: "+h.Name, right, later, x+splitGap, top, true))
	}
	desc := "Before: " + earlier.Sentences() + " After: " + later.Sentences()
	return d.writeTo(w, wide+2*margin, end+margin, title, desc, theme)
}

// splitGap is between the two pictures, and splitWide how wide both may be side by side, in pixels.
const (
	splitGap  = 56
	splitWide = 1900
)

// arrow draws an arrow to the right or down.
func (d *drawing) arrow(x, y, toX, toY int) {
	if x == toX {
		d.path("M%d %dV%dM%d %dl-5 -8M%d %dl5 -8", x, y, toY, toX, toY, toX, toY)
		return
	}
	d.path("M%d %dH%dM%d %dl-8 -5M%d %dl-8 5", x, y, toX, toX, toY, toX, toY)
}

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

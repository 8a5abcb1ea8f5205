package picture

import (
	"fmt"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/lanes"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// mostWaits is the most calls with blocked ranks that have a lane each.
const mostWaits = 12

// Waiting arranges who waits for whom: the circle in which ranks wait for each other, and a lane for each call in
// which ranks wait. For one rank, it arranges the call in which that rank waits; -1 is all ranks.
func Waiting(v *render.View, rank, width int) *scene.Scene {
	out := &scene.Scene{Width: width}
	var ring paint.Line
	for i, w := range render.Ring(v.Snapshot.Waiting) {
		if i > 0 {
			ring.Add(" ─▶ ", paint.Accent)
		}
		ring.Add(render.RankNoun(w.Ranks.List(), 24), paint.Alarm)
	}
	if n := ring.Width(); n > 0 && n <= width && rank < 0 {
		out.Lines(ring)
	}
	src, look := sourceOf(v), look(v.Snapshot, width)
	if rank >= 0 {
		one := *v.Snapshot
		one.Waiting = slices.DeleteFunc(slices.Clone(one.Waiting), func(w engine.Wait) bool { return !w.Ranks.Has(rank) })
		src.Snapshot = &one
	}
	look.Room = lanes.Room{Rows: 1}
	for i, l := range src.Blocked(mostWaits) {
		t := src.Words.Waiting(src.Snapshot.Waiting[i], 2*width) // it wraps
		if l.Note != "" {
			t = render.WaitWords{Who: l.Size, What: "wait " + l.Note}
		}
		out.Say(t.Who+" "+t.What+"  "+t.Site, width, paint.Alarm)
		out.Below(l.Members(look), 0)
		if l.Note == "" {
			whom := &scene.Scene{}
			whom.Say("for "+t.Whom+t.Doing, width-3, paint.Plain)
			out.Put(0, out.Height, "└▶", paint.Accent)
			out.Join(whom, 3, out.Height)
		}
	}
	return out
}

// waits arranges Waiting for documents.
func waits(v *render.View, _ *render.Handle) (*scene.Scene, error) {
	if len(v.Snapshot.Waiting) == 0 {
		return nil, fmt.Errorf("no rank waits")
	}
	says := ""
	if v.Deadlock != nil {
		says = v.Deadlock.Message
	}
	return figure("Which ranks wait for which", says, Waiting(v, -1, widths[0]), says), nil
}

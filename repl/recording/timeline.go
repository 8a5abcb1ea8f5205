package recording

import (
	"cmp"
	"slices"

	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/render"
)

// Rooms has how many context ids a process has by default, for each library.
var Rooms = map[deviation.Library]int64{deviation.OpenMPI: 1 << 16, deviation.MPICH: 2048}

// Timeline returns how many communicators, windows and files there were over the run, on the rank that had most at
// once. Of calls that a process only counted, it has the points that the process kept.
func (r *Recording) Timeline() *render.Timeline {
	t := &render.Timeline{Timed: true, Room: Rooms[r.Library.Known], Whose: r.Library.Name}
	var curves map[useKey][]render.Alive
	most := int64(0)
	for _, p := range r.Processes {
		own, peak, end := p.timeline()
		t.End = max(t.End, end)
		if peak > most {
			most, curves, t.Rank = peak, own, p.Rank
		}
	}
	for _, u := range r.Uses() {
		for _, s := range append([]*Site{u.Site}, u.Also...) { // a rank calls at one of them
			if list := curves[useKey{s, u.Call}]; list != nil {
				t.Places = append(t.Places, render.TimelinePlace{Name: s.Name(), Call: u.Call, Trend: u.Trend(), Outlook: u.Outlook(), Alive: list})
			}
		}
	}
	return t
}

// timeline returns for each place how many there were after each change, the most at once in all, and when the
// process ended.
func (p *Process) timeline() (curves map[useKey][]render.Alive, peak, end int64) {
	for i := range p.calls {
		end = max(end, p.calls[i].begin+max(p.calls[i].took, 0))
	}
	list := p.told()
	if n := len(list); n > 0 {
		end = max(end, list[n-1].at)
	}
	if p.Truncated == 0 {
		list = p.changes()
	}
	list = slices.DeleteFunc(list, func(e change) bool { return !e.of.op.makes() })
	list = append(list, p.heldChanges()...)
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	curves, now, total := map[useKey][]render.Alive{}, map[useKey]int64{}, int64(0)
	for _, e := range list {
		k := useKey{e.of.site, e.of.op.Name}
		now[k], total = now[k]+e.by, total+e.by
		curves[k], peak = append(curves[k], render.Alive{At: e.at, N: now[k]}), max(peak, total)
	}
	for _, k := range p.counts { // what was freed behind the last point
		if of := (useKey{k.site, k.op.Name}); p.Truncated > 0 && k.op.makes() && len(curves[of]) > 0 {
			curves[of] = append(curves[of], render.Alive{At: end, N: k.alive})
		}
	}
	return curves, peak, end
}

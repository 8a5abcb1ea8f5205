package recording

import (
	"cmp"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/render"
)

// Rooms is how many context ids a process has, under each library as it is built by default.
var Rooms = map[deviation.Library]int64{deviation.OpenMPI: 1 << 16, deviation.MPICH: 2048}

// Timeline returns how many communicators, windows and files there were over the run, on the rank that had most at once.
// Where a process only counted its later calls, it has the points that the process kept.
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

// timeline returns how many there were of each place after each change, the most at once, and when the process ended.
func (p *Process) timeline() (curves map[useKey][]render.Alive, peak, end int64) {
	type change struct {
		at int64
		of useKey
		by int64 // 0: there were n
		n  int64
	}
	var list []change
	made := map[int32]useKey{}
	for i := range p.calls {
		c := &p.calls[i]
		key, at := useKey{c.site, c.op.Name}, c.begin+max(c.took, 0)
		end = max(end, at)
		if p.Truncated > 0 {
			continue
		}
		if _, known := made[c.result.id]; c.result.kind == gotComm && !known {
			made[c.result.id] = key
			list = append(list, change{at: at, of: key, by: 1})
		}
		if of, known := made[c.comm]; known && (c.op.call == engine.CallFree || c.op.call == engine.CallDisconnect) && c.result.kind != failed {
			delete(made, c.comm)
			list = append(list, change{at: at, of: of, by: -1})
		}
	}
	for _, g := range p.growth {
		for _, point := range g.points {
			if end = max(end, point.At); p.Truncated > 0 && g.op != nil && g.op.makes() {
				list = append(list, change{at: point.At, of: useKey{g.site, g.op.Name}, n: point.Alive})
			}
		}
	}
	for i := range p.holds {
		h := &p.holds[i]
		list = append(list, change{at: h.at, of: useKey{h.site, h.op.Name}, by: 1})
		if h.until >= 0 {
			list = append(list, change{at: h.until, of: useKey{h.site, h.op.Name}, by: -1})
		}
	}
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	curves, now, total := map[useKey][]render.Alive{}, map[useKey]int64{}, int64(0)
	for _, e := range list {
		by := e.by
		if by == 0 {
			by = e.n - now[e.of]
		}
		now[e.of], total = now[e.of]+by, total+by
		curves[e.of], peak = append(curves[e.of], render.Alive{At: e.at, N: now[e.of]}), max(peak, total)
	}
	for _, k := range p.counts { // what was freed behind the last point
		if of := (useKey{k.site, k.op.Name}); p.Truncated > 0 && k.op.makes() && len(curves[of]) > 0 {
			curves[of] = append(curves[of], render.Alive{At: end, N: k.alive})
		}
	}
	return curves, peak, end
}

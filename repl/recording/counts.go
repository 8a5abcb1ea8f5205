package recording

import (
	"cmp"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
)

// countKey identifies a count of a process.
type countKey struct {
	site *Site
	op   *op
}

// change is one communicator, group, window or file of a place more or less.
type change struct {
	at int64
	of countKey
	by int64
	in *Site // where it was given up
}

// changes lists the changes by the recorded calls, in the order of the calls.
func (p *Process) changes() (list []change) {
	maker := map[int32]countKey{} // by communicator that is alive
	groups := groupHandles{}
	for i := range p.calls {
		c := &p.calls[i]
		of, ok, by := countKey{c.site, c.op}, true, int64(-1)
		switch _, there := maker[c.result.id]; {
		case c.result.kind == failed:
			continue
		case c.op.call == engine.CallFree, c.op.call == engine.CallDisconnect:
			of, ok = maker[c.comm]
			delete(maker, c.comm)
		case c.op.Name == "MPI_Group_free":
			of, ok = groups.free(c)
		case c.result.kind == gotGroup && c.result.id > 0:
			groups.made(c, of)
			by = 1
		case c.result.kind == gotComm && !there:
			maker[c.result.id] = of
			by = 1
		default:
			continue
		}
		if ok {
			list = append(list, change{c.begin + max(c.took, 0), of, by, c.site})
		}
	}
	return list
}

// tally counts what a process did at its places.
type tally struct {
	*Process
	at map[countKey]int
}

func (p *Process) tally() *tally {
	t := &tally{p, map[countKey]int{}}
	for i, c := range p.counts {
		t.at[countKey{c.site, c.op}] = i
	}
	return t
}

// of returns the count of a place.
func (t *tally) of(k countKey) *count {
	i, there := t.at[k]
	if !there {
		i = len(t.counts)
		t.at[k], t.counts = i, append(t.counts, count{site: k.site, op: k.op})
	}
	return &t.counts[i]
}

// called counts a call.
func (t *tally) called(k countKey, took int64) {
	c := t.of(k)
	c.calls, c.took = c.calls+1, c.took+max(took, 0)
}

// change counts what was made and freed.
func (t *tally) change(list []change) {
	curves := map[countKey][]Point{}
	for _, e := range list {
		k := t.of(e.of)
		k.alive += e.by
		if e.of.op.makes() {
			t.alive += e.by
			t.peak = max(t.peak, t.alive)
		}
		if e.by > 0 {
			k.made, k.peak = k.made+1, max(k.peak, k.alive)
			curves[e.of] = append(curves[e.of], Point{e.at, k.alive})
			continue
		}
		k.freed++
		if t.freers == nil {
			t.freers = map[countKey]map[*Site]int64{}
		}
		if t.freers[e.of] == nil {
			t.freers[e.of] = map[*Site]int64{}
		}
		t.freers[e.of][e.in]++
	}
	t.keep(curves)
}

// keep adds curves to the process, in the order of the places.
func (t *tally) keep(curves map[countKey][]Point) {
	for _, c := range t.counts {
		if points := curves[countKey{c.site, c.op}]; points != nil {
			t.growth = append(t.growth, growth{c.site, c.op, thinned(points)})
		}
	}
}

// countCalls counts what the calls of a process did at each place. The process must have recorded all of its calls.
func (p *Process) countCalls() {
	p.counts, p.growth, p.alive, p.peak = nil, nil, 0, 0
	t := p.tally()
	for i := range p.calls {
		t.called(countKey{p.calls[i].site, p.calls[i].op}, p.calls[i].took)
	}
	t.change(p.changes())
}

// keptPoints is the most points of a curve that are kept.
const keptPoints = 64

// thinned returns a curve with at most keptPoints points: the first, the last, and from each part between them the
// point with the fewest communicators.
func thinned(points []Point) []Point {
	n := len(points)
	if n <= keptPoints {
		return points
	}
	kept := []Point{points[0]}
	for i := range keptPoints - 2 {
		some := points[1+i*(n-2)/(keptPoints-2) : 1+(i+1)*(n-2)/(keptPoints-2)]
		kept = append(kept, slices.MinFunc(some, func(a, b Point) int { return cmp.Compare(a.Alive, b.Alive) }))
	}
	return append(kept, points[n-1])
}

// merge adds up the counts of one place that the process kept apart because it knows more callers of the place.
func (p *Process) merge() {
	counts, told := p.counts, p.told()
	p.counts, p.growth = nil, nil
	t := p.tally()
	for _, c := range counts {
		k := t.of(countKey{c.site, c.op})
		k.calls, k.made, k.freed, k.alive, k.took = k.calls+c.calls, k.made+c.made, k.freed+c.freed, k.alive+c.alive, k.took+c.took
		k.peak = max(k.peak, c.peak, k.alive)
	}
	curves, now := map[countKey][]Point{}, map[countKey]int64{}
	for _, e := range told {
		now[e.of] += e.by
		curves[e.of] = append(curves[e.of], Point{e.at, now[e.of]})
		k := t.of(e.of)
		k.peak = max(k.peak, now[e.of])
	}
	t.keep(curves)
}

// told lists the changes that a process counted, as its curves tell them, in order of time.
func (p *Process) told() (list []change) {
	for _, g := range p.growth {
		before := int64(0)
		for _, point := range g.points {
			if g.op != nil {
				list = append(list, change{at: point.At, of: countKey{g.site, g.op}, by: point.Alive - before})
				before = point.Alive
			}
		}
	}
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	return list
}

package recording

import (
	"cmp"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
)

// countKey tells the counts of a process apart.
type countKey struct {
	site *Site
	op   *op
}

// countCalls counts what the calls of a process did at each place: all of its calls are kept.
func (p *Process) countCalls() {
	at := map[countKey]int{}
	maker := map[int32]int{} // by communicator that is alive
	groups := groupHandles{}
	p.counts, p.growth, p.alive, p.peak, p.freers = nil, nil, 0, 0, map[countKey]map[*Site]int64{}
	for i := range p.calls {
		c := &p.calls[i]
		key := countKey{c.site, c.op}
		n, there := at[key]
		if !there {
			n = len(p.counts)
			at[key] = n
			p.counts, p.growth = append(p.counts, count{site: c.site, op: c.op}), append(p.growth, growth{site: c.site, op: c.op})
		}
		k := &p.counts[n]
		k.calls, k.took = k.calls+1, k.took+max(c.took, 0)
		switch c.op.call {
		case engine.CallFree, engine.CallDisconnect:
			if m, ok := maker[c.comm]; ok && c.result.kind != failed {
				delete(maker, c.comm)
				p.counts[m].freed++
				p.counts[m].alive--
				p.alive--
				made := countKey{p.counts[m].site, p.counts[m].op}
				if p.freers[made] == nil {
					p.freers[made] = map[*Site]int64{}
				}
				p.freers[made][c.site]++
			}
		}
		if c.op.Name == "MPI_Group_free" && c.result.kind != failed {
			if m, ok := groups.free(c); ok {
				p.counts[m].freed++
				p.counts[m].alive--
			}
		}
		if c.result.kind == gotGroup && c.result.id > 0 {
			groups.made(c, n)
			k.made, k.alive = k.made+1, k.alive+1
			k.peak = max(k.peak, k.alive)
			p.growth[n].points = append(p.growth[n].points, Point{c.begin + max(c.took, 0), k.alive})
		}
		if _, known := maker[c.result.id]; c.result.kind == gotComm && !known {
			maker[c.result.id] = n
			k.made, k.alive, p.alive = k.made+1, k.alive+1, p.alive+1
			k.peak, p.peak = max(k.peak, k.alive), max(p.peak, p.alive)
			p.growth[n].points = append(p.growth[n].points, Point{c.begin + max(c.took, 0), k.alive})
		}
	}
	for i := range p.growth {
		p.growth[i].thin()
	}
}

// keptPoints is how many points of a curve are kept.
const keptPoints = 64

// thin leaves as many points of a curve as are kept: of each some the one with the fewest, the first and the last besides.
func (g *growth) thin() {
	n := len(g.points)
	if n <= keptPoints {
		return
	}
	kept := []Point{g.points[0]}
	for i := range keptPoints - 2 {
		some := g.points[1+i*(n-2)/(keptPoints-2) : 1+(i+1)*(n-2)/(keptPoints-2)]
		kept = append(kept, slices.MinFunc(some, func(a, b Point) int { return cmp.Compare(a.Alive, b.Alive) }))
	}
	g.points = append(kept, g.points[n-1])
}

// merge brings the counts of one place together that the process kept apart, as it knows more callers of it.
func (p *Process) merge() {
	at := map[countKey]int{}
	counts := p.counts
	p.counts = nil
	for _, c := range counts {
		n, there := at[countKey{c.site, c.op}]
		if !there {
			at[countKey{c.site, c.op}] = len(p.counts)
			p.counts = append(p.counts, c)
			continue
		}
		k := &p.counts[n]
		k.calls, k.made, k.freed, k.alive, k.took = k.calls+c.calls, k.made+c.made, k.freed+c.freed, k.alive+c.alive, k.took+c.took
		k.peak = max(k.peak, c.peak, k.alive)
	}
	curves := map[countKey]int{}
	all := p.growth
	p.growth = nil
	for _, g := range all {
		n, there := curves[countKey{g.site, g.op}]
		if !there {
			curves[countKey{g.site, g.op}] = len(p.growth)
			p.growth = append(p.growth, g)
			continue
		}
		p.growth[n].points = together(p.growth[n].points, g.points)
		p.growth[n].thin()
	}
	for i, c := range p.counts {
		if n, ok := curves[countKey{c.site, c.op}]; ok {
			for _, point := range p.growth[n].points {
				p.counts[i].peak = max(p.counts[i].peak, point.Alive)
			}
		}
	}
}

// together is the curve of two places as one.
func together(a, b []Point) []Point {
	type change struct {
		Point
		of int
	}
	var changes []change
	for _, p := range a {
		changes = append(changes, change{p, 0})
	}
	for _, p := range b {
		changes = append(changes, change{p, 1})
	}
	slices.SortStableFunc(changes, func(x, y change) int { return cmp.Compare(x.At, y.At) })
	var now [2]int64
	var list []Point
	for _, s := range changes {
		now[s.of] = s.Alive
		list = append(list, Point{s.At, now[0] + now[1]})
	}
	return list
}

package recording

import (
	"cmp"
	"errors"
	"slices"

	"codeberg.org/commsplit/commsplit/engine/calls"
)

// hold is a window or a file of a process: made at a place by a call, and given up at a time.
type hold struct {
	site     *Site
	op       *op
	at, took int64
	until    int64 // -1: it is there at the end
	by       *Site // that gave it up
}

// holders are the procedures that give a window or a file, by name.
var holders = func() map[string]*op {
	all := map[string]*op{}
	for _, name := range []string{"MPI_Win_create", "MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Win_create_dynamic", "MPI_File_open"} {
		all[name] = &op{Procedure: &calls.Procedure{Name: name}, kind: holding}
	}
	return all
}()

// hold reads "hold N SITE NAME NS DURATION".
func (in *processReader) hold(fields []string) error {
	n, ok := integer(fields, 1)
	at, ok2 := integer(fields, 4)
	took, ok3 := integer(fields, 5)
	if !ok || !ok2 || !ok3 || int(n) != len(in.p.holds) || holders[fields[3]] == nil {
		return errors.New(`want "hold N SITE NAME NS DURATION", of a call that gives a window or a file; N counts from 0`)
	}
	site, known := in.own[fields[2]]
	if !known {
		return errors.New("the place of the call was not told")
	}
	in.p.holds = append(in.p.holds, hold{site: site, op: holders[fields[3]], at: at, took: took, until: -1})
	return nil
}

// drop reads "drop N SITE NAME NS".
func (in *processReader) drop(fields []string) error {
	n, ok := integer(fields, 1)
	at, ok2 := integer(fields, 4)
	if !ok || !ok2 || n < 0 || int(n) >= len(in.p.holds) {
		return errors.New(`want "drop N SITE NAME NS", of a window or a file that is there`)
	}
	h := &in.p.holds[n]
	h.until, h.by = at, in.own[fields[2]]
	return nil
}

// countHeld counts the windows and files of each place, whose times it makes those of the run.
func (p *Process) countHeld(start int64) {
	type change struct {
		at int64
		of *hold
		by int64
	}
	var changes []change
	for i := range p.holds {
		h := &p.holds[i]
		h.at += start
		changes = append(changes, change{h.at, h, 1})
		if h.until >= 0 {
			h.until += start
			changes = append(changes, change{h.until, h, -1})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	counts, curves, at := []count(nil), []growth(nil), map[countKey]int{}
	if p.freers == nil {
		p.freers = map[countKey]map[*Site]int64{}
	}
	for _, c := range changes {
		key := countKey{c.of.site, c.of.op}
		i, there := at[key]
		if !there {
			i = len(counts)
			at[key] = i
			counts, curves = append(counts, count{site: key.site, op: key.op}), append(curves, growth{site: key.site, op: key.op})
		}
		k := &counts[i]
		k.alive += c.by
		if c.by < 0 {
			k.freed++
			if p.freers[key] == nil {
				p.freers[key] = map[*Site]int64{}
			}
			p.freers[key][c.of.by]++
			continue
		}
		k.calls, k.made, k.took = k.calls+1, k.made+1, k.took+c.of.took
		k.peak = max(k.peak, k.alive)
		curves[i].points = append(curves[i].points, Point{c.at, k.alive})
	}
	for i := range curves {
		curves[i].thin()
	}
	p.counts, p.growth = append(p.counts, counts...), append(p.growth, curves...)
}

// groupHandles tells which call made the group that is freed: a library gives a handle that is there once more, and
// each must be freed. The last one that was given is freed first.
type groupHandles struct {
	first map[int32]int32 // by number of a group: the first number of its handle
	live  map[int32][]int // by first number: the counts of the calls that gave it
}

func (g *groupHandles) made(c *call, count int) {
	if g.first == nil {
		g.first, g.live = map[int32]int32{}, map[int32][]int{}
	}
	first, again := g.first[c.result.again]
	if c.result.again == 0 || !again {
		first = c.result.id
	}
	g.first[c.result.id] = first
	g.live[first] = append(g.live[first], count)
}

// free returns the count of the call that gave the group which a call frees.
func (g *groupHandles) free(c *call) (count int, ok bool) {
	id, _ := c.number("group")
	first, known := g.first[id]
	list := g.live[first]
	if !known || len(list) == 0 {
		return 0, false
	}
	g.live[first] = list[:len(list)-1]
	return list[len(list)-1], true
}

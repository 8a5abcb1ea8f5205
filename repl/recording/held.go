package recording

import (
	"cmp"
	"errors"
	"slices"

	"codeberg.org/commsplit/commsplit/engine/calls"
)

// hold is a window or a file of a process, with the call that made it and the time of its end.
type hold struct {
	site     *Site
	op       *op
	at, took int64
	until    int64 // -1: it is there at the end
	by       *Site // that gave it up
}

// holders has the procedures that make a window or a file, by name.
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

// heldChanges lists when windows and files were made and given up, in order of time.
func (p *Process) heldChanges() (list []change) {
	for i := range p.holds {
		h := &p.holds[i]
		of := countKey{h.site, h.op}
		list = append(list, change{h.at, of, 1, nil})
		if h.until >= 0 {
			list = append(list, change{h.until, of, -1, h.by})
		}
	}
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	return list
}

// countHeld counts the windows and files of each place.
func (p *Process) countHeld() {
	t := p.tally()
	for i := range p.holds {
		t.called(countKey{p.holds[i].site, p.holds[i].op}, p.holds[i].took)
	}
	t.change(p.heldChanges())
}

// groupHandles finds the call that made a freed group. A library may return the same handle several times, and each
// of these must be freed: the latest is freed first.
type groupHandles struct {
	first map[int32]int32      // by number of a group: the first number of its handle
	live  map[int32][]countKey // by first number: the places of the calls that gave it
}

func (g *groupHandles) made(c *call, of countKey) {
	if g.first == nil {
		g.first, g.live = map[int32]int32{}, map[int32][]countKey{}
	}
	first, again := g.first[c.result.again]
	if c.result.again == 0 || !again {
		first = c.result.id
	}
	g.first[c.result.id] = first
	g.live[first] = append(g.live[first], of)
}

// free returns the place that made the group which a call frees.
func (g *groupHandles) free(c *call) (of countKey, ok bool) {
	id, _ := c.number("group")
	first, known := g.first[id]
	list := g.live[first]
	if !known || len(list) == 0 {
		return of, false
	}
	g.live[first] = list[:len(list)-1]
	return list[len(list)-1], true
}

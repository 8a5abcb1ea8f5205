package engine

import "fmt"

// clashingGroups finds processes that call at one point with different groups and wait for each
// other: neither call can ever be completed.
func (w *World) clashingGroups() *Error {
	if len(w.partial) == 0 {
		return nil
	}
	in := map[int32]*rendezvous{} // by process that waits in it
	seen := map[*rendezvous]bool{}
	var list []*rendezvous // in order of the lowest rank that waits
	for i := range w.procs {
		p := &w.procs[i]
		if p.state != blocked || !p.current.call.overGroups() {
			continue
		}
		r := w.rendezvousOf(&p.current)
		if r == nil {
			continue // complete: the program has failed elsewhere
		}
		if !seen[r] {
			seen[r] = true
			list = append(list, r)
		}
		in[p.rank] = r
	}
	waitsFor := map[[2]*rendezvous]bool{}
	for _, r := range list {
		for _, m := range r.group.members {
			o := in[m]
			if o == nil || o == r || o.point != r.point {
				continue
			}
			if waitsFor[[2]*rendezvous{o, r}] {
				return w.groupClash(r, r.partner(o), o.partner(r))
			}
			waitsFor[[2]*rendezvous{r, o}] = true
		}
	}
	return nil
}

// partner is the lowest rank that waits in the call and that the other call waits for.
func (r *rendezvous) partner(other *rendezvous) int32 {
	var found []int32
	for _, m := range r.waiting {
		if other.group.has(m) {
			found = append(found, m)
		}
	}
	return lowest(found)
}

func (w *World) groupClash(r *rendezvous, p, q int32) *Error {
	p, q = min(p, q), max(p, q)
	passed := func(m int32) string {
		return fmt.Sprintf("rank %d passes %s", m, w.procs[m].current.invitation().group.braces())
	}
	return &Error{Class: ErrGroup, Call: r.call, Comm: r.core.id(), Rule: r.call.Rule(),
		Ranks: RanksOf(p, q), Where: joinPlaces(w.places([]int32{p, q})),
		Text: "all members of a group must pass that group, the same members in the same order: " +
			passed(p) + "; " + passed(q)}
}

// id is the number of the communicator; -1 for none.
func (k *core) id() int {
	if k == nil {
		return -1
	}
	return k.info.ID
}

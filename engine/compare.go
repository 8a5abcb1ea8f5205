package engine

// Comparison is the result of comparing two groups or communicators.
type Comparison int

// The results of comparisons. Groups are never Congruent: they have no context.
const (
	Ident     Comparison = iota // the same group in the same order; the same communicator
	Congruent                   // communicators of identical groups that differ by context
	Similar                     // the same members in a different order
	Unequal
)

// String is the C name: "MPI_SIMILAR".
func (c Comparison) String() string {
	return [...]string{"MPI_IDENT", "MPI_CONGRUENT", "MPI_SIMILAR", "MPI_UNEQUAL"}[c]
}

// Compare tells whether the groups are the same (MPI_Group_compare, §7.3.1): Ident, Similar when
// only the order differs, else Unequal.
func (g *Group) Compare(h *Group) (Comparison, error) {
	if err := inquiry(CallGroupCompare, g, h); err != nil {
		return Unequal, err
	}
	return g.compare(h), nil
}

func (g *Group) compare(h *Group) Comparison {
	if g.same(h) {
		return Ident
	}
	if len(g.members) != len(h.members) {
		return Unequal
	}
	for _, m := range g.members {
		if !h.has(m) {
			return Unequal
		}
	}
	return Similar
}

// Compare tells how two handles relate (MPI_Comm_compare, §7.4.1): Ident for the same
// communicator, Congruent when only the context differs, Similar when the rank order differs too.
// Of two intercommunicators, both groups must be the same; one and an intracommunicator are Unequal.
func (c *Comm) Compare(d *Comm) (Comparison, error) {
	if err := c.check(CallCompare); err != nil {
		return Unequal, err
	}
	if err := d.check(CallCompare); err != nil {
		return Unequal, err
	}
	if c.core == d.core {
		return Ident, nil
	}
	if (c.core.remote == nil) != (d.core.remote == nil) {
		return Unequal, nil
	}
	r := c.local().compare(d.local())
	if c.core.remote != nil {
		r = max(r, c.peers().compare(d.peers()))
	}
	if r == Ident {
		return Congruent, nil
	}
	return r, nil
}

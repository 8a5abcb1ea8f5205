package reason

import (
	"fmt"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
)

// Reader explains what many ranks hold in a snapshot. It works out only once what several explanations need.
type Reader struct {
	s     *engine.Snapshot
	calls map[int]*call
	freed map[int]*engine.Step // by communicator: the step that freed it
	stale map[int]*Stale
}

// NewReader returns a reader of s.
func NewReader(s *engine.Snapshot) *Reader {
	r := &Reader{s: s, calls: map[int]*call{}, freed: map[int]*engine.Step{}, stale: StaleComms(s)}
	for i := range s.Steps {
		if st := &s.Steps[i]; st.Frees() {
			r.freed[st.Comm] = st
		}
	}
	return r
}

// Handle explains what ranks hold in a variable; held returns what a rank holds. list has an explanation for each
// distinct reason, in order of the lowest rank, but at most most; rest are the ranks with other reasons.
func (r *Reader) Handle(held func(rank int) Held, ranks engine.Ranks, most int) (list []Explanation, rest engine.Ranks) {
	at := map[string]int{}
	for rank := range ranks.All {
		h := held(rank)
		key := r.reason(h, rank)
		i, ok := at[key]
		switch {
		case !ok && len(list) == most:
			rest.Append(int32(rank))
			continue
		case !ok:
			i = len(list)
			at[key] = i
			list = append(list, r.explain(h, rank, false))
			list[i].Ranks = nil
		}
		list[i].Ranks.Append(int32(rank))
	}
	return list, rest
}

// Rank explains in full what a rank holds.
func (r *Reader) Rank(h Held, rank int) Explanation { return r.explain(h, rank, true) }

// call returns a step by its number, prepared for questions.
func (r *Reader) call(step int) *call {
	if r.calls[step] == nil {
		r.calls[step] = newCall(r.s, &r.s.Steps[step-1])
	}
	return r.calls[step]
}

// reason returns a text that is equal for ranks that have the same reason.
func (r *Reader) reason(h Held, rank int) string {
	if h.Unset == "" && h.Comm >= 0 {
		return fmt.Sprint("comm ", h.Comm, r.far(h.Comm, rank))
	}
	e := r.explain(h, rank, false)
	var b strings.Builder
	for at := &e; at != nil; at = at.Of {
		fmt.Fprint(&b, at.Comm, at.Rule, at.Facts, at.Tried)
		if at.Step != nil {
			fmt.Fprint(&b, at.Step.Number)
		}
	}
	return b.String()
}

// far reports whether a rank is in the right group of an intercommunicator.
func (r *Reader) far(id, rank int) bool {
	info := r.s.Comm(id)
	if info == nil || info.Remote == nil {
		return false
	}
	c := r.call(info.Step)
	return c.far[c.row(rank)]
}

// explain returns the explanation for a rank: with alone in full, for this rank only; else so that it can be joined
// with those of other ranks.
func (r *Reader) explain(h Held, rank int, alone bool) Explanation {
	e := Explanation{Comm: h.Comm, Rank: -1, Ranks: engine.RanksOf(rank), Full: alone}
	switch {
	case h.Unset != "":
		e.Comm, e.Unset = -1, true
		e.Facts = []Fact{{"value", h.Unset}}
	case h.Comm >= 0:
		r.member(&e, rank, alone)
	case h.Skipped != nil:
		r.skipped(&e, h.Skipped, rank, alone)
	case h.Origin == nil:
		e.Facts = []Fact{{"value", "MPI_COMM_NULL, set by the program: no call of the trace returned it"}}
	case h.Origin.Step == 0:
		outsider(&e, h.Origin)
	default:
		c := r.call(h.Origin.Step)
		e.Step = c.step
		c.null(&e, c.row(rank), alone)
	}
	return e
}

// member explains why a rank holds a communicator.
func (r *Reader) member(e *Explanation, rank int, alone bool) {
	if st := r.freed[e.Comm]; st != nil {
		e.Freed, e.Step = true, st
		e.Facts = []Fact{{"freed", "the handle held the communicator until this call"}}
		e.Rule, e.In = freeRule, st.Call.Rule()
		if st.Call == engine.CallDisconnect {
			e.Rule = disconnectRule
		}
		return
	}
	info := r.s.Comm(e.Comm)
	if info == nil || info.Step == 0 {
		predefined(e, rank, alone)
		return
	}
	c := r.call(info.Step)
	row := c.row(rank)
	e.Step = c.step
	focus := -1
	if alone {
		e.Rank, focus = int(c.seat[row]), row
	}
	c.member(e, row, focus)
	if x := r.stale[e.Comm]; x != nil {
		e.add("stale", "%s", x.Why())
	}
}

// predefined explains MPI_COMM_WORLD and MPI_COMM_SELF.
func predefined(e *Explanation, rank int, alone bool) {
	if alone {
		e.Rank = rank
	}
	e.Facts = []Fact{{"value", "MPI_COMM_WORLD: all processes, in the order in which they were started"}}
	e.Rule, e.In = predefinedRule, "MPI-5.0 §7.2.4"
	if e.Comm != 0 {
		e.Rank = min(e.Rank, 0)
		e.Facts = []Fact{{"value", "MPI_COMM_SELF: each process alone in its own"}}
	}
}

// skipped explains an MPI_COMM_NULL of a line of the session that made no call on the rank.
func (r *Reader) skipped(e *Explanation, k *Skipped, rank int, alone bool) {
	if k.Of == nil {
		e.add("line", "only other ranks issued %s; the variable is MPI_COMM_NULL here", k.Where)
		return
	}
	e.add("line", "%s acts on %s, which was MPI_COMM_NULL here: the rank sat out", k.Where, k.Handle)
	e.Rule, e.In = membersRule, "MPI-5.0 §7.2.3"
	of := r.explain(*k.Of, rank, alone)
	e.Of = &of
}

package engine

import (
	"fmt"
	"slices"
)

// overGroups reports whether a call is collective over the processes of a group, whatever
// communicator it names.
func (c Call) overGroups() bool {
	return c == CallCreateGroup || c == CallCreateFromGroup || c == CallIntercommCreateFromGroups
}

// invitation is what a process passes to a call over a group besides the tag. A group that is all of
// it travels alone.
type invitation struct {
	stringtag string
	group     *Group
	leader    int32 // of MPI_Intercomm_create_from_groups: its rank in group
	half      *half // what the leader asks for; nil elsewhere until all of the group have called

	info       *Info // of MPI_Comm_create_from_group
	errhandler *Errhandler
}

// point is what tells calls over groups apart besides their groups.
type point struct {
	call Call
	core *core // the communicator; nil for none
	tag  int32
	name string // the stringtag
}

// signature is a point and enough of the group to leave few candidates to compare.
type signature struct {
	point
	size, first, last int32
}

// rendezvous is a call over groups that not all of their processes have made yet.
type rendezvous struct {
	point
	invitation         // as the first of them passed it
	waiting    []int32 // world ranks, in order of arrival
}

func (c *post) invitation() invitation { return asInvitation(c.x) }

func asInvitation(x any) invitation {
	if g, ok := x.(*Group); ok {
		return invitation{group: g}
	}
	return *x.(*invitation)
}

func (c *post) point() point {
	return point{call: c.call, core: c.on(), tag: c.a, name: c.invitation().stringtag}
}

// on is the communicator that a contribution is made on; nil for none.
func (c *post) on() *core {
	if c.comm == nil {
		return nil
	}
	return c.comm.core
}

func (c *post) signature() signature {
	g := c.invitation().group
	n := len(g.members)
	return signature{c.point(), int32(n), g.members[0], g.members[n-1]}
}

// rendezvousOf finds the incomplete call that a contribution belongs to; nil when it is the first.
func (w *World) rendezvousOf(c *post) *rendezvous {
	for _, r := range w.partial[c.signature()] {
		if r.group.same(c.invitation().group) {
			return r
		}
	}
	return nil
}

// meets reports whether a contribution belongs to the call and names the very group that the first
// of it named. Neighbors mostly do, which saves the search.
func (r *rendezvous) meets(c *post) bool {
	if r.call != c.call || r.core != c.on() || r.tag != c.a {
		return false
	}
	i := c.invitation()
	return r.group.base() == i.group.base() && r.name == i.stringtag
}

// meetingOf is the call that a contribution belongs to; the first contribution starts it.
func (w *World) meetingOf(c *post) *rendezvous {
	if r := w.rendezvousOf(c); r != nil {
		return r
	}
	at := c.signature()
	r := &rendezvous{point: at.point, invitation: c.invitation()}
	w.partial[at] = append(w.partial[at], r)
	return r
}

// meetGroups adds a contribution to the call of the same point and group.
func (w *World) meetGroups(p *Process) {
	c := &p.current
	r := w.latest
	if r == nil || !r.meets(c) {
		r = w.meetingOf(c)
	}
	r.waiting = append(r.waiting, p.rank)
	if w.latest = r; len(r.waiting) == len(r.group.members) {
		w.latest = nil
		at := c.signature()
		w.partial[at] = slices.DeleteFunc(w.partial[at], func(o *rendezvous) bool { return o == r })
		if len(w.partial[at]) == 0 {
			delete(w.partial, at)
		}
		w.ready = append(w.ready, w.groupOperation(r))
	}
}

// groupOperation is the complete call as an operation over its processes alone; its column x holds
// their invitations.
func (w *World) groupOperation(r *rendezvous) *operation {
	all := r.group.members
	over := &core{info: &CommInfo{ID: -1}, group: r.group.base(), all: all, low: lowest(all)}
	if r.core != nil {
		over.info, over.sessions = r.core.info, r.core.sessions
	}
	op := &operation{core: over, call: r.call, a: filled(len(all), r.tag), b: make([]int32, len(all)), x: make([]any, len(all))}
	for i, m := range all {
		op.x[i] = w.procs[m].current.x
	}
	if r.core == nil {
		over.sessions = op.derivation(w)
	}
	return op
}

// derivation tells which sessions the groups of the processes derive from; nil unless all do.
func (op *operation) derivation(w *World) *derivation {
	d := &derivation{op.core.group, make([]*Session, len(op.x))}
	for i, x := range op.x {
		if d.sessions[i] = asInvitation(x).group.session; d.sessions[i] == nil {
			return nil
		}
	}
	return d
}

func filled(n int, v int32) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = v
	}
	return s
}

// meetOver makes a call over groups and waits for its end.
func (p *Process) meetOver(c post) (*operation, *Error) {
	p.block(c)
	if e, ok := p.reply.(*Error); ok {
		own := *e
		return nil, &own
	}
	op := p.reply.(*operation)
	p.passed(op)
	return op, nil
}

// finishGroupCall makes the one communicator of a call over a group.
func (op *operation) finishGroupCall(w *World) {
	if op.err = op.agreeOnArguments(); op.err == nil {
		w.make(op, []slice{alone(op.core.group)})
	}
	op.reply(w)
}

// reply hands the processes of a call over a group their result; others read it from the
// communicator.
func (op *operation) reply(w *World) {
	if !op.call.overGroups() {
		return
	}
	for _, m := range op.members() {
		if op.err != nil {
			w.procs[m].reply = op.err
		} else {
			w.procs[m].reply = op
		}
	}
}

// madeOver is the handle that process p gets of the communicator that a call over a group made.
func (op *operation) madeOver(p *Process) *Comm {
	rank := int32(op.core.group.rankOf(p.rank))
	h := &op.handles[rank]
	*h = Comm{core: op.made[0], p: p, rank: rank, right: op.right}
	return h
}

// label is what the program calls the point: "tag 7", "stringtag \"org.example\"".
func (t point) label() string {
	if t.call == CallCreateGroup {
		return fmt.Sprintf("tag %d", t.tag)
	}
	return fmt.Sprintf("stringtag %q", t.name)
}

// invitationColumns are the arguments of a call over a group, which all processes passed alike.
func (op *operation) invitationColumns(order []int32) []Column {
	passed := asInvitation(op.x[0])
	text := passed.group.braces()
	group := op.texts("group", order, func(int) string { return text })
	if op.call == CallCreateGroup {
		return []Column{group, {Name: "tag", Ints: op.a}}
	}
	return []Column{group, op.texts("stringtag", order, func(int) string { return passed.stringtag })}
}

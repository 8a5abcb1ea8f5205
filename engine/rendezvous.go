package engine

import (
	"fmt"
	"math"
	"slices"
)

// invitation has the arguments of a call over a group besides the tag. A process that passes only a group contributes
// the bare group.
type invitation struct {
	stringtag string
	group     *Group
	leader    int32 // of MPI_Intercomm_create_from_groups: its rank in group
	half      *half // of the leader; nil elsewhere until all processes of the group have called

	info       *Info // of MPI_Comm_create_from_group
	errhandler *Errhandler
}

// point tells calls over equal groups apart.
type point struct {
	call Call
	core *core // the communicator; nil for none
	tag  int32
	name string // the stringtag
}

// signature is a point and enough of the group that few calls have the same one.
type signature struct {
	point
	shape [3]int32
}

// rendezvous is a call over a group that not all of its processes have made yet.
type rendezvous struct {
	point
	invitation         // as the first process passed it
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

// on returns the communicator on which a contribution is made; nil for none.
func (c *post) on() *core {
	if c.comm == nil {
		return nil
	}
	return c.comm.core
}

func (c *post) signature() signature {
	return signature{c.point(), c.invitation().group.shape()}
}

// rendezvousOf returns the incomplete call that a contribution belongs to; nil when the contribution is the first.
func (w *World) rendezvousOf(c *post) *rendezvous {
	for _, r := range w.partial[c.signature()] {
		if r.group.same(c.invitation().group) {
			return r
		}
	}
	return nil
}

// meets reports whether a contribution belongs to the call and names the very group that the first contribution named.
// Mostly neighbors do, which saves the search.
func (r *rendezvous) meets(c *post) bool {
	if r.call != c.call || r.core != c.on() || r.tag != c.a {
		return false
	}
	i := c.invitation()
	return r.group.base() == i.group.base() && r.name == i.stringtag
}

// meetingOf returns the call that a contribution belongs to; the first contribution starts it.
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

// groupOperation makes an operation over the processes of a complete call; its column x has their invitations.
func (w *World) groupOperation(r *rendezvous) *operation {
	all := r.group.members
	over := &core{info: &CommInfo{ID: -1}, group: r.group.base(), all: all, low: slices.Min(all)}
	if r.core != nil {
		over.info, over.sessions = r.core.info, r.core.sessions
	}
	op := &operation{core: over, call: r.call, a: filled(len(all), r.tag), b: make([]int32, len(all)), x: make([]any, len(all))}
	for i, m := range all {
		op.x[i] = w.procs[m].current.x
	}
	if r.core == nil {
		over.sessions = op.derivation()
	}
	return op
}

// derivation returns the sessions from which the groups of the processes derive; nil unless all do.
func (op *operation) derivation() *derivation {
	d := &derivation{op.core.group, make([]*Session, len(op.x))}
	for i, x := range op.x {
		if d.sessions[i] = asInvitation(x).group.session; d.sessions[i] == nil {
			return nil
		}
	}
	return d
}

func filled(n int, v int32) []int32 { return slices.Repeat([]int32{v}, n) }

// meetOver makes a call over groups and waits for its end.
func (p *Process) meetOver(c post) (*operation, *Error) {
	p.block(c)
	op := p.reply
	if op.err != nil {
		own := *op.err
		return nil, &own
	}
	if op.origin != nil {
		p.behind = int32(op.origin.Step)
	}
	return op, nil
}

// finishGroupCall makes the one communicator of a call over a group.
func (op *operation) finishGroupCall(w *World) {
	if op.err = op.agreeOnArguments(); op.err == nil {
		w.make(op, []*Group{op.core.group}, nil)
	}
	op.reply(w)
}

// reply hands the processes of a call over a group their result. For other calls it does nothing: the processes read
// the result from the communicator.
func (op *operation) reply(w *World) {
	if !op.call.overGroups() {
		return
	}
	for _, m := range op.core.all {
		w.procs[m].reply = op
	}
}

// madeOver returns the handle that process p gets of the communicator that a call over a group made.
func (op *operation) madeOver(p *Process) *Comm {
	rank := int32(op.core.group.rankOf(p.rank))
	h := &op.handles[rank]
	*h = Comm{core: op.made[0], p: p, rank: rank, right: op.right}
	h.adopt()
	return h
}

// label writes the point as programs do: "tag 7", "stringtag \"org.example\"".
func (t point) label() string {
	if t.call == CallCreateGroup {
		return fmt.Sprintf("tag %d", t.tag)
	}
	return fmt.Sprintf("stringtag %q", t.name)
}

// invitationColumns returns the arguments of a call over a group, which all processes passed alike.
func (op *operation) invitationColumns(order []int32) []Column {
	passed := asInvitation(op.x[0])
	text := passed.group.braces()
	group := op.texts("group", order, func(int) string { return text })
	if op.call == CallCreateGroup {
		return []Column{group, {Name: "tag", Ints: op.a}}
	}
	return []Column{group, op.texts("stringtag", order, func(int) string { return passed.stringtag })}
}

// clashingGroups finds two processes that call at one point with different groups and wait for each other: neither call
// can ever be complete.
func (w *World) clashingGroups() *Error {
	list, in := w.meetings()
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

// meetings lists the calls over groups in which processes wait, in order of the lowest rank that waits, and gives for
// each of these processes its call.
func (w *World) meetings() (list []*rendezvous, in map[int32]*rendezvous) {
	in = map[int32]*rendezvous{}
	seen := map[*rendezvous]bool{}
	for p := range w.waiting {
		if !p.current.call.overGroups() {
			continue
		}
		r := w.rendezvousOf(&p.current)
		if r == nil {
			continue // complete: the program has failed elsewhere
		}
		if in[p.rank] = r; !seen[r] {
			seen[r] = true
			list = append(list, r)
		}
	}
	return list, in
}

// partner returns the lowest rank that waits in the call and for which the other call waits.
func (r *rendezvous) partner(other *rendezvous) int32 {
	low := int32(math.MaxInt32)
	for _, m := range r.waiting {
		if other.group.has(m) {
			low = min(low, m)
		}
	}
	return low
}

func (w *World) groupClash(r *rendezvous, p, q int32) *Error {
	p, q = min(p, q), max(p, q)
	passed := func(m int32) string {
		return fmt.Sprintf("rank %d passes %s", m, w.procs[m].current.invitation().group.braces())
	}
	e := MistakeGroupsClash.In(r.call, passed(p), passed(q)).on(r.core)
	e.Ranks = RanksOf(p, q)
	e.Where = sites(w.places([]int32{p, q}, e.Ranks))
	return e
}

// id returns the id of the communicator; -1 for nil.
func (k *core) id() int {
	if k == nil {
		return -1
	}
	return k.info.ID
}

// half is one group's side of an intercommunicator in the making, with what its leader passed.
type half struct {
	call           Call
	op             *operation // the complete call over the local group; nil before
	leader, remote int32      // world ranks of the two leaders
	remoteRank     int32      // the remote leader's rank, as the local leader passed it

	peer *core // of MPI_Intercomm_create: where the leaders find each other
	tag  int32

	stringtag string // of MPI_Intercomm_create_from_groups
	group     *Group // the remote group
}

// fits reports whether two leaders found each other.
func (h *half) fits(g *half) bool {
	return h.call == g.call && h.peer == g.peer && h.tag == g.tag && h.stringtag == g.stringtag &&
		h.leader == g.remote && h.remote == g.leader
}

// agreeOnLeader checks that all processes of one group name the same local leader.
func (op *operation) agreeOnLeader() *Error {
	for _, leader := range op.a {
		if leader != op.a[0] {
			return op.wrong(MistakeLocalLeadersDiffer, op.sides(func(slot int) string { return fmt.Sprintf("local_leader %d", op.a[slot]) }))
		}
	}
	return nil
}

// seek takes the complete call over one group to the call of the other group, unless it is erroneous.
func (op *operation) seek(w *World, mine *half) {
	if op.err == nil {
		w.pair(op, mine)
		return
	}
	op.finishHalf(w)
	if w.trace {
		w.addStep(op)
	}
}

// pair joins a complete half with that of the other group, or keeps it until the other half comes.
func (w *World) pair(op *operation, mine *half) {
	mine.op = op
	other := w.halves[mine.remote]
	if other == nil || !mine.fits(other) {
		w.halves[mine.leader] = mine // a leader that waits leads no other half
		return
	}
	delete(w.halves, other.leader)
	if op.core.low < other.op.core.low {
		w.join(mine, other)
	} else {
		w.join(other, mine)
	}
}

// join makes the intercommunicator of two halves and lets the processes of both go on. The left group is that with the
// lowest world rank.
func (w *World) join(left, right *half) {
	a, b := left.op, right.op
	both := &operation{call: left.call, core: &core{info: a.core.info, group: a.core.group, remote: b.core.group,
		all: slices.Concat(a.core.all, b.core.all), low: a.core.low}}
	both.core.sessions = w.joined(both.core, a.core.sessions, b.core.sessions)
	both.a = slices.Concat(a.a, b.a)
	both.b = slices.Concat(filled(len(a.a), left.tag), filled(len(b.a), right.tag))
	both.x = []any{left, right}
	if left.call == CallIntercommCreate && b.core.info.ID != a.core.info.ID {
		both.parent2 = b.core.info.ID
	}
	if both.err = both.checkGroupsOfHalves(left, right); both.err == nil {
		w.make(both, []*Group{a.core.group}, []*Group{b.core.group})
	}
	for _, op := range []*operation{a, b} {
		op.err, op.made = both.err, both.made
		op.right = op == b
		part, newRank := op.grouping()
		for r := range part {
			part[r], newRank[r] = 0, int32(r)
		}
	}
	if both.err == nil {
		a.handles, b.handles = both.handles[:len(a.a)], both.handles[len(a.a):]
	}
	if w.trace {
		w.addStep(both)
	}
	a.finishHalf(w)
	b.finishHalf(w)
}

// checkGroupsOfHalves compares the groups that the leaders named.
func (op *operation) checkGroupsOfHalves(left, right *half) *Error {
	if left.group == nil || left.group.same(right.op.core.group) && right.group.same(left.op.core.group) {
		return nil
	}
	says := func(h *half) string {
		return fmt.Sprintf("rank %d passes local group %s and remote group %s", h.leader, h.op.core.group.braces(), h.group.braces())
	}
	return op.wrong(MistakeGroupsUnpaired, says(left), says(right))
}

// joined returns the sessions from which an intercommunicator derives: those of its two sides; nil unless both derive
// from sessions.
func (w *World) joined(k *core, left, right *derivation) *derivation {
	if left == nil || right == nil {
		return nil
	}
	d := &derivation{&Group{members: k.all}, make([]*Session, len(k.all))}
	for i, m := range k.all {
		side := left
		if i >= len(k.group.members) {
			side = right
		}
		d.sessions[i] = side.of(&w.procs[m])
	}
	return d
}

// finishHalf lets the processes of one side go on.
func (op *operation) finishHalf(w *World) {
	op.core.advance(op)
	op.reply(w)
	op.release(w)
}

// halfOf returns the complete half in which a process waits for the other group; nil when it waits in none.
func (w *World) halfOf(p *Process) *half {
	var h *half
	switch c := &p.current; c.call {
	case CallIntercommCreate:
		if line := c.comm.core.line; len(line) > 0 && line[0].call == c.call && int(line[0].arrived) == len(line[0].a) {
			h = line[0].x[line[0].a[0]].(*half)
		}
	case CallIntercommCreateFromGroups:
		h = c.invitation().half
	}
	if h == nil || w.halves[h.leader] != h {
		return nil
	}
	return h
}

// rule returns the rule that two groups break which do not find each other.
func (h *half) rule() string {
	where := "peer communicator and tag"
	if h.peer == nil {
		where = "stringtag"
	}
	return fmt.Sprintf("Both groups must call %s; each leader names the other one, with the same %s [MPI-5.0 §7.6.2].", h.call, where)
}

// halfColumns returns the arguments of the call in the order of the step's ranks, with those of a leader for its whole
// group.
func (op *operation) halfColumns(order []int32) []Column {
	leader := Column{Name: "local_leader", Ints: reorder(op.a, order)}
	if op.core.remote == nil {
		return []Column{leader}
	}
	n := len(op.core.group.members)
	ofSide := func(f func(*half) int32) []int32 {
		return reorder(slices.Concat(filled(n, f(op.x[0].(*half))), filled(len(op.a)-n, f(op.x[1].(*half)))), order)
	}
	remote := Column{Name: "remote_leader", Ints: ofSide(func(h *half) int32 { return h.remoteRank })}
	if h := op.x[0].(*half); h.peer == nil {
		return []Column{leader, remote, op.texts("stringtag", order, func(int) string { return h.stringtag })}
	}
	return []Column{
		leader,
		{Name: "peer_comm", Ints: ofSide(func(h *half) int32 { return int32(h.peer.info.ID) })},
		remote,
		{Name: "tag", Ints: reorder(op.b, order)},
	}
}

package engine

import (
	"fmt"
	"slices"
)

// Create makes a communicator of group g (MPI_Comm_create, §7.4.2). It is collective over c; g must be a subgroup of
// c's group. Processes may pass different groups if these are disjoint, but all members of a group must pass this
// group, in the same order; a process that is not in the group it passes gets nil. Otherwise: MPI_ERR_GROUP on every
// process, with a message that names who passed what. In MPI-1.1 and 2.1 all processes must pass the same group. On an
// intercommunicator, all processes of a side pass the same subgroup of their group, and the two subgroups form a new
// intercommunicator; when either is empty every process gets nil.
func (c *Comm) Create(g *Group) (*Comm, error) {
	if err := c.Check(CallCreate); err != nil {
		return nil, err
	}
	if g == nil {
		return nil, c.fail(nullGroup(CallCreate))
	}
	if err := c.lacksInter(CallCreate); err != nil {
		return nil, err
	}
	if err := c.checkSession(CallCreate, g); err != nil {
		return nil, err
	}
	return c.construct(CallCreate, 0, 0, g)
}

// nullGroup returns the error of a constructor that is given MPI_GROUP_NULL.
func nullGroup(call Call) *Error {
	return MistakeGroupNull.In(call).saying("the group is MPI_GROUP_NULL; a rank that wants no communicator passes MPI_GROUP_EMPTY")
}

func (op *operation) finishCreate(w *World) {
	distinct, which := op.distinctGroups()
	if op.core.remote != nil {
		op.createInter(w, distinct, which)
		return
	}
	if op.err = op.checkGroups(w, distinct, which); op.err != nil {
		return
	}
	part, newRank := op.grouping()
	var groups []*Group
	for i, g := range distinct {
		if g.Size() == 0 {
			continue
		}
		for rank, m := range g.members {
			r := op.core.slotOf(m)
			if int(which[r]) == i {
				part[r], newRank[r] = int32(len(groups)), int32(rank)
			}
		}
		groups = append(groups, g)
	}
	w.make(op, groups, nil)
}

// distinctGroups returns the different groups that were passed, ordered by the lowest rank that passed each, and for
// each process the index of its group.
func (op *operation) distinctGroups() (distinct []*Group, which []int32) {
	which = make([]int32, len(op.a))
	byPointer := map[*Group]int32{}
	byShape := map[[3]int32][]int32{} // by size, first and last member, so that few candidates are compared
	for r, x := range op.x {
		g := x.(*Group).base()
		i, ok := byPointer[g]
		if !ok {
			k := g.shape()
			at := slices.IndexFunc(byShape[k], func(j int32) bool { return slices.Equal(distinct[j].members, g.members) })
			if at >= 0 {
				i = byShape[k][at]
			} else {
				i = int32(len(distinct))
				distinct = append(distinct, g)
				byShape[k] = append(byShape[k], i)
			}
			byPointer[g] = i
		}
		which[r] = i
	}
	return distinct, which
}

// shape returns the size of the group and its first and last member: few different groups have the same ones.
func (g *Group) shape() [3]int32 {
	n := len(g.members)
	if n == 0 {
		return [3]int32{}
	}
	return [3]int32{int32(n), g.members[0], g.members[n-1]}
}

// checkGroups returns an error when the groups break the rules of MPI_Comm_create for intracommunicators.
func (op *operation) checkGroups(w *World, distinct []*Group, which []int32) *Error {
	if w.std < 22 && len(distinct) > 1 {
		return op.wrong(MistakeGroupsStd, w.std, op.side(distinct[0], which, 0), op.side(distinct[1], which, 1)).before22(w.std)
	}
	for i, g := range distinct {
		for _, m := range g.members {
			r := op.core.slotOf(m)
			if r == Undefined {
				return op.wrong(MistakeNotSubgroup, "the communicator's", m, ": "+op.side(g, which, int32(i)))
			}
			if which[r] != int32(i) {
				holder := op.side(g, which, int32(i)) + ", which contains " + Ranks{{m, m}}.Noun()
				return op.wrong(MistakeGroupsClash, holder, op.side(distinct[which[r]], which, which[r]))
			}
		}
	}
	return nil
}

// createInter makes an intercommunicator of the two subgroups that the sides passed.
func (op *operation) createInter(w *World, distinct []*Group, which []int32) {
	n := len(op.core.group.members)
	sides := [2]*Group{distinct[which[0]], distinct[which[n]]}
	for side, all := range []*Group{op.core.group, op.core.remote} {
		if op.err = op.checkSide(sides[side], all, distinct, which); op.err != nil {
			return
		}
	}
	part, newRank := op.grouping()
	if sides[0].Size() == 0 || sides[1].Size() == 0 {
		return
	}
	for slot, m := range op.core.all {
		if r := sides[min(slot/n, 1)].rankOf(m); r != Undefined {
			part[slot], newRank[slot] = 0, int32(r)
		}
	}
	w.make(op, sides[:1], sides[1:])
}

// checkSide returns an error unless all processes of a side passed the same group g, and g is a subgroup of all, the
// local group of that side.
func (op *operation) checkSide(g, all *Group, distinct []*Group, which []int32) *Error {
	mine := which[op.core.slotOf(all.members[0])]
	for _, m := range all.members {
		if other := which[op.core.slotOf(m)]; other != mine {
			return op.wrong(MistakeSideGroupsDiffer, op.side(distinct[mine], which, mine), op.side(distinct[other], which, other))
		}
	}
	if m, ok := g.outside(all); ok {
		return op.wrong(MistakeNotSubgroup, "the local group "+all.braces(), m, ": "+op.side(g, which, mine))
	}
	return nil
}

func (g *Group) braces() string { return Braces(g.members) }

// Braces writes the members of a group in rank order: "{0,2,4}", or "MPI_GROUP_EMPTY". It cuts long groups.
func Braces(members []int32) string {
	if len(members) == 0 {
		return "MPI_GROUP_EMPTY"
	}
	text := "{"
	for i, m := range members {
		if i == maxListed {
			text += fmt.Sprintf(",... %d in all", len(members))
			break
		}
		if i > 0 {
			text += ","
		}
		text += fmt.Sprint(m)
	}
	return text + "}"
}

// TagUB is the largest tag (the predefined attribute MPI_TAG_UB).
const TagUB = 1<<31 - 1

// CreateGroup makes a communicator of group g (MPI_Comm_create_group, §7.4.2). Only the members of g call it; calls
// with different tags may be under way at the same time. A caller that is not in g gets nil at once. All members must
// pass the same members in the same order: else MPI_ERR_GROUP.
func (c *Comm) CreateGroup(g *Group, tag int) (*Comm, error) {
	if err := c.needIntra(CallCreateGroup); err != nil {
		return nil, err
	}
	if g == nil {
		return nil, c.fail(nullGroup(CallCreateGroup))
	}
	if err := c.checkTag(CallCreateGroup, tag); err != nil {
		return nil, err
	}
	if err := c.checkSession(CallCreateGroup, g); err != nil {
		return nil, err
	}
	if m, ok := g.outside(c.core.group); ok {
		return nil, c.fail(MistakeNotSubgroup.In(CallCreateGroup, "the communicator's", m, "").passing("group %s", g.braces()))
	}
	if !g.has(c.p.rank) {
		c.p.returnNull(CallCreateGroup, c, g)
		return nil, nil // a local call
	}
	op, failed := c.p.meetOver(post{comm: c, call: CallCreateGroup, a: int32(tag), x: g})
	if failed != nil {
		return nil, c.raise(failed)
	}
	h := op.madeOver(c.p)
	if c.ext != nil && c.ext.errhandler != nil {
		h.extras().errhandler = c.ext.errhandler
	}
	return h, nil
}

// MaxStringtag is MPI_MAX_STRINGTAG_LEN, which includes the null character that ends a string in C:
// a stringtag has at most MaxStringtag-1 characters (§7.4.2; at least 63).
const MaxStringtag = 256

// CreateFromGroup makes a communicator of group g without a parent (MPI_Comm_create_from_group, §7.4.2). Only the
// members of g call it, with the same members in the same order (else MPI_ERR_GROUP) and the same stringtag, which
// tells concurrent calls apart. A caller that is not in g gets nil at once. info, which may be nil, has the hints of
// the new communicator; errhandler is its error handler: nil raises MPI_ERR_ERRHANDLER (before MPI-4.1: MPI_ERR_ARG).
// info and errhandler must be the same on all members: else MPI_ERR_ARG. A stringtag that is too long: MPI_ERR_ARG; a
// group of a finalized session: MPI_ERR_SESSION.
func (p *Process) CreateFromGroup(g *Group, stringtag string, info *Info, errhandler *Errhandler) (*Comm, error) {
	if e := p.checkFromGroup(CallCreateFromGroup, g, stringtag, info, errhandler); e != nil {
		return nil, p.raiseFromGroup(g, errhandler, e)
	}
	if !g.has(p.rank) {
		p.returnNull(CallCreateFromGroup, nil, g)
		return nil, nil // a local call
	}
	op, failed := p.meetOver(post{call: CallCreateFromGroup, x: &invitation{stringtag: stringtag, group: g, info: info, errhandler: errhandler}})
	if failed != nil {
		return nil, p.raiseFromGroup(g, errhandler, failed)
	}
	return op.madeOver(p).dressed(info, errhandler), nil
}

// agreeOnArguments returns an error when the processes of MPI_Comm_create_from_group passed different error handlers or
// hints: "each of these MPI processes must provide the same arguments". An info object without keys equals
// MPI_INFO_NULL. Other calls over a group have no such rule.
func (op *operation) agreeOnArguments() *Error {
	if op.call != CallCreateFromGroup {
		return nil
	}
	first := op.x[0].(*invitation)
	for _, x := range op.x {
		if i := x.(*invitation); i.errhandler.name != first.errhandler.name {
			return op.wrong(MistakeErrhandlersDiffer, op.sides(func(slot int) string { return op.x[slot].(*invitation).errhandler.name }))
		}
	}
	for _, x := range op.x {
		if i := x.(*invitation); !i.info.same(first.info) {
			return op.wrong(MistakeInfosDiffer, op.sides(func(slot int) string { return op.x[slot].(*invitation).info.pairs() }))
		}
	}
	return nil
}

// dressed gives a new handle the hints and the error handler that were passed to its constructor.
func (c *Comm) dressed(info *Info, errhandler *Errhandler) *Comm {
	x := c.extras()
	x.errhandler = errhandler
	if info != nil {
		x.info = info.clone()
	}
	return c
}

func (p *Process) checkFromGroup(call Call, g *Group, stringtag string, info *Info, errhandler *Errhandler) *Error {
	switch {
	case g == nil:
		return nullGroup(call)
	case g.session.ended():
		return MistakeGroupFinalized.In(call, g.session.number).under(CallSessionFinalize)
	case len(stringtag) >= MaxStringtag:
		return MistakeStringtag.In(call, MaxStringtag-1).passing("%d characters", len(stringtag))
	case info != nil && info.freed:
		return MistakeInfoFreed.In(call)
	case errhandler == nil:
		return p.NoErrhandler(call)
	}
	return nil
}

// raiseFromGroup raises an error of the call at the error handler of the session that the group derives from, or of
// MPI_COMM_SELF when there is no session (§9.3). In MPI-4.0 the argument errhandler handles the error.
func (p *Process) raiseFromGroup(g *Group, errhandler *Errhandler, e *Error) error {
	switch {
	case p.w.std < 41 && errhandler != nil:
		return p.invoke(errhandler, handled{}, e)
	case g != nil && g.session != nil:
		return g.session.raise(e)
	}
	return p.Raise(e)
}

// Dup duplicates c (MPI_Comm_dup, §7.4.2): the duplicate has the same group or groups and virtual topology, and a new
// context. It gets the error handler and copies of the attributes, but not the name, the info hints (since MPI-4.0) and
// an attached buffer.
func (c *Comm) Dup() (*Comm, error) { return c.dup(CallDup, nil) }

// DupWithInfo duplicates c as Dup does, with info as the hints of the duplicate (MPI_Comm_dup_with_info, §7.4.2). nil
// is MPI_INFO_NULL: no hints.
func (c *Comm) DupWithInfo(info *Info) (*Comm, error) { return c.dup(CallDupWithInfo, info) }

func (c *Comm) dup(call Call, info *Info) (*Comm, error) {
	ext, failed, err := c.heir(call, info)
	if err != nil {
		return nil, err
	}
	d, err := c.construct(call, 0, 0, failed)
	if err != nil {
		return nil, err
	}
	d.ext = ext
	return d, nil
}

// heir makes the extras of the process' handle of a duplicate of c; nil when it needs none. failed is the failure of a
// copy function, which the process contributes to the call.
func (c *Comm) heir(call Call, info *Info) (ext *extras, failed, err error) {
	if err := c.Check(call); err != nil {
		return nil, nil, err
	}
	if err := c.checkInfo(call, info); err != nil {
		return nil, nil, err
	}
	if c.ext == nil && info == nil {
		return nil, nil, nil
	}
	ext = &extras{}
	if c.ext != nil {
		ext.errhandler = c.ext.errhandler
		ext.attributes, failed = c.copyAttributes(call)
		if info == nil && c.p.w.std >= 30 && c.p.w.std < 40 { // MPI-3.0 introduced hints, and MPI-4.0 no longer copies them
			info = c.ext.info
		}
	}
	if info != nil {
		ext.info = info.clone()
	}
	return ext, failed, nil
}

func (op *operation) finishDup(w *World) {
	if op.callbacksFailed("copy", "no process gets a communicator") {
		return
	}
	part, newRank := op.grouping()
	left := len(op.core.group.members)
	for i := range part {
		part[i], newRank[i] = 0, int32(i)
		if i >= left {
			newRank[i] -= int32(left)
		}
	}
	var rights []*Group
	if op.core.remote != nil {
		rights = []*Group{op.core.remote}
	}
	w.make(op, []*Group{op.core.group}, rights)
	for _, k := range op.made { // its topology and its predefined attributes are those of the parent (§7.4.2)
		k.info.virtual, k.surroundings = op.core.info.virtual, op.core.surroundings
	}
}

// Idup starts to duplicate c without waiting for the others (MPI_Comm_idup, §7.4.2). It copies the properties of c at
// once: later changes to c do not show in the duplicate. The duplicate must not be used before the request has
// completed: else MPI_ERR_COMM. Nonblocking and blocking calls do not match each other (§6.12): every process must call
// Idup.
func (c *Comm) Idup() (*Comm, *Request, error) { return c.idup(CallIdup, nil) }

// IdupWithInfo starts to duplicate c as Idup does, with the present pairs of info as hints (MPI_Comm_idup_with_info,
// §7.4.2). info may be changed or freed at once.
func (c *Comm) IdupWithInfo(info *Info) (*Comm, *Request, error) {
	return c.idup(CallIdupWithInfo, info)
}

func (c *Comm) idup(call Call, info *Info) (*Comm, *Request, error) {
	ext, failed, err := c.heir(call, info)
	if err != nil {
		return nil, nil, err
	}
	var s struct { // in one piece, since every process makes one
		made    Comm
		extras  extras
		request Request
		build   building
	}
	d, r := &s.made, &s.request
	*d = Comm{p: c.p, ext: &s.extras}
	if ext != nil {
		s.extras = *ext
	}
	s.extras.making = r
	s.build = building{call: call, made: d, failed: failed}
	*r = Request{p: c.p, comm: c, site: c.p.site, build: &s.build}
	c.extras().outstanding++
	t := c.p.traffic()
	t.started = append(t.started, r)
	return d, r, nil
}

// Ibarrier starts a barrier (MPI_Ibarrier, §6.12.1): its request is complete when all processes of c have made the
// call.
func (c *Comm) Ibarrier() (*Request, error) { return c.start(CallIbarrier, 0, nil) }

// start starts a nonblocking collective call that makes no communicator. data is the contribution of the process.
func (c *Comm) start(call Call, root int, data *payload) (*Request, error) {
	if err := c.Check(call); err != nil {
		return nil, err
	}
	r := &Request{p: c.p, comm: c, site: c.p.site, build: &building{call: call, root: int32(root), data: data}}
	c.extras().outstanding++
	t := c.p.traffic()
	t.started = append(t.started, r)
	return r, nil
}

// deliverStarted completes the requests of a nonblocking call, and hands each process its new communicator or value.
func (op *operation) deliverStarted() {
	for slot, x := range op.x {
		r := x.(*Request)
		d := r.build.made
		if op.err != nil {
			r.build.err = op.errorFor(int32(slot))
		} else if d != nil {
			d.core, d.rank, d.right = op.made[0], op.newRank[slot], r.comm.right
			d.adopt()
		} else if r.build.data != nil {
			r.build.value = r.comm.result(op)
		}
		r.comm.ext.outstanding--
		remove(&r.p.mail.building, r)
		r.comm.core.refer(-1)
		r.complete()
	}
}

// Collective calls wait in line, since a process may have started nonblocking calls on a communicator and go on to
// others: the n-th call of each process belongs to the n-th operation of the communicator. Operations end in this
// order, because a process contributes in its own order. The number of its nonblocking calls that have not ended tells
// how far a process is ahead.

// building is what a request has of a nonblocking collective call.
type building struct {
	call   Call
	made   *Comm // the handle, which the process already holds, of a new communicator; nil for other calls
	root   int32
	data   *payload   // what the process contributes; nil for a call that moves no data
	value  any        // what the process gets
	failed error      // the failure of a copy function, which the process contributes
	op     *operation // the operation that took the contribution; nil before, and when the contribution did not match
	err    *Error     // the operation failed
}

// takeStarted takes up the nonblocking calls that p started in this superstep.
func (w *World) takeStarted(p *Process) {
	for _, r := range p.mail.started {
		k := r.comm.core
		op := k.at(w, p.ahead(k), r.build.call)
		p.mail.building = append(p.mail.building, r)
		k.refer(1)
		if op.call != r.build.call {
			continue // those processes wait for each other forever
		}
		r.build.op = op
		op.add(w, r.comm.slot(), r.build.root, 0, r)
	}
	p.mail.started = p.mail.started[:0]
}

// ahead counts the nonblocking calls of p on k that have not ended.
func (p *Process) ahead(k *core) int {
	n := 0
	for _, r := range p.mail.building {
		if r.comm.core == k {
			n++
		}
	}
	return n
}

// standsBehind returns the nonblocking call that keeps the collective call of a process from meeting those of others:
// the oldest on the same communicator that has not ended; nil when there is none.
func (p *Process) standsBehind() *Request {
	c := &p.current
	if !c.behind || !callTable[c.call].overCommunicator {
		return nil
	}
	return p.startedOn(c.comm.core)
}

// startedOn returns the oldest nonblocking call of the process on k that has not ended; nil when there is none.
func (p *Process) startedOn(k *core) *Request {
	if p.mail == nil {
		return nil
	}
	if i := slices.IndexFunc(p.mail.building, func(r *Request) bool { return r.comm.core == k }); i >= 0 {
		return p.mail.building[i]
	}
	return nil
}

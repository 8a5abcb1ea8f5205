package engine

import (
	"slices"
)

// Dup duplicates c (MPI_Comm_dup, §7.4.2): the same group or groups and virtual topology in a new
// context. The error handler and the attributes are copied; the name, the info hints (since
// MPI-4.0) and an attached buffer are not.
func (c *Comm) Dup() (*Comm, error) { return c.dup(CallDup, nil) }

// DupWithInfo is Dup with info as the hints of the duplicate (MPI_Comm_dup_with_info, §7.4.2). nil
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

// heir makes the extras of the process' handle of a duplicate of c; nil when it has none. failed is the failure of
// a copy function, which the process contributes to the call.
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
		if info == nil && c.p.w.std >= 30 && c.p.w.std < 40 { // which introduced hints, and which no longer copies them
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
	w.make(op, []newcomm{between(op.core.group, op.core.remote)})
	op.attach(op.core.virtual)
}

// Idup starts to duplicate c without waiting for the others (MPI_Comm_idup, §7.4.2). What is copied
// is copied now; later changes to c do not show in the duplicate, which must not be used before the
// request has completed: else MPI_ERR_COMM. Nonblocking and blocking calls do not match each other
// (§6.12): every process must call Idup.
func (c *Comm) Idup() (*Comm, *Request, error) { return c.idup(CallIdup, nil) }

// IdupWithInfo is Idup with the hints that info holds now (MPI_Comm_idup_with_info, §7.4.2). info
// may be changed or freed at once.
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

// Ibarrier starts to wait for all processes of c (MPI_Ibarrier, §6.12.1): the request is complete when all of them
// have made the call.
func (c *Comm) Ibarrier() (*Request, error) { return c.start(CallIbarrier, 0, nil) }

// start starts a nonblocking collective call that makes no communicator, with what the process contributes.
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

// deliverStarted completes the requests of a nonblocking call, and hands each process the communicator or the value that
// its request was for.
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
		r.p.mail.building = slices.DeleteFunc(r.p.mail.building, func(b *Request) bool { return b == r })
		r.comm.core.refer(-1)
		r.complete()
	}
}

// A process may have started nonblocking collective calls on a communicator and go on to others, so
// calls wait in line: the n-th call of each process belongs to the n-th operation of the
// communicator. An operation ends before those behind it, because a process contributes in its own
// order. How far a process is ahead is the number of its nonblocking calls that have not ended.

// building is the nonblocking collective call that a request is about.
type building struct {
	call   Call
	made   *Comm // the handle of a new communicator that the process already holds; nil for other calls
	root   int32
	data   *payload   // what the process contributes; nil for a call that moves no data
	value  any        // and what it gets
	failed error      // a copy function failed: what the process contributes
	op     *operation // the operation, once the contribution was taken; nil when it did not match
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

// ahead is how many nonblocking calls of p on k have not ended.
func (p *Process) ahead(k *core) int {
	n := 0
	for _, r := range p.mail.building {
		if r.comm.core == k {
			n++
		}
	}
	return n
}

// standsBehind is the first nonblocking call that a process in a collective call on a communicator
// has started there and that has not ended, so that the call stands behind it; nil when there is none.
func (p *Process) standsBehind() *Request {
	c := &p.current
	if !c.behind || !c.call.overCommunicator() {
		return nil
	}
	return p.startedOn(c.comm.core)
}

// startedOn is the oldest nonblocking call of the process on k that has not ended; nil when there is none.
func (p *Process) startedOn(k *core) *Request {
	if p.mail == nil {
		return nil
	}
	if i := slices.IndexFunc(p.mail.building, func(r *Request) bool { return r.comm.core == k }); i >= 0 {
		return p.mail.building[i]
	}
	return nil
}

// at is the operation that the position-th call from now on belongs to; the first contribution to it starts it.
func (k *core) at(w *World, position int, call Call) *operation {
	if position == 0 {
		if k.pending == nil {
			k.pending = w.newOperation(k, call)
		}
		return k.pending
	}
	if position > len(k.later) {
		k.later = append(k.later, w.newOperation(k, call))
	}
	return k.later[position-1]
}

package engine

import "slices"

// A process may have started nonblocking collective calls on a communicator and go on to others, so
// calls wait in line: the n-th call of each process belongs to the n-th operation of the
// communicator. An operation ends before those behind it, because a process contributes in its own
// order. How far a process is ahead is the number of its nonblocking calls that have not ended.

// building is what a request for a new communicator is about.
type building struct {
	call   Call
	made   *Comm      // the handle that the process already holds
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
		k.underway++
		if op.call != r.build.call {
			continue // those processes wait for each other for ever
		}
		if op.x == nil {
			op.x = make([]any, len(op.a))
		}
		op.x[r.comm.slot()] = r
		r.build.op = op
		if op.count(1) {
			w.ready = append(w.ready, op)
		}
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
	if !c.behind || c.call > lastCollective {
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

// at is the operation that the position-th call from now on belongs to.
func (k *core) at(w *World, position int, call Call) *operation {
	if position == 0 {
		return k.gathering(w, call)
	}
	if position > len(k.later) {
		k.later = append(k.later, w.newOperation(k, call))
	}
	return k.later[position-1]
}

// forget drops a request that has ended.
func (t *traffic) forget(r *Request) {
	t.building = slices.DeleteFunc(t.building, func(b *Request) bool { return b == r })
}

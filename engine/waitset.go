package engine

import "slices"

// waitSet is several requests that a process waits for at once; nil ones are MPI_REQUEST_NULL.
type waitSet struct {
	list []*Request
	any  bool // one is enough
	over int  // how many at the beginning of list are known to be complete
}

// satisfied reports whether the wait is over.
func (s *waitSet) satisfied() bool {
	if s.any {
		return slices.ContainsFunc(s.list, func(r *Request) bool { return r != nil && r.done })
	}
	return s.first() == nil
}

// first is a request that is not complete. It does not look twice at those that are, since a process
// may wait for as many as there are ranks, which complete one after the other.
func (s *waitSet) first() *Request {
	for ; s.over < len(s.list); s.over++ {
		if r := s.list[s.over]; r != nil && !r.done {
			return r
		}
	}
	return nil
}

// post blocks in a call over the requests. It does not when all of them are MPI_REQUEST_NULL.
func (s *waitSet) post(call Call) {
	for _, r := range s.list {
		if r != nil {
			r.p.block(post{comm: r.comm, call: call, x: s})
			return
		}
	}
}

// Waitall waits until all requests are complete (MPI_Waitall, §3.7.5) and returns what each
// received, and the first error.
func Waitall(list []*Request) ([]Envelope, error) {
	s := &waitSet{list: list}
	if !s.satisfied() {
		s.post(CallWaitall)
	}
	return s.endAll()
}

// Testall lets communication move and tells whether all requests are complete (MPI_Testall,
// §3.7.5); only then does it end any.
func Testall(list []*Request) ([]Envelope, bool, error) {
	s := &waitSet{list: list}
	if !s.satisfied() {
		s.post(CallTestall)
	}
	if !s.satisfied() {
		return nil, false, nil
	}
	all, err := s.endAll()
	return all, true, err
}

// endAll ends all requests, which are complete.
func (s *waitSet) endAll() ([]Envelope, error) {
	out := make([]Envelope, len(s.list))
	var first error
	for i, r := range s.list {
		out[i] = emptyEnvelope
		if r == nil {
			continue
		}
		e, err := r.end()
		if out[i] = e; first == nil {
			first = err
		}
	}
	return out, first
}

// Waitany waits until one request is complete (MPI_Waitany, §3.7.5): its index, the lowest if
// several are, and what it received. When all are MPI_REQUEST_NULL the index is Undefined.
func Waitany(list []*Request) (int, Envelope, error) {
	s := &waitSet{list: list, any: true}
	if !s.satisfied() {
		s.post(CallWaitany)
	}
	return s.endOne()
}

// Testany lets communication move and tells whether a request is complete (MPI_Testany, §3.7.5):
// its index, the lowest if several are, and what it received. When all are MPI_REQUEST_NULL it is
// true and the index is Undefined.
func Testany(list []*Request) (index int, e Envelope, done bool, err error) {
	s := &waitSet{list: list, any: true}
	if !s.satisfied() {
		s.post(CallTestany)
	}
	null := true
	for _, r := range list {
		null = null && r == nil
	}
	if !null && !s.satisfied() {
		return Undefined, emptyEnvelope, false, nil
	}
	index, e, err = s.endOne()
	return index, e, true, err
}

// endOne ends the first request that is complete.
func (s *waitSet) endOne() (int, Envelope, error) {
	for i, r := range s.list {
		if r != nil && r.done {
			e, err := r.end()
			return i, e, err
		}
	}
	return Undefined, emptyEnvelope, nil
}

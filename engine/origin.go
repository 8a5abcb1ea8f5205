package engine

// Origin is where a MPI_COMM_NULL came from: the constructor that returned it. A nil handle has no
// memory of its own, so the process keeps it. It is never changed, and shared by processes.
type Origin struct {
	Step  int     // number of the trace step that returned it; 0: the call was local and made no step
	Call  Call    // the constructor
	Comm  int     // id of the communicator acted on, or -1
	Group []int32 // of a local call: the world ranks of the group passed, in rank order
}

// Origin tells which constructor gave this process its latest MPI_COMM_NULL, and forgets it, so that
// nothing else is taken for its result. It is nil when none did since Origin was called last, or when
// the world keeps no trace.
func (p *Process) Origin() *Origin {
	o := p.origin
	p.origin = nil
	return o
}

// returnNull notes that a local call returns MPI_COMM_NULL: the process is not in the group that it
// passed, so it meets nobody. comm is nil for a constructor without a communicator.
func (p *Process) returnNull(call Call, comm *Comm, g *Group) {
	if !p.w.trace {
		return
	}
	p.origin = &Origin{Call: call, Comm: -1, Group: g.members}
	if comm != nil {
		p.origin.Comm = comm.core.info.ID
	}
}

package engine

import "slices"

// Free marks the communicator for deallocation (MPI_Comm_free, §7.4.3). It is collective; the
// handle becomes MPI_COMM_NULL. Attributes are deleted first; when a delete function fails, no process
// frees the communicator. Operations under way on it end normally, and its context id is given back
// after the last of them. MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed: MPI_ERR_COMM.
func (c *Comm) Free() error { return c.release(CallFree) }

// Disconnect is Free that first waits for all communication under way on the communicator to end
// (MPI_Comm_disconnect, §11.10.4).
func (c *Comm) Disconnect() error { return c.release(CallDisconnect) }

func (c *Comm) release(call Call) error {
	if err := c.check(call); err != nil {
		return err
	}
	if id := c.core.info.ID; id < firstID {
		return c.fail(ErrComm, call, predefinedName(id)+" is predefined and cannot be freed", "")
	}
	if _, err := c.call(call, 0, 0, c.deleteAttributes(call)); err != nil {
		return err
	}
	c.freed = true
	return nil
}

// finishFree gives the context back, or keeps it for what is still under way.
func (op *operation) finishFree(w *World) {
	if op.callbacksFailed("delete", "the communicator stays") {
		return
	}
	if k := op.core; k.referred() {
		w.lingering = append(w.lingering, k)
	} else {
		w.giveBack(k)
	}
}

// giveBack returns the context ids of a communicator to its processes.
func (w *World) giveBack(k *core) {
	w.contexts.free(k.group.members, k.info.Context)
	if k.remote != nil {
		w.contexts.free(k.remote.members, k.info.Context2)
	}
}

// referred reports whether something still refers to the communicator apart from handles.
func (k *core) referred() bool { return k.underway+k.arrived > 0 }

// active reports whether communication is under way that can still end: a message that nobody
// asked for cannot, since its receiver has given up the communicator.
func (k *core) active() bool { return k.underway > 0 }

// busyOn lists the processes with receives or duplicates under way on k.
func (w *World) busyOn(k *core) Ranks {
	var list []int32
	on := func(r *Request) bool { return r.comm.core == k }
	for _, m := range k.all {
		if t := w.procs[m].mail; t != nil && (slices.ContainsFunc(t.pending, on) || slices.ContainsFunc(t.building, on)) {
			list = append(list, m)
		}
	}
	return RanksOf(list...)
}

// reap ends what waited for communication to end: freed communicators give their contexts back, and
// processes in MPI_Comm_disconnect go on.
func (w *World) reap() {
	kept := w.lingering[:0]
	for _, k := range w.lingering {
		if k.referred() {
			kept = append(kept, k)
		} else {
			w.giveBack(k)
		}
	}
	w.lingering = kept
	waiting := w.disconnecting[:0]
	for _, op := range w.disconnecting {
		if op.core.active() {
			waiting = append(waiting, op)
		} else {
			op.end(w)
		}
	}
	w.disconnecting = waiting
}

// isDisconnecting reports whether all processes of k have called MPI_Comm_disconnect, and wait for
// communication to end.
func (w *World) isDisconnecting(k *core) bool {
	return slices.ContainsFunc(w.disconnecting, func(op *operation) bool { return op.core == k })
}

// freedAt is "demo.py:7", where a communicator was freed; "" when the trace does not know.
func (w *World) freedAt(id int) string {
	for i := len(w.steps) - 1; i >= 0; i-- {
		s := &w.steps[i]
		if s.Comm == id && s.Call.frees() && s.Err == nil {
			return s.Site()
		}
	}
	return ""
}

// frees reports whether the call gives a communicator up.
func (c Call) frees() bool { return c == CallFree || c == CallDisconnect }

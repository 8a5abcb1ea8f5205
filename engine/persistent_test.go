package engine_test

import (
	"errors"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// sized is a value that takes that many bytes in a message.
type sized int

func (s sized) Bytes() int { return int(s) }

// §3.6: the attached buffer needs room for the data of each message and MPI_BSEND_OVERHEAD, which is 128 bytes as in
// Open MPI's mpi.h: two messages of 8 bytes take 272. A message that was received gives its room back.
func TestBsendTakesRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ room, fit int }{{135, 0}, {136, 1}, {271, 1}, {272, 2}} {
		perRank(t, ofSize(1), func(p *engine.Process) (fit int, err error) {
			w := p.World()
			w.SetErrhandler(engine.ErrorsReturn)
			if err := w.AttachBuffer(c.room); err != nil {
				return 0, err
			}
			for round := range 2 {
				for fit = 0; ; fit++ {
					if err = w.SendAs(engine.CallBsend, sized(8), 0, 0); err != nil {
						break
					}
				}
				if fit != c.fit || !errors.Is(err, engine.ErrBuffer) {
					t.Errorf("round %d: a buffer of %d bytes has room for %d messages, want %d; then %v", round, c.room, fit, c.fit, err)
				}
				for range fit {
					if _, err := w.Recv(0, 0); err != nil {
						return 0, err
					}
				}
			}
			return fit, nil
		})
	}
}

// §3.9: a request of MPI_Send_init or MPI_Recv_init is persistent while it is inactive, while it is active, and after
// its operation has completed: it can be started again. Requests of MPI_Irecv are not, nor is MPI_REQUEST_NULL.
func TestPersistentStaysSo(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (_ int, err error) {
		w := p.World()
		sent := 0
		send, err := w.SendInit(engine.CallSendInit, func() any { sent++; return sent }, 0, 0)
		if err != nil {
			return 0, err
		}
		recv, err := w.RecvInit(0, 0)
		if err != nil {
			return 0, err
		}
		both := []*engine.Request{recv, send}
		persistent := func(when string) {
			if !recv.Persistent() || !send.Persistent() {
				t.Errorf("%s: persistent: receive %t, send %t", when, recv.Persistent(), send.Persistent())
			}
		}
		for round := 1; round <= 2; round++ {
			persistent("inactive")
			if err := engine.Startall(both); err != nil {
				return 0, err
			}
			persistent("active")
			got, err := engine.Waitall(both)
			if err != nil || got[0].Value != round {
				t.Errorf("round %d: received %v, %v", round, got[0].Value, err)
			}
		}
		persistent("completed")
		once, err := w.Irecv(engine.ProcNull, 0)
		if once.Persistent() || (*engine.Request)(nil).Persistent() {
			t.Error("a request of MPI_Irecv, or MPI_REQUEST_NULL, is persistent")
		}
		return 0, err
	})
}

package engine

import (
	"fmt"
)

// Wildcards and the process that is nobody (§3.2.4, §3.10).
const (
	AnySource = -1
	AnyTag    = -2
	ProcNull  = -3
)

// Envelope is a received message: what MPI's status tells (§3.2.5), with the source as a rank of
// the communicator, and the value.
type Envelope struct {
	Source, Tag int
	Value       any
}

// Send sends value to rank dest (MPI_Send, §3.2.1). It is eager: it never waits for the receiver.
// The receiver gets the very Go value, which must not be modified afterwards.
func (c *Comm) Send(value any, dest, tag int) error {
	return c.send(CallSend, value, dest, tag)
}

// Isend is Send; the request is complete at once (MPI_Isend, §3.7.2).
func (c *Comm) Isend(value any, dest, tag int) (*Request, error) {
	if err := c.send(CallIsend, value, dest, tag); err != nil {
		return nil, err
	}
	return &Request{p: c.p, comm: c, done: true, call: CallIsend}, nil
}

func (c *Comm) send(call Call, value any, dest, tag int) error {
	if err := c.checkPeer(call, dest, tag, false); err != nil || dest == ProcNull {
		return err
	}
	t := c.p.traffic()
	t.out = append(t.out, &message{core: c.core, source: c.rank, dest: c.peers().members[dest], tag: int32(tag), value: value, call: call, site: c.p.site})
	c.p.local(call, c, intArg("dest", dest), intArg("tag", tag))
	return nil
}

// checkPeer checks rank and tag of a message. wild allows AnySource and AnyTag.
func (c *Comm) checkPeer(call Call, rank, tag int, wild bool) error {
	if err := c.check(call); err != nil {
		return err
	}
	n := len(c.peers().members)
	if (rank < 0 || rank >= n) && rank != ProcNull && !(wild && rank == AnySource) {
		return c.fail(ErrRank, call, fmt.Sprintf("the peer must be a rank of the communicator, 0 to %d, or MPI_PROC_NULL", n-1), fmt.Sprintf("rank %d", rank))
	}
	if (tag < 0 || tag > TagUB) && !(wild && tag == AnyTag) {
		return c.fail(ErrTag, call, fmt.Sprintf("a tag lies between 0 and MPI_TAG_UB (%d)", TagUB), fmt.Sprintf("tag %d", tag))
	}
	return nil
}

// Recv waits for a message from source with tag; AnySource and AnyTag match all (MPI_Recv,
// §3.2.4). With AnySource, of several messages that are there the lowest sender's is taken.
func (c *Comm) Recv(source, tag int) (Envelope, error) {
	r, err := c.receive(CallRecv, source, tag)
	if err != nil {
		return Envelope{}, err
	}
	r.await(CallRecv)
	return r.envelope(), nil
}

// Irecv posts a receive (MPI_Irecv, §3.7.2).
func (c *Comm) Irecv(source, tag int) (*Request, error) { return c.receive(CallIrecv, source, tag) }

func (c *Comm) receive(call Call, source, tag int) (*Request, error) {
	r, err := c.request(call, source, tag)
	if err != nil || r.done {
		return r, err
	}
	t := c.p.traffic()
	t.receives = append(t.receives, r)
	return r, nil
}

// Probe waits for a message without receiving it (MPI_Probe, §3.8.1).
func (c *Comm) Probe(source, tag int) (Envelope, error) {
	r, err := c.probe(CallProbe, source, tag)
	if err != nil {
		return Envelope{}, err
	}
	return r.envelope(), nil
}

// Iprobe lets messages move and tells whether one is there (MPI_Iprobe, §3.8.1).
func (c *Comm) Iprobe(source, tag int) (Envelope, bool, error) {
	r, err := c.probe(CallIprobe, source, tag)
	if err != nil || !r.done {
		return Envelope{}, false, err
	}
	return r.envelope(), true, nil
}

func (c *Comm) probe(call Call, source, tag int) (*Request, error) {
	r, err := c.request(call, source, tag)
	if err != nil || r.done {
		return r, err
	}
	c.p.block(post{comm: c, call: call, a: r.source, b: r.tag, x: r})
	return r, nil
}

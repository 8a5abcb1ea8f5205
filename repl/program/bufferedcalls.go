package program

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// The calls of mpi4py in capitals, which move the elements of arrays. What a call takes follows from its row in the table
// of calls: a root, an operation; all are Transfers.

// counted reports whether a call takes a count for each process.
func counted(c engine.Call) bool {
	row := c.Procedure()
	return row.Param("recvcounts") != nil || row.Param("sendcounts") != nil
}

// bufferRows are the methods of communicators that send and receive arrays.
var bufferRows = map[string]any{
	"Send Ssend Bsend Rsend Isend Issend Ibsend Irsend Send_init Ssend_init Bsend_init Rsend_init": sendBuffer,
	"Recv Irecv Recv_init": recvBuffer,
	"Sendrecv":             sendrecvBuffers,
}

// collectMethods are the methods that make collective calls, of all processes or of neighbors, of arrays. A row of the
// section arrays stands for all forms of its call: in mpi4py, a call has C's name without "MPI_".
func collectMethods(neighbors bool) (list []*attribute) {
	for _, row := range sections()["arrays"] {
		name, _, _ := strings.Cut(row, "(")
		plain := attributesOf(row, map[string]any{name: collectBuffers})[0]
		for _, c := range engine.Calls() {
			if c.Plain() != plain.call || c.Neighborly() != neighbors {
				continue
			}
			signature, doc := strings.Trim(plain.signature, "()"), plain.doc
			if counted(c) {
				doc += ", in parts of any lengths"
			}
			if c.Nonblocking() {
				doc += "; a request"
			} else if c.Starts() != engine.CallNone {
				signature, doc = signature+", info=INFO_NULL", doc+"; a persistent request"
			}
			a := &attribute{name: strings.TrimPrefix(c.String(), "MPI_"), doc: doc, call: c, run: collectBuffers}
			list = append(list, a.takes(signature))
		}
	}
	return list
}

// named is the argument of that name; nil where the call has none.
func (c *call) named(name string) starlark.Value {
	for i, p := range c.fn.params {
		if p.name == name {
			return c.args[i]
		}
	}
	return nil
}

// transfer makes a Transfer.
func (c *call) transfer(t Transfer) (starlark.Value, error) {
	t.Call = c.fn.call
	return t.make(c.r, c.self.(*Comm))
}

// whole is the array of argument i, which must be there unless the peer is PROC_NULL.
func (c *call) whole(i, peer int) (*Buffer, error) {
	m, err := c.message(i)
	if err == nil && m.buffer == nil {
		if peer == engine.ProcNull {
			return NewBuffer(Float64, 0), nil
		}
		return nil, c.wrong(i, "an array")
	}
	return m.buffer, err
}

func sendBuffer(c *call) (starlark.Value, error) {
	dest, tag, err := c.ints(1, 2)
	if err != nil {
		return nil, err
	}
	b, err := c.whole(0, dest)
	if err != nil {
		return nil, err
	}
	return c.transfer(Transfer{Send: b, Peer: dest, Tag: tag})
}

func recvBuffer(c *call) (starlark.Value, error) {
	source, tag, err := c.ints(1, 2)
	if err != nil {
		return nil, err
	}
	b, err := c.whole(0, source)
	if err != nil {
		return nil, err
	}
	return c.transfer(Transfer{Recv: b, Root: source, RecvTag: tag, Status: c.named("status")})
}

func sendrecvBuffers(c *call) (starlark.Value, error) {
	dest, sendtag, err := c.ints(1, 2)
	if err != nil {
		return nil, err
	}
	source, recvtag, err := c.ints(4, 5)
	if err != nil {
		return nil, err
	}
	from, err := c.whole(0, dest)
	if err != nil {
		return nil, err
	}
	to, err := c.whole(3, source)
	if err != nil {
		return nil, err
	}
	return c.transfer(Transfer{Send: from, Peer: dest, Tag: sendtag, Recv: to, Root: source, RecvTag: recvtag, Status: c.args[6]})
}

// collectBuffers makes a collective call that moves arrays.
func collectBuffers(c *call) (starlark.Value, error) {
	t := Transfer{Call: c.fn.call, Op: c.named("op")}
	if v := c.named("root"); v != nil {
		var err error
		if t.Root, err = asInt(v); err != nil {
			return nil, fmt.Errorf("%s: root %w", c.fn.name, err)
		}
	}
	if t.Op != nil {
		if _, ok := t.Op.(*Op); !ok {
			return nil, fmt.Errorf("%s: op must be an operation, such as MPI.SUM, not %s", c.fn.name, describe(t.Op))
		}
	}
	if c.fn.call.Starts() != engine.CallNone {
		if _, err := c.info(len(c.fn.params) - 1); err != nil {
			return nil, err
		}
	}
	if err := c.on().Check(c.fn.call); err != nil {
		return nil, err
	}
	send, err := c.message(0)
	if err != nil {
		return nil, err
	}
	recv := send
	if c.fn.params[1].name == "recvbuf" {
		if recv, err = c.message(1); err != nil {
			return nil, err
		}
	}
	if !counted(c.fn.call) && (send.counts != nil || recv.counts != nil) {
		return nil, fmt.Errorf("%s: all parts must have one size; Gatherv and similar calls take a count for each process", c.fn.name)
	}
	if base := c.fn.call.Plain(); base == engine.CallReduceScatter || base == engine.CallReduceScatterBlock {
		recv.counts, err = c.scattered(send, recv)
	}
	if err == nil {
		err = t.fill(c.on(), send, recv)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.fn.name, err)
	}
	return c.transfer(t)
}

// scattered is how many elements of a reduction each process gets: as many as recvcounts says, else equally many.
func (c *call) scattered(send, recv message) (counts []int, err error) {
	if send.inPlace {
		send.buffer = recv.buffer
	}
	if v := c.named("recvcounts"); v != nil && v != starlark.None {
		if err := send.numbers(v); err != nil {
			return nil, err
		}
	}
	parts, err := send.Cut(c.on().Size())
	for _, b := range parts {
		counts = append(counts, b.Count())
	}
	return counts, err
}

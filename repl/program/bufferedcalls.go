package program

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// The calls of mpi4py in capitals, which move the elements of arrays. What a call takes follows from its row in the table
// of calls: a root, an operation; all are Transfers.

// arrayCalls has the arguments and the result of the collective calls that move arrays, by their plain form.
var arrayCalls = map[engine.Call][2]string{
	engine.CallBcast:              {"buf, root=0", "the root's array, on all processes"},
	engine.CallGather:             {"sendbuf, recvbuf, root=0", "all arrays, one behind the other, at the root"},
	engine.CallScatter:            {"sendbuf, recvbuf, root=0", "a part of the root's array for each process"},
	engine.CallAllgather:          {"sendbuf, recvbuf", "all arrays, one behind the other, on all processes"},
	engine.CallAlltoall:           {"sendbuf, recvbuf", "part i of the array goes to rank i"},
	engine.CallReduce:             {"sendbuf, recvbuf, op=SUM, root=0", "all arrays combined, at the root"},
	engine.CallAllreduce:          {"sendbuf, recvbuf, op=SUM", "all arrays combined, on all processes"},
	engine.CallReduceScatterBlock: {"sendbuf, recvbuf, op=SUM", "all arrays combined, and each process gets its part"},
	engine.CallReduceScatter:      {"sendbuf, recvbuf, recvcounts=None, op=SUM", "all arrays combined, and each process gets its part"},
	engine.CallScan:               {"sendbuf, recvbuf, op=SUM", "the arrays of all ranks up to this rank, combined"},
	engine.CallExscan:             {"sendbuf, recvbuf, op=SUM", "the arrays of all ranks below this rank, combined"},
}

// counted reports whether a call takes a count for each process.
func counted(c engine.Call) bool {
	row := c.Procedure()
	return row.Param("recvcounts") != nil || row.Param("sendcounts") != nil
}

// bufferMethods are the methods of communicators that move arrays.
func bufferMethods() []*attribute {
	var list []*attribute
	add := func(name, signature string, c engine.Call, doc string, run func(*call) (starlark.Value, error)) {
		list = append(list, method(name, signature, c, doc, run))
	}
	for _, m := range []struct {
		name string
		call engine.Call
		doc  string
	}{
		{"Send", engine.CallSend, "send an array"}, {"Ssend", engine.CallSsend, "send an array; returns once the receive has started"},
		{"Bsend", engine.CallBsend, "send an array through the attached buffer"}, {"Rsend", engine.CallRsend, "send an array to a posted receive"},
		{"Isend", engine.CallIsend, "send an array; a request"}, {"Issend", engine.CallIssend, "send an array; a request that completes once the receive has started"},
		{"Ibsend", engine.CallIbsend, "send an array through the attached buffer; a request"},
		{"Irsend", engine.CallIrsend, "send an array to a posted receive; a request"},
		{"Send_init", engine.CallSendInit, "a persistent request that sends an array"},
		{"Ssend_init", engine.CallSsendInit, "a persistent request of a synchronous send of an array"},
		{"Bsend_init", engine.CallBsendInit, "a persistent request of a buffered send of an array"},
		{"Rsend_init", engine.CallRsendInit, "a persistent request that sends an array to a posted receive"},
	} {
		add(m.name, "buf, dest, tag=0", m.call, m.doc, sendBuffer)
	}
	add("Recv", "buf, source=ANY_SOURCE, tag=ANY_TAG, status=None", engine.CallRecv, "receive into an array", recvBuffer)
	add("Irecv", "buf, source=ANY_SOURCE, tag=ANY_TAG", engine.CallIrecv, "receive into an array; a request", recvBuffer)
	add("Recv_init", "buf, source=ANY_SOURCE, tag=ANY_TAG", engine.CallRecvInit, "a persistent request that receives into an array", recvBuffer)
	add("Sendrecv", "sendbuf, dest, sendtag=0, recvbuf=None, source=ANY_SOURCE, recvtag=ANY_TAG, status=None", engine.CallRecv,
		"send an array and receive into another one", sendrecvBuffers)
	for _, c := range engine.Calls() { // in mpi4py, a call has C's name without "MPI_"
		m, ok := arrayCalls[c.Plain()]
		if !ok {
			continue
		}
		signature, doc := m[0], m[1]
		if counted(c) {
			doc += ", in parts of any lengths"
		}
		if c.Nonblocking() {
			doc += "; a request"
		} else if c.Starts() != engine.CallNone {
			signature, doc = signature+", info=INFO_NULL", doc+"; a persistent request"
		}
		add(strings.TrimPrefix(c.String(), "MPI_"), signature, c, doc, collectBuffers)
	}
	return list
}

// value is the argument of that name; nil where the call has none.
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

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
	t := Transfer{Op: c.named("op")}
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
	n := c.on().Size()
	if c.on().Kind() == engine.Inter {
		if n, err = c.on().RemoteSize(); err != nil {
			return nil, err
		}
	}
	if err := t.cut(c, send, recv, n); err != nil {
		return nil, fmt.Errorf("%s: %w", c.fn.name, err)
	}
	return c.transfer(t)
}

// cut gives the Transfer the buffers as its call moves them between n processes.
func (t *Transfer) cut(c *call, send, recv message, n int) (err error) {
	base := c.fn.call.Plain()
	root := c.isRoot(t.Root)
	me := c.on().Rank()
	t.Send, t.Recv = send.buffer, recv.buffer
	switch base {
	case engine.CallBcast:
		if !root {
			t.Send = nil
		}
	case engine.CallGather, engine.CallAllgather:
		if base == engine.CallAllgather || root {
			if t.Recvs, err = recv.cut(n); err != nil {
				return err
			}
		}
		if send.inPlace && t.Recvs != nil {
			t.Send = t.Recvs[me]
		}
	case engine.CallScatter:
		if root {
			if t.Sends, err = send.cut(n); err == nil && t.Sends == nil {
				err = fmt.Errorf("the root must pass the array to scatter")
			}
		}
	case engine.CallAlltoall:
		if send.inPlace {
			send = recv
		}
		if t.Sends, err = send.cut(n); err == nil {
			t.Recvs, err = recv.cut(n)
		}
	default:
		if send.inPlace {
			t.Send = recv.buffer
		}
		err = t.cutReduced(c, send, recv, n)
	}
	if err != nil {
		return err
	}
	if t.Send == nil && t.Sends == nil && base != engine.CallBcast && base != engine.CallScatter {
		return fmt.Errorf("the send buffer is missing")
	}
	if base == engine.CallBcast && t.Recv == nil {
		return fmt.Errorf("the buffer is missing")
	}
	return nil
}

// cutReduced says which part of a reduction the process gets, and checks that the buffers fit.
func (t *Transfer) cutReduced(c *call, send, recv message, n int) error {
	if t.Send == nil {
		return nil
	}
	all := t.Send.Count()
	me := c.on().Rank()
	switch c.fn.call.Plain() {
	case engine.CallReduceScatterBlock:
		if all%n != 0 {
			return fmt.Errorf("the array has %d elements, which cannot be divided evenly among %d processes", all, n)
		}
		t.First, t.Part = me*(all/n), all/n
	case engine.CallReduceScatter:
		parts := message{buffer: t.Send}
		if v := c.named("recvcounts"); v != nil && v != starlark.None {
			if err := parts.numbers(v); err != nil {
				return err
			}
		}
		list, err := parts.cut(n)
		if err != nil {
			return err
		}
		t.First, t.Part = list[me].offset-t.Send.offset, list[me].Count()
	}
	return nil
}

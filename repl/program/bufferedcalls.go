package program

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

// Calls of mpi4py in capitals move the elements of arrays. The row in the table of calls tells what a call takes: a root, an
// operation. All are Transfers.

// counted reports whether a call takes a count for each process.
func counted(c engine.Call) bool {
	row := c.Procedure()
	return row.Param("recvcounts") != nil || row.Param("sendcounts") != nil
}

// bufferRows are the methods of communicators that send and receive arrays.
var bufferRows = map[string]any{
	"Send Ssend Bsend Rsend Isend Issend Ibsend Irsend Send_init Ssend_init Bsend_init Rsend_init": moveBuffers,
	"Recv Irecv Recv_init Sendrecv": moveBuffers,
}

// collectMethods makes the methods for collective calls that move arrays, of all processes or of neighbors. A row of
// the section arrays stands for all forms of its call. In mpi4py, a call has C's name without "MPI_".
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

// named returns the argument of that name; nil when the function has no such parameter.
func (c *call) named(name string) starlark.Value {
	for i, p := range c.fn.params {
		if p.name == name {
			return c.args[i]
		}
	}
	return nil
}

// transfer carries out a Transfer of the call.
func (c *call) transfer(t Transfer) (starlark.Value, error) {
	t.Call = c.fn.call
	return t.make(c.r, c.self.(*Comm))
}

// whole reads argument i as an array. Only a message from or to PROC_NULL needs none.
func (c *call) whole(i, peer int) (*Buffer, error) {
	m, err := c.message(i)
	if err == nil && m.buffer == nil {
		if peer == engine.ProcNull {
			return NewBuffer(Float64, 0), nil
		}
		return nil, c.wrong(i, "an array")
	}
	if err != nil {
		return nil, err
	}
	return m.Whole(-1)
}

// moveBuffers makes a call that sends an array, receives one, or both.
func moveBuffers(c *call) (starlark.Value, error) {
	t := Transfer{Status: c.named("status")}
	for i, p := range c.fn.params {
		var err error
		switch p.name {
		case "dest":
			t.Send, t.Peer, t.Tag, err = c.oneSide(i - 1)
		case "source":
			t.Recv, t.Root, t.RecvTag, err = c.oneSide(i - 1)
		}
		if err != nil {
			return nil, err
		}
	}
	return c.transfer(t)
}

// oneSide reads an array, the rank that it goes to or comes from, and the tag, from argument i on.
func (c *call) oneSide(i int) (b *Buffer, peer, tag int, err error) {
	if err = c.read(i+1, &peer, &tag); err == nil {
		b, err = c.whole(i, peer)
	}
	return b, peer, tag, err
}

// collectBuffers makes a collective call that moves arrays.
func collectBuffers(c *call) (starlark.Value, error) {
	_, root, err := c.opAndRoot()
	if err != nil {
		return nil, err
	}
	t := Transfer{Call: c.fn.call, Op: c.named("op"), Root: root}
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

// scattered returns how many elements of a reduction each process gets: as recvcounts says, else equally many.
func (c *call) scattered(send, recv message) (counts []int, err error) {
	if send.inPlace {
		send.buffer = recv.buffer
	}
	if v := c.named("recvcounts"); v != nil && v != starlark.None {
		if err := send.numbers(v); err != nil {
			return nil, err
		}
	}
	if send.given {
		send.buffer, _ = send.Whole(-1)
		send.given = false
	}
	parts, err := send.Cut(c.on().Size())
	for _, b := range parts {
		counts = append(counts, b.Count())
	}
	return counts, err
}

// Datatype is a basic datatype of MPI, as programs name it beside a buffer: [data, MPI.INT].
type Datatype struct {
	plainValue
	name string
	elem Elem
}

// datatypes are the names of MPI's datatypes for the types that buffers have.
var datatypes = func() (list []Datatype) {
	for e, t := range elemTypes {
		for name := range strings.FieldsSeq(t.datatypes) {
			list = append(list, Datatype{name: name, elem: Elem(e)})
		}
	}
	return list
}()

func (d *Datatype) String() string { return "<Datatype MPI_" + d.name + ">" }
func (d *Datatype) Type() string   { return "Datatype" }

// CompareSameType compares handles.
func (d *Datatype) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return sameHandle(op, d.name == other.(*Datatype).name, "datatypes")
}

// fields are the attributes of the datatype.
func (d *Datatype) fields() map[string]starlark.Value {
	size, name := starlark.MakeInt(d.elem.Bytes()), starlark.String("MPI_"+d.name)
	return map[string]starlark.Value{"size": size, "extent": size, "name": name,
		"Get_size": pythonFunction("Get_size", "", always(size)), "Get_name": pythonFunction("Get_name", "", always(name))}
}

// AttrNames implements starlark.HasAttrs.
func (d *Datatype) AttrNames() []string { return slices.Sorted(maps.Keys(d.fields())) }

// Attr implements starlark.HasAttrs.
func (d *Datatype) Attr(name string) (starlark.Value, error) { return d.fields()[name], nil }

// inPlace is MPI.IN_PLACE.
type inPlace struct{ starlark.NoneType }

func (inPlace) String() string { return "<MPI_IN_PLACE>" }

// message is an argument that names a buffer: the array, how it is cut for the processes, and the type.
type message struct {
	buffer         *Buffer
	counts, displs []int // of the calls that cut it unevenly; nil: evenly
	count          int   // elements that go to or come from one process, where the program gives a number
	given          bool  // it gives one
	inPlace        bool
}

// message reads argument i: an array, or a list of an array and its count, displacements and datatype.
func (c *call) message(i int) (m message, err error) {
	switch v := c.args[i].(type) {
	case starlark.NoneType:
		return m, nil
	case inPlace:
		m.inPlace = true
		return m, nil
	case *Buffer:
		err = m.take(v)
	case *starlark.List, starlark.Tuple:
		err = m.read(v.(starlark.Indexable))
	default:
		return m, c.wrong(i, "an array of numpy, or [array, MPI.INT]; the call of the same name in small letters takes any object")
	}
	if err != nil {
		return m, c.argumentError(i, err, false)
	}
	return m, nil
}

// take takes an array, whose elements travel in the order in which they stand.
func (m *message) take(b *Buffer) error {
	if !b.packed() {
		b = b.transposed() // of Fortran's order
	}
	if !b.packed() {
		return errors.New("is an array whose elements are not contiguous: pass a copy, as in a[:, 1].copy()")
	}
	m.buffer = b.flat()
	return nil
}

func (m *message) read(list starlark.Indexable) error {
	for k := range list.Len() {
		if err := m.part(k, list.Index(k)); err != nil {
			return err
		}
	}
	return nil
}

// part reads element k of the list that names a buffer.
func (m *message) part(k int, v starlark.Value) error {
	switch v := v.(type) {
	case *Buffer:
		if k == 0 {
			return m.take(v)
		}
		return m.numbers(v)
	case *Datatype:
		if b := m.buffer; b != nil && (b.elem.Bytes() != v.elem.Bytes() || b.elem.IsFloat() != v.elem.IsFloat()) {
			return fmt.Errorf("is an array of %s, which does not match MPI_%s", b.elem, v.name)
		}
		return nil
	case starlark.Int:
		n, err := asInt(v)
		if err != nil || m.buffer == nil || n < 0 || n > m.buffer.Count() {
			return fmt.Errorf("has the count %s, which is more than the size of the array", v)
		}
		m.count, m.given = n, true
		return nil
	case starlark.Tuple:
		if v.Len() == 2 && starlark.Len(v[0]) >= 0 {
			return cmp.Or(m.numbers(v[0]), m.numbers(v[1]))
		}
		return m.numbers(v)
	case starlark.NoneType, starlark.Iterable:
		return m.numbers(v)
	}
	return fmt.Errorf("holds %s, which is not an array, count, displacements or datatype", describe(v))
}

// numbers reads counts, or, if these are read already, displacements; None stands for neither.
func (m *message) numbers(v starlark.Value) error {
	seq, ok := v.(starlark.Iterable)
	switch {
	case v == starlark.None:
		return nil
	case !ok:
		return fmt.Errorf("has %s where counts or displacements are expected", describe(v))
	}
	list := []int{}
	for e := range starlark.Elements(seq) {
		n, err := asInt(e)
		if err != nil {
			return fmt.Errorf("has a count that %w", err)
		}
		list = append(list, n)
	}
	if m.counts == nil {
		m.counts = list
	} else {
		m.displs = list
	}
	return nil
}

// InPlace implements Side.
func (m message) InPlace() bool { return m.inPlace }

// Whole implements Side.
func (m message) Whole(int) (*Buffer, error) {
	if m.given {
		return m.buffer.strided(0, m.count, 1), nil
	}
	return m.buffer, nil
}

// Counts implements Side.
func (m message) Counts(int) ([]int, error) { return m.counts, nil }

// Cut implements Side.
func (m message) Cut(n int) ([]*Buffer, error) {
	if m.buffer == nil {
		return nil, nil
	}
	all := m.buffer.Count()
	if m.counts == nil {
		each := all / n
		switch {
		case m.given:
			each = m.count
		case all%n != 0:
			return nil, fmt.Errorf("the array has %d elements, which cannot be divided evenly among %d processes", all, n)
		}
		m.counts = slices.Repeat([]int{each}, n)
	}
	if len(m.counts) != n || m.displs != nil && len(m.displs) != n {
		return nil, fmt.Errorf("one count and displacement for each of the %d processes is needed", n)
	}
	parts := make([]*Buffer, n)
	at := 0
	for i, k := range m.counts {
		if m.displs != nil {
			at = m.displs[i]
		}
		if at < 0 || k < 0 || at+k > all {
			return nil, fmt.Errorf("elements %d to %d, for process %d, are not in the array of %d", at, at+k-1, i, all)
		}
		parts[i] = m.buffer.strided(at, k, 1)
		at += k
	}
	return parts, nil
}

package program

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// A Transfer is a call that moves the elements of buffers, as C and numpy pass them: what the process sends, and what gets
// what arrives. Calls of MPI that move objects are methods of communicators; those that move buffers are Transfers.
type Transfer struct {
	Call       engine.Call
	Comm       starlark.Value
	Send, Recv *Buffer   // nil: the process passes none
	Sends      []*Buffer // one for each process that gets data, in place of Send
	Recvs      []*Buffer // one for each process that gives data, in place of Recv
	Peer, Tag  int       // whom it is sent to
	Root       int       // of a collective call; whom a message comes from
	RecvTag    int
	Op         starlark.Value
	Status     starlark.Value // nil or None: none
	Message    starlark.Value // of MPI_Mrecv and MPI_Imrecv

	First, Part int // of a reduction whose result is scattered: the elements that the process gets

	InPlace bool // what is sent lies where what arrives goes

	begun  uint64 // what the buffers of a nonblocking call held when it began
	active bool   // it has begun, and is not complete
}

// Run makes the call. A nonblocking call returns its request.
func (t *Transfer) Run(r *Rank) (starlark.Value, error) {
	r.locate()
	defer r.endTurn()
	c, ok := t.Comm.(*Comm)
	if !ok && t.Message == nil {
		return nil, r.callFailed(fmt.Errorf("%s: comm must be a communicator, not %s", t.Call, describe(t.Comm)))
	}
	if ok {
		if err := c.staleIn(t.Call); err != nil {
			return nil, r.callFailed(r.raise(err))
		}
	}
	v, err := t.make(r, c)
	return v, r.callFailed(r.raise(err))
}

func (t *Transfer) make(r *Rank, on *Comm) (starlark.Value, error) {
	if on == nil {
		return t.message(r)
	}
	c := on.c
	if err := t.disjoint(c); err != nil {
		return nil, err
	}
	switch t.Call {
	case engine.CallSend, engine.CallSsend, engine.CallBsend, engine.CallRsend:
		return nothing(c.SendAs(t.Call, t.Send.Copy(), t.Peer, t.Tag))
	case engine.CallIsend, engine.CallIssend, engine.CallIbsend, engine.CallIrsend:
		return t.started(r)(c.IsendAs(t.Call, t.Send.Copy(), t.Peer, t.Tag))
	case engine.CallSendrecv: // sends are eager, so the receive that follows cannot block the partner
		sent, err := c.IsendAs(t.Call, t.Send.Copy(), t.Peer, t.Tag)
		if err != nil {
			return nil, err
		}
		e, err := c.RecvAs(t.Call, t.Root, t.RecvTag)
		if err := t.arrived(e, err); err != nil {
			return nil, err
		}
		_, err = sent.Wait()
		return starlark.None, err
	case engine.CallRecv:
		e, err := c.Recv(t.Root, t.RecvTag)
		return starlark.None, t.arrived(e, err)
	case engine.CallIrecv:
		return t.started(r)(c.Irecv(t.Root, t.RecvTag))
	case engine.CallSendInit, engine.CallSsendInit, engine.CallBsendInit, engine.CallRsendInit:
		return t.started(r)(c.SendInit(t.Call, t.sent, t.Peer, t.Tag))
	case engine.CallRecvInit:
		return t.started(r)(c.RecvInit(t.Root, t.RecvTag))
	}
	return t.collective(r, c)
}

// Side is what a program passes to a collective call in one direction: an array, or a part of one for each process.
type Side interface {
	InPlace() bool                // MPI_IN_PLACE
	Whole(n int) (*Buffer, error) // n elements, or as many as the program says where n is negative; nil: it passes none
	Counts(n int) ([]int, error)  // how many elements each of n processes has
	Cut(n int) ([]*Buffer, error) // the parts of n processes; nil: it passes none
}

// Collect makes a collective call with what the program sends and receives.
func (t *Transfer) Collect(r *Rank, send, recv Side) (starlark.Value, error) {
	if c, ok := CommOf(t.Comm); ok && c.Check(t.Call) == nil {
		if err := t.fill(c, send, recv); err != nil {
			return nil, r.callFailed(err)
		}
	}
	return t.Run(r)
}

// fill sets the buffers of the Transfer, as its call moves them between the processes of a communicator.
func (t *Transfer) fill(c *engine.Comm, send, recv Side) (err error) {
	n := c.Size()
	if c.Kind() == engine.Inter {
		if n, err = c.RemoteSize(); err != nil {
			return err
		}
	}
	in, out := n, n // how many processes it gets data of, and gives data to
	if t.Call.Neighborly() {
		if in, out, err = c.Degrees(t.Call); err != nil {
			return err
		}
	}
	t.InPlace = send.InPlace() || recv.InPlace()
	plain := t.Call.Plain()
	gets, gives := true, true // whether the process has an array for all, and one of its own
	if t.Call.Procedure().Param("root") != nil {
		gets = isRoot(c, t.Root)
		gives = t.Root != engine.ProcNull && (t.Root != engine.Root || plain == engine.CallBcast || plain == engine.CallScatter)
	}
	switch plain {
	case engine.CallBcast:
		if t.Recv, err = recv.Whole(-1); gets {
			t.Send = t.Recv
		}
		return needed(t.Recv != nil, err, "the buffer is missing")
	case engine.CallScatter:
		if gets {
			t.Sends, err = send.Cut(n)
			if err := needed(t.Sends != nil, err, "the root must pass the array to scatter"); err != nil {
				return err
			}
		}
		switch {
		case t.Root == engine.Root || !gives:
		case recv.InPlace() && gets:
			t.Recv = t.Sends[c.Rank()]
		default:
			t.Recv, err = recv.Whole(-1)
		}
		return err
	case engine.CallAlltoall, engine.CallNeighborAlltoall:
		if send.InPlace() {
			send = recv
		}
		if t.Sends, err = send.Cut(out); err == nil {
			t.Recvs, err = recv.Cut(in)
		}
		return needed(t.Sends != nil, err, "the send buffer is missing")
	case engine.CallGather, engine.CallAllgather, engine.CallNeighborAllgather:
		if gets {
			t.Recvs, err = recv.Cut(in)
		}
		return t.fillSend(c.Rank(), send, recv, -1, gets, gives, err)
	}
	return t.fillReduction(c.Rank(), n, send, recv, gets, gives)
}

// needed returns err, or an error about something that the process has to pass and that is not there.
func needed(there bool, err error, missing string) error {
	if err == nil && !there {
		return errors.New(missing)
	}
	return err
}

// fillReduction does as fill for a call that combines what n processes send. me is the rank of the process.
func (t *Transfer) fillReduction(me, n int, send, recv Side, gets, gives bool) error {
	all, own := -1, -1 // elements that are combined, and that the process gets
	if plain := t.Call.Plain(); plain == engine.CallReduceScatter || plain == engine.CallReduceScatterBlock {
		counts, err := recv.Counts(n)
		if err != nil {
			return err
		}
		all = 0
		for i, k := range counts {
			if i == me {
				own, t.First, t.Part = k, all, k
			}
			all += k
		}
	}
	var err error
	if gets {
		t.Recv, err = recv.Whole(own)
	}
	return t.fillSend(me, send, recv, all, gets, gives, err)
}

// fillSend sets what the process sends, so many elements, in a Transfer that has its receiving side. err is the error
// of that side.
func (t *Transfer) fillSend(me int, send, recv Side, elements int, gets, gives bool, err error) error {
	switch {
	case err != nil:
		return err
	case !gives:
		t.Send = NewBuffer(Float64, 0)
	case !send.InPlace() || !gets:
		t.Send, err = send.Whole(elements)
	case t.Recvs != nil:
		t.Send = t.Recvs[me]
	default:
		t.Send, err = recv.Whole(elements)
	}
	return needed(t.Send != nil, err, "the send buffer is missing")
}

// isRoot reports whether a process is the root of a call. What other processes pass to the call does not travel.
func isRoot(c *engine.Comm, root int) bool {
	if c.Info() == nil || c.Pending() {
		return false
	}
	if c.Kind() == engine.Inter {
		return root == engine.Root
	}
	return c.Rank() == root
}

// message receives a message that a probe has matched.
func (t *Transfer) message(r *Rank) (starlark.Value, error) {
	m, ok := t.Message.(*Message)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s: message must be a message, not %s", t.Call, describe(t.Message))
	case m.m.IsNoProc():
		m.gone()
		return starlark.None, t.arrived(engine.Envelope{Source: engine.ProcNull, Tag: engine.AnyTag}, nil)
	case t.Call == engine.CallImrecv:
		return t.started(r)(m.take().Irecv())
	}
	e, err := m.take().Recv()
	return starlark.None, t.arrived(e, err)
}

// started makes the handle of a request, whose completion fills the buffers that receive.
func (t *Transfer) started(r *Rank) func(*engine.Request, error) (starlark.Value, error) {
	return func(req *engine.Request, err error) (starlark.Value, error) {
		if err != nil {
			return nil, err
		}
		v := r.newRequest(req)
		v.transfer = t
		if !req.Persistent() {
			t.begin()
		}
		return v, nil
	}
}

// begin notes what the buffers hold when the operation begins.
func (t *Transfer) begin() { t.begun, t.active = t.held(), true }

// held returns a checksum of the elements of all buffers of the call, which tells whether the program has changed them.
func (t *Transfer) held() uint64 {
	sum := uint64(0)
	for _, list := range [][]*Buffer{{t.Send, t.Recv}, t.Sends, t.Recvs} {
		for _, b := range list {
			if b == nil {
				continue
			}
			for i := range b.Count() {
				sum = (sum ^ b.cells[b.at(i)]) * 0x9e3779b97f4a7c15
				sum ^= sum >> 29
			}
		}
	}
	return sum
}

// disjoint returns an error when memory that the call writes is also memory that it reads.
func (t *Transfer) disjoint(c *engine.Comm) error {
	plain, hint := t.Call.Plain(), ", or one to MPI_Sendrecv_replace"
	if plain.Collective() {
		hint = ", or MPI_IN_PLACE"
	}
	toRoot := plain == engine.CallGather || plain == engine.CallReduce
	if t.InPlace || plain == engine.CallBcast || toRoot && c.Kind() == engine.Intra && c.Rank() != t.Root {
		return nil
	}
	for _, to := range append(t.Recvs, t.Recv) {
		for _, from := range append(t.Sends, t.Send) {
			if from.overlaps(to) {
				return engine.MistakeBuffersOverlap.In(t.Call, hint)
			}
		}
	}
	return nil
}

// overlaps reports whether two buffers have cells in common.
func (b *Buffer) overlaps(c *Buffer) bool {
	if b == nil || c == nil || b.Count() == 0 || c.Count() == 0 || &b.cells[0] != &c.cells[0] {
		return false
	}
	if !b.packed() || !c.packed() {
		taken := map[int]bool{}
		for i := range b.Count() {
			taken[b.at(i)] = true
		}
		for i := range c.Count() {
			if taken[c.at(i)] {
				return true
			}
		}
		return false
	}
	return b.offset <= c.at(c.Count()-1) && c.offset <= b.at(b.Count()-1)
}

// arrived puts a message into the buffer, and its envelope into the status.
func (t *Transfer) arrived(e engine.Envelope, err error) error {
	if err != nil {
		return err
	}
	if s, ok := t.Status.(*Status); ok {
		s.fill(e)
	}
	return t.deliver(e.Value)
}

// deliver puts what arrived into the buffers: an array, or an array of each process.
func (t *Transfer) deliver(v any) error {
	switch v := v.(type) {
	case nil:
		return nil // from MPI_PROC_NULL, or for others
	case *Buffer:
		if p := t.Call.Plain(); t.Part > 0 || p == engine.CallReduceScatter || p == engine.CallReduceScatterBlock {
			v = v.strided(t.First, t.Part, 1)
		}
		return t.receive(t.Recv, v, t.Root)
	case []any:
		for i, x := range v {
			if b, ok := x.(*Buffer); ok && i < len(t.Recvs) {
				if err := t.receive(t.Recvs[i], b, i); err != nil {
					return err
				}
			}
		}
		return nil
	case starlark.Value:
		return fmt.Errorf("%s: the message is the object %s, sent by send: receive it with recv", t.Call, describe(v))
	}
	return nil
}

// receive puts what arrived into a buffer. In a collective call it must fill the buffer: a process passes as many
// elements for another process as that process expects (§6.2.2).
func (t *Transfer) receive(to, from *Buffer, rank int) error {
	if n := from.Count(); to != nil && t.Call.Plain().Collective() && n < to.Count() {
		return t.wrong(engine.ErrCount, t.Call.Rule(), "%s %d sends %s, but the receive buffer has room for %d: both counts must be equal",
			map[bool]string{false: "rank", true: "source"}[t.Call.Neighborly()], rank, spell.Plural(n, "element"), to.Count())
	}
	return t.take(to, from)
}

// wrong makes an error about the data of the call.
func (t *Transfer) wrong(class engine.Class, rule, format string, args ...any) error {
	e := &engine.Error{Class: class, Call: t.Call, Comm: -1, Rule: rule, Text: fmt.Sprintf(format, args...)}
	if c, ok := CommOf(t.Comm); ok {
		e.Comm = c.ID()
	}
	return e
}

// apart returns an error when parts of an array overlap: a call must not write an element more than once, and a scatter
// must not read it more than once (§6.5, §6.6).
func (t *Transfer) apart(parts []*Buffer, what string) error {
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	order = slices.DeleteFunc(order, func(i int) bool { return parts[i].Count() == 0 })
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(parts[i].at(0), parts[j].at(0)) })
	for k := 1; k < len(order); k++ {
		i, j := order[k-1], order[k]
		if parts[i].overlaps(parts[j]) {
			return t.wrong(engine.ErrArg, t.Call.Rule(),
				"the parts of ranks %d and %d overlap: counts and displacements must not make the call %s an element of the buffer twice",
				min(i, j), max(i, j), what)
		}
	}
	return nil
}

// take copies what arrived to the beginning of a buffer.
func (t *Transfer) take(b, from *Buffer) error {
	n := from.Count()
	switch {
	case b == nil && n > 0:
		return fmt.Errorf("%s: the receive buffer is missing", t.Call)
	case n == 0:
		return nil
	case n > b.Count():
		return t.wrong(engine.ErrTruncate, t.Call.Rule(), "the message has %d elements, but the receive buffer has room for %d", n, b.Count())
	}
	for i := range n {
		if to, of := b.elemAt(i), from.elemAt(i); of.Bytes() != to.Bytes() || of.IsFloat() != to.IsFloat() {
			return t.wrong(engine.ErrType, "MPI-5.0 §3.3.1", "the data is received as MPI_%s, but was sent as MPI_%s: the types must match", to.Datatype(), of.Datatype())
		}
		if b.elems == nil && from.elems == nil {
			break
		}
	}
	for i, c := range from.elements() {
		b.cells[b.at(i)] = c
	}
	return nil
}

// collective makes a collective call.
func (t *Transfer) collective(r *Rank, c *engine.Comm) (starlark.Value, error) {
	d := engine.Data{Root: t.Root}
	if o, ok := t.Op.(*Op); ok && t.Call.Procedure().Param("op") != nil {
		if o.null() {
			return nil, engine.MistakeOpNull.In(t.Call)
		}
		d.Op = &o.op
	}
	if err := t.apart(t.Recvs, "write"); err != nil {
		return nil, err
	}
	value := t.sent
	switch t.Call.Plain() {
	case engine.CallScatter, engine.CallAlltoall, engine.CallNeighborAlltoall:
		if t.Call.Plain() == engine.CallScatter {
			if err := t.apart(t.Sends, "read"); err != nil {
				return nil, err
			}
		}
		value = func() any { return t.parts() }
	}
	if t.Call.Starts() != engine.CallNone {
		return t.started(r)(c.Init(t.Call, d, value))
	}
	if d.Value = value(); t.Call.Nonblocking() {
		return t.started(r)(c.Start(t.Call, d))
	}
	v, err := c.Collect(t.Call, d)
	if err != nil {
		return nil, err
	}
	return starlark.None, t.deliver(v)
}

// sent copies what the process sends.
func (t *Transfer) sent() any {
	if t.Send == nil {
		return nil
	}
	return t.Send.Copy()
}

func (t *Transfer) parts() []any {
	if t.Sends == nil {
		return nil
	}
	list := make([]any, len(t.Sends))
	for i, b := range t.Sends {
		list[i] = b.Copy()
	}
	return list
}

// The interface of a rank for programs of other languages than Starlark: package machine runs C and Fortran through
// it.

// Native makes code that calls run on each rank. assigns are the session's variables that run gives values.
func Native(run func(*Rank) error, assigns []string) *Code {
	c := &Code{native: func(r *Rank) error {
		defer r.endTurn() // the ranks that still compute need it
		return run(r)
	}}
	for _, name := range assigns {
		c.Assigns = append(c.Assigns, Assigned{Name: name})
	}
	return c
}

// Constant returns the value of MPI.name, if it is the same on all ranks; ok is false for other names.
func Constant(name string) (v starlark.Value, ok bool) {
	a := mpi.attrs[name]
	if a == nil || a.value == nil {
		return nil, false
	}
	return a.value, true
}

// Has reports whether MPI has a name that is not a class.
func Has(name string) bool { return mpi.attrs[name] != nil && mpi.attrs[name].inside == nil }

// MPI returns the value of MPI.name on this rank.
func (r *Rank) MPI(name string) (starlark.Value, error) {
	v, err := (&module{r: r, class: mpi, name: "MPI"}).Attr(name)
	return v, r.callFailed(err)
}

// Call calls a method of a value, or a function of MPI if of is nil.
func (r *Rank) Call(of starlark.Value, name string, args ...starlark.Value) (starlark.Value, error) {
	if of == nil {
		of = &module{r: r, class: mpi, name: "MPI"}
	}
	defer r.endTurn()
	v, err := r.attr(of, name)
	if f, ok := v.(*function); ok && err == nil {
		v, err = f.CallInternal(nil, args, nil)
	}
	return v, r.callFailed(err)
}

// NewOp makes an operation of the program: combine combines the cells of two buffers, and writes the result into the second
// ones. It may run on the goroutine of any rank.
func NewOp(name string, combine func(in, inout []uint64) error) *Op {
	return &Op{op: engine.Op{Name: name, Combine: func(a, b any) (any, error) {
		x, ok := a.(*Buffer)
		y, too := b.(*Buffer)
		if !ok || !too || x.Count() != y.Count() || x.elem != y.elem || !slices.Equal(x.elems, y.elems) {
			return nil, errors.New("two processes passed different numbers or types of elements")
		}
		y = y.Copy()
		return y, combine(x.elements(), y.cells)
	}}}
}

// NotCopied returns what a function that copies an attribute returns where the new communicator gets none.
func NotCopied() starlark.Value { return notImplemented }

// Say prints a line.
func (r *Rank) Say(line string) {
	r.P.Print(line)
	r.keepPace()
}

// Turn lets other ranks compute. n counts the calls of Turn.
func (r *Rank) Turn(n int) error {
	r.endLap(n)
	r.nextTurn()
	if r.stopped.Load() {
		return errStopped
	}
	return nil
}

// Over makes a buffer of elements that lie in cells: integers with their sign extended, or the bits of a float64.
func Over(e Elem, cells []uint64) *Buffer {
	return &Buffer{elem: e, cells: cells, shape: []int{len(cells)}, stride: []int{1}}
}

// Placed makes a buffer of some of such cells, each with its type. bytes is the size of the buffer with what lies between
// its elements; 0: nothing counts there.
func Placed(cells []uint64, places []int, elems []Elem, bytes int) *Buffer {
	b := &Buffer{cells: cells, shape: []int{len(places)}, stride: []int{1}, places: places, bytes: bytes}
	if len(elems) > 0 {
		b.elem = elems[0]
	}
	if slices.ContainsFunc(elems, func(e Elem) bool { return e != b.elem }) {
		b.elems = elems
	}
	return b
}

// Opened notes that the rank made an object that the program should free, or that it has freed one.
func (r *Rank) Opened(kind string, freed *Open) *Open {
	if freed != nil {
		freed.closed()
		return nil
	}
	return r.opened(kind)
}

// Count returns the number of elements of the message that filled the status, and the size of an element in bytes. The
// number is -1 for an object.
func (v *Status) Count() (n, bytes int) { return v.count, v.bytes }

// Number writes an integer or a float as a conversion of C's printf does. A precision of -1 stands for none.
func Number(flags string, width, precision int, verb byte, n int64, x float64) string {
	s := spec{fill: ' ', sign: '-', width: width, precision: precision, verb: verb}
	for _, c := range []byte(flags) {
		s.flag(c)
	}
	s.zero = s.zero && s.align != '<'
	if strings.IndexByte("fFeEgG", verb) >= 0 {
		s.zero = s.zero && !math.IsInf(x, 0) && !math.IsNaN(x)
		text, _ := s.float(x) //nolint:errcheck // the conversion is a float's
		return text
	}
	value := big.NewInt(n)
	if verb != 'd' && verb != 'i' {
		value.SetUint64(uint64(n))
		s.sign = '-'
	}
	s.zero = s.zero && precision < 0
	if s.alternate && verb == 'o' { // C writes 017, Python 0o17
		s.precision = max(precision, len(strings.TrimLeft(value.Text(8), "0"))+1)
	}
	s.alternate = s.alternate && n != 0 && verb != 'o'
	if n == 0 && s.precision == 0 { // C writes no digit
		return s.pad(s.signOf(false), "", '>')
	}
	text, _ := s.integer(value) //nolint:errcheck // the conversion is an integer's
	return text
}

// Copy makes what an assignment of C makes of a handle: a second handle of the object, which is stale when the object
// is freed through the first one. Of a status it makes another status.
func (r *Rank) Copy(of starlark.Value) starlark.Value {
	switch v := of.(type) {
	case *Status:
		c := *v
		return &c
	case *Comm:
		if v.c.IsNull() || isPredefined(v) {
			return v
		}
		r.wary = true
		return r.second(v)
	case *Group, *Request:
		r.wary = true
		return r.own(v)
	}
	return of
}

// Ends returns the code of an MPI error that the error handler leaves to the program: MPI_ERRORS_RETURN.
func Ends(err error) (code engine.Class, returned bool) {
	e, ok := err.(*engine.Error)
	if !ok || e.Fatal {
		return 0, false
	}
	return e.Class, true
}

package program

import (
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

// incoming reads the arguments buf, source and tag of a receive, and a status behind them, from argument i on.
func (c *call) incoming(i int) (source, tag int, status *Status, err error) {
	if err := c.noBuffer(i); err != nil {
		return 0, 0, nil, err
	}
	into := []any{&source, &tag, &status}
	err = c.read(i+1, into[:min(len(into), len(c.fn.params)-i-1)]...)
	return source, tag, status, err
}

// outgoing reads the arguments obj, dest and tag of a send.
func (c *call) outgoing() (v any, dest, tag int, err error) {
	err = c.read(0, &v, &dest, &tag)
	return v, dest, tag, err
}

// commSend sends in the mode of its name; a nonblocking send returns a request.
func commSend(c *call) (starlark.Value, error) {
	v, dest, tag, err := c.outgoing()
	switch {
	case err != nil:
		return nil, err
	case c.fn.call.Procedure().Gives("MPI_Request") != nil:
		req, err := c.on().IsendAs(c.fn.call, v, dest, tag)
		return ended(c, req, err)
	}
	return nothing(c.on().SendAs(c.fn.call, v, dest, tag))
}

func commRecv(c *call) (starlark.Value, error) {
	source, tag, status, err := c.incoming(0)
	if err != nil {
		return nil, err
	}
	return c.receive(source, tag, status)
}

// receive waits for a message and fills in its status.
func (c *call) receive(source, tag int, status *Status) (starlark.Value, error) {
	e, err := c.on().RecvAs(c.fn.call, source, tag)
	if err != nil {
		return nil, err
	}
	status.fill(e)
	return unpack(e.Value), nil
}

func commIrecv(c *call) (starlark.Value, error) {
	source, tag, _, err := c.incoming(0)
	if err != nil {
		return nil, err
	}
	req, err := c.on().Irecv(source, tag)
	return ended(c, req, err)
}

// commSendrecv starts its send before it receives, so that it cannot block the partner.
func commSendrecv(c *call) (starlark.Value, error) {
	v, dest, tag, err := c.outgoing()
	if err != nil {
		return nil, err
	}
	source, recvtag, status, err := c.incoming(3)
	if err != nil {
		return nil, err
	}
	sent, err := c.on().IsendAs(engine.CallSendrecv, v, dest, tag)
	if err != nil {
		return nil, err
	}
	got, err := c.receive(source, recvtag, status)
	if err != nil {
		return nil, err
	}
	_, err = sent.Wait()
	return got, err
}

// probe waits for a message, and fills in its status.
func probe(c *engine.Comm, source, tag int, status *Status) (bool, error) {
	e, err := c.Probe(source, tag)
	if err == nil {
		status.fill(e)
	}
	return true, err
}

func iprobe(c *engine.Comm, source, tag int, status *Status) (bool, error) {
	e, there, err := c.Iprobe(source, tag)
	if there {
		status.fill(e)
	}
	return there, err
}

// received makes the result of a call that returns one value or a list; nil becomes None.
func received(v any, err error) (starlark.Value, error) {
	list, isList := v.([]any)
	switch {
	case err != nil:
		return nil, err
	case !isList:
		return unpack(v), nil
	case list == nil:
		return starlark.None, nil
	}
	return unpackAll(list), nil
}

// commCollect makes a collective call that moves objects; its row in the table of calls says which
// arguments it has.
func commCollect(c *call) (starlark.Value, error) {
	d, err := c.data()
	if err != nil {
		return nil, err
	}
	return received(c.on().Collect(c.fn.call, d))
}

// data reads the arguments of a collective call: a value, or a list with one value for each process; the operation; the
// root. What processes other than the root pass to a broadcast or a scatter does not travel.
func (c *call) data() (d engine.Data, err error) {
	base := c.fn.call.Plain()
	fromRoot := base == engine.CallBcast || base == engine.CallScatter
	if !fromRoot && base != engine.CallAlltoall {
		if d.Value, err = c.packed(0); err != nil {
			return d, err
		}
	}
	if d.Op, d.Root, err = c.opAndRoot(); err != nil {
		return d, err
	}
	switch {
	case fromRoot && !isRoot(c.on(), d.Root):
		d.Value = []any(nil)
		if base == engine.CallBcast {
			d.Value = nil
		}
	case base == engine.CallBcast:
		d.Value, err = c.packed(0)
	case base == engine.CallScatter, base == engine.CallAlltoall:
		var list []any
		err = c.read(0, &list)
		d.Value = list
	}
	return d, err
}

// opAndRoot reads the operation and the root of a collective call; nil and 0 where the call has none.
func (c *call) opAndRoot() (op *engine.Op, root int, err error) {
	for i, p := range c.fn.params {
		switch p.name {
		case "op":
			op, err = c.op(i)
		case "root":
			root, err = c.int(i)
		}
		if err != nil {
			return nil, 0, err
		}
	}
	return op, root, nil
}

// Op is a reduction operation as programs see it.
type Op struct {
	plainValue
	op engine.Op // without a function: OP_NULL
}

var opClass = newClass("Op", isA[*Op], rows("Op", map[string]any{
	"is_commutative is_predefined": getter(opIs),
	"Free":                         opFree,
	"free":                         freeing(opFree),
}))

func (v *Op) String() string {
	if v.null() {
		return "<Op MPI_OP_NULL>"
	}
	return "<Op " + v.op.Name + ">"
}

func (v *Op) null() bool           { return v.op.Combine == nil }
func (v *Op) Type() string         { return "Op" }
func (v *Op) Truth() starlark.Bool { return starlark.Bool(!v.null()) }

func (v *Op) Attr(name string) (starlark.Value, error) { return opClass.attr(nil, v, name) }
func (v *Op) AttrNames() []string                      { return opClass.names }

// CompareSameType compares handles.
func (v *Op) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return sameHandle(op, v.op.Name == other.(*Op).op.Name, "operations")
}

// Name implements starlark.Callable.
func (v *Op) Name() string { return v.op.Name }

// CallInternal combines two values, as in mpi4py: MPI.SUM(1, 2).
func (v *Op) CallInternal(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 2 || len(kwargs) > 0 || v.null() {
		return nil, fmt.Errorf("%s takes the two values that it combines", v)
	}
	c, err := v.op.Combine(args[0], args[1])
	if err != nil {
		return nil, err
	}
	return c.(starlark.Value), nil
}

// opIs returns True for all predefined operations (§6.9.2).
func opIs(_ *Rank, v starlark.Value) (starlark.Value, error) { return v.Truth(), nil }

func opFree(c *call) (starlark.Value, error) {
	v := c.self.(*Op)
	if v.null() {
		return nil, engine.MistakeOpNull.In(engine.CallOpFree)
	}
	return nil, engine.MistakeOpPredefined.In(engine.CallOpFree, v.op.Name)
}

// operation is a predefined operation: on objects as mpi4py computes it, and on elements of buffers.
type operation struct {
	name    string
	objects combination
	whole   func(a, b int64) int64     // nil: of pairs
	float   func(a, b float64) float64 // nil: not for floats
}

// ops are the predefined operations.
var ops = []operation{
	{"SUM", arithmetic(syntax.PLUS), wholeOperators[syntax.PLUS], func(a, b float64) float64 { return a + b }},
	{"PROD", arithmetic(syntax.STAR), wholeOperators[syntax.STAR], func(a, b float64) float64 { return a * b }},
	{"MAX", choose(syntax.GE), func(a, b int64) int64 { return max(a, b) }, math.Max},
	{"MIN", choose(syntax.LE), func(a, b int64) int64 { return min(a, b) }, math.Min},
	{"LAND", logical(func(a, b bool) bool { return a && b }), func(a, b int64) int64 { return asWhole(a != 0 && b != 0) }, nil},
	{"LOR", logical(func(a, b bool) bool { return a || b }), func(a, b int64) int64 { return asWhole(a != 0 || b != 0) }, nil},
	{"LXOR", logical(func(a, b bool) bool { return a != b }), func(a, b int64) int64 { return asWhole((a != 0) != (b != 0)) }, nil},
	{"BAND", arithmetic(syntax.AMP), wholeOperators[syntax.AMP], nil},
	{"BOR", arithmetic(syntax.PIPE), wholeOperators[syntax.PIPE], nil},
	{"BXOR", arithmetic(syntax.CIRCUMFLEX), wholeOperators[syntax.CIRCUMFLEX], nil},
	{"MAXLOC", better(syntax.GT), nil, nil},
	{"MINLOC", better(syntax.LT), nil, nil},
}

// newOp makes the operation for the engine. Results are frozen, because the engine shares them between ranks.
func newOp(o *operation) *Op {
	return &Op{op: engine.Op{Name: "MPI_" + o.name, Combine: func(a, b any) (any, error) {
		x, ok := a.(*Buffer)
		if y, too := b.(*Buffer); ok && too {
			return x.combine(o, y)
		}
		v, err := o.objects(a.(starlark.Value), b.(starlark.Value))
		if err != nil {
			return nil, err
		}
		v.Freeze()
		return v, nil
	}}}
}

// combination is an operation of two objects.
type combination = func(a, b starlark.Value) (starlark.Value, error)

// arithmetic applies an operator of Starlark; bools count as 0 and 1, as in Python.
func arithmetic(op syntax.Token) combination {
	return func(a, b starlark.Value) (starlark.Value, error) { return starlark.Binary(op, plain(a), plain(b)) }
}

func logical(f func(a, b bool) bool) combination {
	return func(a, b starlark.Value) (starlark.Value, error) {
		return starlark.Bool(f(bool(a.Truth()), bool(b.Truth()))), nil
	}
}

func plain(v starlark.Value) starlark.Value {
	if b, ok := v.(starlark.Bool); ok {
		return starlark.MakeInt64(asWhole(bool(b)))
	}
	return v
}

// choose takes a when a op b is true, else b.
func choose(op syntax.Token) combination {
	return func(a, b starlark.Value) (starlark.Value, error) {
		first, err := starlark.Compare(op, plain(a), plain(b))
		if err != nil || !first {
			return b, err
		}
		return a, nil
	}
}

// better takes the (value, index) pair with the better value; of equal values, the lower index.
func better(op syntax.Token) combination {
	return func(a, b starlark.Value) (starlark.Value, error) {
		av, ai, err := pairOf(a)
		if err != nil {
			return nil, err
		}
		bv, bi, err := pairOf(b)
		if err != nil {
			return nil, err
		}
		equal, err := starlark.Equal(av, bv)
		if err != nil {
			return nil, err
		}
		if equal {
			index, err := choose(syntax.LE)(ai, bi)
			return starlark.Tuple{av, index}, err
		}
		first, err := starlark.Compare(op, av, bv)
		if err != nil || !first {
			return b, err
		}
		return a, nil
	}
}

func pairOf(v starlark.Value) (value, index starlark.Value, err error) {
	seq, ok := v.(starlark.Indexable)
	if _, isText := v.(starlark.String); !ok || isText || seq.Len() != 2 {
		return nil, nil, fmt.Errorf("a pair (value, index) is needed, not %s", describe(v))
	}
	return plain(seq.Index(0)), plain(seq.Index(1)), nil
}

// combine carries out an operation on two buffers, element by element (§6.9.2).
func (b *Buffer) combine(o *operation, with *Buffer) (*Buffer, error) {
	if b.Count() != with.Count() || b.elem != with.elem || !slices.Equal(b.elems, with.elems) {
		return nil, fmt.Errorf("one process passed %d elements of MPI_%s, but another one %d of MPI_%s",
			b.Count(), b.elem.Datatype(), with.Count(), with.elem.Datatype())
	}
	x, y := b.Copy(), with.elements()
	if o.whole == nil {
		return x, x.betterPairs(o.name == "MAXLOC", y)
	}
	for i, c := range x.cells {
		switch {
		case b.elems != nil:
			return nil, fmt.Errorf("MPI_%s needs numbers of one type, and the datatype is of several", o.name)
		case b.elem.IsFloat() && o.float == nil:
			return nil, fmt.Errorf("MPI_%s needs integers or logical values, but the elements are MPI_%s", o.name, b.elem.Datatype())
		case b.elem.IsFloat():
			x.cells[i] = b.elem.ofFloat(o.float(b.elem.float(c), b.elem.float(y[i])))
		default:
			x.cells[i] = b.elem.ofInt(o.whole(int64(c), int64(y[i])))
		}
	}
	return x, nil
}

// betterPairs keeps the better of two (value, index) pairs, and the lower index of two equal values (§6.9.4).
func (b *Buffer) betterPairs(most bool, with []cell) error {
	if len(with)%2 != 0 {
		return fmt.Errorf("pairs of a value and an index are needed, but the buffer has %d elements", len(with))
	}
	for i := 0; i < len(with); i += 2 {
		v, w := b.elem.float(b.cells[i]), b.elem.float(with[i])
		if v != w && (v < w) == most || v == w && b.elemAt(i+1).float(with[i+1]) < b.elemAt(i+1).float(b.cells[i+1]) {
			copy(b.cells[i:i+2], with[i:i+2])
		}
	}
	return nil
}

func asWhole(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

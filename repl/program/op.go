package program

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

// Op is a reduction operation as programs see it.
type Op struct {
	op engine.Op // without a function: OP_NULL
}

var opClass = newClass("Op", func(v starlark.Value) bool { _, ok := v.(*Op); return ok },
	property("is_commutative", engine.CallNone, "whether the order of two values does not matter: True", opIs).called("Is_commutative"),
	property("is_predefined", engine.CallNone, "whether it is predefined: True", opIs),
	method("Free", "", engine.CallOpFree, "an error: all operations are predefined",
		opFree).free("nothing: all operations are predefined"),
)

func (v *Op) String() string {
	if v.null() {
		return "<Op MPI_OP_NULL>"
	}
	return "<Op " + v.op.Name + ">"
}

func (v *Op) null() bool           { return v.op.Combine == nil }
func (v *Op) Type() string         { return "Op" }
func (v *Op) Freeze()              {}
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
func (v *Op) Hash() (uint32, error) { return starlark.String(v.op.Name).Hash() }

// ops are the predefined operations, as mpi4py computes them on Python objects.
var ops = []struct {
	name    string
	combine func(a, b starlark.Value) (starlark.Value, error)
}{
	{"SUM", func(a, b starlark.Value) (starlark.Value, error) { return arithmetic(syntax.PLUS, a, b) }},
	{"PROD", func(a, b starlark.Value) (starlark.Value, error) { return arithmetic(syntax.STAR, a, b) }},
	{"MAX", func(a, b starlark.Value) (starlark.Value, error) { return choose(syntax.GE, a, b) }},
	{"MIN", func(a, b starlark.Value) (starlark.Value, error) { return choose(syntax.LE, a, b) }},
	{"LAND", func(a, b starlark.Value) (starlark.Value, error) { return a.Truth() && b.Truth(), nil }},
	{"LOR", func(a, b starlark.Value) (starlark.Value, error) { return a.Truth() || b.Truth(), nil }},
	{"LXOR", func(a, b starlark.Value) (starlark.Value, error) { return starlark.Bool(a.Truth() != b.Truth()), nil }},
	{"BAND", func(a, b starlark.Value) (starlark.Value, error) { return arithmetic(syntax.AMP, a, b) }},
	{"BOR", func(a, b starlark.Value) (starlark.Value, error) { return arithmetic(syntax.PIPE, a, b) }},
	{"BXOR", func(a, b starlark.Value) (starlark.Value, error) { return arithmetic(syntax.CIRCUMFLEX, a, b) }},
	{"MAXLOC", func(a, b starlark.Value) (starlark.Value, error) { return better(syntax.GT, a, b) }},
	{"MINLOC", func(a, b starlark.Value) (starlark.Value, error) { return better(syntax.LT, a, b) }},
}

// newOp makes the operation for the engine. Results are frozen, because the engine shares them between ranks.
func newOp(name string, combine func(a, b starlark.Value) (starlark.Value, error)) *Op {
	return &Op{engine.Op{Name: "MPI_" + name, Combine: func(a, b any) (any, error) {
		x, ok := a.(*Buffer)
		if y, too := b.(*Buffer); ok && too {
			return x.combine(name, y)
		}
		v, err := combine(a.(starlark.Value), b.(starlark.Value))
		if err != nil {
			return nil, err
		}
		v.Freeze()
		return v, nil
	}}}
}

// arithmetic applies an operator of Starlark; bools count as 0 and 1, as in Python.
func arithmetic(op syntax.Token, a, b starlark.Value) (starlark.Value, error) {
	return starlark.Binary(op, plain(a), plain(b))
}

func plain(v starlark.Value) starlark.Value {
	if b, ok := v.(starlark.Bool); ok {
		n, _ := asInt(b) // cannot fail on a bool
		return starlark.MakeInt(n)
	}
	return v
}

// choose returns a if a op b is true, else b.
func choose(op syntax.Token, a, b starlark.Value) (starlark.Value, error) {
	first, err := starlark.Compare(op, plain(a), plain(b))
	if err != nil || !first {
		return b, err
	}
	return a, nil
}

// better combines (value, index) pairs: it returns the pair with the better value; for equal values the lower index.
func better(op syntax.Token, a, b starlark.Value) (starlark.Value, error) {
	av, ai, err := pairOf(a)
	if err != nil {
		return nil, err
	}
	bv, bi, err := pairOf(b)
	if err != nil {
		return nil, err
	}
	switch equal, err := starlark.Equal(av, bv); {
	case err != nil:
		return nil, err
	case equal:
		index, err := choose(syntax.LE, ai, bi)
		return starlark.Tuple{av, index}, err
	}
	switch first, err := starlark.Compare(op, av, bv); {
	case err != nil:
		return nil, err
	case first:
		return a, nil
	}
	return b, nil
}

func pairOf(v starlark.Value) (value, index starlark.Value, err error) {
	seq, ok := v.(starlark.Indexable)
	if _, isText := v.(starlark.String); !ok || isText || seq.Len() != 2 {
		return nil, nil, fmt.Errorf("a pair (value, index) is needed, not %s", describe(v))
	}
	return plain(seq.Index(0)), plain(seq.Index(1)), nil
}

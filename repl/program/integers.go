package program

import (
	"math"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Most arguments that differ between ranks are integers computed of rank, size and where the rank runs. These
// expressions are computed here, for all ranks one after the other: to start the interpreter takes fifty times as
// long, and as much memory as a rank needs otherwise. Whatever is not a small integer is left to the interpreter, so
// that there is one meaning of each expression.

// integers is an expression of integers: its steps, in the order in which a stack computes them.
type integers []intStep

type intStep struct {
	op    syntax.Token // INT pushes value, IDENT the value of name, DOT its attribute; NOT changes the sign; LBRACK looks up in table
	value int64
	name  string   // of DOT with its attribute: "here.numa"
	base  string   // of DOT, the name before the attribute
	of    string   // of DOT, the attribute
	table integers // of INT and IDENT
}

// maxIntStack is how many values an expression may have on its stack.
const maxIntStack = 8

// integersOf is the expression as one of integers; nil when it may be something else.
func integersOf(e syntax.Expr) integers {
	var x integers
	if deep, ok := x.add(e); !ok || deep > maxIntStack {
		return nil
	}
	return x
}

// add appends the steps of an expression. It tells how many values they need on the stack, and whether it is an
// expression of integers.
func (x *integers) add(e syntax.Expr) (deep int, ok bool) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return x.add(e.X)
	case *syntax.Ident:
		*x = append(*x, intStep{op: syntax.IDENT, name: e.Name})
		return 1, true
	case *syntax.CallExpr: // which asks for what is an attribute, too
		dot, ok := e.Fn.(*syntax.DotExpr)
		if !ok || len(e.Args) > 0 || dot.Name.Name != "Get_rank" && dot.Name.Name != "Get_size" {
			return 0, false
		}
		deep, ok := x.add(dot)
		if ok {
			(*x)[len(*x)-1].of = dot.Name.Name[len("Get_"):]
		}
		return deep, ok
	case *syntax.Literal:
		n, ok := e.Value.(int64)
		*x = append(*x, intStep{op: syntax.INT, value: n})
		return 1, ok
	case *syntax.DotExpr:
		of, ok := e.X.(*syntax.Ident)
		if !ok {
			return 0, false
		}
		*x = append(*x, intStep{op: syntax.DOT, name: of.Name + "." + e.Name.Name, base: of.Name, of: e.Name.Name})
		return 1, true
	case *syntax.IndexExpr:
		return x.addTable(e)
	case *syntax.UnaryExpr:
		deep, ok := x.add(e.X)
		*x = append(*x, intStep{op: syntax.NOT})
		return deep, ok && e.Op == syntax.MINUS
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASHSLASH, syntax.PERCENT:
		default:
			return 0, false
		}
		left, ok1 := x.add(e.X)
		right, ok2 := x.add(e.Y)
		*x = append(*x, intStep{op: e.Op})
		return max(left, right+1), ok1 && ok2
	}
	return 0, false
}

// addTable appends the look up of a number in a list that is written out: [0,0,1,1][rank]. The interpreter would
// make the list on each rank.
func (x *integers) addTable(e *syntax.IndexExpr) (deep int, ok bool) {
	list, ok := e.X.(*syntax.ListExpr)
	if !ok {
		return 0, false
	}
	table := make(integers, 0, len(list.List))
	for _, item := range list.List {
		n := len(table)
		switch item.(type) {
		case *syntax.Ident, *syntax.Literal:
			_, ok = table.add(item)
		case *syntax.UnaryExpr:
			if _, ok = table.add(item); ok && len(table) == n+2 && table[n].op == syntax.INT {
				table[n].value, table = -table[n].value, table[:n+1]
			}
		default:
			return 0, false
		}
		if !ok || len(table) != n+1 {
			return 0, false
		}
	}
	deep, ok = x.add(e.Y)
	*x = append(*x, intStep{op: syntax.LBRACK, table: table})
	return deep, ok
}

// lookUp is the element at a place of a table. ok is false where the interpreter must say what it is.
func (x integers) lookUp(at int64, names func(string) starlark.Value) (value int64, ok bool) {
	if at < 0 || at >= int64(len(x)) {
		return 0, false
	}
	if step := &x[at]; step.op == syntax.INT {
		return step.value, true
	}
	v, isInt := names(x[at].name).(starlark.Int)
	if !isInt {
		return 0, false
	}
	return v.Int64()
}

// compute is the value of the expression, with the values that names gives. ok is false when the interpreter must
// say what it is.
func (x integers) compute(names func(string) starlark.Value) (value starlark.Value, ok bool) {
	n, ok := x.number(names)
	if !ok {
		return nil, false
	}
	return starlark.MakeInt64(n), true
}

// number is compute for a bare number.
func (x integers) number(names func(string) starlark.Value) (number int64, ok bool) {
	var stack [maxIntStack]int64
	n := 0
	for i := range x {
		switch step := &x[i]; step.op {
		case syntax.INT:
			stack[n] = step.value
			n++
		case syntax.IDENT, syntax.DOT:
			if stack[n], ok = step.named(names); !ok {
				return 0, false
			}
			n++
		case syntax.LBRACK:
			if stack[n-1], ok = step.table.lookUp(stack[n-1], names); !ok {
				return 0, false
			}
		case syntax.NOT:
			stack[n-1] = -stack[n-1]
		default:
			n--
			if stack[n-1], ok = intResult(step.op, stack[n-1], stack[n]); !ok {
				return 0, false
			}
		}
		if top := stack[n-1]; top < -math.MaxInt32 || top > math.MaxInt32 {
			return 0, false // so that nothing overflows
		}
	}
	return stack[0], true
}

// named is the value of a name, or of an attribute of what it names.
func (s *intStep) named(names func(string) starlark.Value) (number int64, ok bool) {
	var v starlark.Value
	if s.op == syntax.DOT {
		v = names(s.base)
		switch c, isComm := v.(*Comm); {
		case isComm:
			return c.number(s.of)
		case v == nil && s.base == "MPI" && mpi.attrs[s.of] != nil && mpi.attrs[s.of].since == 0:
			v = mpi.attrs[s.of].value
		default:
			v = names(s.name)
		}
	} else {
		v = names(s.name)
	}
	n, ok := v.(starlark.Int)
	if !ok {
		return 0, false
	}
	return n.Int64()
}

// number is the rank or the size of a communicator; ok is false where reading it is more than that.
func (v *Comm) number(name string) (n int64, ok bool) {
	if v.c.IsNull() || v.c.Pending() || v.rank().wary {
		return 0, false
	}
	switch name {
	case "rank":
		return int64(v.c.Rank()), true
	case "size":
		return int64(v.c.Size()), true
	}
	return 0, false
}

// intResult is a op b, rounded as Python rounds: towards minus infinity. ok is false for a division by zero.
func intResult(op syntax.Token, a, b int64) (result int64, ok bool) {
	switch op {
	case syntax.PLUS:
		return a + b, true
	case syntax.MINUS:
		return a - b, true
	case syntax.STAR:
		return a * b, true
	}
	if b == 0 {
		return 0, false
	}
	quotient, rest := a/b, a%b
	if rest != 0 && (rest < 0) != (b < 0) {
		quotient, rest = quotient-1, rest+b
	}
	if op == syntax.PERCENT {
		return rest, true
	}
	return quotient, true
}

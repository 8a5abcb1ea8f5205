package program

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/python"
)

// Routine is a text of a few statements with parameters, compiled to run without the interpreter: what a verb means.
// Its names are its own, and the last statement is its value.
type Routine struct {
	params []string
	names  map[string]expr // of the parameters and of what the lines assign
	calls  []invocation
	result expr
	ends   bool // the result is that of the last call
}

// invocation is a call of a function of programs or of MPI, or the reading of an attribute.
type invocation struct {
	fn   *attribute // nil: the attribute of that name of what recv is
	recv expr
	name string
	read bool   // the attribute is not a function
	args []expr // by parameter; nil: not given

	method *attribute    // of communicators, which can be made ready; nil: the rank itself makes the call
	given  []syntax.Expr // the arguments as the text of a routine has them
}

// CompileRoutine compiles a text whose parameters are {name}. Each line is an expression, or NAME = EXPRESSION. It fails
// for a text that needs the interpreter: a routine has calls with arguments by position, and expressions that call nothing
// where it depends on a value whether they are computed.
func CompileRoutine(text string, params []string) (*Routine, error) {
	p := &Routine{params: params, names: map[string]expr{}}
	c := &compiler{routine: p}
	for i, name := range params {
		text = strings.ReplaceAll(text, "{"+name+"}", slotPrefix+name)
		p.names[slotPrefix+name] = func(x *frame) (starlark.Value, error) { return x.slots[i], nil }
	}
	for line := range strings.SplitSeq(text, "\n") {
		name, value, assigns := strings.Cut(line, " = ")
		if !assigns || strings.ContainsAny(name, " .,[(") {
			name, value = "", line
		}
		e, err := python.ParseExpr("", value, 1, 1)
		if err != nil {
			return nil, err
		}
		if p.result = c.expr(e); p.result == nil {
			return nil, fmt.Errorf("only the interpreter can compute %q", value)
		}
		_, p.ends = e.(*syntax.CallExpr)
		p.names[name] = p.result // that of an expression alone is "", which no text can write
	}
	return p, nil
}

// slotPrefix begins the name that stands for a parameter while the text is read.
const slotPrefix = "_"

// add lets the routine make a call. Its result is the value of the expression.
func (p *Routine) add(n invocation) expr {
	i := len(p.params) + len(p.calls)
	p.calls = append(p.calls, n)
	return func(x *frame) (starlark.Value, error) { return x.slots[i], nil }
}

// origin returns which parameter of the routine an expression of its text is on a rank; -1 for none.
func (p *Routine) origin(x *frame, e syntax.Expr) int {
	switch e := e.(type) {
	case *syntax.Ident:
		if name, ok := strings.CutPrefix(e.Name, slotPrefix); ok {
			return slices.Index(p.params, name)
		}
	case *syntax.CondExpr:
		if cond, ok := e.Cond.(*syntax.Ident); ok {
			if v, err := p.names[cond.Name](x); err == nil && bool(v.Truth()) {
				return p.origin(x, e.True)
			}
			return p.origin(x, e.False)
		}
	}
	return -1
}

// Run carries the routine out on a rank. It fails like Rank.Run, but a *Error has no place. What the calls before the
// last one open, such as the group that a communicator is made of, does not count as never freed: no program has a name
// for it.
func (p *Routine) Run(r *Rank, args []starlark.Value) (starlark.Value, error) {
	x := &frame{r: r, slots: append(args, make([]starlark.Value, len(p.calls))...)}
	defer func() {
		r.unnoted = false
		r.endTurn()
	}()
	for i := range p.calls {
		r.unnoted = !p.ends || i < len(p.calls)-1
		v, err := p.calls[i].run(x)
		if err != nil {
			return nil, p.placed(&p.calls[i], x, r.callFailed(err))
		}
		x.slots[len(args)+i] = v
	}
	v, err := p.result(x)
	return v, r.callFailed(err)
}

// Ready makes the last call of the routine ready, for an idle rank. d stays as it is when other calls of MPI come
// first, or when anything is wrong: then the rank has to run the routine.
func (v *Evaluator) Ready(p *Routine, r *Rank, args []starlark.Value, d *Ready) {
	x := &v.frame
	*x = frame{r: r, slots: append(args, make([]starlark.Value, len(p.calls))...)}
	r.unnoted = true
	defer func() {
		r.unnoted = false
		r.endTurn()
	}()
	for i := range p.calls {
		n := &p.calls[i]
		if i == len(p.calls)-1 {
			if p.ends {
				n.ready(x, d)
			}
			return
		}
		if n.read {
			return
		}
		f, args, err := n.bound(x)
		if err != nil || !onlyLocal(&f, args) {
			return
		}
		if x.slots[len(p.params)+i], err = f.CallInternal(nil, args, nil); err != nil {
			return
		}
	}
}

// run makes the call. MPI's own functions are called without the interpreter, because a million ranks may wait in them,
// each with its stack.
func (n *invocation) run(x *frame) (starlark.Value, error) {
	if n.read {
		of, err := n.recv(x)
		if err != nil {
			return nil, err
		}
		return x.r.attr(of, n.name)
	}
	f, args, err := n.bound(x)
	if err != nil {
		return nil, err
	}
	return f.CallInternal(nil, args, nil)
}

// bound returns the function that is called, and its arguments.
func (n *invocation) bound(x *frame) (f function, args starlark.Tuple, err error) {
	if f = (function{r: x.r, attribute: n.fn}); n.fn == nil {
		of, err := n.recv(x)
		if err != nil {
			return f, nil, err
		}
		v, err := x.r.attr(of, n.name)
		if err != nil {
			return f, nil, err
		}
		called, ok := v.(*function)
		if !ok {
			return f, nil, fmt.Errorf("%s is not a function of MPI", n.name)
		}
		f = *called
	} else if err := n.fn.exists(x.r.P.Std()); err != nil {
		return f, nil, err
	}
	args = make(starlark.Tuple, len(n.args))
	for i, a := range n.args {
		if args[i], err = a(x); err != nil {
			return f, nil, err
		}
	}
	return f, args, nil
}

// attr returns an attribute of a value of this rank.
func (r *Rank) attr(of starlark.Value, name string) (starlark.Value, error) {
	if v, err := attributeOf(of, name); v != nil || err != nil {
		return v, r.raise(err)
	}
	for _, class := range []*class{cartClass, graphClass, distGraphClass} {
		if c, ok := of.(*Comm); ok && class.attrs[name] != nil {
			call := class.attrs[name].call
			if c.c.IsNull() {
				return nil, r.raise(engine.MistakeCommNull.In(call))
			}
			return nil, r.raise(engine.MistakeNoTopology.In(call))
		}
	}
	return nil, fmt.Errorf("%s has no .%s", describe(of), name)
}

// placed notes in an error about an argument of a call which parameter of the routine was passed there.
func (p *Routine) placed(n *invocation, x *frame, err error) error {
	if e := (*Error)(nil); errors.As(err, &e) && e.Argument != nil {
		e.Argument.Given = -1
		if k := e.Argument.Index; k < len(n.given) {
			e.Argument.Given = p.origin(x, n.given[k])
		}
	}
	return err
}

// callFailed returns the error of a call that was made without the interpreter.
func (r *Rank) callFailed(err error) error {
	var mpi *engine.Error
	var eval *starlark.EvalError
	switch {
	case err == nil, errors.As(err, &mpi) && len(mpi.Ranks) > 0:
		return err
	case errors.As(err, &eval):
		return r.failure(err)
	case mpi != nil:
		return r.P.Raise(mpi)
	}
	e := &Error{Message: err.Error()}
	e.because(err)
	return e
}

package program

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/python"
)

// Starlark ends a program at its first error. A try statement therefore becomes functions, one for each of its parts, which
// a guard calls. Such a function cannot assign the variables of the function around it; so these become fields of a
// frame, which each call of a function with a try statement makes. At the top level, variables are fields anyway. Where
// a part leaves by return, break or continue, its function returns a departing, and the statement behind the call does it.

// Guards of try statements.
const (
	frameName   = "(frame)"   // a frame
	attemptName = "(attempt)" // the parts of a try statement
	leaveName   = "(leave)"   // how a part leaves, and with which value
	leavesName  = "(leaves)"  // whether it leaves so
	valueName   = "(value)"   // the value with which it leaves
)

// framedIdents finds the identifiers of variables of functions with a try statement, and for each the place of the
// function.
func framedIdents(f *syntax.File) map[identAt]identAt {
	var framed map[identAt]identAt
	syntax.Walk(f, func(n syntax.Node) bool {
		d, ok := n.(*syntax.DefStmt)
		if !ok || !slices.ContainsFunc(d.Body, hasTry) {
			return true
		}
		if framed == nil {
			framed = map[identAt]identAt{}
		}
		for _, b := range d.Function.(*resolve.Function).Locals {
			framed[identAtOf(b.First.NamePos)] = identAtOf(d.Def)
		}
		return true
	})
	if framed == nil {
		return nil
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			if b, ok := id.Binding.(*resolve.Binding); ok && b.First != nil && b.Scope != resolve.Global {
				if at, ok := framed[identAtOf(b.First.NamePos)]; ok {
					framed[identAtOf(id.NamePos)] = at
				}
			}
		}
		return true
	})
	return framed
}

// hasTry reports whether a statement is, or holds, a try statement of the same function.
func hasTry(s syntax.Stmt) bool {
	_, ok := python.TryOf(s)
	return ok || slices.ContainsFunc(inside(s), hasTry)
}

// frameIdent names the variable that holds the frame of a function. of is the place of the function.
func frameIdent(of identAt, pos syntax.Position) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: fmt.Sprintf("(frame %d:%d)", of.line, of.col)}
}

// frameField writes a variable of a function as a field of the function's frame.
func frameField(of identAt, id *syntax.Ident) *syntax.DotExpr {
	return &syntax.DotExpr{X: frameIdent(of, id.NamePos), Dot: id.NamePos, NamePos: id.NamePos, Name: &syntax.Ident{NamePos: id.NamePos, Name: id.Name}}
}

// frameName makes the statement that copies a parameter, or a function, into the frame of the function around it.
func (rw rewriter) frameName(id *syntax.Ident) []syntax.Stmt {
	of, ok := rw.framed[identAtOf(id.NamePos)]
	if !ok {
		return nil
	}
	return []syntax.Stmt{&syntax.AssignStmt{OpPos: id.NamePos, Op: syntax.EQ, LHS: frameField(of, id), RHS: &syntax.Ident{NamePos: id.NamePos, Name: id.Name}}}
}

// framing makes the statements that create the frame of a function, and copy the parameters into it.
func (rw rewriter) framing(d *syntax.DefStmt) []syntax.Stmt {
	of := identAtOf(d.Def)
	var list []syntax.Stmt
	if slices.ContainsFunc(d.Body, hasTry) {
		list = append(list, &syntax.AssignStmt{OpPos: d.Def, Op: syntax.EQ, LHS: frameIdent(of, d.Def), RHS: python.Call(d.Def, frameName)})
	}
	for _, p := range d.Params {
		id := paramIdent(p)
		if id == nil {
			continue
		}
		if list == nil {
			if _, ok := rw.framed[identAtOf(id.NamePos)]; !ok {
				return nil
			}
		}
		list = append(list, rw.frameName(id)...)
	}
	return list
}

// paramIdent returns the name of a parameter; nil for a bare star.
func paramIdent(p syntax.Expr) *syntax.Ident {
	switch p := p.(type) {
	case *syntax.Ident:
		return p
	case *syntax.BinaryExpr:
		return p.X.(*syntax.Ident)
	case *syntax.UnaryExpr:
		id, _ := p.X.(*syntax.Ident)
		return id
	}
	return nil
}

// departures are the ways to leave a part of a try statement.
var departures = []string{"return", "break", "continue"}

// leaving replaces the statements that leave a part of a try statement, and notes how.
func leaving(list []syntax.Stmt, inLoop bool, ways map[string]bool) []syntax.Stmt {
	for i, s := range list {
		switch s := s.(type) {
		case *syntax.ReturnStmt:
			ways["return"] = true
			args := []syntax.Expr{python.StringAt(s.Return, "return")}
			if s.Result != nil {
				args = append(args, s.Result)
			}
			list[i] = &syntax.ReturnStmt{Return: s.Return, Result: python.Call(s.Return, leaveName, args...)}
		case *syntax.BranchStmt:
			if s.Token != syntax.PASS && !inLoop {
				way := s.Token.String()
				ways[way] = true
				list[i] = &syntax.ReturnStmt{Return: s.TokenPos, Result: python.Call(s.TokenPos, leaveName, python.StringAt(s.TokenPos, way))}
			}
		case *syntax.IfStmt:
			leaving(s.True, inLoop, ways)
			leaving(s.False, inLoop, ways)
		case *syntax.ForStmt:
			leaving(s.Body, true, ways)
		case *syntax.WhileStmt:
			leaving(s.Body, true, ways)
		}
	}
	return list
}

// attempt makes functions of the parts of a try statement, and a call of the guard with them.
func (rw rewriter) attempt(a python.Attempt, pos syntax.Position) []syntax.Stmt {
	var out []syntax.Stmt
	ways := map[string]bool{}
	part := func(what string, body []syntax.Stmt) syntax.Expr {
		if body == nil {
			return &syntax.Ident{NamePos: pos, Name: "None"}
		}
		name := fmt.Sprintf("(%s %d:%d)", what, pos.Line, pos.Col)
		out = append(out, &syntax.DefStmt{Def: pos, Name: &syntax.Ident{NamePos: pos, Name: name}, Body: rw.stmts(leaving(body, false, ways))})
		return &syntax.Ident{NamePos: pos, Name: name}
	}
	args := []syntax.Expr{part("try", a.Body), part("else", a.Else), part("finally", a.Finally)}
	for i, h := range a.Handlers {
		var class syntax.Expr = &syntax.Ident{NamePos: h.Pos, Name: "None"}
		if h.Class != nil {
			class = h.Class
			rw.in(&class)
		}
		args = append(args, class, part(fmt.Sprintf("except %d", i), h.Body))
	}
	left := func() *syntax.Ident {
		return &syntax.Ident{NamePos: pos, Name: fmt.Sprintf("(left %d:%d)", pos.Line, pos.Col)}
	}
	out = append(out, &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: left(), RHS: python.Call(pos, attemptName, args...)})
	for _, way := range departures {
		if !ways[way] {
			continue
		}
		var do syntax.Stmt = &syntax.ReturnStmt{Return: pos, Result: python.Call(pos, valueName, left())}
		if way != "return" {
			do = &syntax.BranchStmt{TokenPos: pos, Token: map[string]syntax.Token{"break": syntax.BREAK, "continue": syntax.CONTINUE}[way]}
		}
		out = append(out, &syntax.IfStmt{If: pos, Cond: python.Call(pos, leavesName, left(), python.StringAt(pos, way)), True: []syntax.Stmt{do}})
	}
	return out
}

// varsFrame holds the variables of one call of a function with a try statement.
type varsFrame struct {
	plainValue
	vars map[string]starlark.Value
}

func (f *varsFrame) String() string { return frameName }
func (f *varsFrame) Type() string   { return frameName }

// Attr implements starlark.HasAttrs.
func (f *varsFrame) Attr(name string) (starlark.Value, error) {
	if v := f.vars[name]; v != nil {
		return v, nil
	}
	return nil, fmt.Errorf("local variable %s referenced before assignment", name)
}

// AttrNames lists nothing: programs never hold a frame itself.
func (f *varsFrame) AttrNames() []string { return nil }

// SetField implements starlark.HasSetField.
func (f *varsFrame) SetField(name string, v starlark.Value) error {
	f.vars[name] = v
	return nil
}

// departing says how a part of a try statement was left.
type departing struct {
	starlark.NoneType
	way, value starlark.Value
}

// attemptGuards are the guards of try statements.
var attemptGuards = map[string]method{
	attemptName:  guardAttempt,
	python.Raise: guardRaise,
	python.Assert: func(c *call) (starlark.Value, error) {
		return nil, &exception{class: "AssertionError", args: c.pos}
	},
	frameName: func(c *call) (starlark.Value, error) {
		return &varsFrame{vars: map[string]starlark.Value{}}, nil
	},
	leaveName: func(c *call) (starlark.Value, error) {
		return &departing{way: c.pos[0], value: append(c.pos, starlark.None)[1]}, nil
	},
	leavesName: func(c *call) (starlark.Value, error) {
		d, ok := c.pos[0].(*departing)
		return starlark.Bool(ok && d.way == c.pos[1]), nil
	},
	valueName: func(c *call) (starlark.Value, error) {
		return c.pos[0].(*departing).value, nil
	},
}

// guardAttempt carries out a try statement.
func guardAttempt(c *call) (starlark.Value, error) {
	left, err := starlark.Call(c.thread, c.pos[0], nil, nil)
	if err != nil {
		left, err = c.r.handle(c.thread, err, c.pos[3:])
	} else if left == starlark.None && c.pos[1] != starlark.None {
		left, err = starlark.Call(c.thread, c.pos[1], nil, nil)
	}
	if c.pos[2] != starlark.None && !c.r.uncaught(err) {
		over, failed := starlark.Call(c.thread, c.pos[2], nil, nil)
		if failed != nil {
			return nil, failed
		}
		if over != starlark.None {
			return over, nil
		}
	}
	return left, err
}

// handle calls the first handler that is for a class of the error; if there is none, it returns the error.
func (r *Rank) handle(t *starlark.Thread, err error, handlers starlark.Tuple) (starlark.Value, error) {
	if r.uncaught(err) {
		return nil, err
	}
	e := r.exceptionOf(err)
	for i := 0; i < len(handlers); i += 2 {
		of, wrong := e.isA(handlers[i])
		if wrong != nil {
			return nil, wrong
		}
		if of {
			before := r.handled
			r.rarely().handled = e
			defer func() { r.rarely().handled = before }()
			return starlark.Call(t, handlers[i+1], nil, nil)
		}
	}
	return nil, err
}

// uncaught reports whether an error ends the program past all handlers: the person, a limit or MPI stopped it.
func (r *Rank) uncaught(err error) bool {
	if err == nil {
		return false
	}
	var limit *Limit
	var mpi *engine.Error
	return r.stopped.Load() || errors.As(err, &limit) || errors.Is(err, errStopped) || errors.As(err, &mpi) && mpi.Fatal
}

// guardRaise raises an exception: one that is given, one of a class, or again the one that is handled.
func guardRaise(c *call) (starlark.Value, error) {
	if len(c.pos) == 0 {
		if c.r.handled == nil {
			return nil, &exception{class: "RuntimeError", args: starlark.Tuple{starlark.String("No active exception to reraise")}}
		}
		return nil, c.r.handled.raised()
	}
	switch x := c.pos[0].(type) {
	case *exception:
		return nil, x.raised()
	case exceptionClass:
		return nil, &exception{class: x}
	}
	return nil, fmt.Errorf("raise takes an exception, such as ValueError(\"text\"), not %s", describe(c.pos[0]))
}

// exceptionClass names a class of exceptions.
type exceptionClass string

// parents are the classes of exceptions, and what they derive from.
var parents = map[exceptionClass]exceptionClass{
	"BaseException": "", "Exception": "BaseException", "SystemExit": "BaseException", "KeyboardInterrupt": "BaseException",
	"ArithmeticError": "Exception", "ZeroDivisionError": "ArithmeticError", "OverflowError": "ArithmeticError",
	"LookupError": "Exception", "IndexError": "LookupError", "KeyError": "LookupError",
	"AssertionError": "Exception", "AttributeError": "Exception", "NameError": "Exception", "TypeError": "Exception", "ValueError": "Exception",
	"RuntimeError": "Exception", "NotImplementedError": "RuntimeError", "RecursionError": "RuntimeError", "StopIteration": "Exception",
	"EOFError": "Exception", "OSError": "Exception", "IOError": "Exception", "ImportError": "Exception", "MemoryError": "Exception",
	"ModuleNotFoundError": "ImportError",
	mpiException:          "RuntimeError",
}

// isException reports whether a name is that of a class of exceptions.
func isException(name string) bool {
	_, ok := parents[exceptionClass(name)]
	return ok
}

const mpiException exceptionClass = "mpi4py.MPI.Exception"

func (c exceptionClass) String() string        { return "<class '" + string(c) + "'>" }
func (c exceptionClass) Type() string          { return "type" }
func (c exceptionClass) Freeze()               {}
func (c exceptionClass) Truth() starlark.Bool  { return true }
func (c exceptionClass) Hash() (uint32, error) { return starlark.String(c).Hash() }

// Name implements starlark.Callable.
func (c exceptionClass) Name() string { return string(c) }

// CallInternal creates an exception of the class.
func (c exceptionClass) CallInternal(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if c == mpiException {
		return nil, fmt.Errorf("only MPI raises MPI.Exception: raise another exception, or call Abort")
	}
	return &exception{class: c, args: slices.Clone(args)}, nil
}

// exception is an exception as programs see it, and as an error.
type exception struct {
	plainValue
	class exceptionClass
	args  starlark.Tuple
	mpi   *engine.Error // of MPI.Exception
	cause error         // what was caught; nil for one that a program made
}

// raised returns the error that was caught, or the exception itself when the program made it.
func (e *exception) raised() error {
	if e.cause != nil {
		return e.cause
	}
	return e
}

// text returns what str gives.
func (e *exception) text() string {
	switch {
	case e.mpi != nil:
		return e.mpi.Class.String() + ": " + e.mpi.Text
	case len(e.args) == 0:
		return ""
	case len(e.args) == 1 && e.class != "KeyError":
		return Text(e.args[0])
	case len(e.args) == 1:
		return Repr(e.args[0])
	}
	return Repr(e.args)
}

func (e *exception) Error() string {
	if text := e.text(); text != "" {
		return string(e.class) + ": " + text
	}
	return string(e.class)
}

func (e *exception) String() string {
	list := make([]string, len(e.args))
	for i, a := range e.args {
		list[i] = Repr(a)
	}
	name := string(e.class)
	return name[strings.LastIndexByte(name, '.')+1:] + "(" + strings.Join(list, ", ") + ")"
}
func (e *exception) Type() string          { return string(e.class) }
func (e *exception) Hash() (uint32, error) { return 0, errors.New("unhashable: " + e.Type()) }

// fields are the attributes of the exception.
func (e *exception) fields() map[string]starlark.Value {
	all := map[string]starlark.Value{"args": e.args}
	if e.mpi != nil {
		class := starlark.MakeInt(int(e.mpi.Class))
		for name, v := range map[string]starlark.Value{"error_class": class, "error_code": class, "error_string": starlark.String(e.text())} {
			all[name], all["Get_"+name] = v, pythonFunction("Get_"+name, "", always(v))
		}
	}
	return all
}

// AttrNames implements starlark.HasAttrs.
func (e *exception) AttrNames() []string { return slices.Sorted(maps.Keys(e.fields())) }

// Attr implements starlark.HasAttrs.
func (e *exception) Attr(name string) (starlark.Value, error) { return e.fields()[name], nil }

// isA reports whether the exception is of a class, or of one of the classes in a tuple. None stands for all classes.
func (e *exception) isA(class starlark.Value) (bool, error) {
	switch class := class.(type) {
	case starlark.NoneType:
		return true, nil
	case exceptionClass:
		for c := e.class; c != ""; c = parents[c] {
			if c == class {
				return true, nil
			}
		}
		return class == "IOError" && e.class == "OSError", nil
	case starlark.Tuple:
		for _, c := range class {
			if of, err := e.isA(c); of || err != nil {
				return of, err
			}
		}
		return false, nil
	}
	return false, fmt.Errorf("except takes a class of exceptions, such as MPI.Exception, not %s", describe(class))
}

// exceptionOf turns an error into the exception that a program sees.
func (r *Rank) exceptionOf(err error) *exception {
	var own *exception
	if errors.As(err, &own) {
		return own
	}
	var mpi *engine.Error
	if errors.As(err, &mpi) {
		mpi = r.signed(mpi, err)
		return &exception{class: mpiException, args: starlark.Tuple{starlark.MakeInt(int(mpi.Class))}, mpi: mpi, cause: err}
	}
	text := err.Error()
	var eval *starlark.EvalError
	if errors.As(err, &eval) {
		text = eval.Msg
	}
	return &exception{class: classOfText(text), args: starlark.Tuple{starlark.String(text)}, cause: err}
}

// classOfText guesses Python's class of an error of Starlark from its text: Starlark has no classes.
func classOfText(text string) exceptionClass {
	for _, c := range []struct {
		word  string
		class exceptionClass
	}{
		{"by zero", "ZeroDivisionError"}, {"out of range", "IndexError"}, {"not in dict", "KeyError"}, {"field or method", "AttributeError"},
		{"has no value on this rank", "NameError"}, {"referenced before assignment", "NameError"}, {"nested calls", "RecursionError"},
		{"invalid literal", "ValueError"}, {"not enough values", "ValueError"}, {"too many values", "ValueError"}, {"cannot parse", "ValueError"},
	} {
		if strings.Contains(text, c.word) {
			return c.class
		}
	}
	return "TypeError"
}

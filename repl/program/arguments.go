package program

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// function binds an attribute to a rank and, unless it is static, to a value.
type function struct {
	plainValue
	r         *Rank
	self      starlark.Value // nil: a function of the class, whose first argument is the value
	attribute *attribute
}

func (f *function) Name() string   { return f.attribute.name }
func (f *function) String() string { return "<function " + f.attribute.name + ">" }
func (f *function) Type() string   { return "builtin_function_or_method" }

const maxParams = 7

// call is one execution of a function.
type call struct {
	r    *Rank
	fn   *attribute
	self starlark.Value
	args [maxParams]starlark.Value
	pos  starlark.Tuple // the arguments as they come, when variadic
	kw   []starlark.Tuple

	thread *starlark.Thread // that calls a function of Python
}

// CallInternal implements starlark.Callable.
func (f *function) CallInternal(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c := f.r.newCall()
	c.r, c.fn, c.self = f.r, f.attribute, f.self
	v, err := c.execute(args, kwargs)
	c.done()
	return v, err
}

// newCall returns a call in the storage of a finished one, if there is any: calls are most of what a program allocates.
// r is nil for a function of a COMM_NULL that belongs to no rank.
func (r *Rank) newCall() *call {
	if r != nil {
		if c, ok := r.all.calls.Get().(*call); ok {
			return c
		}
	}
	return new(call)
}

// done gives the storage of a call back.
func (c *call) done() {
	r := c.r
	*c = call{}
	if r != nil {
		r.all.calls.Put(c)
	}
}

func (c *call) execute(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	a := c.fn
	if a.dual != nil {
		args, kwargs = c.dual(args, kwargs)
	}
	if a.class.is != nil && !a.static && c.self == nil {
		if len(args) == 0 || !a.class.is(args[0]) {
			return nil, fmt.Errorf("%s: the first argument must be of type %s", a.name, a.class.name)
		}
		c.self, args = args[0], args[1:]
	}
	if err := c.take(args, kwargs); err != nil {
		return nil, err
	}
	if c.r == nil {
		return a.run(c)
	}
	c.r.locate()
	if err := c.checkHandles(); err != nil {
		return nil, c.r.raise(err)
	}
	v, err := a.run(c)
	if err != nil {
		return nil, c.r.raise(err)
	}
	return v, nil
}

// dual finds out whether a dual method is called as a function of its class. If so, it moves the value to the front,
// and renames keyword arguments to those of the method.
func (c *call) dual(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Tuple, []starlark.Tuple) {
	names := c.fn.dual
	first := slices.IndexFunc(kwargs, func(kw starlark.Tuple) bool { return kw[0] == starlark.String(names[0]) })
	if c.self != nil && len(args) < len(names) && first < 0 {
		return args, kwargs
	}
	c.self = nil
	var renamed []starlark.Tuple
	for i, kw := range kwargs {
		at := slices.Index(names, string(kw[0].(starlark.String)))
		switch {
		case i == first && len(args) == 0:
			args = starlark.Tuple{kw[1]}
		case at > 0:
			renamed = append(renamed, starlark.Tuple{starlark.String(c.fn.params[at-1].name), kw[1]})
		default:
			renamed = append(renamed, kw)
		}
	}
	return args, renamed
}

// take gives each parameter its argument. A variadic function gets the arguments as they come.
func (c *call) take(args starlark.Tuple, kwargs []starlark.Tuple) error {
	if c.fn.variadic {
		c.pos, c.kw = args, kwargs
		return nil
	}
	if params := c.fn.params; len(args) > len(params) {
		return fmt.Errorf("%s takes %s, not %d", c.fn.name, countOf(params), len(args))
	}
	copy(c.args[:], args)
	for _, kw := range kwargs {
		if err := c.bindKeyword(string(kw[0].(starlark.String)), kw[1]); err != nil {
			return err
		}
	}
	return c.bindDefaults()
}

// bindDefaults gives each parameter without an argument its default.
func (c *call) bindDefaults() error {
	for i := range c.fn.params {
		if c.args[i] != nil {
			continue
		}
		if c.args[i] = c.fn.params[i].dflt; c.args[i] == nil {
			return fmt.Errorf("%s: the argument %s is missing", c.fn.name, c.fn.params[i].name)
		}
	}
	return nil
}

func (c *call) bindKeyword(name string, v starlark.Value) error {
	var names []string
	for i, p := range c.fn.params {
		if p.name == name {
			if c.args[i] != nil {
				return fmt.Errorf("%s: the argument %s is given twice", c.fn.name, name)
			}
			c.args[i] = v
			return nil
		}
		names = append(names, p.name)
	}
	hint := ""
	if near := spell.Nearest(name, names); near != "" {
		hint = "; did you mean " + near + "?"
	}
	return fmt.Errorf("%s has no argument %s%s", c.fn.name, name, hint)
}

func countOf(params []param) string {
	switch len(params) {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument (" + params[0].name + ")"
	}
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.name
	}
	return fmt.Sprintf("%d arguments (%s)", len(params), strings.Join(names, ", "))
}

// Arguments of calls: the methods of this file read argument i, or say which type it should have.

// ArgumentError says that an argument of a function of MPI has the wrong type or value.
type ArgumentError struct {
	Function, Param string
	Index           int            // the index of the parameter
	Must            string         // "be an integer"
	Value           starlark.Value // the wrong value
	Hint            string         // ": use // instead of /", or ""
	Element         bool           // the value is an element of the argument
	Given           int            // in a routine, the index of the parameter that was passed as the argument; -1: none
}

// Error writes "Split: color must be an integer, not 0.25 (float): use // ...". While the error has no function and
// parameter, it writes what follows "color".
func (e *ArgumentError) Error() string {
	found := describe(e.Value)
	if n, ok := e.Value.(starlark.Int); ok && e.Must == fitInt {
		found = n.String()
	}
	text := fmt.Sprintf("must %s, not %s%s", e.Must, found, e.Hint)
	switch {
	case e.Function == "":
		return text
	case e.Element:
		return fmt.Sprintf("%s: an element of %s %s", e.Function, e.Param, text)
	}
	return fmt.Sprintf("%s: %s %s", e.Function, e.Param, text)
}

// fitInt tells, in a message, what an int of MPI must do.
const fitInt = "fit MPI's int of 32 bits, -2147483648 to 2147483647"

// argumentError notes the function and the parameter in an *ArgumentError, and writes both in front of another error.
func (c *call) argumentError(i int, err error, element bool) error {
	e, ok := err.(*ArgumentError)
	if !ok {
		return fmt.Errorf("%s: %s %w", c.fn.name, c.fn.params[i].name, err)
	}
	e.Function, e.Param, e.Index, e.Element = c.fn.name, c.fn.params[i].name, i, element
	return e
}

// int reads a C int. A bool counts as 0 or 1, as in Python.
func (c *call) int(i int) (int, error) {
	n, err := asInt(c.args[i])
	if err != nil {
		return 0, c.argumentError(i, err, false)
	}
	return n, nil
}

// asInt converts a value to a C int. Its error is an *ArgumentError without a function and a parameter.
func asInt(v starlark.Value) (int, error) {
	must, hint := "be an integer", ""
	switch v := v.(type) {
	case starlark.Int:
		if n, ok := v.Int64(); ok && n >= math.MinInt32 && n <= math.MaxInt32 {
			return int(n), nil
		}
		must = fitInt
	case starlark.Bool:
		return int(asWhole(bool(v))), nil
	case starlark.Float:
		hint = ": use // instead of /, as in rank//4"
	case starlark.NoneType:
		hint = "; for no communicator use MPI.UNDEFINED"
	}
	return 0, &ArgumentError{Must: must, Value: v, Hint: hint}
}

// float reads a number; a bool counts as 0 or 1.
func (c *call) float(i int) (float64, error) {
	if f, ok := starlark.AsFloat(plain(c.args[i])); ok {
		return f, nil
	}
	return 0, c.wrong(i, "a number")
}

func (c *call) text(i int) (string, error) {
	if s, ok := starlark.AsString(c.args[i]); ok {
		return s, nil
	}
	return "", c.wrong(i, "a string")
}

// wrong says that argument i has the wrong type or value.
func (c *call) wrong(i int, want string) error {
	return &ArgumentError{Function: c.fn.name, Param: c.fn.params[i].name, Index: i, Must: "be " + want, Value: c.args[i]}
}

// wrongElement says that an element of argument i is not what it must be.
func (c *call) wrongElement(i int, want string, v starlark.Value) error {
	return c.argumentError(i, &ArgumentError{Must: "be " + want, Value: v}, true)
}

// objectAt reads argument i as a handle, and returns the engine's object of it.
func objectAt[S any](c *call, i int, want string) (S, error) {
	of, ok := objectOf(c.args[i]).(S)
	if !ok {
		return of, c.wrong(i, want)
	}
	return of, nil
}

func (c *call) comm(i int) (*engine.Comm, error) {
	return objectAt[*engine.Comm](c, i, "a communicator")
}

func (c *call) group(i int) (*engine.Group, error) {
	return objectAt[*engine.Group](c, i, "a group, as from comm.Get_group()")
}

func (c *call) info(i int) (*engine.Info, error) {
	return objectAt[*engine.Info](c, i, "an info object, as from MPI.Info.Create()")
}

func (c *call) op(i int) (*engine.Op, error) {
	v, ok := c.args[i].(*Op)
	switch {
	case !ok:
		return nil, c.wrong(i, "an operation, such as MPI.SUM")
	case v.null():
		return nil, engine.MistakeOpNull.In(c.fn.call)
	}
	return &v.op, nil
}

// elements lists the elements of argument i, which must be what want says.
func (c *call) elements(i int, want string) ([]starlark.Value, error) {
	if of, ok := c.args[i].(starlark.Iterable); ok {
		return slices.Collect(starlark.Elements(of)), nil
	}
	return nil, c.wrong(i, want)
}

// listOf reads argument i as a list, whose elements the function as converts; the list is not nil.
func listOf[T any](c *call, i int, want string, as func(starlark.Value) (T, error)) ([]T, error) {
	all, err := c.elements(i, want)
	list := make([]T, len(all))
	for k := 0; err == nil && k < len(all); k++ {
		if list[k], err = as(all[k]); err != nil {
			err = c.argumentError(i, err, true)
		}
	}
	return list, err
}

// packed reads any value, and packs it.
func (c *call) packed(i int) (any, error) {
	v, err := pack(c.args[i])
	if err != nil {
		return nil, c.argumentError(i, err, false)
	}
	return v, nil
}

// integers reads a sequence of C ints; it is not nil.
func (c *call) integers(i int) ([]int, error) {
	want := "a list of integers"
	if c.fn.params[i].name == "ranks" {
		want = "a list of ranks"
	}
	return listOf(c, i, want, asInt)
}

// asFlag converts a logical value: a bool, or an integer of which 0 is false.
func asFlag(v starlark.Value) (bool, error) {
	n, err := asInt(v)
	return n != 0, err
}

// flag reads a logical value.
func (c *call) flag(i int) (bool, error) {
	if on, err := asFlag(c.args[i]); err == nil {
		return on, nil
	}
	return false, c.wrong(i, "True or False")
}

// noBuffer refuses an argument buf of a receive: values are received, and a rank passed by position would land here.
func (c *call) noBuffer(i int) error {
	if c.args[i] == starlark.None {
		return nil
	}
	return fmt.Errorf("%s: %s must be None, not %s; name the other arguments, as in source=0, tag=1",
		c.fn.name, c.fn.params[i].name, describe(c.args[i]))
}

// describe writes a value for an error message: "0.25 (float)".
func describe(v starlark.Value) string {
	if v == starlark.None {
		return "None"
	}
	const longest = 40
	text := ""
	switch v.(type) {
	case *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set:
		text = beginning(v, 4*longest) // which may contain itself, or a million others
	default:
		text = v.String()
	}
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest]) + "..."
	}
	return text + " (" + v.Type() + ")"
}

package program

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
	table "codeberg.org/commsplit/commsplit/engine/calls"
)

// attribute is one name that programs can use: a method or function (run), a property (get, and set when it can be
// assigned), or a constant (value).
type attribute struct {
	name      string
	signature string // "(color=0, key=0)" of what is called
	params    []param
	doc       string
	call      engine.Call // what it makes; CallNone: nothing
	since     engine.Std  // when call does not tell; 0: always there
	class     *class

	run      method
	variadic bool     // run takes the arguments as they come
	static   bool     // a function of the class, not of a value
	dual     []string // mpi4py 3.1 has it as a function of the class: the parameters there, the value first

	get    getter
	setter *attribute // makes the call of an assignment; nil: cannot be assigned
	set    func(r *Rank, v, to starlark.Value) error
	value  starlark.Value
	inside *class // of a name for a class, the class
}

// method carries out a call of a function of programs.
type method = func(*call) (starlark.Value, error)

// getter reads a property of a value of rank r.
type getter = func(r *Rank, v starlark.Value) (starlark.Value, error)

// settable is a property that can be assigned.
type settable struct {
	get getter
	set func(r *Rank, v, to starlark.Value) error
}

// plainValue has what most values of programs have in common: nothing changes them, they are true, and as keys of a dict
// they are told apart by comparing them.
type plainValue struct{}

func (plainValue) Freeze()               {}
func (plainValue) Truth() starlark.Bool  { return true }
func (plainValue) Hash() (uint32, error) { return 0, nil }

// sameHandle is the result of == and != of two handles.
func sameHandle(op syntax.Token, same bool, what string) (bool, error) {
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s have no order: only == and != compare them", what)
}

// of is the attribute of self, a value of rank r. r is nil for a COMM_NULL that belongs to no rank.
func (a *attribute) of(r *Rank, self starlark.Value) (starlark.Value, error) {
	if r != nil {
		if err := a.exists(r.P.Std()); err != nil {
			return nil, err
		}
	}
	switch {
	case a.run != nil:
		return &function{r: r, self: self, attribute: a}, nil
	case a.get == nil:
		return r.own(a.value), nil
	}
	if r == nil {
		return a.get(r, self)
	}
	r.locate()
	if h, ok := self.(handle); ok && r.wary {
		if err := h.staleIn(a.call); err != nil {
			return nil, r.raise(err)
		}
	}
	v, err := a.get(r, self)
	if err != nil {
		return nil, r.raise(err)
	}
	return v, nil
}

// exists says whether the standard has the attribute in version std.
func (a *attribute) exists(std engine.Std) error {
	since := a.since
	if a.call != engine.CallNone {
		since = a.call.Since()
	}
	if since <= std {
		return nil
	}
	name := "MPI_" + a.name
	if a.call != engine.CallNone {
		name = a.call.String()
	}
	return errors.New(std.Lacks(name, since))
}

// class is a table of attributes: those of one type of value, of MPI, or the predeclared names.
type class struct {
	name  string
	attrs map[string]*attribute
	names []string
	is    func(starlark.Value) bool // whether a value is of the class; nil: it has no values
}

func newClass(name string, is func(starlark.Value) bool, lists ...[]*attribute) *class {
	c := &class{name: name, attrs: map[string]*attribute{}, is: is}
	for _, a := range slices.Concat(lists...) {
		if c.attrs[a.name] != nil {
			panic("program: " + name + "." + a.name + " is defined twice")
		}
		a.class = c
		c.attrs[a.name] = a
		c.names = append(c.names, a.name)
	}
	slices.Sort(c.names)
	return c
}

// isA reports whether a value is of a type.
func isA[T starlark.Value](v starlark.Value) bool { _, ok := v.(T); return ok }

// attr implements starlark.HasAttrs for the values of a class.
func (c *class) attr(r *Rank, self starlark.Value, name string) (starlark.Value, error) {
	a := c.attrs[name]
	if a == nil {
		return nil, c.absent(name)
	}
	return a.of(r, self)
}

// setField implements starlark.HasSetField for the values of a class.
func (c *class) setField(r *Rank, self starlark.Value, name string, to starlark.Value) error {
	a := c.attrs[name]
	switch {
	case a == nil:
		return starlark.NoSuchAttrError(fmt.Sprintf("%s has no .%s field", c.name, name))
	case a.setter == nil:
		return fmt.Errorf("%s.%s cannot be assigned", c.name, name)
	case r == nil:
		return a.setter.set(r, self, to)
	}
	if err := a.setter.exists(r.P.Std()); err != nil {
		return err
	}
	r.locate()
	return r.raise(a.setter.set(r, self, to))
}

// existing lists the attributes that version std of the standard has.
func (c *class) existing(std engine.Std) []string {
	return slices.DeleteFunc(slices.Clone(c.names), func(n string) bool { return c.attrs[n].exists(std) != nil })
}

// listed lists the attributes that programs of rank r can use; all attributes when r is nil.
func (c *class) listed(r *Rank) []string {
	if r == nil {
		return c.names
	}
	return c.existing(r.P.Std())
}

// absent is the error about a name of a class that is not modelled; nil where the name is in no standard either.
func (c *class) absent(name string) error {
	of := c.name
	if strings.HasSuffix(of, "comm") { // "Intracomm", "Cartcomm": mpi4py derives them from Comm
		of = "Comm"
	}
	if why := table.Absent(of+"."+name, c.name+"."+name, "."+strings.ToLower(name)); why != "" {
		return errors.New(why)
	}
	large := strings.ToUpper(name[:1]) + name[1:]
	if a := c.attrs[large]; a != nil && a.call.Procedure().MovesData() {
		return fmt.Errorf("%s has no %s: as in mpi4py, only arrays travel in this call; write %s", c.name, name, large)
	}
	return nil
}

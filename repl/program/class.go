package program

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// attribute is one name of MPI that programs can use: a method or function (run), a property (get,
// and set when it can be assigned), or a constant (value).
type attribute struct {
	name      string
	signature string // "(color=0, key=0)" of what is called
	params    []param
	doc       string
	call      engine.Call // what it makes; CallNone: nothing
	since     engine.Std  // when call does not tell; 0: always there
	class     *class

	run      func(c *call) (starlark.Value, error)
	variadic bool     // run takes the arguments as they come
	static   bool     // a function of the class, not of a value
	dual     []string // mpi4py 3.1 has it as a function of the class: the parameters there, the value first

	get    func(r *Rank, v starlark.Value) (starlark.Value, error)
	setter *attribute // makes the call of an assignment; nil: cannot be assigned
	set    func(r *Rank, v, to starlark.Value) error
	value  starlark.Value
}

// method is an attribute that is called. signature is as in Python: "color=0, key=0".
func method(name, signature string, c engine.Call, doc string, run func(*call) (starlark.Value, error)) *attribute {
	a := &attribute{name: name, signature: "(" + signature + ")", doc: doc, call: c, run: run, params: parseSignature(signature)}
	a.variadic = strings.Contains(signature, "*")
	return a
}

func property(name string, c engine.Call, doc string, get func(r *Rank, v starlark.Value) (starlark.Value, error)) *attribute {
	return &attribute{name: name, doc: doc, call: c, get: get}
}

func (a *attribute) isStatic() *attribute { a.static = true; return a }

// isDual lets a method be called as a function of the class, too, as in mpi4py 3.1 with params: the
// value, then what the method takes.
func (a *attribute) isDual(params ...string) *attribute { a.dual = params; return a }

// settable lets a property be assigned, which makes call c.
func (a *attribute) settable(c engine.Call, set func(r *Rank, v, to starlark.Value) error) *attribute {
	a.setter = &attribute{name: a.name, call: c, set: set}
	return a
}

// of is the attribute as self, a value of rank r, has it. r is nil for a COMM_NULL that belongs to
// no rank.
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
		return a.value, nil
	}
	if r == nil {
		return a.get(r, self)
	}
	r.locate()
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

func newClass(name string, is func(starlark.Value) bool, list ...*attribute) *class {
	c := &class{name: name, attrs: map[string]*attribute{}, is: is}
	for _, a := range list {
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

// attr implements starlark.HasAttrs for the values of a class.
func (c *class) attr(r *Rank, self starlark.Value, name string) (starlark.Value, error) {
	a := c.attrs[name]
	if a == nil {
		return nil, nil
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

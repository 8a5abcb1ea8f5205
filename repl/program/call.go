package program

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/hw/spell"
)

// function is an attribute bound to a rank and, unless it is static, to a value.
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

	thread *starlark.Thread // of a function of Python's, where it is called
}

// CallInternal implements starlark.Callable.
func (f *function) CallInternal(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c := f.r.newCall()
	c.r, c.fn, c.self = f.r, f.attribute, f.self
	v, err := c.execute(args, kwargs)
	c.done()
	return v, err
}

// newCall is a call in the storage of a finished one, if there is any: calls are most of what a program allocates. r is
// nil for a function of a COMM_NULL that belongs to no rank.
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

// dual finds out whether a dual method is called as a function of its class. It then moves the value to the
// front, and renames keyword arguments as the method calls them.
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

// take gives the arguments to the parameters, or leaves them as they come.
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

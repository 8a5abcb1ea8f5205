package program

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	table "codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/hw/spell"
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
	ready    func(c *call, d *Ready) error // makes the call ready; nil: only the rank can call run
	variadic bool                          // run takes the arguments as they come
	static   bool                          // a function of the class, not of a value
	dual     []string                      // mpi4py 3.1 has it as a function of the class: the parameters there, the value first

	get    func(r *Rank, v starlark.Value) (starlark.Value, error)
	setter *attribute // makes the call of an assignment; nil: cannot be assigned
	set    func(r *Rank, v, to starlark.Value) error
	value  starlark.Value
	inside *class       // of a name for a class, the class
	others []*attribute // other names for it: see called and also
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

// called lets a property have a method, too, as mpi4py has it: rank and Get_rank.
func (a *attribute) called(method string) *attribute {
	m := *a
	m.name, m.signature, m.get, m.run, m.setter, m.others = method, "()", nil, calling(a.get), nil, nil
	m.doc = strings.TrimSuffix(m.doc, assignable)
	return a.with(&m)
}

// assignable ends what is told of a property that can be assigned.
const assignable = "; can be assigned"

// also lets a method have other names that mean the same.
func (a *attribute) also(names ...string) *attribute {
	for _, name := range names {
		m := *a
		m.name, m.others = name, nil
		a.with(&m)
	}
	return a
}

// free lets Free have mpi4py's free beside it, which does as Free, and nothing for what doc names.
func (a *attribute) free(doc string) *attribute {
	m := *a
	m.name, m.doc, m.run, m.others = "free", doc, freeing(a.run), nil
	return a.with(&m)
}

func (a *attribute) with(other *attribute) *attribute { a.others = append(a.others, other); return a }

// canBeReady lets the call of a method be made ready: see Ready.
func (a *attribute) canBeReady(ready func(*call, *Ready) error) *attribute { a.ready = ready; return a }

func (a *attribute) isStatic() *attribute { a.static = true; return a }

// isDual lets a method be called as a function of its class, too, as in mpi4py 3.1. params names the parameters
// of the function: the value, then the parameters of the method.
func (a *attribute) isDual(params ...string) *attribute { a.dual = params; return a }

// settable lets a property be assigned, which makes call c.
func (a *attribute) settable(c engine.Call, set func(r *Rank, v, to starlark.Value) error) *attribute {
	a.setter = &attribute{name: a.name, call: c, set: set}
	a.doc += assignable
	return a
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

func newClass(name string, is func(starlark.Value) bool, list ...*attribute) *class {
	c := &class{name: name, attrs: map[string]*attribute{}, is: is}
	for _, row := range list {
		for _, a := range append(row.others, row) {
			if c.attrs[a.name] != nil {
				panic("program: " + name + "." + a.name + " is defined twice")
			}
			a.class = c
			c.attrs[a.name] = a
			c.names = append(c.names, a.name)
		}
	}
	slices.Sort(c.names)
	return c
}

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

// calling makes a method of a property.
func calling(get func(*Rank, starlark.Value) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) { return get(c.r, c.self) }
}

func nothing(err error) (starlark.Value, error) { return starlark.None, err }

// param is a parameter of a function of MPI.
type param struct {
	name string
	dflt starlark.Value // nil: it must be given
}

// parseSignature reads "group, tag=0". Defaults are 0, None, False, strings in quotes, and constants of MPI.
func parseSignature(text string) []param {
	if text == "" || strings.Contains(text, "*") {
		return nil
	}
	var list []param
	for item := range strings.SplitSeq(text, ", ") {
		name, dflt, ok := strings.Cut(item, "=")
		p := param{name: name}
		if ok {
			p.dflt = defaultValue(dflt)
		}
		list = append(list, p)
	}
	return list
}

func defaultValue(text string) starlark.Value {
	switch text {
	case "None":
		return starlark.None
	case "False":
		return starlark.False
	case "0":
		return starlark.MakeInt(0)
	}
	if text, err := strconv.Unquote(text); err == nil {
		return starlark.String(text)
	}
	for _, c := range constantList() {
		if c.name == text {
			return c.value
		}
	}
	panic("program: no constant " + text)
}

// function is an attribute bound to a rank and, unless it is static, to a value.
type function struct {
	r         *Rank
	self      starlark.Value // nil: a function of the class, whose first argument is the value
	attribute *attribute
}

func (f *function) Name() string          { return f.attribute.name }
func (f *function) String() string        { return "<function " + f.attribute.name + ">" }
func (f *function) Type() string          { return "builtin_function_or_method" }
func (f *function) Freeze()               {}
func (f *function) Truth() starlark.Bool  { return true }
func (f *function) Hash() (uint32, error) { return starlark.String(f.attribute.name).Hash() }

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
	return c.bind(args, kwargs)
}

// bind gives the arguments to the parameters.
func (c *call) bind(args starlark.Tuple, kwargs []starlark.Tuple) error {
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

// wrong says that argument i has the wrong type or value.
func (c *call) wrong(i int, want string) error {
	return &ArgumentError{Function: c.fn.name, Param: c.fn.params[i].name, Index: i, Must: "be " + want, Value: c.args[i]}
}

// wrongElement says that an element of argument i is not what it must be.
func (c *call) wrongElement(i int, want string, v starlark.Value) error {
	return c.argumentError(i, &ArgumentError{Must: "be " + want, Value: v}, true)
}

// describe is a value for an error message: "0.25 (float)".
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

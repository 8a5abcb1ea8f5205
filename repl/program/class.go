package program

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	call      engine.Call // that it makes; CallNone: none
	since     engine.Std  // unless call tells; 0: always there
	class     *class

	run      method
	variadic bool     // run takes the arguments as they come
	static   bool     // a function of the class, not of a value
	dual     []string // mpi4py 3.1 has it as a function of the class: the parameters there, the value first

	get    getter
	setter *attribute // makes the call of an assignment; nil: the property cannot be assigned
	set    func(r *Rank, v, to starlark.Value) error
	value  starlark.Value
	inside *class // the class that it names; nil: it names none
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

// plainValue has what most values of programs have in common: they never change, are true, and can be keys of a dict.
type plainValue struct{}

func (plainValue) Freeze()               {}
func (plainValue) Truth() starlark.Bool  { return true }
func (plainValue) Hash() (uint32, error) { return 0, nil }

// sameHandle returns the result of == or != for two handles.
func sameHandle(op syntax.Token, same bool, what string) (bool, error) {
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s have no order: only == and != compare them", what)
}

// of returns the attribute of self, a value of rank r. r is nil for a COMM_NULL that belongs to no rank.
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

// exists returns an error when version std of the standard does not have the attribute.
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

// class is a table of attributes: of the values of one type, of MPI, or of the predeclared names.
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

// isA reports whether a value is of type T.
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

// absent returns the error about a name that the standard has and commsplit does not; nil for a name that no standard
// has.
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

// The table names.txt describes each name that programs can use: its signature, the call that it makes, a text for help.
// Maps in Go, one for each section of the table, tell what the names do.

//go:embed names.txt
var namesText string

// sections returns the rows of names.txt by sections.
var sections = sync.OnceValue(func() map[string][]string {
	all, section := map[string][]string{}, ""
	for line := range strings.SplitSeq(namesText, "\n") {
		if name, ok := strings.CutSuffix(line, ":"); ok {
			section = name
		} else if line != "" && line[0] != '#' {
			all[section] = append(all[section], line)
		}
	}
	return all
})

// rows makes the attributes of a section of names.txt. does maps names to what their attributes do: a method, a getter,
// a settable, a function that returns the rank's own value, a class, or a value. Names that do the same may share a
// key.
func rows(section string, does map[string]any) []*attribute {
	each := map[string]any{}
	for names, what := range does {
		for name := range strings.FieldsSeq(names) {
			each[name] = what
		}
	}
	var list []*attribute
	for _, row := range sections()[section] {
		made := attributesOf(row, each)
		list = append(list, made...)
		delete(each, made[0].name)
	}
	if len(each) > 0 {
		panic(fmt.Sprintf("program: names.txt has no row in %s for %v", section, each))
	}
	return list
}

// attributesOf makes the attributes of a row. each tells what the first of them does; the others do the same.
func attributesOf(row string, each map[string]any) []*attribute {
	names, rest, _ := strings.Cut(row, " | ")
	words, doc, _ := strings.Cut(rest, "| ")
	var list []*attribute
	for text := range strings.SplitSeq(names, " / ") {
		name, signature, called := strings.Cut(text, "(")
		a := &attribute{doc: doc}
		if len(list) > 0 {
			*a = *list[0]
		}
		switch a.name = name; {
		case len(list) > 0 && called:
			a.calls(a.get)
		case len(list) == 0:
			if called {
				a.takes(strings.TrimSuffix(signature, ")"))
			}
			a.also(words)
			a.does(each[name])
		}
		list = append(list, a)
	}
	return list
}

// takes gives a function its parameters. The signature is as in Python: "color=0, key=0".
func (a *attribute) takes(signature string) *attribute {
	a.signature, a.params, a.variadic = "("+signature+")", parseSignature(signature), strings.Contains(signature, "*")
	return a
}

// calls turns a copy of a property into the method that reads the property with get.
func (a *attribute) calls(get getter) {
	a.signature, a.get, a.setter, a.doc = "()", nil, nil, strings.TrimSuffix(a.doc, assignable)
	a.run = func(c *call) (starlark.Value, error) { return get(c.r, c.self) }
}

// also reads the words that stand behind the names of a row.
func (a *attribute) also(words string) {
	for word := range strings.FieldsSeq(words) {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "static":
			a.static = true
		case "since":
			n, err := strconv.Atoi(value)
			if err != nil {
				panic("program: names.txt has since=" + value + " for " + a.name)
			}
			a.since = engine.Std(n)
		case "dual":
			a.dual = strings.Split(value, ",")
		case "sets":
			a.setter = &attribute{name: a.name, call: a.callNamed(value)}
			a.doc += assignable
		default:
			a.call = a.callNamed(key)
		}
	}
}

// callNamed returns the call of a word of the row.
func (a *attribute) callNamed(word string) engine.Call {
	c, ok := engine.CallNamed(word)
	if !ok {
		panic("program: names.txt has the word " + word + " for " + a.name + ", which is not a call of the engine")
	}
	return c
}

// assignable ends the text of a property that can be assigned.
const assignable = "; can be assigned"

// does sets what the attribute does.
func (a *attribute) does(what any) {
	switch what := what.(type) {
	case method:
		a.run = what
	case getter:
		a.get = what
	case settable:
		a.get, a.setter.set = what.get, what.set
	case func(*Rank) starlark.Value:
		a.get = func(r *Rank, _ starlark.Value) (starlark.Value, error) { return what(r), nil }
	case *class:
		a.inside = what
		a.get = func(r *Rank, _ starlark.Value) (starlark.Value, error) {
			return &module{r: r, class: what, name: a.name}, nil
		}
	case int:
		a.value = starlark.MakeInt(what)
	case starlark.Value:
		a.value = what
	default:
		panic("program: nothing tells what " + a.name + " does")
	}
}

// param is a parameter of a function of MPI.
type param struct {
	name string
	dflt starlark.Value // nil: it must be given
}

// parseSignature reads "group, tag=0". Defaults are integers, None, True, False, strings in quotes, and constants of MPI.
func parseSignature(text string) []param {
	if text == "" || strings.Contains(text, "*") {
		return nil
	}
	var list []param
	for item := range strings.SplitSeq(text, ", ") {
		name, dflt, ok := strings.Cut(item, "=")
		p := param{name: name}
		if text, err := strconv.Unquote(dflt); err == nil {
			p.dflt = starlark.String(text)
		} else if n, err := strconv.Atoi(dflt); err == nil {
			p.dflt = starlark.MakeInt(n)
		} else if p.dflt = defaults[dflt]; ok && p.dflt == nil {
			panic("program: no constant " + dflt)
		}
		list = append(list, p)
	}
	return list
}

// defaults are the defaults of parameters, besides strings and integers.
var defaults = map[string]starlark.Value{
	"None": starlark.None, "False": starlark.False, "True": starlark.True,
	"ANY_SOURCE": starlark.MakeInt(engine.AnySource), "ANY_TAG": starlark.MakeInt(engine.AnyTag),
	"INFO_NULL": &Info{}, "SUM": newOp(&ops[0]),
}

// constants lists the names of MPI whose values are the same on every rank.
func constants() []*attribute {
	list := rows("constants", map[string]any{
		"UNDEFINED": engine.Undefined, "ANY_SOURCE": engine.AnySource, "ANY_TAG": engine.AnyTag,
		"PROC_NULL": engine.ProcNull, "ROOT": engine.Root, "KEYVAL_INVALID": keyvalInvalid,
		"IDENT": int(engine.Ident), "CONGRUENT": int(engine.Congruent),
		"SIMILAR": int(engine.Similar), "UNEQUAL": int(engine.Unequal),
		"CART": int(engine.TopoCart), "GRAPH": int(engine.TopoGraph), "DIST_GRAPH": int(engine.TopoDistGraph),
		"UNWEIGHTED": unweighted, "WEIGHTS_EMPTY": weightsEmpty,
		"INFO_NULL": &Info{}, "GROUP_NULL": &Group{}, "REQUEST_NULL": &Request{}, "SESSION_NULL": &Session{},
		"MESSAGE_NULL": &Message{}, "MESSAGE_NO_PROC": &Message{m: noProcMessage, constant: true},
		"OP_NULL": &Op{}, "ERRHANDLER_NULL": &Errhandler{},
		"ERRORS_RETURN":    &Errhandler{h: engine.ErrorsReturn, constant: true},
		"ERRORS_ARE_FATAL": &Errhandler{h: engine.ErrorsAreFatal, constant: true},
		"ERRORS_ABORT":     &Errhandler{h: engine.ErrorsAbort, constant: true},
		"Exception":        mpiException, "IN_PLACE": inPlace{},
		"MAX_INFO_KEY": engine.MaxInfoKey, "MAX_INFO_VAL": engine.MaxInfoVal,
		"MAX_STRINGTAG_LEN": engine.MaxStringtag, "MAX_PSET_NAME_LEN": engine.MaxPsetName,
		"MAX_ERROR_STRING": engine.MaxErrorString, "MAX_OBJECT_NAME": engine.MaxObjectName,
		"MAX_PROCESSOR_NAME MAX_LIBRARY_VERSION_STRING": 256,
		"BSEND_OVERHEAD": engine.BsendOverhead, "ERR_LASTCODE": int(engine.LastCode),
	})
	add := func(name string, value any, since engine.Std, doc string) {
		a := &attribute{name: strings.TrimPrefix(name, "MPI_"), doc: doc, since: since}
		a.does(value)
		list = append(list, a)
	}
	for level, name := range []string{"SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE"} {
		add("THREAD_"+name, level, 0, "a level of thread support")
	}
	for i := range datatypes {
		d := &datatypes[i]
		add(d.name, d, 0, "a datatype: the elements of a buffer are of type "+d.elem.String())
	}
	for _, k := range engine.PredefinedKeyvals() {
		add(k.Name(), k.ID(), k.Since(), predefinedDocs[k])
	}
	for _, t := range engine.SplitTypes(engine.Draft2019) {
		add(t.String(), int(t), t.Since(), "a kind of Split_type")
	}
	for _, c := range engine.Classes() {
		add(c.String(), int(c), c.Since(), "an error class: "+c.Text())
	}
	for i := range ops {
		add(ops[i].name, newOp(&ops[i]), 0, "a reduction operation")
	}
	return list
}

package program

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// The table names.txt has what is said of each name that programs can use: its signature, the call that it makes, its
// text. What a name does is said in Go, by sections of the table.

//go:embed names.txt
var namesText string

// sections are the rows of names.txt, by what the names belong to.
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

// callsByName are the engine's calls by their names in C.
var callsByName = sync.OnceValue(func() map[string]engine.Call {
	all := map[string]engine.Call{}
	for _, c := range engine.Calls() {
		all[c.String()] = c
	}
	return all
})

// rows makes the attributes of a section of names.txt. does tells what each does: it is a method, a getter, a settable, a
// function that gives each rank its own value, a class, or a value. Names that do the same may stand together.
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

// attributesOf makes the attributes of a row. each tells what the first of them does, and all do the same.
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

// calls makes it the method of the property that get reads.
func (a *attribute) calls(get getter) {
	a.signature, a.get, a.setter, a.doc = "()", nil, nil, strings.TrimSuffix(a.doc, assignable)
	a.run = func(c *call) (starlark.Value, error) { return get(c.r, c.self) }
}

// also reads the words of a row.
func (a *attribute) also(words string) {
	for word := range strings.FieldsSeq(words) {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "static":
			a.static = true
		case "since":
			n, _ := strconv.Atoi(value)
			a.since = engine.Std(n)
		case "dual":
			a.dual = strings.Split(value, ",")
		case "sets":
			a.setter = &attribute{name: a.name, call: callsByName()[value]}
			a.doc += assignable
		default:
			a.call = callsByName()[key]
		}
	}
}

// assignable ends what is told of a property that can be assigned.
const assignable = "; can be assigned"

// does lets the attribute do what.
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

// parseSignature reads "group, tag=0". Defaults are 0, None, False, strings in quotes, and constants of MPI.
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
		} else if p.dflt = defaults[dflt]; ok && p.dflt == nil {
			panic("program: no constant " + dflt)
		}
		list = append(list, p)
	}
	return list
}

// defaults are the defaults of parameters, but for strings.
var defaults = map[string]starlark.Value{
	"None": starlark.None, "False": starlark.False, "0": starlark.MakeInt(0),
	"ANY_SOURCE": starlark.MakeInt(engine.AnySource), "ANY_TAG": starlark.MakeInt(engine.AnyTag),
	"INFO_NULL": &Info{}, "SUM": newOp(&ops[0]),
}

// constants are the names of MPI whose values are the same on every rank.
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

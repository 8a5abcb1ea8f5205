package program

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// predeclared is the names that every program has besides Starlark's own.
var predeclared = newClass("program", nil,
	submodule("MPI", mpi, "MPI, with mpi4py's names"),
	perRank("world", "MPI.COMM_WORLD", commWorld),
	submodule("here", hereClass, "where this rank runs: here.numa, here.core, ..."),
	constant("NotImplemented", notImplemented, "what a copy function returns when the duplicate gets no value"),
	constant("__name__", starlark.String("__main__"), "every rank runs the program as the main one"),
	method("print", "*args, sep=\" \", flush=False", engine.CallNone,
		"print a line; equal lines of several ranks are shown once", printLine),
	method("str", "value", engine.CallNone, "the value as text, as Python writes it",
		func(c *call) (starlark.Value, error) {
			text, err := c.r.text(c.args[0])
			return starlark.String(text), err
		}),
	method("repr", "value", engine.CallNone, "the value as one would type it in Python",
		func(c *call) (starlark.Value, error) {
			text, err := c.r.repr(c.args[0])
			return starlark.String(text), err
		}),
	method("note", "text", engine.CallNone, "tell the reader something", note),
	method("ask", "question, expr, answer=None", engine.CallNone,
		"let the reader predict expr, which is equal to answer, or true if none is given", ask),
	method("bind", "ranks, cpuset", engine.CallNone,
		"the world ranks \"0-3,7\" may use the PUs \"0-1+8\" of their hosts, and no others, from now on", bind),
	method("expect", "cond, msg=\"\"", engine.CallNone, "cond must be true on every rank", expect),
	method("expect_parts", "handle, parts", engine.CallNone,
		"the communicators that a handle holds, as lists of world ranks; all others COMM_NULL", expectParts),
	method("expect_error", "cls, fn, *args, **kwargs", engine.CallNone,
		"fn(*args) must raise the error class cls", expectError),
)

// say prints text, one output a line.
func (r *Rank) say(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		r.P.Print(line)
	}
}

// tell narrates text, one note a line.
func (r *Rank) tell(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		r.P.Note(line)
	}
}

// printLine takes Python's keyword flush, which changes nothing here.
func printLine(c *call) (starlark.Value, error) {
	sep := " "
	for _, kw := range c.kw {
		name := string(kw[0].(starlark.String))
		switch text, ok := starlark.AsString(kw[1]); {
		case name == "sep" && ok:
			sep = text
		case name == "sep":
			return nil, fmt.Errorf("print: sep must be a string, not %s", describe(kw[1]))
		case name != "flush":
			return nil, fmt.Errorf("print has no argument %s: it takes values, sep and flush", name)
		}
	}
	parts := make([]string, len(c.pos))
	for i, v := range c.pos {
		var err error
		if parts[i], err = c.r.text(v); err != nil {
			return nil, err
		}
	}
	c.r.say(strings.Join(parts, sep))
	return starlark.None, nil
}

func note(c *call) (starlark.Value, error) {
	text, err := c.text(0)
	if err != nil {
		return nil, err
	}
	c.r.tell(text)
	return starlark.None, nil
}

// Doc describes one name for completion and help.
type Doc struct {
	Name      string      // "MPI.Comm.Split", "expect"
	Signature string      // "(color=0, key=0)"; empty for what is not called
	Text      string      // one line
	Call      engine.Call // what it makes; CallNone: nothing, or no call of MPI
}

// Docs describes every name that programs can use, in order.
func Docs() []Doc {
	var docs []Doc
	for prefix, c := range map[string]*class{
		"": predeclared, "MPI.": mpi, "MPI.Comm.": commClass, "MPI.Group.": groupClass,
		"MPI.Cartcomm.": cartClass, "MPI.Graphcomm.": graphClass, "MPI.Distgraphcomm.": distGraphClass,
		"MPI.Info.": infoClass, "MPI.Request.": requestClass, "MPI.Session.": sessionClass, "MPI.Status.": statusClass, "here.": hereClass,
	} {
		for _, a := range c.attrs {
			docs = append(docs, Doc{Name: prefix + a.name, Signature: a.signature, Text: a.doc, Call: a.call})
		}
	}
	slices.SortFunc(docs, func(a, b Doc) int { return strings.Compare(a.Name, b.Name) })
	return docs
}

// AttributesOf lists what can follow "path.", a name or one of MPI's classes ("MPI.Comm"), in a
// program of this rank. The world must be quiet.
func (r *Rank) AttributesOf(path string) []string {
	names := strings.Split(path, ".")
	v, err := (*session)(r).Attr(names[0])
	for _, n := range names[1:] {
		m, ok := v.(*module)
		if !ok {
			return nil
		}
		v, err = m.Attr(n)
	}
	if err != nil || v == nil {
		return nil
	}
	return Attributes(v)
}

// Attributes lists what can follow "v.", in order; nothing for most of Starlark's values.
func Attributes(v starlark.Value) []string {
	if h, ok := v.(starlark.HasAttrs); ok {
		return slices.Sorted(slices.Values(h.AttrNames()))
	}
	return nil
}

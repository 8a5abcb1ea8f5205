package program

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// predeclared is the names that every program has besides Starlark's own.
var predeclared = newClass("program", nil, rows("program", map[string]any{
	"MPI":             mpi,
	"world":           commWorld,
	"here":            hereClass,
	"NotImplemented":  notImplemented,
	"__name__":        starlark.String("__main__"),
	"print":           printLine,
	"str":             textOf((*Rank).text),
	"repr":            textOf((*Rank).repr),
	"note":            note,
	"ask":             ask,
	"bind":            bind,
	"expect":          expect,
	"expect_parts":    expectParts,
	"expect_error":    expectError,
	"expect_no_leaks": expectNoLeaks,
}))

// textOf makes a function that writes a value.
func textOf(write func(*Rank, starlark.Value) (string, error)) method {
	return func(c *call) (starlark.Value, error) {
		text, err := write(c.r, c.args[0])
		return starlark.String(text), err
	}
}

// say prints text, an output for each line.
func (r *Rank) say(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		r.P.Print(line)
		r.keepPace()
	}
}

// tell narrates text, a note for each line.
func (r *Rank) tell(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		r.P.Note(line)
	}
}

// printLine implements print. It accepts Python's keyword flush, which changes nothing here.
func printLine(c *call) (starlark.Value, error) {
	sep, end := " ", "\n"
	for _, kw := range c.kw {
		name := string(kw[0].(starlark.String))
		switch text, ok := starlark.AsString(kw[1]); {
		case name == "sep" && ok:
			sep = text
		case name == "end" && ok:
			end = text
		case (name == "sep" || name == "end") && kw[1] != starlark.None:
			return nil, fmt.Errorf("print: %s must be a string, not %s", name, describe(kw[1]))
		case name == "file":
			if _, is := kw[1].(stream); !is && kw[1] != starlark.None {
				return nil, fmt.Errorf("print: file must be sys.stdout or sys.stderr, not %s", describe(kw[1]))
			}
		case name != "flush" && name != "sep" && name != "end":
			return nil, fmt.Errorf("print has no argument %s: it takes values, sep, end, file and flush", name)
		}
	}
	parts := make([]string, len(c.pos))
	for i, v := range c.pos {
		var err error
		if parts[i], err = c.r.text(v); err != nil {
			return nil, err
		}
	}
	if text := strings.Join(parts, sep); end == "\n" && c.r.line == "" {
		c.r.say(text)
	} else {
		c.r.put(text + end)
	}
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
	Signature string      // "(color=0, key=0)"; empty for a name that is not a function
	Text      string      // one line
	Call      engine.Call // the call of MPI that it makes; CallNone: none
}

// Docs describes every name that programs can use, in order.
func Docs() []Doc {
	var docs []Doc
	for prefix, c := range map[string]*class{
		"": predeclared, "MPI.": mpi, "MPI.Comm.": commClass, "MPI.Group.": groupClass,
		"MPI.Cartcomm.": cartClass, "MPI.Graphcomm.": graphClass, "MPI.Distgraphcomm.": distGraphClass,
		"MPI.Info.": infoClass, "MPI.Request.": requestClass, "MPI.Session.": sessionClass, "MPI.Status.": statusClass,
		"MPI.Message.": messageClass, "MPI.Errhandler.": errhandlerClass, "MPI.Op.": opClass, "here.": hereClass,
	} {
		for _, a := range c.attrs {
			docs = append(docs, Doc{Name: prefix + a.name, Signature: a.signature, Text: a.doc, Call: a.call})
		}
	}
	slices.SortFunc(docs, func(a, b Doc) int { return strings.Compare(a.Name, b.Name) })
	return docs
}

// AttributesOf lists the names that can follow "path." in a program of this rank; path is a name or one of MPI's
// classes ("MPI.Comm"). The world must be quiet.
func (r *Rank) AttributesOf(path string) []string {
	names := strings.Split(path, ".")
	if names[0] == "" {
		return nil
	}
	v, err := (&scope{r: r}).Attr(names[0])
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

// Attributes lists the names that can follow "v.", in order; nil for most of Starlark's values.
func Attributes(v starlark.Value) []string {
	if h, ok := v.(starlark.HasAttrs); ok {
		return slices.Sorted(slices.Values(h.AttrNames()))
	}
	return nil
}

// Predeclared lists the names that every program has besides Starlark's own, in order.
func Predeclared() []string { return slices.Clone(predeclared.names) }

// hereClass says where a rank runs. An index is the L# of the instance to which the rank is restricted, or
// UNDEFINED where the rank is not restricted to one instance.
var hereClass = newClass("here", nil, rows("here", map[string]any{
	"host node": hardwareIndex("Machine"),
	"package":   hardwareIndex("Package"),
	"numa":      hardwareIndex("NUMANode"),
	"core":      hardwareIndex("Core"),
	"pu":        hardwareIndex("PU"),
}))

func hardwareIndex(resource string) func(*Rank) starlark.Value {
	return func(r *Rank) starlark.Value { return starlark.MakeInt(r.P.HardwareIndex("hwloc://" + resource)) }
}

// Here returns the value of a name of hereClass on this rank; nil for another name.
func (r *Rank) Here(name string) starlark.Value {
	v, err := hereClass.attr(r, nil, name)
	if v == nil || err != nil {
		return nil
	}
	return v
}

// HereNames lists the names that Here accepts.
func HereNames() []string { return hereClass.names }

// bind moves this process to other PUs when it is one of the ranks. Every process checks the ranks;
// the PUs are those of the host of each process that moves.
func bind(c *call) (starlark.Value, error) {
	text, err := c.list(0, `ranks such as "0-3,7"`)
	if err != nil {
		return nil, err
	}
	ranks, err := engine.ParseRanks(text, c.r.P.Size())
	if err != nil {
		return nil, fmt.Errorf("bind: ranks %q: %w", text, err)
	}
	pus, err := c.list(1, `PUs such as "0-1+8"`)
	if err != nil || !ranks.Has(c.r.P.Rank()) {
		return starlark.None, err
	}
	set, err := hw.ParsePUs(pus, c.r.P.Host())
	if err == nil {
		err = c.r.P.Bind(set)
	}
	if err != nil {
		return nil, fmt.Errorf("bind: cpuset %w", err)
	}
	return starlark.None, nil
}

// list reads a list of numbers as text; one number may be an integer.
func (c *call) list(i int, want string) (string, error) {
	switch v := c.args[i].(type) {
	case starlark.String:
		return string(v), nil
	case starlark.Int:
		return v.String(), nil
	}
	return "", c.wrong(i, want)
}

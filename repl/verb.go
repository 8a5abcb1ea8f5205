package repl

import (
	_ "embed" // the table
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// Verb is one command of the language, as language.txt defines it.
type Verb struct {
	Name    string // with "_"; the command line writes "-"
	Params  []Param
	Makes   Result
	Call    engine.Call // the MPI call that it makes; CallNone for verbs of the session
	Short   string      // one line
	Long    string      // a paragraph
	Example string      // a line that works on 8 ranks after half = split world color=rank%2 and the line After
	After   string      // a line that the example builds on; "" for none
	OneShot bool        // also a command of the command line

	statements []statement // what the verb means; none: the session itself carries out the verb
	checks     bool        // it narrates, asks or expects

	check func(*issue) error // refuses arguments that do not go together; nil: all arguments do
	tells string             // the parameter whose value the console prints; "": it prints the result
}

// Param is a parameter of a verb.
type Param struct {
	Name    string
	Kind    ParamKind
	Default string // expression; "": the argument must be given
	Help    string
}

// ParamKind is which arguments a parameter takes, for completion and for checking.
type ParamKind int

// The kinds of parameter.
const (
	AnyValue ParamKind = iota
	CommParam
	IntParam
	TextParam
	GroupParam // a list of ranks, or a group
	TypeParam  // a split type
	ResourceParam
	PsetParam
	InfoParam
	PartsParam
	FuncParam
	HandleParam // a variable that holds communicators or COMM_NULL
	RanksParam  // world ranks as a list: 0-3,7
	CPUSetParam // PUs as a list: 0-1+8
)

// Result is the kind of a verb's result.
type Result int

// The kinds of result.
const (
	MakesNothing Result = iota
	MakesComm
	MakesInfo
	MakesValue
)

// Signature returns "split comm color key=0".
func (v *Verb) Signature() string { return strings.Join(v.Words(), " ") }

// Words returns the name, and each parameter with its default.
func (v *Verb) Words() []string {
	words := []string{v.Name}
	for _, p := range v.Params {
		if p.Default == "" {
			words = append(words, p.Name)
		} else {
			words = append(words, p.Name+"="+p.Default)
		}
	}
	return words
}

// TakesText reports whether the parameter of that name is a string.
func (v *Verb) TakesText(name string) bool {
	k := v.Index(name)
	return k >= 0 && slices.Contains([]ParamKind{TextParam, ResourceParam, PsetParam}, v.Params[k].Kind)
}

// Line writes the command with the given arguments of a shell. The shell has removed the quotes of
// strings: resource="hwloc://Core" comes as resource=hwloc://Core, and one argument of the shell may
// have blanks.
func (v *Verb) Line(args []string) string {
	words := []string{v.Name}
	for _, a := range args {
		name, value, ok := strings.Cut(a, "=")
		switch {
		case ok && v.TakesText(name) && !strings.HasPrefix(value, `"`) && !strings.HasPrefix(value, "'"):
			a = name + "=" + strconv.Quote(value)
		case lang.IsURI(a):
			a = strconv.Quote(a)
		case lang.OneWord(a):
		case ok && v.Index(name) >= 0:
			a = name + "=(" + value + ")"
		default:
			a = "(" + a + ")"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// actsOn reports whether the first argument is of that kind: a communicator that ranks must hold to take part in the call,
// or the ranks that the verb is about.
func (v *Verb) actsOn(kind ParamKind) bool { return len(v.Params) > 0 && v.Params[0].Kind == kind }

// Index returns the index of the parameter of that name; -1 for none.
func (v *Verb) Index(name string) int {
	for k, p := range v.Params {
		if p.Name == name {
			return k
		}
	}
	return -1
}

func (v *Verb) paramNames() []string {
	names := make([]string, len(v.Params))
	for i, p := range v.Params {
		names[i] = p.Name
	}
	return names
}

// listed returns the argument for ranks or PUs as a program writes it: a list of numbers, such as 0-3,7 or 0-1+8, gets
// quotes; any other argument is an expression and stays as it is.
func listed(a lang.Arg) lang.Arg {
	if a.Text != "" && strings.Trim(a.Text, "0123456789,+-") == "" {
		a.Text = strconv.Quote(a.Text)
	}
	return a
}

// statement is a statement of a verb, and the arguments that must or must not be given for it.
type statement struct{ when, text string }

// holds reports whether each word of the condition holds: "a", "!b" or "c|d".
func (s statement) holds(given func(param string) bool) bool {
	for word := range strings.FieldsSeq(s.when) {
		if !slices.ContainsFunc(strings.Split(word, "|"), func(name string) bool {
			plain, not := strings.CutPrefix(name, "!")
			return given(plain) != not
		}) {
			return false
		}
	}
	return true
}

// issue is one rank's execution of a command.
type issue struct {
	rank   *program.Rank
	comm   *engine.Comm // the communicator that the verb acts on; nil for a verb without one
	args   []starlark.Value
	cmd    *command
	locals func(string) starlark.Value
}

// arg returns the value of a parameter by name.
func (i *issue) arg(name string) starlark.Value { return i.args[i.cmd.verb.Index(name)] }

// wrong returns an error about an argument, at its place in the line.
func (i *issue) wrong(name, format string, args ...any) error {
	return i.cmd.errorAt(i.cmd.bound[i.cmd.verb.Index(name)].Word, fmt.Sprintf(format, args...))
}

// described returns a value for an error message: "a float 0.5", or "None".
func described(v starlark.Value) string {
	if v == starlark.None {
		return "None"
	}
	return article(v.Type()) + " " + v.String()
}

func article(word string) string {
	if strings.ContainsAny(word[:1], "aeiouAEIOU") {
		return "an " + word
	}
	return "a " + word
}

// wholeDivision returns a hint to write // in an expression that divides with /; "" for other expressions.
func wholeDivision(expr string) string {
	const mark = "\x00"
	whole := strings.ReplaceAll(strings.ReplaceAll(expr, "//", mark), "/", "//")
	whole = strings.ReplaceAll(whole, mark, "//")
	if whole == expr {
		return ""
	}
	return ": / gives a float, use " + whole
}

// command is a command chunk made ready: its arguments bound to the verb's parameters and compiled
// once for all ranks.
type command struct {
	chunk  *lang.Chunk
	at     engine.Site // where it stands
	verb   *Verb
	target string     // variable that gets the result; "" for none
	bound  []lang.Arg // by parameter; defaults stand at the verb
	given  []bool     // by parameter: written in the line
	comm   *program.Exprs
	args   *program.Exprs
	hidden []string    // names in args that a variable hides
	groups atomic.Bool // some rank passes a group object in place of a list of ranks
	means  [2]struct { // what the verb does, for a list of ranks and for a group object
		once    sync.Once
		routine *program.Routine
	}
}

// constants are the names that arguments may use for MPI_COMM_TYPE_SHARED and so on.
var constants = map[string]starlark.Value{
	"SHARED":          starlark.MakeInt(int(engine.TypeShared)),
	"HW_GUIDED":       starlark.MakeInt(int(engine.TypeHWGuided)),
	"HW_UNGUIDED":     starlark.MakeInt(int(engine.TypeHWUnguided)),
	"RESOURCE_GUIDED": starlark.MakeInt(int(engine.TypeResourceGuided)),
	"HW_SUBDOMAIN":    starlark.MakeInt(int(engine.TypeHWSubdomain)),
	"UNDEFINED":       starlark.MakeInt(engine.Undefined),
}

// rankNames are the names that differ from rank to rank.
var rankNames = append([]string{"rank", "size", "remote_size"}, program.HereNames()...)

// IsNumber reports whether a name in a command is a number that differs from rank to rank.
func IsNumber(name string) bool { return slices.Contains(rankNames, name) }

func isLocal(name string) bool {
	return constants[name] != nil || IsNumber(name)
}

// longName returns how a program writes a name that only commands know; "" for other names.
func longName(name, comm string) string {
	switch name {
	case "rank", "size", "remote_size":
		return comm + "." + name
	case "UNDEFINED":
		return "MPI.UNDEFINED"
	}
	if constants[name] != nil {
		return "MPI.COMM_TYPE_" + name
	}
	if slices.Contains(rankNames, name) {
		return "here." + name
	}
	return ""
}

// table is the table of verbs and meta commands; its first lines explain it.
//
//go:embed language.txt
var table string

// Verbs and MetaCommands are the rows of the table, in the order of the help.
var Verbs, MetaCommands = readTable()

// readTable reads the table. A mistake in the table is a panic, which every test meets.
func readTable() (verbs []*Verb, metas []*MetaCommand) {
	text := strings.ReplaceAll(table, "\n\t", " ")
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "" || word == "#":
		case word == "verb":
			verbs = append(verbs, &Verb{Name: rest, check: checkArguments[rest]})
		case word == "meta":
			name, args, _ := strings.Cut(rest, " ")
			metas = append(metas, &MetaCommand{Name: name, Args: args})
		case metas == nil:
			verbs[len(verbs)-1].read(word, rest)
		default:
			metas[len(metas)-1].read(word, rest)
		}
	}
	return verbs, metas
}

// resultNames and kindNames are the words of the table for the kinds of result and of parameter.
var (
	resultNames = []string{"nothing", "communicator", "info", "value"}
	kindNames   = []string{"value", "communicator", "number", "text", "group", "type", "resource", "pset", "info", "parts", "function",
		"handle", "ranks", "cpuset"}
)

// oneOf returns the place of a word of the table in a list.
func oneOf(list []string, word string) int {
	i := slices.Index(list, word)
	if i < 0 {
		panic("repl: language.txt has the word " + word + ", which is none of " + strings.Join(list, ", "))
	}
	return i
}

// read takes in a line of the table about the verb.
func (v *Verb) read(word, rest string) {
	switch word {
	case "makes":
		v.Makes = Result(oneOf(resultNames, rest))
	case "calls":
		call, ok := engine.CallNamed(rest)
		if !ok {
			panic("repl: language.txt has " + rest + ", which is not a call of the engine")
		}
		v.Call = call
	case "shell":
		v.OneShot = true
	case "checks":
		v.checks = true
	case "short":
		v.Short = rest
	case "long":
		v.Long = rest
	case "after":
		v.After = rest
	case "example":
		v.Example = rest
	case "tells":
		v.tells = rest
	case "param":
		name, kind, _ := strings.Cut(rest, " ")
		kind, help, _ := strings.Cut(kind, ": ")
		name, value, _ := strings.Cut(name, "=")
		v.Params = append(v.Params, Param{name, ParamKind(oneOf(kindNames, kind)), value, help})
	case "text":
		when, text, conditional := strings.Cut(strings.TrimPrefix(rest, "["), "] ")
		if !conditional || !strings.HasPrefix(rest, "[") {
			when, text = "", rest
		}
		v.statements = append(v.statements, statement{when, text})
	default:
		panic("repl: language.txt has a line " + word + " for the verb " + v.Name)
	}
}

// read takes in a line of the table about the meta command.
func (m *MetaCommand) read(word, rest string) {
	switch word {
	case "looks":
		m.looks = looks(oneOf([]string{"never", "alone", "always"}, rest))
	case "force":
		m.Forces = true
	case "short":
		m.Short = rest
	case "long":
		m.Long = strings.Replace(rest, "{views}", views(), 1)
	default:
		panic("repl: language.txt has a line " + word + " for ." + m.Name)
	}
}

// FindVerb finds a verb by name, with "-" or "_"; nil when there is none.
func FindVerb(name string) *Verb {
	name = strings.ReplaceAll(name, "-", "_")
	if i := slices.IndexFunc(Verbs, func(v *Verb) bool { return v.Name == name }); i >= 0 {
		return Verbs[i]
	}
	return nil
}

func IsVerb(word string) bool { return FindVerb(word) != nil }

func VerbNames() []string {
	names := make([]string, len(Verbs))
	for i, v := range Verbs {
		names[i] = v.Name
	}
	return names
}

// Checks reports whether a line narrates, asks or expects.
func Checks(c *lang.Chunk) bool {
	v := FindVerb(c.Verb.Text)
	return c.Kind == lang.Command && v != nil && v.checks
}

// Issues reports whether a line is a command of that verb.
func Issues(c *lang.Chunk, verb string) bool { return c.Kind == lang.Command && c.Verb.Text == verb }

// ExpectsDeadlock reports whether a line is expect_deadlock, which lets blocked ranks go.
func ExpectsDeadlock(c *lang.Chunk) bool { return Issues(c, "expect_deadlock") }

// checkArguments are the functions that refuse arguments of a verb which do not go together.
var checkArguments = map[string]func(*issue) error{
	"split_type": splitTypeArguments, "wait": isPair, "create_from_group": oneSource, "intercomm_create_from_groups": listsOnly,
}

// splitTypeArguments returns an error for a resource, process set or info object that the call would ignore.
func splitTypeArguments(i *issue) error {
	if name := i.cmd.bound[i.cmd.verb.Index("type")].Text; IsNumber(name) && hw.KnownResource(name) && !slices.Contains(i.cmd.hidden, name) {
		return i.wrong("type", "%s is a number here, which differs from rank to rank%s", name, resourceHint(name))
	}
	n, err := starlark.AsInt32(i.arg("type"))
	t := engine.SplitType(n)
	if err != nil {
		return nil // the call says that it must be an integer
	}
	resource := i.arg("resource") != starlark.String("")
	if resource && t == engine.TypeHWSubdomain {
		return i.wrong("resource", "resource sets mpi_hw_resource_type, but HW_SUBDOMAIN reads mpi_hw_domain_type: pass info=MPI.Info.Create({%q:%s})", engine.KeyHWDomainType, i.arg("resource"))
	}
	for _, name := range []string{"resource", "pset"} {
		if i.arg(name) == starlark.String("") {
			continue
		}
		if i.names(t) {
			return i.wrong(name, "%s ignores %s: use HW_GUIDED or RESOURCE_GUIDED, or leave it out", t, name)
		}
		if i.arg("info") != starlark.None {
			return i.wrong(name, "%s is put into a new info object: pass info or %s, not both", name, name)
		}
	}
	return nil
}

// names reports whether the line names split type t literally, and t ignores resources. A computed type may
// differ between ranks; the call itself checks that.
func (i *issue) names(t engine.SplitType) bool {
	written := i.cmd.bound[i.cmd.verb.Index("type")].Text
	return (t == engine.TypeShared || t == engine.TypeHWUnguided) && strings.HasSuffix(t.String(), strings.TrimPrefix(written, "MPI."))
}

// isPair returns an error for a value that is not the result of an idup.
func isPair(i *issue) error {
	if !program.IsStarted(i.arg("pair")) {
		return i.wrong("pair", "pair must be the result of idup, a communicator and its request, not %s", article(i.arg("pair").Type()))
	}
	return nil
}

// oneSource returns an error unless exactly one of group and pset is given.
func oneSource(i *issue) error {
	_, isNull := i.arg("group").(starlark.NoneType)
	set := i.arg("pset") != starlark.String("")
	switch {
	case isNull && !set:
		return i.wrong("group", "create_from_group needs group, as in group=[0,1,2], or pset, as in pset=\"mpi://WORLD\"")
	case !isNull && set:
		return i.wrong("pset", "create_from_group takes group or pset, not both")
	}
	return nil
}

// listsOnly returns an error for group objects: a group of the World Model does not belong to the verb's session.
func listsOnly(i *issue) error {
	for _, name := range []string{"left", "right"} {
		if _, ok := program.GroupOf(i.arg(name)); ok {
			return i.wrong(name, "%s must be a list of world ranks such as [0, 1], not a group", name)
		}
	}
	return nil
}

// groupItself removes the call that makes a group from a list of ranks, for an argument that is already a group.
var groupItself = strings.NewReplacer("{comm}.group.Incl({group})", "{group}", `session.Create_group("mpi://WORLD").Incl({group})`, "{group}")

// comparison returns the name of a result of MPI_Comm_compare.
func comparison(v starlark.Value) string {
	n, err := starlark.AsInt32(v)
	if err != nil {
		return v.String()
	}
	return engine.Comparison(n).String()
}

// Lines explains to a person how a line of the language looks.
const Lines = "A line is a command (a verb and its arguments), a statement of a program that every rank runs, or " +
	"a meta command. @0-3 in front lets only these ranks issue it; NAME = in front names the result."

// WriteHelp shows the verb in full; no text is wider than width.
func (v *Verb) WriteHelp(w io.Writer, width int) {
	fmt.Fprintln(w, Hang("", v.Signature(), width))
	fmt.Fprintln(w)
	fmt.Fprintln(w, Wrap(v.Long, width, "    "))
	if len(v.Params) > 0 {
		fmt.Fprintln(w)
	}
	column := 9
	for _, p := range v.Params {
		column = max(column, len(p.Name))
	}
	item := func(name, text string) {
		fmt.Fprintln(w, Hang(fmt.Sprintf("    %-*s  ", column, name), text, width))
	}
	for _, p := range v.Params {
		item(p.Name, p.Help)
	}
	fmt.Fprintln(w)
	item("example", v.Example)
	if v.After != "" {
		item("after", v.After)
	}
	if v.Call != 0 {
		item("calls", fmt.Sprintf("%s [%s]", v.Call, v.Call.Rule()))
	}
}

// Wrap breaks text at blanks so that no line is longer than width, and puts the prefix before each line.
func Wrap(text string, width int, prefix string) string {
	var rows []string
	for line := range strings.SplitSeq(text, "\n") {
		rows = append(rows, paint.Wrap(line, width-len(prefix))...)
	}
	return prefix + strings.Join(rows, "\n"+prefix)
}

// Hang wraps text behind a head: the lines below the first one stand below its text.
func Hang(head, text string, width int) string {
	indent := strings.Repeat(" ", paint.Width(head))
	return head + strings.TrimPrefix(Wrap(text, width, indent), indent)
}

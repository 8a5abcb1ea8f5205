package repl

import (
	"context"
	"fmt"
	"io"
	"strings"

	"commsplit/hw/source"
	"commsplit/hw/spell"
	"commsplit/render/paint"
	"commsplit/repl/lang"
	"commsplit/repl/program"
	"commsplit/scripts"
)

// MetaCommand is a line that starts with a dot: it is for the session, not for the ranks.
type MetaCommand struct {
	Name  string
	Args  string // for the help
	Short string // one line
	looks looks
	force bool // with ! behind its name it writes over a file that is there
}

// looks says when a meta command only looks at the session.
type looks int

const (
	never  looks = iota
	alone        // without arguments
	always       // with any arguments
)

// MetaCommands is the table of all meta commands, in the order of the help. The console has their functions.
var MetaCommands = []*MetaCommand{
	{"help", "[VERB]", "list verbs and meta commands, or describe one in full", always, false},
	{"show", "[HANDLE [PICTURE]|VIEW]", "draw a partition, or a view: tree, table, leaks ...", always, false},
	{"world", "[N]", "the world; with N, make a fresh world of N ranks", alone, false},
	{"topo", "[SPEC]", "the hardware; with SPEC, make a fresh world on that hardware", alone, false},
	{"bind", "[LIST|FLAGS...]", "where ranks run; with LIST or FLAGS, a fresh world bound so", alone, false},
	{"undo", "[N]", "take back the last line, or the last N", never, false},
	{"redo", "", "run again what .undo took back", never, false},
	{"step", "[K|in|out|next|back]", "the trace; K: after step K; in: the phases inside a step", always, false},
	{"explain", "[HANDLE [@RANKS]]", "why ranks hold what they hold, or are blocked", always, false},
	{"program", "[FILE]", "the session as a program that every rank runs", alone, true},
	{"say", "[c|f08|mpi4py|command]", "the latest line in C, Fortran, mpi4py, or as a command", always, false},
	{"save", "FILE [plain]", "write the session with its results: NAME.mpi or NAME.py", never, true},
	{"export", "FORMAT [FILE] [HANDLE]", "the session as a picture, a table or a program", never, true},
	{"open", "FILE|EXAMPLE", "run a script, then go on", never, false},
	{"recover", "[list|N|drop [N|all]]", "bring back a session that ended early", never, false},
	{"mode", "[text|json]", "output of .show", never, false},
	{"quit", "", "leave; so does Ctrl-D", never, false},
}

// Looks reports whether a line only looks at the session, and changes nothing.
func Looks(c *lang.Chunk) bool {
	if c.Kind != lang.Meta {
		return false
	}
	m := findMeta(c.Verb.Text)
	if m == nil {
		return false
	}
	return m.looks == always || m.looks == alone && len(c.Args) == 0
}

// Signature is ".undo [N]".
func (m *MetaCommand) Signature() string {
	name := "." + m.Name
	if m.force {
		name += "[!]"
	}
	if m.Args == "" {
		return name
	}
	return name + " " + m.Args
}

// metas holds what the console does for each meta command, and its help in full.
var metas map[string]meta

// meta is the console's part of a meta command.
type meta struct {
	long string // the help, a paragraph; "" where the line of the table says all
	run  func(c *Console, ctx context.Context, args []string) error
}

func init() { // .help reads this table
	metas = map[string]meta{
		"help": {"It also knows the names of programs: .help Split describes MPI.Comm.Split.", (*Console).metaHelp},
		"show": {showHelp(), (*Console).metaShow},
		"world": {"Shows the size, the hardware, the placement, the version of the standard and the process sets.",
			(*Console).metaWorld},
		"topo": {"SPEC is what --topo takes: this, a preset such as epyc-9654-nps4, an hwloc file FILE.xml, fsroot:PATH (a copy of " +
			"/proc and /sys), job:FILE (where the ranks of a job ran), or a synthetic description such as pack:2 core:4 pu:2. The world gets a rank per core, " +
			"or the ranks of the job.",
			(*Console).metaTopo},
		"bind": {"LIST is what --bind takes: the PUs of each rank, such as 0,1,2-3+8. FLAGS are those of mpirun: --map-by numa:pe=2, " +
			"--rank-by, --bind-to, --rankfile FILE, or of srun: --ntasks-per-node, --cpus-per-task, --threads-per-core, --distribution, --cpu-bind, --hint. To move ranks of the present world, use the verb bind, without the dot.",
			(*Console).metaBind},
		"undo": {"The lines before run again on a fresh world, with the same results. A fresh world can be taken back, too.",
			(*Console).metaUndo},
		"redo":    {"", (*Console).metaRedo},
		"step":    {stepHelp, (*Console).metaStep},
		"explain": {explainHelp, (*Console).metaExplain},
		"program": {"The program makes the same calls with mpi4py's names. With FILE it is written there. " + overHelp,
			(*Console).metaProgram},
		"say":    {sayHelp, (*Console).metaSay},
		"save":   {saveHelp + overHelp, (*Console).metaSave},
		"export": {exportHelp(), (*Console).metaExport},
		"open": {"The lines run in the present world; a note says so when the first lines of the script ask for another one.",
			(*Console).metaOpen},
		"recover": {recoverHelp, (*Console).metaRecover},
		"mode":    {"In json, .show prints the document of run -o json, whatever its argument.", (*Console).metaMode},
		"quit":    {"", (*Console).metaQuit},
	}
}

// MetaHelp returns the paragraph of help on a meta command; "" where its line says all.
func MetaHelp(m *MetaCommand) string { return metas[m.Name].long }

// findMeta finds a meta command by name or unambiguous beginning.
func findMeta(name string) *MetaCommand {
	var found []*MetaCommand
	name, force := strings.CutSuffix(name, "!")
	for _, m := range MetaCommands {
		if force && !m.force {
			continue
		}
		if m.Name == name {
			return m
		}
		if strings.HasPrefix(m.Name, name) {
			found = append(found, m)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return nil
}

func metaNames() []string {
	names := make([]string, len(MetaCommands))
	for i, m := range MetaCommands {
		names[i] = m.Name
	}
	return names
}

func (c *Console) meta(ctx context.Context, chunk *lang.Chunk) error {
	m := findMeta(chunk.Verb.Text)
	if m == nil {
		hint := "; .help lists them"
		if near := spell.Nearest(chunk.Verb.Text, metaNames()); near != "" {
			hint = fmt.Sprintf(" (did you mean .%s?)", near)
		}
		return chunk.ErrorAt(chunk.Verb, "unknown meta command .%s%s", chunk.Verb.Text, hint)
	}
	args := make([]string, len(chunk.Args))
	for i, a := range chunk.Args {
		args[i] = a.Text
	}
	many := m.Name == "topo" || strings.HasSuffix(m.Args, "...]")
	if most := strings.Count(m.Args, " ") + 1; !many && len(args) > most || m.Args == "" && len(args) > 0 {
		return chunk.ErrorAt(chunk.Args[len(args)-1].Word, "too many arguments; it is: .%s", strings.TrimSpace(m.Name+" "+m.Args))
	}
	sealed := c.Session.Sealed
	c.force, c.trusted = strings.HasSuffix(chunk.Verb.Text, "!"), (chunk.Typed || c.AllowFiles) && sealed == ""
	switch does := m.touches(args); {
	case does != "" && sealed != "":
		return chunk.ErrorAt(chunk.Verb, ".%s %s: %s", m.Name, does, sealed)
	case does != "" && !c.trusted:
		return chunk.ErrorAt(chunk.Verb, ".%s %s, which the lines of a script may do only with --allow-files", m.Name, does)
	}
	out := c.Out
	defer func() { c.Out = out }()
	if c.Silent {
		// Out must hold nothing but the document that follows.
		if c.Out = c.Aside; c.Out == nil {
			c.Out = c.Err
		}
	}
	if !Looks(chunk) || m.Name == "help" {
		return metas[m.Name].run(c, ctx, args)
	}
	var drawn strings.Builder
	c.Out = io.MultiWriter(c.Out, &drawn)
	err := metas[m.Name].run(c, ctx, args)
	if err == nil {
		c.Session.showing(chunk, drawn.String())
	}
	return err
}

// touches says that a meta command would read or write a file: "reads a file"; "" when it would do neither.
func (m *MetaCommand) touches(args []string) string {
	const reads, writes = "reads a file", "writes a file"
	switch {
	case m.Name == "save", m.Name == "program" && len(args) > 0,
		m.Name == "export" && len(args) > 1 && args[1] != "-":
		return writes
	case m.Name == "open" && len(args) > 0:
		if _, _, embedded := scripts.Lookup(args[0]); !embedded {
			return reads
		}
	case m.Name == "topo" && source.ReadsFile(strings.Trim(strings.Join(args, " "), "\"'")):
		return reads
	case m.Name == "bind" && len(args) > 0:
		if p, err := bindPolicy(args); err == nil && p.ReadsFile() {
			return reads
		}
	}
	return ""
}

func (c *Console) metaQuit(context.Context, []string) error { c.quit = true; return nil }

func (c *Console) metaHelp(_ context.Context, args []string) error {
	if len(args) == 0 {
		writeHelp(c.Out)
		return nil
	}
	name := strings.TrimPrefix(args[0], ".")
	if v := FindVerb(name); v != nil && !strings.HasPrefix(args[0], ".") {
		v.WriteHelp(c.Out)
		return nil
	}
	if m := findMeta(name); m != nil {
		fmt.Fprintf(c.Out, "%s\n    %s\n", m.Signature(), m.Short)
		if long := MetaHelp(m); long != "" {
			fmt.Fprintf(c.Out, "\n%s\n", Wrap(long, 78, "    "))
		}
		return nil
	}
	if helpOnNames(c.Out, args[0]) {
		return nil
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 && helpOnNames(c.Out, name[i+1:]) { // half.Split is one of half
		return nil
	}
	return fmt.Errorf("no verb or meta command is called %s%s", args[0], spell.DidYouMean(name, append(verbNames(), metaNames()...)))
}

// helpOnNames tells of the names of programs that are word, or whose last part is word: Split is MPI.Comm.Split.
// It reports whether there are such names.
func helpOnNames(w io.Writer, word string) bool {
	found := false
	for _, d := range program.Docs() {
		if d.Name != word && !strings.HasSuffix(d.Name, "."+word) {
			continue
		}
		found = true
		fmt.Fprintf(w, "%s\n%s\n", Wrap(d.Name+d.Signature, 78, ""), Wrap(d.Text, 78, "    "))
		if d.Call != 0 {
			fmt.Fprintf(w, "    calls      %s [%s]\n", d.Call, d.Call.Rule())
		}
	}
	return found
}

// Lines explains to a person what a line of the language can be.
const Lines = "A line is a command (a verb and its arguments), a statement of a program that every rank runs, or " +
	"a meta command. @0-3 in front lets only these ranks issue it; NAME = in front names the result."

// writeHelp lists the verbs and the meta commands.
func writeHelp(w io.Writer) {
	fmt.Fprintln(w, Wrap(Lines, 78, ""))
	fmt.Fprintln(w)
	for _, v := range Verbs {
		fmt.Fprintf(w, "  %-17s %s\n", v.Name, v.Short)
	}
	fmt.Fprintln(w)
	for _, m := range MetaCommands {
		fmt.Fprintf(w, "  %-17s %s\n", "."+m.Name, m.Short)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, ".help VERB shows one with its arguments, an example and its section; .help NAME")
	fmt.Fprintln(w, "describes a name of programs, such as Split.")
}

// WriteHelp shows the verb in full.
func (v *Verb) WriteHelp(w io.Writer) {
	fmt.Fprintln(w, v.Signature())
	fmt.Fprintln(w)
	fmt.Fprintln(w, Wrap(v.Long, 78, "    "))
	if len(v.Params) > 0 {
		fmt.Fprintln(w)
	}
	column := 9
	for _, p := range v.Params {
		column = max(column, len(p.Name))
	}
	item := func(name, text string) {
		fmt.Fprintln(w, Hang(fmt.Sprintf("    %-*s  ", column, name), text, 78))
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

// Hang is Wrap behind a head: the lines below the first one stand below its text.
func Hang(head, text string, width int) string {
	indent := strings.Repeat(" ", paint.Width(head))
	return head + strings.TrimPrefix(Wrap(text, width, indent), indent)
}

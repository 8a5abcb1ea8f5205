package console

import (
	"context"
	"fmt"
	"io"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// metas holds what the console does for each meta command, and its help in full.
var metas map[string]meta

// meta is the console's part of a meta command.
type meta struct {
	long string // the help, a paragraph; "" where the line of the table says all
	run  func(ctx context.Context, c *Console, args []string) error
}

func init() { // .help reads this table
	metas = map[string]meta{
		"help": {"It also describes the names of programs: .help Split describes MPI.Comm.Split.", metaHelp},
		"show": {repl.ShowHelp(), metaShow},
		"world": {"Shows the size, the hardware, the placement, the version of the standard and the process sets.",
			metaWorld},
		"topo": {"SPEC is what --topo takes: this, a preset such as epyc-9654-nps4, an hwloc file FILE.xml, fsroot:PATH (a copy of " +
			"/proc and /sys), job:FILE (where the ranks of a job ran), or a synthetic description such as pack:2 core:4 pu:2. The world gets a rank per core, " +
			"or the ranks of the job.",
			metaTopo},
		"bind": {"LIST is what --bind takes: the PUs of each rank, such as 0,1,2-3+8. FLAGS are those of mpirun: --map-by numa:pe=2, " +
			"--rank-by, --bind-to, --rankfile FILE, or of srun: --ntasks-per-node, --cpus-per-task, --threads-per-core, --distribution, --cpu-bind, --hint. To move ranks of the present world, use the verb bind, without the dot.",
			metaBind},
		"undo": {"The remaining lines run again on a fresh world, with the same results. The commands that make a fresh world can be undone, too.",
			metaUndo},
		"redo":    {"", metaRedo},
		"step":    {stepHelp, metaStep},
		"explain": {explainHelp, metaExplain},
		"program": {"The program makes the same calls with mpi4py's names. With FILE, it is written to that file. " + overHelp,
			metaProgram},
		"say":    {sayHelp, metaSay},
		"save":   {saveHelp + overHelp, metaSave},
		"export": {exportHelp(), metaExport},
		"open": {"The lines run in the present world; if the first lines of the script ask for another world, a note says so.",
			metaOpen},
		"recover": {recoverHelp, metaRecover},
		"mode":    {"In json mode, .show prints the document of run -o json, whatever its argument.", metaMode},
		"quit":    {"", metaQuit},
	}
}

// MetaHelp returns the paragraph of help on a meta command; "" where its line says all.
func MetaHelp(m *repl.MetaCommand) string { return metas[m.Name].long }

func (c *Console) meta(ctx context.Context, chunk *lang.Chunk) error {
	m := repl.FindMeta(chunk.Verb.Text)
	if m == nil {
		return repl.UnknownMeta(chunk)
	}
	args := make([]string, len(chunk.Args))
	for i, a := range chunk.Args {
		args[i] = a.Text
	}
	many := m.Name == "topo" || strings.HasSuffix(m.Args, "...]")
	if most := strings.Count(m.Args, " ") + 1; !many && len(args) > most || m.Args == "" && len(args) > 0 {
		return chunk.ErrorAt(chunk.Args[len(args)-1].Word, "too many arguments; usage: .%s", strings.TrimSpace(m.Name+" "+m.Args))
	}
	sealed := c.Session.Sealed
	c.force, c.trusted = strings.HasSuffix(chunk.Verb.Text, "!"), (chunk.Typed || c.AllowFiles) && sealed == ""
	switch does := m.Touches(args); {
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
	if !repl.Looks(chunk) || m.Name == "help" {
		return metas[m.Name].run(ctx, c, args)
	}
	var drawn strings.Builder
	c.Out = io.MultiWriter(c.Out, &drawn)
	err := metas[m.Name].run(ctx, c, args)
	if err == nil {
		c.Session.Showing(chunk, drawn.String())
	}
	return err
}

func metaQuit(_ context.Context, c *Console, _ []string) error { c.quit = true; return nil }

func metaHelp(_ context.Context, c *Console, args []string) error {
	if len(args) == 0 {
		writeHelp(c.Out)
		return nil
	}
	name := strings.TrimPrefix(args[0], ".")
	if v := repl.FindVerb(name); v != nil && !strings.HasPrefix(args[0], ".") {
		v.WriteHelp(c.Out)
		return nil
	}
	if m := repl.FindMeta(name); m != nil {
		fmt.Fprintf(c.Out, "%s\n    %s\n", m.Signature(), m.Short)
		if long := MetaHelp(m); long != "" {
			fmt.Fprintf(c.Out, "\n%s\n", repl.Wrap(long, 78, "    "))
		}
		return nil
	}
	if helpOnNames(c.Out, args[0]) {
		return nil
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 && helpOnNames(c.Out, name[i+1:]) { // half.Split is one of half
		return nil
	}
	return fmt.Errorf("no verb or meta command is called %s%s", args[0], spell.DidYouMean(name, append(repl.VerbNames(), repl.MetaNames()...)))
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
		fmt.Fprintf(w, "%s\n%s\n", repl.Wrap(d.Name+d.Signature, 78, ""), repl.Wrap(d.Text, 78, "    "))
		if d.Call != 0 {
			fmt.Fprintf(w, "    calls      %s [%s]\n", d.Call, d.Call.Rule())
		}
	}
	return found
}

// writeHelp lists the verbs and the meta commands.
func writeHelp(w io.Writer) {
	fmt.Fprintln(w, repl.Wrap(repl.Lines, 78, ""))
	fmt.Fprintln(w)
	for _, v := range repl.Verbs {
		fmt.Fprintf(w, "  %-17s %s\n", v.Name, v.Short)
	}
	fmt.Fprintln(w)
	for _, m := range repl.MetaCommands {
		fmt.Fprintf(w, "  %-17s %s\n", "."+m.Name, m.Short)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, ".help VERB describes a verb, with an example and its section; .help NAME")
	fmt.Fprintln(w, "describes a name of programs, such as Split.")
}

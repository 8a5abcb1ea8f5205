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
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// runs has the function of each meta command.
var runs map[string]func(ctx context.Context, c *Console, args []string) error

func init() { // .help and .open run lines
	runs = map[string]func(ctx context.Context, c *Console, args []string) error{
		"help": metaHelp, "show": metaShow, "world": metaWorld, "topo": metaTopo, "bind": metaBind, "undo": metaUndo, "redo": metaRedo,
		"step": metaStep, "explain": metaExplain, "program": metaProgram, "say": metaSay, "save": metaSave, "export": metaExport,
		"open": metaOpen, "recover": metaRecover, "mode": metaMode, "quit": metaQuit,
	}
}

// MetaHelp returns the paragraph of help on a meta command; "" where its line says all.
func MetaHelp(m *repl.MetaCommand) string {
	names, shorts := stories.ExportFormats()
	var formats []string
	for i, name := range names {
		formats = append(formats, name+" ("+shorts[i]+")")
	}
	text := strings.Replace(m.Long, "{formats}", strings.Join(formats, ", "), 1)
	if m.Forces {
		text += " A file that is there and that the session has neither opened nor written stays as it is; with ! behind " +
			"the name of the meta command it is written over."
	}
	return text
}

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
		return runs[m.Name](ctx, c, args)
	}
	var drawn strings.Builder
	c.Out = io.MultiWriter(c.Out, &drawn)
	err := runs[m.Name](ctx, c, args)
	if err == nil {
		c.Session.Showing(chunk, drawn.String())
	}
	return err
}

func metaQuit(_ context.Context, c *Console, _ []string) error { c.quit = true; return nil }

func metaHelp(_ context.Context, c *Console, args []string) error {
	width := min(78, c.Style.Line())
	if len(args) == 0 {
		writeHelp(c.Out, width)
		return nil
	}
	name := strings.TrimPrefix(args[0], ".")
	if v := repl.FindVerb(name); v != nil && !strings.HasPrefix(args[0], ".") {
		v.WriteHelp(c.Out, width)
		return nil
	}
	if m := repl.FindMeta(name); m != nil {
		fmt.Fprintf(c.Out, "%s\n%s\n", repl.Wrap(m.Signature(), width, ""), repl.Wrap(m.Short, width, "    "))
		if long := MetaHelp(m); long != "" {
			fmt.Fprintf(c.Out, "\n%s\n", repl.Wrap(long, width, "    "))
		}
		return nil
	}
	if helpOnNames(c.Out, args[0], width) {
		return nil
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 && helpOnNames(c.Out, name[i+1:], width) { // half.Split is one of half
		return nil
	}
	return fmt.Errorf("no verb or meta command is called %s%s", args[0], spell.DidYouMean(name, append(repl.VerbNames(), repl.MetaNames()...)))
}

// helpOnNames tells of the names of programs that are word, or whose last part is word: Split is MPI.Comm.Split.
// It reports whether there are such names.
func helpOnNames(w io.Writer, word string, width int) bool {
	found := false
	for _, d := range program.Docs() {
		if d.Name != word && !strings.HasSuffix(d.Name, "."+word) {
			continue
		}
		found = true
		fmt.Fprintf(w, "%s\n%s\n", repl.Wrap(d.Name+d.Signature, width, ""), repl.Wrap(d.Text, width, "    "))
		if d.Call != 0 {
			fmt.Fprintln(w, repl.Hang("    calls      ", fmt.Sprintf("%s [%s]", d.Call, d.Call.Rule()), width))
		}
	}
	return found
}

// writeHelp lists the verbs and the meta commands.
func writeHelp(w io.Writer, width int) {
	fmt.Fprintln(w, repl.Wrap(repl.Lines, width, ""))
	fmt.Fprintln(w)
	item := func(name, text string) {
		const column = 20
		if len(name) > column-3 {
			fmt.Fprintf(w, "  %s\n", name)
			name = ""
		}
		fmt.Fprintln(w, repl.Hang(fmt.Sprintf("  %-*s", column-2, name), text, width))
	}
	for _, v := range repl.Verbs {
		item(v.Name, v.Short)
	}
	fmt.Fprintln(w)
	for _, m := range repl.MetaCommands {
		item("."+m.Name, m.Short)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, repl.Wrap(".help VERB describes a verb, with an example and its section; .help NAME "+
		"describes a name of programs, such as Split.", width, ""))
}

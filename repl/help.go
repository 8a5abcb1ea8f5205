package repl

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"commsplit/repl/program"
)

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
		if m.Long != "" {
			fmt.Fprintf(c.Out, "\n%s\n", Wrap(m.Long, 78, "    "))
		}
		return nil
	}
	if helpOnNames(c.Out, args[0]) {
		return nil
	}
	return fmt.Errorf("no verb or meta command is called %s%s", args[0], didYouMean(name, append(verbNames(), metaNames()...)))
}

// helpOnNames tells of the names of programs that are word or end with it: Split is MPI.Comm.Split.
// It reports whether there are any.
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

// Lines says what a line of the language is.
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
	for _, m := range metaTable {
		fmt.Fprintf(w, "  %-17s %s\n", "."+m.Name, m.Short)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, ".help VERB shows one with its arguments, an example and its section; .help NAME")
	fmt.Fprintln(w, "tells of a name of programs, such as Split.")
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
		lines := Wrap(text, 78, strings.Repeat(" ", column+6))
		fmt.Fprintf(w, "    %-*s  %s\n", column, name, strings.TrimSpace(lines))
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

// Wrap breaks text at blanks so that no line is longer than width, each with the prefix. Names of files
// and of sections have hyphens, at which it does not break: to ansi they are another character.
func Wrap(text string, width int, prefix string) string {
	const hyphen = "\uE000" // for private use, one column wide
	lines := ansi.Wrap(strings.ReplaceAll(text, "-", hyphen), width-len(prefix), "")
	return prefix + strings.NewReplacer(hyphen, "-", "\n", "\n"+prefix).Replace(lines)
}

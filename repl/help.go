package repl

import (
	"context"
	"fmt"
	"io"
	"strings"
)

func (c *Console) metaHelp(_ context.Context, args []string) error {
	if len(args) == 0 {
		WriteHelp(c.Out)
		return nil
	}
	name := strings.TrimPrefix(args[0], ".")
	if v := FindVerb(name); v != nil && !strings.HasPrefix(args[0], ".") {
		v.WriteHelp(c.Out)
		return nil
	}
	if m := findMeta(name); m != nil {
		fmt.Fprintf(c.Out, ".%s %s\n    %s\n", m.Name, m.Args, m.Short)
		return nil
	}
	return fmt.Errorf("no verb or meta command is called %s%s", args[0], didYouMean(name, append(verbNames(), metaNames()...)))
}

// WriteHelp lists the verbs and the meta commands.
func WriteHelp(w io.Writer) {
	fmt.Fprintln(w, "A line is a command (a verb and its arguments), a statement that every rank")
	fmt.Fprintln(w, "runs, or a meta command. @0-3 in front lets only these ranks issue it; NAME =")
	fmt.Fprintln(w, "in front names the result.")
	fmt.Fprintln(w)
	for _, v := range Verbs {
		fmt.Fprintf(w, "  %-16s %s\n", v.Name, v.Short)
	}
	fmt.Fprintln(w)
	for _, m := range metaTable {
		fmt.Fprintf(w, "  %-16s %s\n", "."+m.Name, m.Short)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, ".help VERB shows one with its arguments, an example and its section.")
}

// WriteHelp shows the verb in full.
func (v *Verb) WriteHelp(w io.Writer) {
	fmt.Fprintln(w, v.Signature())
	fmt.Fprintln(w)
	fmt.Fprintln(w, Wrap(v.Long, 78, "    "))
	if len(v.Params) > 0 {
		fmt.Fprintln(w)
	}
	for _, p := range v.Params {
		help := Wrap(p.Help, 78, strings.Repeat(" ", len("    comm       ")))
		fmt.Fprintf(w, "    %-10s %s\n", p.Name, strings.TrimSpace(help))
	}
	fmt.Fprintf(w, "\n    example    %s\n", v.Example)
	if v.Call != 0 {
		fmt.Fprintf(w, "    calls      %s [%s]\n", v.Call, v.Call.Rule())
	}
}

// Wrap breaks text at blanks so that no line is longer than width, each with the prefix.
func Wrap(text string, width int, prefix string) string {
	var out []string
	line := prefix
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > width && line != prefix {
			out = append(out, line)
			line = prefix
		}
		if line != prefix {
			line += " "
		}
		line += word
	}
	return strings.Join(append(out, line), "\n")
}

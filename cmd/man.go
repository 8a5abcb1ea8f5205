package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"commsplit/repl"
)

func newMan(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "the manual page, for man -l -",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			writeMan(s.Out, c.Root())
			return nil
		},
	}
}

// writeMan writes the manual page in roff from the command tree, the verbs and the exit codes.
func writeMan(w io.Writer, root *cobra.Command) {
	fmt.Fprintf(w, ".TH COMMSPLIT 1\n.SH NAME\ncommsplit \\- %s\n", roff(root.Short))
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B commsplit\n[COMMAND] [FLAGS]\n.SH DESCRIPTION\n%s\n", roff(root.Long))
	fmt.Fprintln(w, ".SH COMMANDS")
	manCommands(w, root)
	fmt.Fprintln(w, ".SH FLAGS")
	root.Flags().VisitAll(func(f *pflag.Flag) {
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		manItem(w, name, f.Usage)
	})
	fmt.Fprintln(w, ".SH LANGUAGE")
	for _, v := range repl.Verbs {
		manItem(w, v.Signature(), v.Long)
	}
	for _, m := range repl.MetaCommands() {
		manItem(w, strings.TrimSpace("."+m.Name+" "+m.Args), m.Short)
	}
	fmt.Fprintln(w, ".SH EXIT STATUS")
	for _, c := range Codes() {
		manItem(w, fmt.Sprint(int(c.Code)), c.Meaning)
	}
}

func manCommands(w io.Writer, parent *cobra.Command) {
	for _, c := range parent.Commands() {
		if c.Hidden || c.Name() == "help" {
			continue
		}
		manItem(w, strings.TrimPrefix(c.CommandPath(), "commsplit ")+strings.TrimPrefix(c.Use, c.Name()), c.Short)
		if c.Name() != "completion" {
			manCommands(w, c)
		}
	}
}

func manItem(w io.Writer, head, text string) {
	fmt.Fprintf(w, ".TP\n\\fB%s\\fR\n%s\n", roff(head), roff(text))
}

// roff escapes what the formatter would take for its own.
func roff(text string) string {
	text = strings.ReplaceAll(text, `\`, `\e`)
	text = strings.ReplaceAll(text, "-", `\-`)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

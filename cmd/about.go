package cmd

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"commsplit/engine"
	"commsplit/hw/spell"
	"commsplit/render/schema"
	"commsplit/repl"
)

func newMan(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "the manual page, for man -l -",
		Args:  nothing,
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
	manFlags(w, root)
	fmt.Fprintf(w, ".SH LANGUAGE\n%s\n.SS Verbs\n", roff(repl.Lines))
	for _, v := range repl.Verbs {
		manVerb(w, v)
	}
	fmt.Fprintln(w, ".SS Meta commands")
	for _, m := range repl.MetaCommands() {
		manItem(w, m.Signature(), strings.TrimSpace(m.Short+".\n"+m.Long))
	}
	fmt.Fprintln(w, ".SH EXIT STATUS")
	for _, c := range Codes() {
		manItem(w, fmt.Sprint(int(c.Code)), c.Meaning)
	}
	fmt.Fprintln(w, ".SH ENVIRONMENT")
	for _, e := range environment {
		manItem(w, e.name, e.meaning)
	}
	fmt.Fprintln(w, ".SH FILES")
	manItem(w, "$XDG_STATE_HOME/commsplit/history", "lines typed at the prompt; without an absolute XDG_STATE_HOME, in ~/.local/state")
	manItem(w, "$XDG_STATE_HOME/commsplit/session-*.journal", "the lines of sessions that live, and of those that ended early: .recover brings them back")
	manItem(w, "$XDG_STATE_HOME/commsplit/learn", "where you are in the lessons")
	fmt.Fprintf(w, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(root.Example))
}

// environment is what the program reads, apart from the place of its history.
var environment = []struct{ name, meaning string }{
	{"COLUMNS", "width of the results where they go to no terminal (default: 80)"},
	{"COMMSPLIT_NO_ANIM", "the terminal UI moves nothing by itself, as over ssh and on the Linux console; 0 lets it move there, too"},
	{"COMMSPLIT_NO_MOUSE", "the terminal UI leaves the mouse to the terminal"},
	{"NO_COLOR", "no color, unless --color says always"},
	{"CLICOLOR_FORCE", "color, also where results go to no terminal, unless it is 0"},
	{"CLICOLOR", "0: no color"},
	{"TERM", "dumb, or empty but on Windows: no color, and no terminal UI"},
	{"COLORFGBG", "the terminal's colors, for those that can be read on its background"},
}

// manFlags lists the flags of the root, which most commands take, and those that only one command has.
func manFlags(w io.Writer, root *cobra.Command) {
	item := func(f *pflag.Flag, only string) {
		value, usage := pflag.UnquoteUsage(f)
		name := strings.TrimSpace("--" + f.Name + " " + value)
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		manItem(w, name, only+usage)
	}
	root.Flags().VisitAll(func(f *pflag.Flag) { item(f, "") })
	var below func(parent *cobra.Command)
	below = func(parent *cobra.Command) {
		for _, c := range parent.Commands() {
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if root.Flags().Lookup(f.Name) == nil && f.Name != "help" {
					item(f, "of "+path(c)+": ")
				}
			})
			if c.Name() != "completion" {
				below(c)
			}
		}
	}
	below(root)
}

// path is the words of a command after the program's name: "hw show".
func path(c *cobra.Command) string { return strings.TrimPrefix(c.CommandPath(), "commsplit ") }

// manVerb describes a verb with its parameters.
func manVerb(w io.Writer, v *repl.Verb) {
	text := v.Long
	if v.Call != 0 {
		text += fmt.Sprintf("\nCalls %s [%s].", v.Call, v.Call.Rule())
	}
	manItem(w, v.Signature(), text)
	if len(v.Params) == 0 {
		return
	}
	fmt.Fprintln(w, ".RS")
	for _, p := range v.Params {
		manItem(w, p.Name, p.Help)
	}
	fmt.Fprintln(w, ".RE")
}

func manCommands(w io.Writer, parent *cobra.Command) {
	for _, c := range parent.Commands() {
		if c.Hidden || c.Name() == "help" {
			continue
		}
		manItem(w, path(c)+strings.TrimPrefix(c.Use, c.Name()), c.Short)
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

// version is what the build says of itself: a module version, or "devel" with the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel " + s.Value[:12]
		}
	}
	return "devel"
}

func newVersion(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "the version of commsplit, of Go and of the standard",
		Args:  nothing,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.Out, "commsplit %s\n%s %s/%s\nMPI-%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, engine.StdLatest)
			return err
		},
	}
}

func newSchema(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "the JSON Schema of what commsplit prints as JSON",
		Long: `Print the JSON Schema (draft 2020-12) of a document, with a description of each
property; without NAME, list the documents. run-line is of a line of -o jsonl.

A schema admits exactly what this commsplit prints. Later ones may add
properties to a document, which a reader should ignore if it does not know them;
nothing is taken away or changes its meaning without a new version.`,
		Example: `  commsplit schema run > run.schema.json`,
		Args:    atMost("NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, name := range schema.Names() {
					fmt.Fprintf(s.Out, "%-10s %s\n", name, schema.Title(name))
				}
				return nil
			}
			if err := knownSchema(args[0]); err != nil {
				return err
			}
			_, err := io.WriteString(s.Out, schema.Text(args[0]))
			return err
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return schema.Names(), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// knownSchema refuses names without a schema, with the nearest one.
func knownSchema(name string) error {
	if slices.Contains(schema.Names(), name) {
		return nil
	}
	if near := spell.Nearest(name, schema.Names()); near != "" {
		return fmt.Errorf("schema %s: there is none: did you mean %s?", name, near)
	}
	return fmt.Errorf("schema %s: there is none: commsplit schema lists them", name)
}

package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codeberg.org/commsplit/commsplit/hw/wholefile"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
)

func newMan(s Streams) *cobra.Command {
	var dir string
	c := described("man", &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "print the manual page of commsplit or of a command",
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			if dir != "" {
				if len(args) > 0 {
					return fmt.Errorf("man takes either a command or --dir")
				}
				return writeManDir(dir, root)
			}
			at, rest, _ := root.Find(args)
			if err := knownCommand(at, rest); err != nil {
				return err
			}
			var b strings.Builder
			writeMan(&b, at)
			return s.paged(b.String())
		},
	})
	c.ValidArgsFunction = completeCommands(nil)
	c.Flags().StringVar(&dir, "dir", "", "write all manual pages into the folder `DIR`")
	return c
}

// writeManDir writes commsplit.1, commsplit-run.1, commsplit-hw-show.1 and so on into a folder, which it makes.
func writeManDir(dir string, root *cobra.Command) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return repl.AsInput(err)
	}
	for _, c := range documented(root) {
		var b strings.Builder
		writeMan(&b, c)
		if err := wholefile.Write(filepath.Join(dir, manName(c)+".1"), []byte(b.String()), 0o644); err != nil {
			return repl.AsInput(err)
		}
	}
	return nil
}

// documented lists a command and all commands below it that have a manual page, in the order of the help.
func documented(c *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if !sub.Hidden && sub.Name() != "help" {
			list = append(list, documented(sub)...)
		}
	}
	return list
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// writeMan writes the manual page of a command in roff: cobra's own generator knows neither the language nor the words
// for values, so that "--topo SPEC" is --topo="" there, and fills lines that are laid out. That of the root also has the
// language, the exit codes, the environment and the files.
func writeMan(w io.Writer, c *cobra.Command) {
	title, root := strings.ToUpper(manName(c)), !c.HasParent()
	fmt.Fprintf(w, ".TH %s 1 \"\" \"commsplit %s\"\n.SH NAME\n%s \\- %s\n", roff(title), roff(version()), roff(manName(c)), roff(c.Short))
	fmt.Fprintf(w, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", roff(strings.Join(usesOf(c), "\n")))
	fmt.Fprintf(w, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(longOf(c)))
	if c.HasAvailableSubCommands() {
		fmt.Fprintln(w, ".SH COMMANDS")
		for _, sub := range documented(c)[1:] {
			manItem(w, wordsOf(sub)+strings.TrimPrefix(sub.Use, sub.Name()), sub.Short)
		}
	}
	if c.HasAvailableFlags() {
		fmt.Fprintln(w, ".SH FLAGS")
		c.Flags().VisitAll(func(f *pflag.Flag) { manFlag(w, f) })
	}
	if root {
		manLanguage(w)
	}
	if c.Example != "" {
		fmt.Fprintf(w, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	if !root {
		fmt.Fprintln(w, ".SH SEE ALSO\n.BR commsplit (1),\nwhich has the language, the exit codes and the environment.")
	}
}

// manLanguage writes the parts that hold for all commands: the language, exit codes, environment and files.
func manLanguage(w io.Writer) {
	fmt.Fprintf(w, ".SH LANGUAGE\n%s\n.SS Verbs\n", roff(repl.Lines))
	for _, v := range repl.Verbs {
		manVerb(w, v)
	}
	fmt.Fprintln(w, ".SS Meta commands")
	for _, m := range repl.MetaCommands {
		manItem(w, m.Signature(), strings.TrimSpace(m.Short+".\n"+console.MetaHelp(m)))
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
	for _, f := range stateFiles {
		manItem(w, f.name, f.meaning)
	}
}

// environment lists the variables that the program reads, apart from the place of its files; stateFiles lists the files
// that it keeps between sessions.
var environment, stateFiles = rowsOf("environment"), rowsOf("files")

// wordsOf returns the words of a command after the program's name: "hw show".
func wordsOf(c *cobra.Command) string { return strings.TrimPrefix(c.CommandPath(), "commsplit ") }

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

func manFlag(w io.Writer, f *pflag.Flag) {
	if f.Hidden {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	name := strings.TrimSpace("--" + f.Name + " " + value)
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	manItem(w, name, usage)
}

func manItem(w io.Writer, head, text string) {
	fmt.Fprintf(w, ".TP\n\\fB%s\\fR\n%s\n", roff(head), roff(text))
}

// roff escapes text that the formatter would take for commands.
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

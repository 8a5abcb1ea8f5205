package cmd

import (
	"cmp"
	_ "embed" // the texts of the commands
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codeberg.org/commsplit/commsplit/repl"
)

// The help of a command: --help shows all of it, -h shows as much as fits on a screen. It is written here and not by
// cobra's templates: these call methods by name, so that the linker keeps every method of every type that is reachable,
// and the program is 3 MB larger.

//go:embed help.txt
var helpTexts string

// textOf returns the text below a name in help.txt.
func textOf(name string) string {
	_, text, found := strings.Cut(helpTexts, "\n== "+name+"\n")
	if !found {
		panic("cmd: help.txt has no text for " + name)
	}
	text, _, _ = strings.Cut(text, "\n== ")
	return text
}

// named is a name and its meaning, a row of help.txt.
type named struct{ name, meaning string }

// rowsOf returns the rows below a name in help.txt.
func rowsOf(name string) (list []named) {
	for row := range strings.SplitSeq(strings.TrimSpace(textOf(name)), "\n") {
		name, meaning, _ := strings.Cut(row, ": ")
		list = append(list, named{name, meaning})
	}
	return list
}

// described gives a command its text and its examples.
func described(name string, c *cobra.Command) *cobra.Command {
	text, examples, _ := strings.Cut(textOf(name), "\nExamples:\n")
	c.Long, c.Example = strings.TrimRight(text, "\n"), strings.TrimRight(examples, "\n")
	return c
}

// addHelp gives a command and those below it the flags -h and --help.
func addHelp(c *cobra.Command) {
	c.Flags().Bool("help", false, "this help")
	c.Flags().VarPF(briefly(c.Flags()), "usage", "h", "a short help").NoOptDefVal = "true"
	for _, sub := range c.Commands() {
		addHelp(sub)
	}
}

// briefly returns the value of the flag -h, which asks for help as --help does.
func briefly(flags *pflag.FlagSet) *value {
	return &value{kind: "bool", set: func(string) error { return flags.Set("help", "true") }}
}

// longHelp describes a command whole. The help of the root also lists the pages of the manual and the exit codes.
func longHelp(c *cobra.Command) string {
	var b strings.Builder
	writeUsage(&b, c, longOf(c))
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	groups := c.Groups()
	if len(groups) == 0 && c.HasAvailableSubCommands() {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, g := range groups {
		fmt.Fprintf(&b, "\n%s\n", g.Title)
		for _, sub := range listed(c) {
			if sub.GroupID == g.ID {
				fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	own, shared := flagsOf(c)
	fmt.Fprintf(&b, "\nFlags:\n%s", own.FlagUsagesWrapped(80))
	if shared && c.HasParent() {
		such := "-n 12 and --topo SPEC"
		if f := c.Flags().Lookup("output"); f != nil && f.Name == "output" {
			such = "-n 12, --topo SPEC and -o json"
		}
		fmt.Fprintf(&b, "\nFlags of the world, such as %s:\n  commsplit help %s\n", such, worldPage)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse \"%s COMMAND --help\" for more about a command.\n", c.CommandPath())
	}
	if !c.HasParent() {
		b.WriteString(pageHelp() + exitCodeHelp())
	}
	return b.String()
}

// longOf returns the whole description of a command.
func longOf(c *cobra.Command) string { return cmp.Or(c.Long, sentence(c.Short)) }

// writeUsage writes the beginning of a help: a description, and the forms of the command line.
func writeUsage(w io.Writer, c *cobra.Command, about string) {
	fmt.Fprintf(w, "%s\n\nUsage:\n  %s\n", strings.TrimSpace(about), strings.Join(usesOf(c), "\n  "))
}

// briefFlags are the flags of the world that the short help shows before others.
var briefFlags = []string{"np", "topo", "map-by", "bind-to", "bind", "std", "output", "picture", "color", "command"}

// mostFlags and mostExamples are how many the short help has.
const mostFlags, mostExamples = 10, 3

// shortHelp returns the purpose of a command, its commonest flags, some examples, and where to read more.
func shortHelp(c *cobra.Command) string {
	var b strings.Builder
	writeUsage(&b, c, sentence(c.Short))
	var names []string
	for _, sub := range listed(c) {
		names = append(names, sub.Name())
	}
	if len(names) > 0 {
		fmt.Fprintf(&b, "\nCommands:\n%s\n", repl.Wrap(strings.Join(names, ", "), 80, "  "))
	}
	if first := firstFlags(c); len(first) > 0 {
		short := pflag.NewFlagSet(c.Name(), pflag.ContinueOnError)
		short.SortFlags = false
		for _, f := range first[:min(len(first), mostFlags)] {
			g := *f
			g.Usage = firstValues(g.Usage)
			short.AddFlag(&g)
		}
		fmt.Fprintf(&b, "\nFlags:\n%s", short.FlagUsagesWrapped(80))
	}
	if c.HasExample() {
		lines := strings.Split(c.Example, "\n")
		fmt.Fprintf(&b, "\nExamples:\n%s\n", strings.Join(lines[:min(len(lines), mostExamples)], "\n"))
	}
	fmt.Fprintf(&b, "\nMore: %s --help", c.CommandPath())
	if len(names) > 0 {
		fmt.Fprintf(&b, ", %s COMMAND -h", c.CommandPath())
	}
	if !c.HasParent() {
		b.WriteString(", commsplit help tour")
	}
	return b.String() + "\n"
}

// firstFlags returns the flags of a command: first its own, then those that most commands take, the commonest first.
func firstFlags(c *cobra.Command) []*pflag.Flag {
	var list, last []*pflag.Flag
	for _, name := range briefFlags {
		if f := c.Flags().Lookup(name); f != nil {
			last = append(last, f)
		}
	}
	own, _ := flagsOf(c)
	own.VisitAll(func(f *pflag.Flag) {
		switch {
		case !c.HasParent(), f.Name == "help", f.Name == "usage", slices.Contains(briefFlags, f.Name):
		case c.Root().Flags().Lookup(f.Name) != nil:
			last = append(last, f)
		default:
			list = append(list, f)
		}
	})
	return append(list, last...)
}

// firstValues shortens the description of a flag: it cuts off the default, and a part of a list of values that is longer
// than a line.
func firstValues(usage string) string {
	const room = 52
	usage, _, _ = strings.Cut(usage, " (default")
	usage, _, _ = strings.Cut(usage, "; ")
	about, _, lists := strings.Cut(usage, ": ")
	if len(usage) <= room || !lists {
		return usage
	}
	if i := strings.LastIndex(usage[:room], ", "); i > len(about) {
		return usage[:i] + ", ..."
	}
	return about
}

// sentence returns the short description of a command as a sentence.
func sentence(short string) string {
	return strings.ToUpper(short[:1]) + strings.TrimRight(short[1:], " .") + "."
}

// usesOf returns the forms of the command line of a command.
func usesOf(c *cobra.Command) []string {
	switch {
	case !c.HasParent():
		return []string{"commsplit [FLAGS]", "commsplit COMMAND [ARGUMENTS] [FLAGS]"}
	case c.HasAvailableSubCommands():
		return []string{c.CommandPath() + " COMMAND [FLAGS]"}
	}
	return []string{strings.Replace(c.UseLine(), "[flags]", "[FLAGS]", 1)}
}

// listed returns the commands below a command that its help lists.
func listed(c *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(c.Commands()), func(sub *cobra.Command) bool {
		return !sub.IsAvailableCommand() && sub.Name() != "help"
	})
}

// flagsOf returns the flags of a command, below the root without those of the world; shared is true when the command
// chooses the world with them. Most commands do, and help world describes them.
func flagsOf(c *cobra.Command) (own *pflag.FlagSet, shared bool) {
	own = pflag.NewFlagSet(c.Name(), pflag.ContinueOnError)
	own.SortFlags = false
	world := newWorldFlags().set
	shared = c.HasParent() && (c.Flags().Lookup("np") != nil || c.Flags().Lookup("topo") != nil)
	c.Flags().VisitAll(func(g *pflag.Flag) {
		if !shared || world.Lookup(g.Name) == nil {
			own.AddFlag(g)
		}
	})
	return own, shared
}

// paged writes a long text. On a terminal it goes through the pager, which keeps its beginning on the screen.
func (s Streams) paged(text string) error {
	out, ok := s.Out.(*checkedWriter)
	command := s.pager(os.LookupEnv)
	if command == "" || !ok || out.file() == nil {
		_, err := io.WriteString(s.Out, text)
		return err
	}
	c := exec.Command("sh", "-c", command)
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(text), out.file(), os.Stderr
	c.Env = os.Environ()
	if _, set := os.LookupEnv("LESS"); !set {
		c.Env = append(c.Env, "LESS=FRX") // a text of one screen ends it, colors stay, and so does the text
	}
	if err := c.Start(); err != nil {
		_, err := io.WriteString(s.Out, text)
		return err
	}
	_ = c.Wait() // the pager tells by itself what fails; one that is left early has not read all
	return nil
}

// pager returns the command of the pager, as git and gh choose it: PAGER, else less where it is installed. It is "" off
// terminals, on terminals of lines, where PAGER is empty or cat, and on Windows, whose programs have no such habit.
func (s Streams) pager(environment func(string) (string, bool)) string {
	if !s.OutTTY || s.dumb() || runtime.GOOS == "windows" {
		return ""
	}
	command, set := environment("PAGER")
	if !set {
		command = "less"
		if _, err := exec.LookPath(command); err != nil {
			return ""
		}
	}
	if command = strings.TrimSpace(command); command == "cat" {
		return ""
	}
	return command
}

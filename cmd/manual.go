package cmd

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Pages is the files of the repository that hold the manual, by their paths. Package main embeds them.
var Pages fs.FS

// manualPages is the manual, in the order of its index: help NAME shows a page. A page lies beside the code
// that it describes, at a path of the repository.
var manualPages = []struct{ name, path string }{
	{"tour", "repl/TOUR.md"},
	{"bring", "repl/BRING.md"},
	{"screen", "tui/SCREEN.md"},
	{"language", "repl/LANGUAGE.md"},
	{"scripts", "repl/SCRIPTS.md"},
	{"glossary", "repl/GLOSSARY.md"},
	{"unmodelled", "repl/NOTMODELLED.md"},
	{"commands", "cmd/COMMANDS.md"},
	{"hardware", "hw/TOPOLOGY.md"},
	{"verify", "hw/VERIFY.md"},
	{"export", "render/EXPORT.md"},
	{"playground", "repl/playground/PLAYGROUND.md"},
	{"json", "render/document/JSON.md"},
	{"mpi", "repl/REALMPI.md"},
	{"applications", "repl/recording/APPLICATIONS.md"},
	{"teaching", "scripts/TEACHING.md"},
	{"engine", "engine/USING.md"},
}

// worldPage is the generated page about the flags of every command with ranks.
const worldPage = "world"

// page returns the text, the title and the readers of the k-th page. A page begins with its title, and then, between
// asterisks, with the people who should read it.
func page(k int) (text, title, readers string) {
	data, err := fs.ReadFile(Pages, manualPages[k].path)
	if err != nil {
		panic(err) // package main embeds all of them
	}
	text = string(data)
	title, rest, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n\n*")
	readers, _, _ = strings.Cut(rest, "*\n")
	return text, title, strings.ReplaceAll(readers, "\n", " ")
}

func pageNames() []string {
	names := []string{worldPage}
	for _, t := range manualPages {
		names = append(names, t.name)
	}
	return names
}

// newHelp makes cobra's command help, which also knows the pages of the manual. A word that is neither a
// command nor a page is an error.
func newHelp(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND|PAGE]",
		Short:             "describe a command, or show a page of the manual",
		GroupID:           "about",
		RunE:              func(c *cobra.Command, args []string) error { return help(s, c.Root(), args) },
		ValidArgsFunction: completeCommands(pageNames()),
	}
}

// completeCommands completes the words of a command of commsplit; the first word may also be a page of the manual.
func completeCommands(pages []string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
		at, _, err := c.Root().Find(args)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []string
		if at == c.Root() {
			names = slices.Clone(pages)
		}
		for _, sub := range at.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		return beginning(names)(text), cobra.ShellCompDirectiveNoFileComp
	}
}

// help shows a page of the manual, or describes a command.
func help(s Streams, root *cobra.Command, args []string) error {
	if len(args) == 1 {
		if ok, err := helpPage(s, args[0]); ok || err != nil {
			return err
		}
	}
	at, rest, _ := root.Find(args)
	err := knownCommand(at, rest)
	if err == nil {
		return at.Help()
	}
	if near := spell.Nearest(args[0], pageNames()); near != "" && at == root {
		return fmt.Errorf("help %s: there is no such command and no such page: did you mean help %s?", args[0], near)
	}
	return err
}

// helpPage shows a page of the manual; false when no page has that name.
func helpPage(s Streams, name string) (bool, error) {
	if name == worldPage {
		return true, s.paged(worldHelp())
	}
	for k, t := range manualPages {
		if t.name == name {
			text, _, _ := page(k)
			return true, writePage(s, t.path, text)
		}
	}
	return false, nil
}

// writePage lays out a page for the terminal.
func writePage(s Streams, at, text string) error {
	style := s.style("auto", "")
	palette := &paint.Palette{} // without sequences
	if style.Colors != paint.NoColor {
		palette = paint.NewPalette(style.Colors, style.Dark)
	}
	see := func(link string) string { return helpFor(path.Join(path.Dir(at), link)) }
	var b strings.Builder
	for _, l := range paint.Page(text, min(style.Width, pageWidth), see) {
		for _, span := range l {
			palette.Put(&b, span.Text, span.Ink)
		}
		b.WriteByte('\n')
	}
	return s.paged(b.String())
}

// pageWidth is the columns up to which lines of text are pleasant to read.
const pageWidth = 100

// helpFor returns the command that shows the page at a path; "" when no page is there.
func helpFor(link string) string {
	link, _, _ = strings.Cut(link, "#")
	for _, t := range manualPages {
		if t.path == link {
			return "commsplit help " + t.name
		}
	}
	return ""
}

// pageHelp lists the pages, for the help of the root.
func pageHelp() string {
	var b strings.Builder
	b.WriteString("\nPages of the manual, shown by commsplit help PAGE:\n")
	fmt.Fprintf(&b, "  %-12s %s\n", worldPage, "The flags of every command with ranks")
	for k, t := range manualPages {
		_, title, _ := page(k)
		fmt.Fprintf(&b, "  %-12s %s\n", t.name, title)
	}
	return b.String()
}

// worldHelp describes the flags that every command with ranks takes.
func worldHelp() string {
	return "Every command with ranks takes these flags, which choose the ranks, the hardware below them, and what is\nprinted. A script carries them in its first lines: # commsplit: -n 12 --topo figure-7.3\n\n" +
		newWorldFlags().set.FlagUsagesWrapped(80)
}

package cmd

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/scripts"
)

func newExamples(s Streams) *cobra.Command {
	output := "text"
	c := &cobra.Command{
		Use:   "examples [NAME|GROUP]",
		Short: "list the embedded scripts, or print one",
		Long: `List the embedded scripts by group: the examples of the standard (standard), a
script for each rule of the standard (rules), lessons (lessons) and tours
(tours). With NAME, print that script; commsplit run NAME replays it.`,
		Args: atMost("NAME|GROUP"),
		RunE: func(_ *cobra.Command, args []string) error {
			groups := groupsOf(args)
			switch {
			case groups != nil && output == "json":
				return document.Examples(s.Out, exampleDocs(groups))
			case groups != nil:
				listExamples(s.Out, groups)
				return nil
			case output == "json":
				return fmt.Errorf("-o json is for lists; commsplit run %s -o json shows what the script does", args[0])
			}
			_, text, ok := scripts.Lookup(args[0])
			if !ok {
				names := scripts.Names()
				for _, g := range scripts.Groups() {
					names = append(names, g.Name)
				}
				return &repl.InputError{Err: fmt.Errorf("there is no example %s%s; commsplit examples lists them", args[0], spell.DidYouMean(args[0], names))}
			}
			_, err := fmt.Fprint(s.Out, text)
			return err
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			names := scripts.Names()
			for _, g := range scripts.Groups() {
				names = append(names, g.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().VarP(&oneOf{&output, outputs}, "output", "o", "output of the list: "+outputUsage(outputs))
	c.Flags().Lookup("output").DefValue = "" // the usage text tells the default
	return c
}

// groupsOf returns the groups to list: all, or the named one; nil when args names a script.
func groupsOf(args []string) []*scripts.Group {
	if len(args) == 0 {
		return scripts.Groups()
	}
	for _, g := range scripts.Groups() {
		if g.Name == args[0] {
			return []*scripts.Group{g}
		}
	}
	return nil
}

// listExamples writes each script's name and, below the name, what the script shows.
func listExamples(w io.Writer, groups []*scripts.Group) {
	for i, g := range groups {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, g.Title)
		for _, e := range g.Examples() {
			text := e.Title
			if e.Section != "" {
				text += " [" + e.Section + "]"
			}
			fmt.Fprintf(w, "  %s\n%s\n", e.Name, repl.Wrap(text, 80, "      "))
		}
	}
}

// exampleDocs returns the scripts of the groups as JSON lists them.
func exampleDocs(groups []*scripts.Group) []document.Example {
	var list []document.Example
	for _, g := range groups {
		for _, e := range g.Examples() {
			list = append(list, document.Example{Name: e.Name, File: e.File, Group: g.Name, Title: e.Title, Section: e.Section})
		}
	}
	return list
}

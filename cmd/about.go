package cmd

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/render/schema"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/scripts"
)

// release is the version that a release build sets with -ldflags "-X codeberg.org/commsplit/commsplit/cmd.release=1.2.0".
var release string

// version returns the version of the build: a release, a version of the module, or "devel".
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "devel"
}

// commit returns the commit of the build with its date, and whether files were changed since; "unknown" when the
// build did not note the commit, as go run does not.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	revision := set["vcs.revision"]
	if len(revision) < 12 {
		return "unknown"
	}
	text := revision[:12]
	if day, _, ok := strings.Cut(set["vcs.time"], "T"); ok {
		text += " of " + day
	}
	if set["vcs.modified"] == "true" {
		text += ", with changes"
	}
	return text
}

func newVersion(s Streams) *cobra.Command {
	output := "text"
	c := &cobra.Command{
		Use:   "version",
		Short: "print the version, the commit, Go and the standards",
		Args:  nothing,
		RunE: func(*cobra.Command, []string) error {
			if output == "json" {
				return repl.AsInput(document.Write(s.Out, &document.Version{
					Version: 1, Commsplit: version(), Commit: commit(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
					Standard: engine.StdLatest.String(), Standards: repl.StdNames()}))
			}
			_, err := fmt.Fprintf(s.Out, "commsplit %s\ncommit %s\n%s %s/%s\nMPI-%s; --std takes %s\n", version(), commit(),
				runtime.Version(), runtime.GOOS, runtime.GOARCH, engine.StdLatest, strings.Join(repl.StdNames(), ", "))
			return err
		},
	}
	addOutput(c, &output, "output: ")
	return c
}

func newSchema(s Streams) *cobra.Command {
	return described("schema", &cobra.Command{
		Use:   "schema [NAME]",
		Short: "print the JSON Schema of commsplit's JSON output",
		Args:  atMost("NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, name := range schema.Names() {
					fmt.Fprintf(s.Out, "%-10s %s\n", name, schema.Title(name))
				}
				return nil
			}
			if !slices.Contains(schema.Names(), args[0]) {
				return fmt.Errorf("there is no schema %s: %s", args[0], spell.Choice(args[0], schema.Names()))
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
	})
}

func newExamples(s Streams) *cobra.Command {
	output := "text"
	c := described("examples", &cobra.Command{
		Use:   "examples [NAME|GROUP]",
		Short: "list the embedded scripts, or print one",
		Args:  atMost("NAME|GROUP"),
		RunE: func(_ *cobra.Command, args []string) error {
			groups := groupsOf(args)
			switch {
			case groups != nil && output == "json":
				return document.Write(s.Out, exampleDocs(groups))
			case groups != nil:
				listExamples(s, groups)
				return nil
			case output == "json":
				return fmt.Errorf("-o json is for lists; commsplit run %s -o json shows what the script does", args[0])
			}
			_, text, ok := scripts.Lookup(args[0])
			if !ok {
				return repl.AsInput(fmt.Errorf("there is no example %s%s; commsplit examples lists the examples", args[0], spell.DidYouMean(args[0], scripts.Names())))
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
	})
	addOutput(c, &output, "output of the list: ")
	return c
}

// groupsOf returns the groups to list: all groups, or the group that args names; nil when args names a script.
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
func listExamples(s Streams, groups []*scripts.Group) {
	w, width := s.Out, s.style("auto", "").Line()
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
			fmt.Fprintf(w, "  %s\n%s\n", e.Name, repl.Wrap(text, width, "      "))
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

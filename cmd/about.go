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
	"codeberg.org/commsplit/commsplit/render/schema"
	"codeberg.org/commsplit/commsplit/repl"
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
	return &cobra.Command{
		Use:   "version",
		Short: "print the version, the commit, Go and the standards",
		Args:  nothing,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.Out, "commsplit %s\ncommit %s\n%s %s/%s\nMPI-%s; --std takes %s\n", version(), commit(),
				runtime.Version(), runtime.GOOS, runtime.GOARCH, engine.StdLatest, strings.Join(repl.StdNames(), ", "))
			return err
		},
	}
}

func newSchema(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "print the JSON Schema of commsplit's JSON output",
		Long: `Print the JSON Schema (draft 2020-12) of a document, with a description of each
property; without NAME, list the documents. run-line describes a line of -o
jsonl.

A schema admits exactly what this commsplit prints. A later commsplit may add
properties to a document; ignore properties that you do not know. No property
disappears or changes its meaning without a new version.`,
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

// knownSchema returns an error for a name that no schema has, with the nearest name of a schema.
func knownSchema(name string) error {
	if slices.Contains(schema.Names(), name) {
		return nil
	}
	return fmt.Errorf("there is no schema %s: %s", name, spell.Choice(name, schema.Names()))
}

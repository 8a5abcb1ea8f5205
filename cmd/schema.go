package cmd

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"commsplit/hw/spell"
	"commsplit/render/schema"
)

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

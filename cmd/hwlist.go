package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"commsplit/hw/preset"
	"commsplit/render"
	"commsplit/repl"
)

func newHWList(s Streams) *cobra.Command {
	var sources bool
	output := "text"
	c := &cobra.Command{
		Use:   "list",
		Short: "the preset machines",
		Long: `The preset machines for --topo, and what each has. With --sources also what
machine it is, where that is known from, and its description, of which you can
make your own. -o json prints a list of {"name", "shape", "source", "spec"}.`,
		Args: nothing,
		RunE: func(*cobra.Command, []string) error {
			if output == "json" {
				return render.PresetsJSON(s.Out, presets())
			}
			for _, p := range preset.All() {
				list(s.Out, p.Name, p.Shape())
				if sources {
					list(s.Out, "", p.Source)
					list(s.Out, "", p.Spec)
				}
			}
			return nil
		},
	}
	c.Flags().SortFlags = false
	c.Flags().BoolVarP(&sources, "sources", "v", false,
		"tell where each is known from, and its description")
	c.Flags().VarP(&oneOf{&output, outputs}, "output", "o", "output: "+outputUsage(outputs))
	c.Flags().Lookup("output").DefValue = ""
	return c
}

// list writes a name and what it is, in lines of 80 columns.
func list(w io.Writer, name, text string) {
	const column = 18
	lines := repl.Wrap(text, 80, strings.Repeat(" ", column))
	fmt.Fprintf(w, "%-*s%s\n", column, name, lines[column:])
}

// presets is all that is known of the presets.
func presets() []render.PresetDoc {
	var rows []render.PresetDoc
	for _, p := range preset.All() {
		rows = append(rows, render.PresetDoc{Name: p.Name, Shape: p.Shape(), Source: p.Source, Spec: p.Spec})
	}
	return rows
}

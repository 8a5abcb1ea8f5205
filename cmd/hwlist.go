package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"commsplit/hw/preset"
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
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if output == "json" {
				return listJSON(s.Out)
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
	c.Flags().VarP(&oneOf{&output, outputs}, "output", "o",
		"output: "+strings.Join(outputs, " or ")+" (default: text)")
	c.Flags().Lookup("output").DefValue = ""
	return c
}

// list writes a name and what it is, in lines of 80 columns.
func list(w io.Writer, name, text string) {
	const column = 18
	lines := repl.Wrap(text, 80, strings.Repeat(" ", column))
	fmt.Fprintf(w, "%-*s%s\n", column, name, lines[column:])
}

// listJSON writes all that is known of the presets.
func listJSON(w io.Writer) error {
	type row struct {
		Name   string `json:"name"`
		Shape  string `json:"shape"`
		Source string `json:"source"`
		Spec   string `json:"spec"`
	}
	var rows []row
	for _, p := range preset.All() {
		rows = append(rows, row{p.Name, p.Shape(), p.Source, p.Spec})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(rows)
}

package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"commsplit/hw/preset"
	"commsplit/repl"
)

func newHWList(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "the preset machines",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, p := range preset.All() {
				list(s.Out, p.Name, p.Shape)
			}
			return nil
		},
	}
}

// list writes a name and what it is, in lines of 80 columns.
func list(w io.Writer, name, text string) {
	const column = 19
	lines := repl.Wrap(text, 80, strings.Repeat(" ", column))
	fmt.Fprintf(w, "%-*s%s\n", column, name, lines[column:])
}

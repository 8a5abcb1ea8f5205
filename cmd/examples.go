package cmd

import (
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"commsplit/repl"
	"commsplit/scripts"
)

func newExamples(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "examples [NAME]",
		Short: "list the embedded scripts, or print one",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, e := range scripts.All() {
					list(s.Out, e.Name, e.Title)
				}
				return nil
			}
			_, text, ok := scripts.Lookup(args[0])
			if !ok {
				return scripts.Suggest(args[0], &repl.InputError{Err: fmt.Errorf("example %s: %w", args[0], fs.ErrNotExist)})
			}
			_, err := fmt.Fprint(s.Out, text)
			return err
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scripts.Names(), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

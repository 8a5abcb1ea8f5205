package cmd

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"commsplit/hw/source"
	"commsplit/render"
	"commsplit/repl"
	"commsplit/scripts"
)

func newCheck(s Streams) *cobra.Command {
	tap := false
	c := &cobra.Command{
		Use:   "check DIR|SCRIPT|EXAMPLE...",
		Short: "run many scripts and tell which meet their expectations",
		Long: `Run scripts, each on a world of its own, and tell in a line how each ended. Of a
folder it takes all NAME.mpi and NAME.py below it, but for hidden folders and
commsplit.py, which real MPIs need. What scripts print is not shown: commsplit
run shows one. The exit code is 1 if any did not end as it should.

A script that is meant to go wrong says so before its first line, with the exit
code that run ends with and a part of the message:

  # ends: 4 DEADLOCK`,
		Example: `  commsplit check lectures/
  commsplit check lectures/ --tap`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("commsplit check takes what to run: folders, scripts or examples")
			}
			var names []string
			for _, arg := range args {
				list, err := repl.ScriptsAt(arg)
				if err != nil {
					return err
				}
				names = append(names, list...)
			}
			ctx := source.WithoutInput(c.Context(), "scripts that are checked have no standard input: give the hardware in a file")
			return checkAll(ctx, s, names, tap)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scripts.Names(), cobra.ShellCompDirectiveDefault
		},
	}
	c.Flags().BoolVar(&tap, "tap", false, "print a point for each script, in the Test Anything Protocol")
	return c
}

// unsound is the error of a check that not all scripts passed.
type unsound struct{ failed, all int }

// Error says it in one line.
func (u *unsound) Error() string { return fmt.Sprintf("%d of %d scripts failed", u.failed, u.all) }

// checkAll runs scripts one after the other and tells how each ended.
func checkAll(ctx context.Context, s Streams, names []string, tap bool) error {
	width := 0
	for _, name := range names {
		width = max(width, utf8.RuneCountInString(name))
	}
	var all []render.Test
	u := &unsound{all: len(names)}
	for _, name := range names {
		v := silently(ctx, s, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		test := render.Test{Name: name, Details: v.failings()}
		test.OK = len(test.Details) == 0
		all = append(all, test)
		word := "ok    "
		if !test.OK {
			u.failed++
			word = "FAILED"
		}
		if !tap {
			fmt.Fprintf(s.Out, "%s  %-*s  %s\n", word, width, name, v.met())
			tellFailings(s.Out, test.Details, s.style("auto").Width)
		}
	}
	switch {
	case tap:
		if err := render.TAP(s.Out, all); err != nil {
			return &repl.InputError{Err: err}
		}
	default:
		fmt.Fprintf(s.Out, "%d of %d passed\n", u.all-u.failed, u.all)
	}
	if u.failed > 0 {
		return u
	}
	return nil
}

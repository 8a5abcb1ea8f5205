package cmd

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codeberg.org/commsplit/commsplit/hw/launch"
)

// takesLaunchLine lets a command that makes a world take a launch line behind --: the number of ranks, the machines, and
// where ranks run. What stands behind -- of a program that "run" is to run are the program's arguments.
func (f *worldFlags) takesLaunchLine(c *cobra.Command) {
	check, run := c.Args, c.RunE
	if check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			before, _ := f.behindDash(c, args)
			return check(c, before)
		}
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		before, words := f.behindDash(c, args)
		if words == nil {
			return run(c, args)
		}
		if err := f.readLaunchLine(words); err != nil {
			return err
		}
		if note := f.config.Launch.Note(); note != "" {
			fmt.Fprintf(c.ErrOrStderr(), "note: %s\n", note)
		}
		return run(c, before)
	}
}

// behindDash cuts arguments at --, where a launch line begins; words is nil where there is none.
func (f *worldFlags) behindDash(c *cobra.Command, args []string) (before, words []string) {
	at := c.ArgsLenAtDash()
	if at < 0 || at == len(args) || c.Name() == "run" && at > 0 && isProgram(args[0]) {
		return args, nil
	}
	return args[:at], args[at:]
}

// isProgram reports whether "run" runs a file as a program, which has arguments, and not as a script.
func isProgram(name string) bool {
	return slices.Contains([]string{".c", ".f90", ".F90", ".py"}, filepath.Ext(name))
}

func (f *worldFlags) readLaunchLine(words []string) error {
	var said string
	f.set.VisitAll(func(g *pflag.Flag) {
		if g.Changed && (g.Name == "np" || isPlacement(g.Name)) {
			said = g.Name
		}
	})
	if said != "" {
		return fmt.Errorf("the launch line behind -- already sets the number and places of the ranks: leave out --%s", said)
	}
	line, err := launch.Read(words)
	f.config.Launch = line
	return err
}

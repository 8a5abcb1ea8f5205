package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"commsplit/repl"
)

// What commands take behind their flags, and files that they write.

// nothing wants no argument. What stands behind a command about hardware is most likely hardware.
func nothing(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case c.Parent().Name() == "hw" && c.Flags().Lookup("topo") != nil:
		spec := args[0]
		if strings.Contains(spec, " ") {
			spec = "'" + spec + "'"
		}
		return fmt.Errorf("%s takes no argument; hardware is named by --topo %s", c.CommandPath(), spec)
	}
	return fmt.Errorf("%s takes no argument: leave out %s", c.CommandPath(), args[0])
}

// exactly wants one argument and says which.
func exactly(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s takes one argument: %s", c.CommandPath(), what)
		}
		return nil
	}
}

// atMost wants one argument or none, and says which.
func atMost(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("%s takes one argument at most: %s", c.CommandPath(), what)
		}
		return nil
	}
}

// overwriting is what helps when the file is there already.
const overwriting = "--force writes over it"

// forceFlag lets a command write over a file.
func forceFlag(c *cobra.Command, force *bool) {
	c.Flags().BoolVarP(force, "force", "f", false, "write over a file that is there")
}

// deliver writes text to the file that a command's arguments name; to standard output when there are none, or -.
func (s Streams) deliver(args []string, text []byte, force bool) error {
	var err error
	if len(args) == 0 || args[0] == "-" {
		_, err = s.Out.Write(text)
	} else {
		err = repl.WriteNew(args[0], text, force, overwriting)
	}
	if err != nil {
		return &repl.InputError{Err: err}
	}
	return nil
}

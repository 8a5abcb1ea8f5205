package cmd

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"commsplit/repl"
)

// bounds are what a script may do and take. They are the user's: the first lines of a script cannot
// have these flags.
type bounds struct {
	files bool // read and write files
}

// add gives a command the flags.
func (b *bounds) add(c *cobra.Command) {
	c.Flags().BoolVar(&b.files, "allow-files", false, "let the lines of a script read and write files: .save, .export, .open ...")
}

// console opens the session that a script runs in.
func (f *worldFlags) console(ctx context.Context, s Streams, out, errs io.Writer) (*repl.Console, error) {
	console, err := repl.NewConsole(ctx, f.config, out, errs, f.style(s))
	if err != nil {
		return nil, err
	}
	console.AllowFiles = f.files
	if f.read != "" {
		console.Opened(f.read)
	}
	return console, nil
}

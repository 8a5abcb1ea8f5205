package cmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/playground/server"
)

func newServe(s Streams) *cobra.Command {
	port := 0
	c := &cobra.Command{
		Use:   "serve",
		Short: "sessions in a browser on this machine",
		Long: `Show sessions in a browser: the panes of an exported page above a prompt, with
lessons to choose, exports to download, and links that open a session again.

The server listens on 127.0.0.1 alone. It prints an address that holds a random
token, and refuses requests without the token, for another host, or from a page
of another origin. Each page has a session of its own, which touches no files,
has an eighth of the memory at most, and stops a line after a minute.
Ctrl-C ends the server and its sessions.

For a page that needs no server of this kind, see commsplit help playground.`,
		Example: `  commsplit serve
  commsplit serve --port 8080`,
		Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			err := server.Serve(c.Context(), port, func(address string) {
				fmt.Fprintf(s.Out, "%s\nOpen this address in a browser on this machine; Ctrl-C ends.\n", address)
			})
			if err != nil && !errors.Is(err, context.Canceled) && signalOf(c.Context()) == nil {
				return &repl.InputError{Err: err}
			}
			return err
		},
	}
	c.Flags().Var(&count{&port, 65535, "a port is a number from 1 to %d; without --port, a free one is taken"}, "port", "`PORT` to listen at (default: one that is free)")
	return c
}

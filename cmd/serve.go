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
		Short: "show sessions in a browser on this machine",
		Long: `Show sessions in a browser: the panes of an exported page above a prompt, with
lessons to choose, exports to download, and links that reopen a session.

The server listens only on 127.0.0.1. It prints an address that holds a random
token, and refuses requests without the token, for another host, or from a page
of another origin. Each page has its own session, which cannot touch files, may
use an eighth of the memory, and stops a line after a minute.
Ctrl-C ends the server and its sessions.

For a page that any web server can serve, see commsplit help playground.`,
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
	c.Flags().Var(&count{&port, 65535, "a port must be from 1 to %d; without --port, commsplit takes a free port"}, "port", "`PORT` to listen on (default: a free port)")
	return c
}

package source

import (
	"context"
	"fmt"

	"codeberg.org/commsplit/commsplit/hw"
)

// A program for browsers has no files, and has to be small.

func loadCopy(_ context.Context, text, _ string) (*hw.Topology, error) { return nil, noFile(text) }

func noFile(spec string) error {
	return fmt.Errorf("hardware %q is a file, but a page cannot read files", spec)
}

func loadJob(_ context.Context, spec string) (*hw.Topology, error) { return nil, noFile(spec) }

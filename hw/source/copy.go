//go:build !js

package source

import (
	"context"
	"fmt"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
)

// loadCopy returns the machine whose /proc and /sys are in a folder or an archive.
func loadCopy(ctx context.Context, text, path string) (*hw.Topology, error) {
	if path == "" {
		return nil, fmt.Errorf("hardware %q has no path: give fsroot:PATH, a folder or tar archive "+
			"with a Linux machine's /proc and /sys", text)
	}
	m, err := fsroot.Read(ctx, path)
	if err != nil {
		return nil, err
	}
	return hw.New(text, m.Root, m.Notes...), nil
}

//go:build !js

package source

import (
	"context"
	"fmt"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/job"
)

// loadJob returns the hosts of a job, below a Level when there are several, with the places where its ranks
// ran.
func loadJob(ctx context.Context, spec string) (*hw.Topology, error) {
	path := strings.TrimPrefix(spec, ran)
	if path == "" {
		return nil, fmt.Errorf("hardware %q has no path: give job:FILE, the file that the "+
			"program of \"commsplit probe\" wrote on a cluster", spec)
	}
	j, err := job.Read(ctx, path)
	if err != nil {
		return nil, err
	}
	a := assembly{loaded: map[string]*loadedPart{}, below: j.Hosts}
	for _, h := range j.Hosts {
		a.loaded[h.Name] = &loadedPart{root: h}
	}
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	t := hw.New(Title(spec), root, j.Notes...)
	t.Ranks = j.Ranks
	return t, nil
}

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

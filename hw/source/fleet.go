package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// Member is one machine of a fleet, with its topology or the error of reading it.
type Member struct {
	Name     string
	Topology *hw.Topology
	Err      error
}

// Fleet reads many machines: each text is a recording (a tar archive, an hwloc file, or a folder with proc and sys), a
// folder of recordings, or a spec for Load. The name of a recorded machine is the file's name without its ending.
func Fleet(ctx context.Context, texts []string) (list []Member, err error) {
	for _, text := range texts {
		paths, err := recordings(text)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			spec := copied + path
			if isXML(path) {
				spec = path
			}
			t, err := loadOne(ctx, spec)
			list = append(list, Member{bareName(path), t, err})
		}
		if paths != nil {
			continue
		}
		t, err := Load(ctx, text)
		if err != nil {
			return nil, err
		}
		for _, h := range t.Hosts {
			list = append(list, Member{h.Name, t.Alone(h), nil})
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return list, nil
}

// recordings lists the recordings that a text names; nil where it is a spec for Load.
func recordings(text string) ([]string, error) {
	info, err := os.Stat(text)
	switch {
	case err != nil && (isArchive(text) || isXML(text) || strings.HasSuffix(text, "/")) && !strings.ContainsAny(text, ":*+="):
		return nil, &Unavailable{fmt.Errorf("recording %q: there is no such file", text)}
	case err != nil:
		return nil, nil
	case !info.IsDir() || isMachine(text):
		return []string{text}, nil
	}
	entries, err := os.ReadDir(text)
	if err != nil {
		return nil, &Unavailable{fmt.Errorf("folder %q: %w", text, err)}
	}
	var paths []string
	for _, e := range entries {
		path := filepath.Join(text, e.Name())
		if isArchive(path) || isXML(path) || e.IsDir() && isMachine(path) {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return nil, &Unavailable{fmt.Errorf("folder %q: it contains no recordings: want tar archives of commsplit hw record, or hwloc files", text)}
	}
	return paths, nil
}

// isMachine reports whether a folder is a copy of a machine's files.
func isMachine(path string) bool {
	info, err := os.Stat(filepath.Join(path, "sys"))
	return err == nil && info.IsDir()
}

// bareName returns a file's name without its folder and without the ending of a recording.
func bareName(path string) string {
	name := filepath.Base(path)
	for _, end := range append(archiveEnds(), ".xml") {
		if strings.HasSuffix(strings.ToLower(name), end) && len(name) > len(end) {
			return name[:len(name)-len(end)]
		}
	}
	return name
}

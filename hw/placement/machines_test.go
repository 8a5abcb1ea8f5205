package placement_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// fataler is a test of testing or of rapid.
type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// topology returns a preset or the machine of a synthetic description.
func topology(t fataler, text string) *hw.Topology {
	t.Helper()
	if top, ok := preset.Lookup(text); ok {
		return top
	}
	root, _, err := synthetic.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return hw.New(text, root)
}

func object(typ hw.Type, lo, hi int) *hw.Object {
	return &hw.Object{Type: typ, OSIndex: hw.Unknown, CPUSet: hw.SetRange(lo, hi)}
}

// recorded returns the path of a recorded machine or result.
func recorded(t *testing.T, path string) string {
	t.Helper()
	path = recordedPath(path)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no recorded machines (set COMMSPLIT_TOPOLOGIES): %v", err)
	}
	return path
}

func recordedPath(path string) string {
	dir := os.Getenv("COMMSPLIT_TOPOLOGIES")
	if dir == "" {
		dir = "../../../shared/topologies"
	}
	return filepath.Join(dir, path)
}

// cpusets writes bindings as "0,16 1,17"; with several hosts as "0:0 1:0".
func cpusets(top *hw.Topology, ranks []*hw.Binding) string {
	var parts []string
	for _, b := range ranks {
		s := b.CPUSet.String()
		if len(top.Hosts) > 1 {
			s = top.Hosts[b.Host].Name + ":" + s
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

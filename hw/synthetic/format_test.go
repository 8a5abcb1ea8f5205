package synthetic_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// Format writes a description as lstopo 2.9 does, for a description or a
// recorded machine; hwloc 2.9 cannot write memory-side caches, so they are as
// in 2.10's manual.
func TestFormat(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"pack:2 core:2 pu:2": "[NUMANode(memory=1073741824)] Package:2 Core:2 PU:2",
		"pack:2 numa:2(memory=256GiB indexes=pack) l3u:1(size=20mib) l2:2 l1i:1(size=16kiB) l1dcache:2 core:1 pu:2(indexes=l2)": "Package:2 L3Cache:2(size=20971520) " +
			"[NUMANode(memory=274877906944 indexes=2*2:1*2)] L2Cache:2(size=4194304) L1iCache:1(size=16384) L1dCache:2(size=32768) Core:1 PU:2(indexes=4*8:1*4)",
		"pack:2 [numa(memory=9 memorysidecachesize=7)] [numa(memory=5)] core:1 pu:1": "Package:2 " +
			"[NUMANode(memory=9 memorysidecachesize=7)] [NUMANode(memory=5)] Core:1 PU:1",
		"core:2 pu:2(indexes=0,3,1,2)":      "[NUMANode(memory=1073741824)] Core:2 PU:2(indexes=0,3,1,2)",
		"rack:2 machine:3 core:2":           "Rack:2 Machine:3 [NUMANode(memory=1073741824)] Core:2 PU:1",
		"cluster:2 rack:1 machine:1 core:2": "Cluster:2 Rack:1 Machine:1 [NUMANode(memory=1073741824)] Core:2 PU:1",
		"cluster:1 rack:1 machine:2 core:2": "Cluster:1 Rack:1 Machine:2 [NUMANode(memory=1073741824)] Core:2 PU:1",
		"rack:1 machine:2 core:2":           "Rack:1 Machine:2 [NUMANode(memory=1073741824)] Core:2 PU:1",
	} {
		got, err := synthetic.Format(parsed(t, text))
		if err != nil || got != want {
			t.Errorf("%s:\n got %s %v\nwant %s", text, got, err, want)
			continue
		}
		if diff := cmp.Diff(lines(parsed(t, text).Root, ""), lines(parsed(t, got).Root, "")); diff != "" {
			t.Errorf("%s, read again:\n%s", got, diff)
		}
	}
}

func parsed(t *testing.T, text string) *hw.Topology {
	t.Helper()
	root, _, err := synthetic.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return hw.New(text, root)
}

// The error for a machine that is not symmetric names the object that differs
// from the first.
func TestFormatRefuses(t *testing.T) {
	t.Parallel()
	pu := func(i int) *hw.Object { return &hw.Object{Type: hw.PU, OSIndex: i, CPUSet: hw.SetOf(i)} }
	object := func(typ hw.Type, lo, hi int) *hw.Object { return &hw.Object{Type: typ, CPUSet: hw.SetRange(lo, hi)} }
	node := func(i, lo, hi int) *hw.Object {
		return &hw.Object{Type: hw.NUMANode, OSIndex: i, CPUSet: hw.SetRange(lo, hi), NodeSet: hw.SetOf(i)}
	}
	for _, c := range []struct {
		objects, nodes []*hw.Object
		want           string
	}{
		{[]*hw.Object{object(hw.Core, 0, 0), object(hw.Core, 1, 2), pu(0), pu(1), pu(2)}, nil,
			"not symmetric: Core L#1 has 2 objects in it, Core L#0 has 1"},
		{[]*hw.Object{object(hw.Core, 0, 1), pu(0), pu(1), pu(2)}, nil, "not symmetric: PU L#2 stands beside Core L#0"},
		{[]*hw.Object{object(hw.Core, 0, 0), object(hw.Core, 1, 1), pu(0), pu(1)},
			[]*hw.Object{node(0, 0, 0), node(1, 1, 1), node(2, 1, 1)}, "not symmetric: Core L#1 has other memory than Core L#0"},
	} {
		machine := &hw.Object{Type: hw.Machine}
		hw.Build(machine, c.objects, c.nodes)
		if text, err := synthetic.Format(hw.New("", machine)); err == nil || err.Error() != c.want {
			t.Errorf("%q, %v, want %s", text, err, c.want)
		}
	}
}

// For the recorded machines lstopo writes the same description, or finds no
// symmetry either.
func TestFormatLstopo(t *testing.T) {
	t.Parallel()
	lstopo := judge.Ask(t, "lstopo-no-graphics")
	folder := os.Getenv("COMMSPLIT_TOPOLOGIES")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "topologies")
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*", "*.xml"))
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		top, err := hwlocxml.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		if len(top.Objects(hw.MemCache)) > 0 || strings.Contains(file, ".v3.") {
			continue // lstopo 2.9 ends at an assertion, or does not read it
		}
		out, fails := exec.Command(lstopo, "-i", file, "--no-io", "--filter", "Misc:none", "--of", "synthetic", "-").Output()
		got, err := synthetic.Format(top)
		if (fails == nil) != (err == nil) || err == nil && got != strings.TrimSpace(string(out)) {
			t.Errorf("%s:\n  ours %s, %v\nlstopo %s%v", filepath.Base(file), got, err, out, fails)
		}
	}
}

package sysfs_test

import (
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

// Any regular machine is read as it was generated, except that by hwloc's rule
// dies of one PU and dies that are whole packages do not count.
func TestReadShapes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string) int { return rapid.IntRange(1, 2).Draw(t, name) }
		cores := rapid.IntRange(1, 3).Draw(t, "cores")
		s := shape{n("packages"), n("dies"), n("nodes"), n("l3"), cores, n("threads")}
		m, err := sysfs.Read(fstest.MapFS(s.files(hw.Set{})))
		if err != nil {
			t.Fatal(err)
		}
		perNode := s.l3 * s.cores
		perDie := s.nodes * perNode
		want := map[string][]string{
			"Package": s.level(s.dies * perDie), "NUMANode": s.level(perNode), "L3Cache": s.level(s.cores),
			"L2Cache": s.level(1), "L1Cache": s.level(1), "L1iCache": s.level(1), "Core": s.level(1),
		}
		if s.dies > 1 && perDie*s.threads > 1 {
			want["Die"] = s.level(perDie)
		}
		got := treeSets(m.Root)
		for _, other := range []string{"Machine", "Group", "PU"} {
			delete(got, other)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%+v (-want +got):\n%s", s, diff)
		}
	})
}

// level lists the sorted sets of a level whose objects have n cores each.
func (s shape) level(n int) []string {
	var sets []string
	for g := range s.total() / n {
		sets = append(sets, s.pus(g, n).String())
	}
	slices.Sort(sets)
	return sets
}

// BenchmarkRead reads 256 PUs in 128 cores from a disk, as a live /sys is read.
func BenchmarkRead(b *testing.B) {
	s := shape{packages: 2, dies: 2, nodes: 2, l3: 2, cores: 8, threads: 2}
	folder := b.TempDir()
	if err := os.CopyFS(folder, fstest.MapFS(s.files(hw.Set{}))); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := sysfs.Read(os.DirFS(folder)); err != nil {
			b.Fatal(err)
		}
	}
}

package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/hw/placement"
)

// moved is two packages of two cores, split by package and duplicated; then rank 1 moves to core 3.
func moved(t testing.TB) *View {
	topo := synthesized(t, "pack:2 core:2 pu:1")
	s := newSession(t, topo, place(t, topo, 4, placement.Policy{}))
	s.assign("pack", 1, func(p *engine.Process) (*engine.Comm, error) {
		info := engine.NewInfo()
		if err := info.Set(engine.KeyHWResourceType, "hwloc://Package"); err != nil {
			return nil, err
		}
		return p.World().SplitType(engine.TypeHWGuided, 0, info)
	})
	s.assign("copy", 2, func(p *engine.Process) (*engine.Comm, error) { return local(p)["pack"].Dup() })
	s.split("other", 3, func(r int) int { return r % 2 }, zero)
	s.world.Submit(engine.RanksOf(1), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 4})
		return p.Bind(hw.SetOf(3))
	})
	s.world.Wait()
	return s.view()
}

// Every picture of a communicator that no longer reflects the hardware says so in a word, its
// duplicates with it, and nothing else is stale. The rank is drawn where it runs now.
func TestStaleInPictures(t *testing.T) {
	t.Parallel()
	v := moved(t)
	for _, c := range []struct {
		name string
		draw func(b *strings.Builder, st Style) error
		want []string
	}{
		{"partition", func(b *strings.Builder, st Style) error { return Partition(b, v, &v.Handles[0], st) }, []string{
			"A  pack#2  ctx 1  2 ranks  world ranks [0,1]  hwloc://Package L#0  stale",
			"B  pack#3  ctx 1  2 ranks  world ranks [2,3]  hwloc://Package L#1  stale",
			"pack#2 (hwloc://Package) is stale: rank 1 now runs on PU 3, Package L#1 (P#1);",
			"the communicator was made for Package L#0",
			"pack#3 (hwloc://Package) is stale: rank 1 now runs on PU 3, Package L#1 (P#1),",
			"and is not in it; the communicator was made for Package L#1",
			"",
			"Machine (1024MB total)",
			"  NUMANode L#0 (P#0 1024MB)",
			"  Package L#0",
			"    Core L#0 + PU L#0 (P#0)  A0     rank 0",
			"    Core L#1 + PU L#1 (P#1)",
			"  Package L#1",
			"    Core L#2 + PU L#2 (P#2)  B0     rank 2",
			"    Core L#3 + PU L#3 (P#3)  A1 B1  ranks 1,3",
		}},
		{"duplicate", func(b *strings.Builder, st Style) error { return Partition(b, v, &v.Handles[1], st) }, []string{
			"A  copy#4  ctx 2  2 ranks  world ranks [0,1]  stale",
			"B  copy#5  ctx 2  2 ranks  world ranks [2,3]  stale",
			"copy#4 is stale: it duplicates pack#2",
			"copy#5 is stale: it duplicates pack#3",
		}},
		{"table", func(b *strings.Builder, st Style) error { return Table(b, v, st) }, []string{
			"rank  pack  copy  other",
			"0     A 0   A 0   A 0",
			"1     A 1   A 1   B 0",
			"2     B 0   B 0   A 1",
			"3     B 1   B 1   B 1",
			"",
			"pack   A #2 stale  B #3 stale",
			"copy   A #4 stale  B #5 stale",
			"other  A #6  B #7",
		}},
		{"lineage", func(b *strings.Builder, st Style) error { return Lineage(b, v, st) }, []string{
			"world         4 ranks  ctx 0  MPI_COMM_WORLD",
			"├─ pack#2     2 ranks  ctx 1  split_type  hwloc://Package L#0  stale  demo.py:1",
			"│  └─ copy#4  2 ranks  ctx 2  dup  stale                              demo.py:2",
			"├─ pack#3     2 ranks  ctx 1  split_type  hwloc://Package L#1  stale  demo.py:1",
			"│  └─ copy#5  2 ranks  ctx 2  dup  stale                              demo.py:2",
			"├─ other#6    2 ranks  ctx 3  split color=0                           demo.py:3",
			"└─ other#7    2 ranks  ctx 3  split color=1                           demo.py:3",
		}},
	} {
		got := lines(t, 80, c.draw)
		if len(got) > len(c.want) && c.name == "duplicate" {
			got = got[:len(c.want)]
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// The key of a drawing says so, too, and why.
func TestStaleInSVG(t *testing.T) {
	t.Parallel()
	v := moved(t)
	for i, want := range []bool{true, true, false} {
		var b strings.Builder
		if err := SVGPartition(&b, v, &v.Handles[i], ThemeLight); err != nil {
			t.Fatal(err)
		}
		said := strings.Join(texts(t, v.Handles[i].Name, b.String())["text"], "\n")
		if strings.Count(said, "  stale\n") != 2 && want || strings.Contains(said, "is stale: ") != want {
			t.Errorf("%s: stale %v, but it says\n%s", v.Handles[i].Name, want, said)
		}
	}
}

// Before the move nothing is stale, and nobody has moved.
func TestStaleInThePast(t *testing.T) {
	t.Parallel()
	v := moved(t)
	v.Snapshot = v.Snapshot.At(len(v.Snapshot.Steps) - 1)
	for _, line := range lines(t, 80, func(b *strings.Builder, st Style) error { return pages(v, b, st) }) {
		if strings.Contains(line, "stale") || strings.Contains(line, "ranks 1,3") {
			t.Errorf("%q", line)
		}
	}
}

// Many of them are counted.
func TestStaleMany(t *testing.T) {
	t.Parallel()
	topo := synthesized(t, "core:24 pu:1")
	s := newSession(t, topo, place(t, topo, 24, placement.Policy{}))
	s.unguided("core", 1, func(p *engine.Process) *engine.Comm { return p.World() })
	s.world.Submit(engine.AllRanks(24), func(p *engine.Process) error { return p.Bind(hw.SetOf((p.Rank() + 1) % 24)) })
	s.world.Wait()
	v := s.view()
	news := lines(t, 80, func(b *strings.Builder, st Style) error { return StaleNews(b, v, 1, st) })
	if last := news[len(news)-1]; last != "note: and 16 more communicators" {
		t.Errorf("the news end with %q", last)
	}
	picture := strings.Join(lines(t, 80, func(b *strings.Builder, st Style) error { return Partition(b, v, &v.Handles[0], st) }), "\n")
	if !strings.Contains(picture, "\nand 21 more communicators\n\nMachine") {
		t.Errorf("partition:\n%s", picture)
	}
	table := strings.Join(lines(t, 80, func(b *strings.Builder, st Style) error { return Table(b, v, st) }), "\n")
	if !strings.HasSuffix(table, "\ncore  A-X #2-25 (24 stale)") {
		t.Errorf("table:\n%s", table)
	}
}

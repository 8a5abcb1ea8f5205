package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
)

func partitionOf(t testing.TB, v *View, h *Handle, width int) []string {
	return lines(t, width, func(b *strings.Builder, st Style) error { return Result(b, v, h, "", st) })
}

// Every rank is in the picture once, as the letter of its communicator and its rank there; rank 11
// passed MPI_UNDEFINED and is Hollow. Worked by hand: key -rank turns the order round.
func TestPartitionCells(t *testing.T) {
	t.Parallel()
	topo, b := worlds.Figure73(t)
	s := newSession(t, topo, b)
	s.ReversedHalves()
	v := s.view()
	page := partitionOf(t, v, &v.Handles[0], 80)
	want := map[int]string{
		0: "A5", 1: "B4", 2: "A4", 3: "B3", 4: "A3", 5: "B2",
		6: "A2", 7: "B1", 8: "A1", 9: "B0", 10: "A0", 11: "○",
	}
	if d := cmp.Diff(want, cellsShown(t, page)); d != "" {
		t.Error(d)
	}
	legend := []string{
		"A  half#2  ctx 1  6 ranks  world ranks [10,8,6,4,2,0]",
		"B  half#3  ctx 1  5 ranks  world ranks [9,7,5,3,1]",
		"○  MPI_COMM_NULL  rank 11",
		"",
	}
	if d := cmp.Diff(legend, page[:4]); d != "" {
		t.Error(d)
	}
}

// A label that takes the whole page leaves room for who is there, and so it does in the tree.
func TestLongLabels(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "l3:1 l2:2 l1d:1 l1i:1 core:1 pu:1")
	s := newSession(t, topo, worlds.Place(t, topo, 2, placement.Policy{}))
	s.Split("one", 1, func(int) int { return 0 }, func(int) int { return 0 })
	v := s.view()
	page := partitionOf(t, v, &v.Handles[0], 80)
	if d := cmp.Diff(map[int]string{0: "A0", 1: "A1"}, cellsShown(t, page)); d != "" {
		t.Error(d)
	}
	tree := strings.Join(treeOf(t, v, 80), "\n")
	if !strings.Contains(tree, "<- rank 0\n") || !strings.HasSuffix(tree, "<- rank 1") {
		t.Error(tree)
	}
}

// The second splitting of Figure 7.3 gives NUMA nodes in rack 0 and packages in rack 1; the legend
// names both resources.
func TestPartitionResources(t *testing.T) {
	t.Parallel()
	topo, b := worlds.Figure73(t)
	s := newSession(t, topo, b)
	s.Unguided("one", 4, func(p *engine.Process) *engine.Comm { return p.World() })
	s.Unguided("two", 5, func(p *engine.Process) *engine.Comm { return worlds.Local(p)["one"] })
	v := s.view()
	want := []string{
		"A  two#4  ctx 2  4 ranks  world ranks [0,1,2,3]  hwloc://NUMANode L#0",
		"B  two#5  ctx 2  4 ranks  world ranks [4,5,6,7]  hwloc://NUMANode L#1",
		"C  two#6  ctx 2  2 ranks  world ranks [8,9]      hwloc://Package L#4",
		"D  two#7  ctx 2  2 ranks  world ranks [10,11]    hwloc://Package L#5",
	}
	if d := cmp.Diff(want, partitionOf(t, v, &v.Handles[1], 80)[:4]); d != "" {
		t.Error(d)
	}
}

// The two groups of an intercommunicator each count their ranks from 0; the prime tells them apart.
func TestPartitionInter(t *testing.T) {
	t.Parallel()
	v := interView(t)
	page := partitionOf(t, v, &v.Handles[0], 80)
	want := map[int]string{4: "A0", 0: "A1", 1: "A'0", 2: "A'1", 3: "A'2", 5: "○"}
	if d := cmp.Diff(want, cellsShown(t, page)); d != "" {
		t.Error(d)
	}
	if want := "A  pair#2  ctx 3+5  2+3 ranks  left [4,0]  right [1,2,3]"; page[0] != want {
		t.Errorf("legend %q, want %q", page[0], want)
	}
}

// Who holds MPI_COMM_NULL and who holds nothing yet differ in every output that a person reads.
func TestThreeStates(t *testing.T) {
	t.Parallel()
	v := interView(t)
	v.Handles = []Handle{{Name: "sub", IDs: []int32{2, -1, Unset, Unset, 2, -1}}}
	h := &v.Handles[0]
	for _, c := range []struct {
		name string
		draw func(b *strings.Builder, st Style) error
		want []string
	}{
		{"partition", func(b *strings.Builder, st Style) error { return Result(b, v, h, "", st) },
			[]string{"○  MPI_COMM_NULL  ranks 1,5", "…  not set yet  ranks 2-3", "…   rank 2"}},
		{"table", func(b *strings.Builder, st Style) error { return Table(b, v, st) }, []string{"1     ○", "2     …"}},
		{"markdown", func(b *strings.Builder, _ Style) error { return Markdown(b, v) },
			[]string{"| 1    | ○   |", "| 2    | …   |", "○ is MPI_COMM_NULL.", "… is not set yet."}},
		{"csv", func(b *strings.Builder, _ Style) error { return CSV(b, v) }, []string{"1,sub,,,,,,", "2,sub,,…,,,,"}},
	} {
		var b strings.Builder
		if err := c.draw(&b, Style{Width: 80}); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, b.String())
			}
		}
	}
}

// MPI_COMM_SELF is one communicator a rank: each is rank 0 of its own.
func TestPartitionSelf(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "core:3 pu:1")
	v := newSession(t, topo, worlds.Place(t, topo, 3, placement.Policy{})).view()
	v.Handles = []Handle{{Name: "me", IDs: []int32{1, 1, -1}}}
	want := map[int]string{0: "A0", 1: "A0", 2: "○"}
	if d := cmp.Diff(want, cellsShown(t, partitionOf(t, v, &v.Handles[0], 80))); d != "" {
		t.Error(d)
	}
}

// Names come from programs: control characters in them must not reach the terminal.
func TestNoControlCharacters(t *testing.T) {
	t.Parallel()
	v := interView(t)
	v.Handles[0].Name = "x\x1b[31m\ty\u009b"
	for _, l := range partitionOf(t, v, &v.Handles[0], 80) {
		if strings.ContainsAny(l, "\x1b\t\u009b") {
			t.Errorf("control character in %q", l)
		}
	}
}

// However much is folded, a picture has less than 60 lines, and its cells count every rank of each
// communicator once. Colors are drawn at random; the brute force is a count of the colors.
func TestPartitionFoldsNothingAway(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := fmt.Sprintf("pack:%d l3:%d core:%d pu:1", rapid.IntRange(1, 5).Draw(rt, "packages"),
			rapid.IntRange(1, 5).Draw(rt, "caches"), rapid.IntRange(1, 20).Draw(rt, "cores"))
		topo := worlds.Synthesized(t, text)
		n := rapid.IntRange(200, 1500).Draw(rt, "ranks")
		colors := rapid.IntRange(1, 30).Draw(rt, "colors")
		a, b := rapid.IntRange(1, 50).Draw(rt, "a"), rapid.IntRange(1, 50).Draw(rt, "b")
		ids := make([]int32, n)
		s := &engine.Snapshot{Size: n, Topology: topo, Bindings: worlds.Place(t, topo, n, placement.Policy{})}
		groups := make([][]int32, colors+1)
		for r := range ids {
			k := (r * a / b) % (colors + 1)
			if ids[r] = int32(k) + 1; k == 0 {
				ids[r] = -1
			}
			groups[k] = append(groups[k], int32(r))
		}
		want := map[string]int{}
		next := 0
		for k, g := range groups {
			switch {
			case k == 0 && len(g) > 0:
				want[Hollow] = len(g)
			case k > 0 && len(g) > 0:
				s.Comms = append(s.Comms, &engine.CommInfo{ID: k + 1, Group: g, Instance: -1})
				want[Letter(next)] = len(g)
				next++
			}
		}
		h := &Handle{Name: "h", IDs: ids}
		page := partitionOf(t, &View{Snapshot: s}, h, 3000)
		if len(page) >= 60 {
			rt.Fatalf("%d lines", len(page))
		}
		got := map[string]int{}
		picture := page[slices.Index(page, "")+1:]
		for _, l := range picture {
			countCells(got, l)
		}
		if d := cmp.Diff(want, got); d != "" {
			rt.Fatalf("(-colors +cells)\n%s\n%s", d, strings.Join(page, "\n"))
		}
	})
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
		{"partition", func(b *strings.Builder, st Style) error { return Result(b, v, &v.Handles[0], "", st) }, []string{
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
		{"duplicate", func(b *strings.Builder, st Style) error { return Result(b, v, &v.Handles[1], "", st) }, []string{
			"A  copy#4  ctx 2  2 ranks  world ranks [0,1]  stale",
			"B  copy#5  ctx 2  2 ranks  world ranks [2,3]  stale",
			"copy#4 is stale: a duplicate of pack#2",
			"copy#5 is stale: a duplicate of pack#3",
		}},
		{"table", func(b *strings.Builder, st Style) error { return Table(b, v, st) }, []string{
			"rank  pack  copy  other",
			"0     A 0   C 0   E 0",
			"1     A 1   C 1   F 0",
			"2     B 0   D 0   E 1",
			"3     B 1   D 1   F 1",
			"",
			"pack   A #2 stale  B #3 stale",
			"copy   C #4 stale  D #5 stale",
			"other  E #6  F #7",
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
	topo := worlds.Synthesized(t, "core:24 pu:1")
	s := newSession(t, topo, worlds.Place(t, topo, 24, placement.Policy{}))
	s.Unguided("core", 1, func(p *engine.Process) *engine.Comm { return p.World() })
	s.World.Submit(engine.AllRanks(24), func(p *engine.Process) error { return p.Bind(hw.SetOf((p.Rank() + 1) % 24)) })
	s.World.Wait()
	v := s.view()
	news := lines(t, 80, func(b *strings.Builder, st Style) error { return StaleNews(b, v, 1, st) })
	if last := news[len(news)-1]; last != "note: and 16 more communicators" {
		t.Errorf("the news end with %q", last)
	}
	picture := strings.Join(lines(t, 80, func(b *strings.Builder, st Style) error { return Result(b, v, &v.Handles[0], "", st) }), "\n")
	if !strings.Contains(picture, "\nand 21 more communicators\n\nMachine") {
		t.Errorf("partition:\n%s", picture)
	}
	table := strings.Join(lines(t, 80, func(b *strings.Builder, st Style) error { return Table(b, v, st) }), "\n")
	if !strings.HasSuffix(table, "\ncore  A-X #2-25 (24 stale)") {
		t.Errorf("table:\n%s", table)
	}
}

package boxes

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// board is a machine with ranks on it.
func board(t testing.TB, topo *hw.Topology, b []*hw.Binding) *Board {
	t.Helper()
	return NewBoard(outline.Of(worlds.New(t, topo, b).World.Snapshot(), outline.NoDevices))
}

func filled(t testing.TB, spec string, n int) *Board {
	t.Helper()
	topo, ok := preset.Lookup(spec)
	if !ok {
		topo = worlds.Synthesized(t, spec)
	}
	return board(t, topo, worlds.Place(t, topo, n, placement.Policy{}))
}

// halves colors ranks by whether they are even; a cell's text is "A7", "B3".
var halves = &Look{
	Cell: func(r int32) paint.Cell {
		return paint.Cell{Text: string("AB"[r%2]) + strconv.Itoa(int(r)/2), Slot: int(r) % 2}
	},
	Share: func(r int32) paint.Cell { return paint.Cell{Text: string("AB"[r%2]), Slot: int(r) % 2} },
}

// drawn is a picture and what is where on it.
type drawn struct {
	*scene.Scene
	plan  *Plan
	lines []paint.Line
	cells map[int32]*scene.Thing // by rank
	areas map[*hw.Object]*scene.Thing
}

func draw(t testing.TB, b *Board, w, h int) drawn {
	t.Helper()
	p := b.Plan(nil, Size{Width: w, Height: h, Text: 1 + len(strconv.Itoa(len(b.Order)/2))})
	pic := p.Scene(0, p.Height, halves)
	d := drawn{pic, p, pic.Draw(), map[int32]*scene.Thing{}, map[*hw.Object]*scene.Thing{}}
	for i := range d.Things {
		at := &d.Things[i]
		switch rank := int32(at.Of.Rank()); {
		case rank >= 0:
			if _, twice := d.cells[rank]; twice {
				t.Errorf("rank %d has two cells", rank)
			}
			d.cells[rank] = at
		case at.Kind == scene.Area:
			d.areas[at.Of.Object] = at
		}
	}
	return d
}

// rows groups the cells of some ranks by line.
func (d drawn) rows(ranks []int32) map[int]int {
	rows := map[int]int{}
	for _, r := range ranks {
		rows[d.cells[r].Y]++
	}
	return rows
}

func inside(a, b *scene.Thing) bool {
	return a.X >= b.X && a.Y >= b.Y && a.X+a.W <= b.X+b.W && a.Y+a.H <= b.Y+b.H
}

// Figure 7.3 of the standard: packages are in NUMA nodes, those in racks. Each rank's cell is in the frame of
// its package; all packages have one size, and all cells.
func TestFrames(t *testing.T) {
	t.Parallel()
	topo, _ := worlds.Figure73(t)
	b := board(t, topo, worlds.Place(t, topo, 12, placement.Policy{}))
	for _, size := range [][2]int{{62, 20}, {104, 33}, {198, 55}} {
		d := draw(t, b, size[0], size[1])
		if d.plan.Height > size[1] {
			t.Errorf("%v: %d lines", size, d.plan.Height)
		}
		for i, pkg := range topo.Objects(hw.Package) {
			frame := d.areas[pkg]
			if !inside(frame, d.areas[topo.Objects(hw.Group)[0]]) != (i >= 4) { // the first rack has four of them
				t.Errorf("%v: package %d is at %v", size, i, frame)
			}
			for _, r := range []int32{int32(2 * i), int32(2*i + 1)} {
				if cell, ok := d.cells[r]; !ok || !inside(cell, frame) {
					t.Errorf("%v: rank %d is at %v, its package at %v", size, r, cell, frame)
				}
			}
		}
	}
}

// Equal hardware has one size, with its cells in equal rows, whatever stands around it and whichever ranks run on it: the six
// packages of Figure 7.3, of which four are in two NUMA nodes in one rack and two in the other rack; the machines of
// racks that have one and two of them; the machines beside one of another kind.
func TestEqualThingsAreDrawnEqually(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec   string
		n      int
		policy placement.Policy
	}{
		{"figure-7.3", 12, placement.Policy{}}, {"figure-7.3", 7, placement.Policy{}}, {"figure-7.3", 6, placement.Policy{BindTo: "package"}},
		{"{rack:1 machine:2 pack:2 core:2 pu:1 ; rack:1 machine:1 pack:2 core:2 pu:1}", 7, placement.Policy{}},
		{"{machine:2 pack:2 core:2 pu:1 ; machine:1 pack:1 core:8 pu:1}", 7, placement.Policy{}},
	} {
		topo, ok := preset.Lookup(c.spec)
		if !ok {
			topo = worlds.Synthesized(t, c.spec)
		}
		b := board(t, topo, worlds.Place(t, topo, c.n, c.policy))
		for w := 24; w < 200; w += 7 {
			for _, h := range []int{10, 16, 20, 33, 55} {
				d := draw(t, b, w, h)
				drawn := map[int32][3]int{} // by kind: columns, lines, line of the first cell
				d.plan.each(d.plan.top, func(k *block) {
					if k.style != framed || !k.node.Has(hw.Package) && !k.node.Has(hw.Machine) {
						return
					}
					frame := d.areas[k.node.First()]
					is := [3]int{frame.W, frame.H, 99}
					for _, at := range d.Of() {
						if at.W == d.plan.wide && at.Y > frame.Y && inside(at, frame) {
							is[2] = min(is[2], at.Y-frame.Y)
						}
					}
					kind := b.of(k.node).kind
					if was, ok := drawn[kind]; ok && was != is {
						t.Fatalf("%s on %dx%d: one is %v, another one is %v:\n%s", c.spec, w, h, is, was, text(d))
					}
					drawn[kind] = is
				})
			}
		}
	}
}

// A student's first screen: eight ranks on two cores. Each has a cell, four on each core.
func TestSharedCores(t *testing.T) {
	t.Parallel()
	b := filled(t, "pack:1 core:2 pu:1", 8)
	for _, size := range [][2]int{{41, 14}, {62, 20}, {104, 33}} {
		d := draw(t, b, size[0], size[1])
		if len(d.cells) != 8 {
			t.Fatalf("%v: %d ranks have cells:\n%s", size, len(d.cells), text(d))
		}
		for core, o := range b.Topology.Objects(hw.Core) {
			n := 0
			for _, cell := range d.cells {
				if core == o.LogicalIndex && cell.Of.Object == o {
					n++
				}
			}
			if n != 4 {
				t.Errorf("%v: core %d has %d cells", size, core, n)
			}
		}
	}
}

func text(d drawn) string {
	var b strings.Builder
	for _, l := range d.lines {
		b.WriteString(l.Plain() + "\n")
	}
	return b.String()
}

// The eight cores of each L3 stand in rows of one length, at any width: 8, 4+4, 2+2+2+2, never 6+2.
func TestRowsAreEqual(t *testing.T) {
	t.Parallel()
	b := filled(t, "frontier", 64)
	for w := 40; w < 200; w += 7 {
		for _, h := range []int{14, 20, 33, 55} {
			d := draw(t, b, w, h)
			if len(d.cells) != 64 {
				continue // tiles
			}
			var lengths []int
			for l3 := range int32(8) {
				var ranks []int32
				for r := range int32(8) {
					ranks = append(ranks, 8*l3+r)
				}
				for _, n := range d.rows(ranks) {
					lengths = append(lengths, n)
				}
			}
			slices.Sort(lengths)
			if lengths = slices.Compact(lengths); len(lengths) != 1 {
				t.Errorf("%dx%d: rows of %v cells:\n%s", w, h, lengths, text(d))
			}
		}
	}
}

// From sixteen nodes on each is a row, with a cell for each rank while there is room; beyond that, a bar.
// 4,096 ranks on 64 nodes have a cell each in 198 columns and 55 lines.
func TestManyHosts(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "machine:16 pack:2 core:16 pu:1")
	d := draw(t, board(t, topo, worlds.Place(t, topo, 512, placement.Policy{})), 90, 20)
	for host := range int32(16) {
		y := d.cells[32*host].Y
		for r := range int32(32) {
			if d.cells[32*host+r].Y != y {
				t.Fatalf("host %d has more than one row:\n%s", host, text(d))
			}
		}
	}
	if len(d.rows(allRanks(512))) != 16 {
		t.Errorf("%d rows:\n%s", len(d.rows(allRanks(512))), text(d))
	}
	large := worlds.Synthesized(t, "machine:64 pack:1 numa:4 core:16 pu:1")
	b := board(t, large, worlds.Place(t, large, 4096, placement.Policy{}))
	if d := draw(t, b, 198, 55); len(d.cells) != 4096 || d.plan.Height > 55 {
		t.Errorf("%d ranks have a cell on %d lines", len(d.cells), d.plan.Height)
	}
	small := draw(t, b, 60, 20)
	if len(small.cells) != 0 || small.plan.Height > 66 || !strings.Contains(text(small), "A  ") {
		t.Errorf("%d cells on %d lines:\n%s", len(small.cells), small.plan.Height, text(small))
	}
}

func allRanks(n int32) []int32 {
	var list []int32
	for r := range n {
		list = append(list, r)
	}
	return list
}

// A bar tells how many ranks of which communicator there are, in widths that are their shares: half of 64 are
// even.
func TestBars(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "machine:20 core:64 pu:1")
	d := draw(t, board(t, topo, worlds.Place(t, topo, 20*64, placement.Policy{})), 40, 24)
	line := d.lines[slices.IndexFunc(d.lines, func(l paint.Line) bool { return strings.Contains(l.Plain(), "node7 ") })]
	var bars []string
	for _, s := range line {
		if s.Ink == paint.Fill(0) || s.Ink == paint.Fill(1) {
			bars = append(bars, strings.TrimSpace(s.Text))
		}
	}
	if d := cmp.Diff([]string{"A×32", "B×32"}, bars); d != "" {
		t.Errorf("%s: %s", line.Plain(), d)
	}
}

// Where a share has one column, it keeps its letter when it is selected, and so do the shares beside it.
func TestSelectedBarsKeepLetters(t *testing.T) {
	t.Parallel()
	d := draw(t, filled(t, "machine:64 core:63 pu:1", 64*63), 54, 20)
	look := *halves
	look.Share = func(r int32) paint.Cell { return paint.Cell{Text: string("ABC"[r%3]), Slot: int(r) % 3} }
	look.Lit = func(ranks outline.Span) int { return (int(ranks.Hi)+2)/3 - (int(ranks.Lo)+2)/3 } // of A
	for _, line := range d.plan.Scene(0, d.plan.Height, &look).Draw()[1:3] {
		if n := strings.Count(line.Plain(), "ABC"); n != 4 {
			t.Errorf("%d nodes of 4 have letters: %s", n, line.Plain())
		}
	}
}

// Whatever the machine and the area: no line is wider than the area, all that can be chosen is inside it,
// cells have one size and do not overlap, and every rank is found where it is drawn.
func TestEverythingFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec string
		n    int
	}{
		{"core:1", 1}, {"core:1", 30}, {"pack:1 core:3 pu:2", 3}, {"pack:3 core:5 pu:1", 15}, {"pack:2 numa:2 l3:2 core:4 pu:2", 64},
		{"machine:3 pack:2 core:7 pu:1", 42}, {"rack:2 machine:5 core:4 pu:1", 40}, {"frontier", 64}, {"figure-7.3", 12}, {"core:400 pu:1", 400},
		{"machine:30 pack:2 core:3 pu:1", 100},
	} {
		b := filled(t, c.spec, c.n)
		for _, w := range []int{1, 8, 20, 33, 41, 62, 90, 198} {
			for _, h := range []int{1, 5, 14, 33, 55} {
				d := draw(t, b, w, h)
				for _, l := range d.lines {
					if l.Width() > w {
						t.Fatalf("%s on %dx%d: a line of %d columns: %s", c.spec, w, h, l.Width(), l.Plain())
					}
				}
				taken := map[[2]int]bool{}
				for r, cell := range d.cells {
					if cell.X < 0 || cell.X+cell.W > w || cell.Y+cell.H > d.plan.Height || cell.W != d.plan.wide {
						t.Fatalf("%s on %dx%d: rank %d at %+v", c.spec, w, h, r, cell)
					}
					if y := d.plan.Find(int(r)); y != cell.Y {
						t.Fatalf("%s on %dx%d: rank %d is on line %d, and found on %d", c.spec, w, h, r, cell.Y, y)
					}
					for y := cell.Y; y < cell.Y+cell.H; y++ {
						for x := cell.X; x < cell.X+cell.W; x++ {
							if taken[[2]int{x, y}] {
								t.Fatalf("%s on %dx%d: cells overlap at %d,%d:\n%s", c.spec, w, h, x, y, text(d))
							}
							taken[[2]int{x, y}] = true
						}
					}
				}
				if !slices.IsSorted(d.plan.Stops()) {
					t.Fatalf("%s on %dx%d: stops %v", c.spec, w, h, d.plan.Stops())
				}
			}
		}
	}
}

// A part of the plan shows the same lines as the whole.
func TestDrawsWhatShows(t *testing.T) {
	t.Parallel()
	b := filled(t, "pack:2 numa:2 l3:2 core:4 pu:2", 64)
	d := draw(t, b, 90, 30)
	for from := range d.plan.Height {
		part := d.plan.Scene(from, 5, halves)
		for y, l := range part.Draw() {
			if got, want := l.Plain(), d.lines[from+y].Plain(); got != want {
				t.Fatalf("line %d: %q, want %q", from+y, got, want)
			}
		}
	}
}

// Alone on the screen, hardware fills it: cells grow as far as there is room, and no cell leaves its frame or lies on another.
func TestLargeFillsTheArea(t *testing.T) {
	t.Parallel()
	for _, spec := range []string{"figure-7.3", "pack:1 core:2 pu:2", "pack:2 core:3 pu:1", "frontier"} {
		n := map[string]int{"figure-7.3": 12, "pack:1 core:2 pu:2": 8, "pack:2 core:3 pu:1": 6, "frontier": 64}[spec]
		b := filled(t, spec, n)
		for _, size := range [][2]int{{198, 55}, {118, 33}, {80, 18}} {
			s := Size{Width: size[0], Height: size[1], Text: 3, Fill: High}
			small := b.Plan(nil, s)
			s.Fill = Large
			p := b.Plan(nil, s)
			if p.Height > size[1] || p.Height < size[1]*3/4 {
				t.Errorf("%s at %v: %d lines", spec, size, p.Height)
			}
			if p.wide*p.mode.high < small.wide*small.mode.high {
				t.Errorf("%s at %v: cells are %dx%d, and %dx%d beside other panes", spec, size, p.wide, p.mode.high, small.wide, small.mode.high)
			}
			taken := map[[2]int]int32{}
			for _, at := range p.Scene(0, p.Height, halves).Of() {
				rank := int32(at.Of.Rank())
				if rank < 0 {
					continue
				}
				for y := at.Y; y < at.Y+at.H; y++ {
					for x := at.X; x < at.X+at.W; x++ {
						if other, ok := taken[[2]int{x, y}]; ok || x >= size[0] || y >= p.Height {
							t.Fatalf("%s at %v: ranks %d and %d are at %d,%d", spec, size, rank, other, x, y)
						}
						taken[[2]int{x, y}] = rank
					}
				}
			}
		}
	}
}

// Of many nodes that are tiles, nothing inside a tile is made: a picture of ten times as many cores with a rank each takes
// as many allocations.
func TestNothingInsideTilesIsMade(t *testing.T) {
	made := map[int]float64{}
	for _, cores := range []int{8, 80} {
		topo := worlds.Synthesized(t, "node:1250 core:"+strconv.Itoa(cores))
		s := worlds.New(t, topo, worlds.Place(t, topo, 1250*cores, placement.Policy{})).World.Snapshot()
		made[cores] = testing.AllocsPerRun(2, func() {
			p := NewBoard(outline.Of(s, outline.NoDevices)).Plan(nil, Size{Width: 200, Height: 60, Text: 5})
			if !p.mode.tiles {
				t.Fatal("the nodes are no tiles")
			}
			p.Scene(0, 60, &Look{Share: func(r int32) paint.Cell { return paint.Cell{Text: "A", Slot: int(r) % 2} }})
		})
	}
	if made[80] > made[8]+100 {
		t.Errorf("%v allocations for 8 cores a tile, %v for 80", made[8], made[80])
	}
}

// A title names each memory of its object, those behind a cache too: in full where there is room, otherwise without
// sizes, then with short names.
func TestTitleNamesAllMemory(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "[numa(memory=48GiB)] [numa(memory=8GiB memorysidecachesize=10MiB subtype=MCDRAM)] l2:2 core:2 pu:1")
	b := board(t, topo, worlds.Place(t, topo, 4, placement.Policy{}))
	for _, c := range []struct {
		wide  int
		title string
	}{
		{120, "Machine (56GB total)  NUMANode L#0 (P#0 48GB)  MemCache L#0 (10MB)  NUMANode(MCDRAM) L#1 (P#1 8192MB)"},
		{78, "Machine  NUMANode L#0  MemCache L#0  NUMANode(MCDRAM) L#1"},
		{58, "Machine  NUMA 0  MemCache 0  MCDRAM 1"},
	} {
		if top := draw(t, b, c.wide, 20).lines[0].Plain(); !strings.Contains(top, "─ "+c.title+" ─") {
			t.Errorf("on %d columns: %s, want %s", c.wide, top, c.title)
		}
	}
}

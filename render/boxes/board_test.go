package boxes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
)

// A rank that is bound to several cores alone is drawn on all of them, whether they are an object or not, and no core of
// its binding looks idle; cores that nobody may use do. Ranks that share cores have a cell each, and the cores are blank.
func TestBindingsAreAsWideAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		topo string
		n    int
		p    placement.Policy
		idle int    // cores drawn as idle
		on   string // cores that each rank's cells take, counted in columns of cells
	}{
		{"frontier-56", 8, placement.Policy{MapBy: "l3cache", BindTo: "l3cache"}, 0, "7 7 7 7 7 7 7 7"},
		{"frontier-56", 4, placement.Policy{MapBy: "numa", BindTo: "numa"}, 0, "14 14 14 14"},
		{"frontier-56", 56, placement.Policy{}, 0, strings.TrimSpace(strings.Repeat("1 ", 56))},
		{"pack:2 l3:2 core:4", 2, placement.Policy{MapBy: "l3cache", BindTo: "l3cache"}, 8, "4 4"},
		{"pack:2 l3:2 core:4", 2, placement.Policy{MapBy: "package", BindTo: "package"}, 0, "8 8"},
		{"pack:2 l3:2 core:4", 3, placement.Policy{MapBy: "slot:pe=2"}, 10, "2 2 2"},
		{"pack:2 l3:2 core:4", 2, placement.Policy{List: "1-2,5+7"}, 12, "2 2"},
		{"pack:2 l3:2 core:4", 4, placement.Policy{MapBy: "package", BindTo: "package"}, 0, "1 1 1 1"},
		{"pack:2 l3:2 core:4", 2, placement.Policy{List: "0-2,2-3"}, 12, "1 1"}, // core 2 is both's
		{"core:4 pu:2", 1, placement.Policy{List: "1+2"}, 2, "2"},               // half of two cores
		{"machine:2 core:4", 2, placement.Policy{MapBy: "node", BindTo: "machine"}, 0, "4 4"},
	} {
		topo, ok := preset.Lookup(c.topo)
		if !ok {
			topo = worlds.Synthesized(t, c.topo)
		}
		b := board(t, topo, worlds.Place(t, topo, c.n, c.p))
		for _, height := range []int{200, 40, 12} {
			p := b.Plan(nil, Size{Width: 150, Height: height, Text: 3})
			if p.mode.tiles {
				continue
			}
			cells, idle := make([]int, c.n), 0
			p.each(p.top, func(at *block) {
				if at.flow == nil {
					return
				}
				for _, s := range p.slotsOf(at) {
					switch {
					case s.rank >= 0:
						cells[s.rank]++
					case s.rank == nobody:
						idle++
					}
				}
			})
			if got := strings.Trim(fmt.Sprint(cells), "[]"); got != c.on || idle != c.idle {
				t.Errorf("%s, %+v in %d lines: ranks on %s cores, %d idle", c.topo, c.p, height, got, idle)
			}
			drawn := 0
			for _, l := range p.Scene(0, p.Height, halves).Draw() {
				drawn += strings.Count(l.Plain(), "·")
			}
			if drawn != c.idle {
				t.Errorf("%s, %+v in %d lines: %d cores are drawn as idle, want %d", c.topo, c.p, height, drawn, c.idle)
			}
		}
	}
}

// The cores of a wide rank in a row are one cell of that width, which the rank can be chosen by.
func TestWideCells(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "pack:2 core:4")
	b := board(t, topo, worlds.Place(t, topo, 3, placement.Policy{List: "0-3,4-5,6"}))
	p := b.Plan(nil, Size{Width: 80, Height: 12, Text: 2})
	width := map[int32]int{}
	for _, at := range p.Scene(0, p.Height, halves).Of() {
		if r := at.Of.Rank(); r >= 0 {
			width[int32(r)] += at.W
		}
	}
	one, gap := p.wide, p.mode.gap
	if width[0] != 4*one+3*gap || width[1] != 2*one+gap || width[2] != one {
		t.Errorf("cells of 4, 2 and 1 cores are %d, %d and %d columns wide, one is %d", width[0], width[1], width[2], one)
	}
}

// Ranks that are bound to a whole package have cells of their own above the frames in it, in rows as long as the frames
// are wide: the package is no wider than the longer of the two.
func TestCellsAboveFrames(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "pack:1 l3:2 core:2")
	for n := 5; n < 24; n++ {
		on := append([]string{"0", "1", "2", "3"}, slices.Repeat([]string{"0-3"}, n-4)...)
		b := board(t, topo, worlds.Place(t, topo, n, placement.Policy{List: strings.Join(on, ",")}))
		for width := 30; width < 90; width++ {
			p := b.Plan(nil, Size{Width: width, Height: 60, Text: 3})
			p.each(p.top, func(at *block) {
				if at.flow == nil || len(at.kids) == 0 {
					return
				}
				cells, frames := p.at(at.flow, at.flow.perRow-1, p.wide)+p.wide, (at.columns-1)*at.gap
				for _, w := range at.widest() {
					frames += w
				}
				if want := max(cells, frames) + 2*at.edge; at.w > width || at.w != want {
					t.Fatalf("%d ranks in %d columns: the package takes %d, want %d", n, width, at.w, want)
				}
			})
		}
	}
}

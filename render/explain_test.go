package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// reasons prints the explanations of every handle, and the phases of the first steps.
func reasons(v *View, b *strings.Builder, st Style) error {
	s := v.Snapshot
	for _, h := range v.Handles {
		held := func(r int) reason.Held { return reason.Held{Comm: int(h.IDs[r])} }
		list, rest := reason.NewReader(s).Handle(held, engine.AllRanks(s.Size), 12)
		list = append(list, reason.NewReader(s).Rank(held(s.Size/2), s.Size/2))
		if err := Explain(b, v, list, rest, st); err != nil {
			return err
		}
	}
	for k := range min(len(s.Steps), 12) {
		ph, err := reason.Of(s, k+1)
		if err != nil {
			continue
		}
		for at := range ph.Stages {
			if err := Phase(b, v, ph, at, st); err != nil {
				return err
			}
		}
	}
	return nil
}

// No line is wider than the page, no line ends in blanks, and color adds nothing, even with thousands of ranks or
// communicators.
func TestReasonsFit(t *testing.T) {
	t.Parallel()
	for name, view := range map[string]func(testing.TB) *View{
		"levels": levels73, "scattered": mod1000, "blocks": blocksOf4, "family": family4,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := view(t)
			for _, width := range []int{40, 80, 200} {
				plain := lines(t, width, func(b *strings.Builder, st Style) error { return reasons(v, b, st) })
				var colored strings.Builder
				if err := reasons(v, &colored, Style{Width: width, Colors: paint.Colors256}); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(strings.Join(plain, "\n")+"\n", ansi.Strip(colored.String())); d != "" {
					t.Error(d)
				}
			}
		})
	}
}

// A long order is folded around its rank: the first two rows, three rows on each side of the rank, and the last
// row remain. Without a rank, the first rows and the last row remain.
func TestFoldedOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, focus, limit int
		want            []int
	}{
		{5, -1, 8, []int{0, 1, 2, 3, 4}},
		{20, -1, 8, []int{0, 1, 2, 3, 4, 19}},
		{20, 10, 8, []int{0, 1, 7, 8, 9, 10, 11, 12, 13, 19}},
		{20, 0, 8, []int{0, 1, 2, 3, 19}},
		{20, 19, 8, []int{0, 1, 16, 17, 18, 19}},
	} {
		if d := cmp.Diff(c.want, around(c.n, c.focus, c.limit)); d != "" {
			t.Errorf("%+v (-want +got):\n%s", c, d)
		}
	}
}

// Masks of context ids are written in groups of eight; where they do not fit, only the group with the id is
// written, with its first index.
func TestMaskCell(t *testing.T) {
	t.Parallel()
	mask := strings.Repeat("1", 20) + "0111"
	for width, want := range map[int]string{
		26: "11111111 11111111 11110111",
		25: "[16] 11110111",
	} {
		if got := maskCell(mask, 20)(width); got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}

// A table of the ids in use has a row for each mask as long as the page has room for all; else its last row tells how
// many are left out.
func TestRowsOfMasks(t *testing.T) {
	t.Parallel()
	for masks, want := range map[int][2]int{phaseRows - 1: {phaseRows - 1, 0}, phaseRows: {phaseRows, 0}, phaseRows + 1: {phaseRows - 1, 2}} {
		a := reason.Agreement{All: "11", ID: 2}
		for r := range masks {
			a.Masks = append(a.Masks, reason.Mask{Ranks: engine.RanksOf(r), Bits: "11"})
		}
		d := phaseDrawer{&explainer{page: newPage(Style{Width: 80})}, &reason.Phases{}}
		d.agreement(a)
		got := [2]int{}
		for line := range strings.Lines(d.page.b.String()) {
			switch words := strings.Fields(line); {
			case len(words) == 2 && words[1] == "11" && words[0] != "or":
				got[0]++
			case len(words) == 3 && words[0] == "⋮":
				got[1] = int(words[1][0] - '0')
			}
		}
		if got != want {
			t.Errorf("%d masks: %d rows and %d more, want %v\n%s", masks, got[0], got[1], want, d.page.b.String())
		}
	}
}

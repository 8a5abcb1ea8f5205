package outline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/outline"
)

// seated is a machine with a rank on each PU, or with ranks placed by a policy.
func seated(t testing.TB, text string, n int, p placement.Policy) *outline.Outline {
	topo := worlds.Synthesized(t, text)
	if n == 0 {
		n = worlds.FullHouse(t, topo)
	}
	return outline.Of(&engine.Snapshot{Topology: topo, Bindings: worlds.Place(t, topo, n, p), Size: n}, outline.NoDevices)
}

// texts are the lines as a person sees them, with the ranks that they show.
func texts(o *outline.Outline, lines []outline.Line) []string {
	list := make([]string, len(lines))
	for i := range lines {
		list[i] = strings.Repeat(" ", lines[i].Depth) + o.Label(&lines[i])
		for _, s := range o.Seats(&lines[i]) {
			list[i] += strings.TrimRight(fmt.Sprintf(" %v %s", s.Ranks, s.PUs), " ")
		}
	}
	return list
}

// A border goes around an object, or around several that stand side by side, not across what holds them: of two packages
// of three cores with a rank each, ranks 0 and 1 share a package, and ranks 2 and 3 stand in two.
func TestBorder(t *testing.T) {
	t.Parallel()
	for span, want := range map[outline.Span]bool{{Lo: 0, Hi: 6}: true, {Lo: 0, Hi: 3}: true, {Lo: 0, Hi: 2}: true, {Lo: 4, Hi: 6}: true,
		{Lo: 1, Hi: 2}: true, {Lo: 2, Hi: 4}: false, {Lo: 5, Hi: 7}: false} {
		o := seated(t, "pack:2 core:3 pu:1", 0, placement.Policy{})
		if got := o.Border(span, nil, "a", 0); got != want {
			t.Errorf("%+v: %v, want %v", span, got, want)
		}
	}
}

// Objects that cover the same PUs share a node; a span names the ranks below each node, and ranks on an object
// come before those on what is in it.
func TestOutline(t *testing.T) {
	t.Parallel()
	o := seated(t, "pack:2 core:2 pu:1", 4, placement.Policy{List: "2,0-1,0-3,3"})
	lines, rest := o.Fit(outline.Unlimited, nil)
	want := []string{
		"Machine (1024MB total) [2]",
		" NUMANode L#0 (P#0 1024MB)",
		" Package L#0 [1]",
		"  Core L#0 + PU L#0 (P#0)",
		"  Core L#1 + PU L#1 (P#1)",
		" Package L#1",
		"  Core L#2 + PU L#2 (P#2) [0]",
		"  Core L#3 + PU L#3 (P#3) [3]",
	}
	if diff := cmp.Diff(want, texts(o, lines)); diff != "" || rest != 0 {
		t.Errorf("rest %d, -want +got:\n%s", rest, diff)
	}
	if diff := cmp.Diff([]int32{2, 1, 0, 3}, o.Order); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int32{2, 1, 0, 3}, o.At); diff != "" {
		t.Error(diff)
	}
	packs := o.Root.OtherKids()
	pack := packs[1]
	if diff := cmp.Diff([]int32{0, 3}, o.Ranks(pack.All)); diff != "" || pack.Own.Len() != 0 {
		t.Errorf("%v on the package itself, %s", pack.Own, diff)
	}
	if pack.Leaf || !pack.Kids()[0].Leaf {
		t.Error("a core is a leaf, a package is not")
	}
}

// Equal siblings share a line when there is no room for all. Where ranks hold different things, those that hold
// the same in turn share one, so that both kinds are shown.
func TestFit(t *testing.T) {
	t.Parallel()
	o := seated(t, "core:8 pu:1", 0, placement.Policy{})
	memory := []string{"Machine (1024MB total)", " NUMANode L#0 (P#0 1024MB)"}
	fit := func(limit int, of outline.Holding) []string {
		lines, _ := o.Fit(limit, of)
		return texts(o, lines)
	}
	want := []string{memory[0], memory[1], " Core L#0-7 (8 x Core + PU) [0 1 2 3 4 5 6 7]"}
	if diff := cmp.Diff(want, fit(3, nil)); diff != "" {
		t.Errorf("alike, -want +got:\n%s", diff)
	}
	halves := func(rank int32) int32 { return rank / 4 }
	want = []string{memory[0], memory[1], " Core L#0-3 (4 x Core + PU) [0 1 2 3]", " Core L#4-7 (4 x Core + PU) [4 5 6 7]"}
	if diff := cmp.Diff(want, fit(4, halves)); diff != "" {
		t.Errorf("halves, -want +got:\n%s", diff)
	}
	inTurn := func(rank int32) int32 { return rank % 2 }
	want = []string{
		memory[0], memory[1], " Core L#0 + PU L#0 (P#0) [0]",
		" Core L#1 + PU L#1 (P#1) [1]",
		" Core L#2-7 (6 x Core + PU) [2 3 4 5 6 7]",
	}
	if diff := cmp.Diff(want, fit(5, inTurn)); diff != "" {
		t.Errorf("in turn, -want +got:\n%s", diff)
	}
}

// Without hardware there is no root, and the ranks are in their order.
func TestNoHardware(t *testing.T) {
	t.Parallel()
	o := outline.Of(&engine.Snapshot{Size: 3}, outline.NoDevices)
	if o.Root != nil || !cmp.Equal(o.Order, []int32{0, 1, 2}) {
		t.Errorf("%+v", o)
	}
}

// An outline of a hundred thousand PUs, and what folding it costs.
func BenchmarkOutline100000(b *testing.B) {
	topo := worlds.Synthesized(b, "machine:782 pack:2 core:64 pu:1")
	n := worlds.FullHouse(b, topo)
	s := &engine.Snapshot{Topology: topo, Bindings: worlds.Place(b, topo, n, placement.Policy{}), Size: n}
	o := outline.Of(s, outline.NoDevices)
	b.Run("Of", func(b *testing.B) {
		for b.Loop() {
			outline.Of(s, outline.NoDevices)
		}
	})
	b.Run("Fit", func(b *testing.B) {
		for b.Loop() {
			o.Fit(60, func(rank int32) int32 { return rank % 7 })
		}
	})
}

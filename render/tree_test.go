package render

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// lines runs an output and checks what holds for every page: no line is wider than the page, none
// ends in blanks.
func lines(t testing.TB, width int, draw func(b *strings.Builder, st Style) error) []string {
	t.Helper()
	var b strings.Builder
	if err := draw(&b, Style{Width: width}); err != nil {
		t.Fatal(err)
	}
	list := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for _, l := range list {
		if w := paint.Width(l); w > width {
			t.Errorf("line of %d columns on a page of %d: %q", w, width, l)
		}
		if strings.TrimRight(l, " ") != l {
			t.Errorf("line ends in blanks: %q", l)
		}
	}
	return list
}

func treeOf(t testing.TB, v *View, width int) []string {
	return lines(t, width, func(b *strings.Builder, st Style) error { return Tree(b, v, st) })
}

func bare(topo *hw.Topology) *View {
	return &View{Snapshot: &engine.Snapshot{Topology: topo}}
}

// The tree of Figure 7.3 is what lstopo 2.9 prints for the same machine, and the ranks stand where
// the figure has them: P6 and P7 on the package whose two cores they use indifferently.
func TestTreeFigure73(t *testing.T) {
	t.Parallel()
	topo, b := worlds.Figure73(t)
	got := treeOf(t, newSession(t, topo, b).view(), 80)
	want := []string{
		"Machine (89GB total)",
		"  Group0(Rack) L#0",
		"    Group1 L#0",
		"      NUMANode L#0 (P#0 30GB)",
		"      Package L#0",
		"        Core L#0 + PU L#0 (P#0)   <- rank 0",
		"        Core L#1 + PU L#1 (P#1)   <- rank 1",
		"      Package L#1",
		"        Core L#2 + PU L#2 (P#2)   <- rank 2",
		"        Core L#3 + PU L#3 (P#3)   <- rank 3",
		"    Group1 L#1",
		"      NUMANode L#1 (P#1 30GB)",
		"      Package L#2",
		"        Core L#4 + PU L#4 (P#4)   <- rank 4",
		"        Core L#5 + PU L#5 (P#5)   <- rank 5",
		"      Package L#3                 <- ranks 6-7",
		"        Core L#6 + PU L#6 (P#6)",
		"        Core L#7 + PU L#7 (P#7)",
		"  Group0(Rack) L#1 + Group1 L#2",
		"    NUMANode L#2 (P#2 30GB)",
		"    Package L#4",
		"      Core L#8 + PU L#8 (P#8)     <- rank 8",
		"      Core L#9 + PU L#9 (P#9)     <- rank 9",
		"    Package L#5",
		"      Core L#10 + PU L#10 (P#10)  <- rank 10",
		"      Core L#11 + PU L#11 (P#11)  <- rank 11",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A tree that is small enough to be shown whole is lstopo's, line by line.
func TestTreeIsLstopos(t *testing.T) {
	t.Parallel()
	lstopo := judge.Ask(t, "lstopo-no-graphics")
	for _, text := range []string{
		"pack:2 [numa(memory=96GB)] l3:2(size=32MiB) l2:2(size=1MiB) l1d:1(size=48KiB) core:1 pu:2",
		"pack:1 core:4 pu:1",
		"[numa(memory=8GB)] pack:1 l2:1(size=1MiB) l1d:4(size=32KiB) core:1 pu:1",
		"pack:2 numa:2(memory=1000MB) core:3 pu:1",
		"pack:1 group:2 [numa(memory=24GiB)] [numa(memory=4GiB)] core:4 pu:1",
		"numa:2(memory=9MB) core:2 pu:1",
	} {
		out, err := exec.Command(lstopo, "-i", text).Output()
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Split(strings.TrimSpace(string(out)), "\n")
		if d := cmp.Diff(want, treeOf(t, bare(worlds.Synthesized(t, text)), 200)); d != "" {
			t.Errorf("%s (-lstopo +ours):\n%s", text, d)
		}
	}
}

// A binding that is less than any object is written on the smallest object around it, with its PUs.
func TestTreeSpanning(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "pack:2 core:4 pu:1")
	s := newSession(t, topo, worlds.Place(t, topo, 3, placement.Policy{List: "1-2,3-4,0-7"}))
	got := treeOf(t, s.view(), 80)
	want := map[string]string{
		"Machine (1024MB total)": "rank 1 on PUs 3-4; rank 2",
		"  Package L#0":          "rank 0 on PUs 1-2",
	}
	for _, l := range got {
		label, note, _ := strings.Cut(l, "<- ")
		if note != want[strings.TrimRight(label, " ")] {
			t.Errorf("line %q, want note %q", l, want[strings.TrimRight(label, " ")])
		}
	}
}

// Equal siblings are folded, and the folded line counts what it stands for: 256 cores in 4
// packages, one rank a core.
func TestTreeFolds(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "pack:4 [numa] core:64 pu:1")
	s := newSession(t, topo, worlds.Place(t, topo, 256, placement.Policy{}))
	got := treeOf(t, s.view(), 80)
	want := []string{
		"Machine",
		"  Package L#0",
		"    NUMANode L#0 (P#0)",
		"    Core L#0 + PU L#0 (P#0)          <- rank 0",
		"    Core L#1 + PU L#1 (P#1)          <- rank 1",
		"    Core L#2-63 (62 x Core + PU)     <- ranks 2-63, one each",
		"  Package L#1",
	}
	got[0], _, _ = strings.Cut(got[0], " ")
	if d := cmp.Diff(want, got[:7]); d != "" {
		t.Error(d)
	}
	if last := "    Core L#194-255 (62 x Core + PU)  <- ranks 194-255, one each"; len(got) != 21 || got[20] != last {
		t.Errorf("%d lines, the last is %q", len(got), got[len(got)-1])
	}
}

// A page is never longer than about 60 lines, whatever the hardware, and loses no rank.
func TestTreeIsShort(t *testing.T) {
	t.Parallel()
	ranks := regexp.MustCompile(`<- (?:ranks? ([\d,.-]+?)(?:, .*)?$|(\d+) ranks)`)
	for _, text := range []string{
		"rack:8 machine:16 pack:2 numa:4 core:16 pu:2", "machine:100 core:3 pu:1", "pack:7 l3:9 core:5 pu:3", "core:1 pu:200",
	} {
		topo := worlds.Synthesized(t, text)
		n := worlds.FullHouse(t, topo)
		got := treeOf(t, newSession(t, topo, worlds.Place(t, topo, n, placement.Policy{})).view(), 4000)
		if len(got) > 60 {
			t.Errorf("%s: %d lines", text, len(got))
		}
		sum := 0
		for _, l := range got {
			if m := ranks.FindStringSubmatch(l); m != nil {
				counted, _ := strconv.Atoi(m[2])
				if sum += counted; m[1] != "" {
					sum += len(expand(t, m[1]))
				}
			}
		}
		if sum != n {
			t.Errorf("%s: %d ranks shown of %d", text, sum, n)
		}
	}
}

// Several groups of ranks in one line share its width: what the first one takes, the second one has not.
func TestTreeNotesShareTheWidth(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "pack:1 core:4 pu:1")
	var on []string
	for i := range 40 {
		on = append(on, []string{"0-1", "1-2", "0-1", "1-2", "1-2"}[i%5])
	}
	s := newSession(t, topo, worlds.Place(t, topo, 40, placement.Policy{List: strings.Join(on, ",")}))
	for width := 90; width <= 150; width += 5 {
		if note := treeOf(t, s.view(), width)[0]; !strings.Contains(note, " on PUs 0-1; ") || !strings.HasSuffix(note, " on PUs 1-2") {
			t.Errorf("in %d columns the line does not name both places: %q", width, note)
		}
	}
}

// Where a rank runs is told with the host when there are several, but the host itself is named once.
func TestWhereNamesTheHost(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]string{
		"pack:2 core:2":           "Core L#3",
		"machine:2 pack:1 core:2": "node1 Core L#3",
	} {
		topo := worlds.Synthesized(t, spec)
		s := newSession(t, topo, worlds.Place(t, topo, 4, placement.Policy{}))
		snapshot := s.Snapshot()
		if got := Where(snapshot, 3, topo.Objects(hw.PU)[3]); got != want {
			t.Errorf("%s: rank 3 runs on %q, want %q", spec, got, want)
		}
	}
}

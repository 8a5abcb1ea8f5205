package render

import (
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Text is wrapped at blanks and never cut; words that are too long are broken.
func TestWrap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringMatching(`[a-zé○ ]{0,120}`).Draw(rt, "text")
		rows := paint.Wrap(text, 11)
		for _, r := range rows {
			if paint.Width(r) > 11 {
				rt.Fatalf("%q is wider than 11", r)
			}
		}
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if squeeze(strings.Join(rows, "")) != squeeze(text) {
			rt.Fatalf("%q became %q", text, rows)
		}
	})
	if d := cmp.Diff([]string{"key=-rank", "color=0"}, paint.Wrap("key=-rank color=0", 10)); d != "" {
		t.Error(d)
	}
}

// The pictures of a world without hardware say that it has none; its partition still shows.
func TestNoTopology(t *testing.T) {
	t.Parallel()
	s := &engine.Snapshot{Size: 3, Comms: []*engine.CommInfo{{ID: 0, Parent: -1, Group: []int32{0, 1, 2}}}}
	v := &View{Snapshot: s, Handles: []Handle{{Name: "w", IDs: []int32{0, 0, 0}}}}
	for _, draw := range []func(b *strings.Builder, st Style) error{
		func(b *strings.Builder, st Style) error { return Tree(b, v, st) },
		func(b *strings.Builder, st Style) error { return HWInfo(b, v, st) },
		func(b *strings.Builder, st Style) error { return Map(b, v, st) },
	} {
		if got := lines(t, 80, draw); !strings.HasPrefix(got[0], "no hardware") {
			t.Error(got)
		}
	}
	if got := partitionOf(t, v, &v.Handles[0], 80); got[len(got)-1] != "ranks  A0 A1 A2" {
		t.Error(got)
	}
}

// A page narrower than 40 columns is drawn with 40.
func TestNarrow(t *testing.T) {
	t.Parallel()
	v := levels73(t)
	for _, width := range []int{0, 20, 40, 41, 57} {
		lines(t, max(width, 40), func(b *strings.Builder, st Style) error { return pages(v, b, Style{Width: width}) })
	}
}

// Color never carries meaning alone: a colored page without its escape sequences is the plain page.
func TestColorAddsNothing(t *testing.T) {
	t.Parallel()
	v := levels73(t)
	var plain strings.Builder
	if err := pages(v, &plain, Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	for _, dark := range []bool{false, true} {
		var colored strings.Builder
		if err := pages(v, &colored, Style{Width: 80, Colors: paint.Colors256, Dark: dark}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(colored.String(), "\x1b[") {
			t.Error("no colors")
		}
		if d := cmp.Diff(plain.String(), ansi.Strip(colored.String())); d != "" {
			t.Error(d)
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// A failed write is an error, never silent.
func TestWriteErrors(t *testing.T) {
	t.Parallel()
	v := levels73(t)
	st := Style{Width: 80}
	for name, err := range map[string]error{
		"Tree": Tree(fullDisk{}, v, st), "Table": Table(fullDisk{}, v, st), "Result": Result(fullDisk{}, v, &v.Handles[0], "x", st),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A name with a sequence for the terminal takes the columns in which it is shown, so that other columns stay
// aligned.
func TestGridOfForeignNames(t *testing.T) {
	t.Parallel()
	g := &grid{columns: []column{{}, {}}}
	g.row(text("é\x1b[31mX"), text("a"))
	g.row(text("y"), text("b"))
	p := newPage(Style{Width: 40})
	g.drawTo(p)
	if want := "é�[31mX  a\ny        b\n"; p.b.String() != want {
		t.Errorf("%q, want %q", p.b.String(), want)
	}
}

// On a whole page a cell has the text for the columns that it needs, not the text for endless columns: a lineage
// writes key=[1,1,1] as key=1×3 there, as scripts have read it so far.
func TestGridOnAWholePage(t *testing.T) {
	t.Parallel()
	g := &grid{columns: []column{{}, {}}}
	g.row(cell{fit: func(width int) string { return choose(width > len("[1,1,1]"), "[1,1,1]", "1×3") }}, text("a"))
	p := newPage(Style{Whole: true})
	if g.drawTo(p); p.b.String() != "1×3  a\n" {
		t.Errorf("%q", p.b.String())
	}
}

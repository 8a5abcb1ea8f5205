package render

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"commsplit/engine"
	"commsplit/hw/placement"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

// levels73 is the recursive splitting of Example 7.5 on the machine of Figure 7.3.
func levels73(t testing.TB) *View {
	topo, b := figure73(t)
	s := newSession(t, topo, b)
	s.unguided("hwcomm1", 3, func(p *engine.Process) *engine.Comm { return p.World() })
	for i, name := range []string{"hwcomm2", "hwcomm3", "hwcomm4"} {
		above := "hwcomm" + strconv.Itoa(i+1)
		s.unguided(name, 3, func(p *engine.Process) *engine.Comm { return local(p)[above] })
	}
	return s.view()
}

// mod1000 is 4096 ranks in 1000 communicators that nothing on the machine corresponds to.
func mod1000(t testing.TB) *View {
	topo := synthesized(t, "pack:4 [numa(memory=64GB)] l3:4 core:16 pu:1")
	s := newSession(t, topo, place(t, topo, 4096, placement.Policy{}))
	s.split("scattered", 1, func(r int) int { return r * 7919 % 1000 }, zero)
	return s.view()
}

// pages are all text outputs of a view.
func pages(v *View, b *strings.Builder, st Style) error {
	rule := func() error { b.WriteString("\n"); return nil }
	steps := []func() error{
		func() error { return Tree(b, v, st) }, rule,
		func() error { return HWInfo(b, v, st) }, rule,
		func() error { return Map(b, v, st) }, rule,
	}
	for i := range v.Handles {
		steps = append(steps, func() error {
			last := strconv.Itoa(v.Snapshot.Size - 1)
			return Result(b, v, &v.Handles[i], "ranks 0-"+last+" each make "+v.Handles[i].Name, st)
		}, rule)
	}
	steps = append(steps,
		func() error { return Table(b, v, st) }, rule,
		func() error { return Lineage(b, v, st) }, rule,
		func() error { return Waiting(b, v, st) }, rule,
		func() error { return Report(b, v, st) })
	for _, f := range steps {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// All pages of some views, at the width of a small and of a large terminal, are as recorded. With
// UPDATE=1 they are recorded anew.
func TestGoldens(t *testing.T) {
	t.Parallel()
	for name, view := range map[string]func(testing.TB) *View{
		"levels-7.3": levels73, "blocks": blocksOf4, "family": family4,
		"scattered": mod1000, "blocked": blocked, "inter": interView,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := view(t)
			for _, width := range []int{80, 200} {
				page := lines(t, width, func(b *strings.Builder, st Style) error { return pages(v, b, st) })
				got := strings.Join(page, "\n") + "\n"
				path := filepath.Join("..", "testdata", "render", name+"-"+strconv.Itoa(width)+".txt")
				if os.Getenv("UPDATE") != "" {
					if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(string(want), got); d != "" {
					t.Errorf("%s (-recorded +now):\n%s", path, d)
				}
			}
		})
	}
}

// Color never carries meaning alone: without the escape sequences a colored page is the plain one.
func TestColorAddsNothing(t *testing.T) {
	t.Parallel()
	v := levels73(t)
	var plain strings.Builder
	if err := pages(v, &plain, Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	for _, dark := range []bool{false, true} {
		var colored strings.Builder
		if err := pages(v, &colored, Style{Width: 80, Color: true, Dark: dark}); err != nil {
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

// A page narrower than 40 columns is drawn at 40: the least that can be read.
func TestNarrow(t *testing.T) {
	t.Parallel()
	v := levels73(t)
	for _, width := range []int{0, 20, 40, 41, 57} {
		lines(t, max(width, 40), func(b *strings.Builder, st Style) error { return pages(v, b, Style{Width: width}) })
	}
}

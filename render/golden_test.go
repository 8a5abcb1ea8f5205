package render

import (
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/render/internal/worlds"
)

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

// All pages of some views are as recorded at the width of a small terminal, one of them at that of a large one, too. With
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
				if width == 200 && name != "levels-7.3" {
					continue
				}
				page := lines(t, width, func(b *strings.Builder, st Style) error { return pages(v, b, st) })
				got := strings.Join(page, "\n") + "\n"
				worlds.Golden(t, name+"-"+strconv.Itoa(width)+".txt", got)
			}
		})
	}
}

// Tables for Markdown are as recorded.
func TestMarkdownGoldens(t *testing.T) {
	t.Parallel()
	worlds.Golden(t, "export-levels-7.3.markdown", written(t, Markdown, levels73(t)))
	worlds.Golden(t, "export-inter.markdown", written(t, Markdown, interView(t)))
}

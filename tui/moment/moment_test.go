package moment_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

var renderStyle = render.Style{Width: 80}

// Communicators are rows by lineage, as in Example 7.5's first levels; siblings of a call fold when there are
// many.
func TestCommRows(t *testing.T) {
	t.Parallel()
	m := figure73(t, "half = split world color=rank%2", "quarter = split half color=rank//3")
	var f moment.Folds
	want := []string{"world", "├─ half#2", "│  ├─ quarter#4", "│  └─ quarter#5", "└─ half#3", "   ├─ quarter#6", "   └─ quarter#7"}
	if d := cmp.Diff(want, names(m, &f)); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
	many := after(t, repl.Config{Topo: "core:400", Size: 400}, "each = split world color=rank")
	if got := names(many, &f); len(got) != 2 || got[1] != "└─ each#2-401" {
		t.Errorf("400 siblings: %q", got)
	}
	rows := many.CommRows(&f, 0)
	f.Toggle(rows[1].Key())
	// 400 siblings are too many for a line each, and so are forty lines of ten. So each line has a hundred.
	if got := names(many, &f); len(got) != 2+4 || got[2] != "   ├─ each#2-101" {
		t.Errorf("%d rows: %q", len(got), got)
	}
}

func names(m *moment.Moment, f *moment.Folds) []string {
	var list []string
	for _, r := range m.CommRows(f, 0) {
		list = append(list, r.Branch+m.RowName(&r))
	}
	return list
}

// In a moment before a step, the step's communicators do not exist, and the ground is the same.
func TestMomentAt(t *testing.T) {
	t.Parallel()
	m := figure73(t, "half = split world color=rank%2", "quarter = split half color=rank//3")
	past := m.At(1)
	if !past.Past() || m.Past() || past.Ground != m.Ground {
		t.Errorf("past %v, present %v, same ground %v", past.Past(), m.Past(), past.Ground == m.Ground)
	}
	if past.Handle("half") < 0 || past.Handle("quarter") >= 0 || m.Handle("quarter") < 0 {
		t.Error("after step 1 there is half, and no quarter yet")
	}
	if n := len(past.At(0).Handles); n != 1 {
		t.Errorf("at the beginning there are %d variables, want world alone", n)
	}
	if k := m.Holder(2, -1); m.Handles[k].Name != "half" {
		t.Errorf("communicator 2 is held by %s, want half", m.Handles[k].Name)
	}
	if m.Part(m.Handle("half"), 3) != 1 || m.Part(m.Handle("half"), 4) != -1 {
		t.Error("half holds communicator 3 as its second one, and not communicator 4")
	}
}

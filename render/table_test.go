package render

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
)

func tableOf(t testing.TB, v *View, width int) []string {
	return lines(t, width, func(b *strings.Builder, st Style) error { return Table(b, v, st) })
}

// One row a rank while these are few: communicator and rank in it.
func TestTableSmall(t *testing.T) {
	t.Parallel()
	v := interView(t)
	v.Handles = append(v.Handles, Handle{Name: "all", IDs: make([]int32, 6)},
		Handle{Name: "list", IDs: []int32{-1, -1, -1, -1, -1, -1}, Lists: map[int][]int32{1: {2, -1}}})
	want := []string{
		"rank  pair  all  list",
		"0     A 1   B 0  ○",
		"1     A' 0  B 1  [#2 ○]",
		"2     A' 1  B 2  ○",
		"3     A' 2  B 3  ○",
		"4     A 0   B 4  ○",
		"5     ○     B 5  ○",
		"",
		"pair  A #2",
		"all   B #0",
	}
	if d := cmp.Diff(want, tableOf(t, v, 80)); d != "" {
		t.Error(d)
	}
}

// Regular rows are folded, also where neighbors alternate. Worked by hand: even ranks are A of
// even and count up, in their block they count down by two from 1023.
func TestTableFolds(t *testing.T) {
	t.Parallel()
	want := []string{
		"rank               even         block",
		"0,2,..,1022        A 0-511      C 1023,1021,..,1",
		"1,3,..,1023        B 0-511      C 1022,1020,..,0",
		"1024,1026,..,2046  A 512-1023   D 1023,1021,..,1",
		"1025,1027,..,2047  B 512-1023   D 1022,1020,..,0",
		"2048,2050,..,3070  A 1024-1535  E 1023,1021,..,1",
		"2049,2051,..,3071  B 1024-1535  E 1022,1020,..,0",
		"3072,3074,..,4094  A 1536-2047  F 1023,1021,..,1",
		"3073,3075,..,4095  B 1536-2047  F 1022,1020,..,0",
		"",
		"even   A #2  B #3",
		"block  C #4  D #5  E #6  F #7",
	}
	if d := cmp.Diff(want, tableOf(t, blocksOf4(t), 80)); d != "" {
		t.Error(d)
	}
}

// Columns that do not fit go to further blocks, and none is lost.
func TestTableBlocks(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "core:2 pu:1")
	v := newSession(t, topo, worlds.Place(t, topo, 2, placement.Policy{})).view()
	for i := range 12 {
		v.Handles = append(v.Handles, Handle{Name: "handle" + strconv.Itoa(i), IDs: make([]int32, 2)})
	}
	heads := 0
	page := tableOf(t, v, 40)
	for _, l := range page {
		if strings.HasPrefix(l, "rank") {
			heads += strings.Count(l, "handle")
		}
	}
	if heads != 12 {
		t.Errorf("%d columns of 12:\n%s", heads, strings.Join(page, "\n"))
	}
}

// Rows are the table: taken apart again they give each rank its communicator and rank, once.
func TestTableRowsAreTheTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(49, 300).Draw(rt, "ranks")
		div, mod := rapid.IntRange(1, 40).Draw(rt, "div"), rapid.IntRange(1, 5).Draw(rt, "mod")
		s := &engine.Snapshot{Size: n}
		groups := make([][]int32, mod)
		ids, at := make([]int32, n), make([]int, n)
		for r := range n {
			k := r / div % mod
			ids[r], at[r] = int32(k)+2, len(groups[k])
			groups[k] = append(groups[k], int32(r))
		}
		for k, g := range groups {
			s.Comms = append(s.Comms, &engine.CommInfo{ID: k + 2, Group: g})
		}
		v := &View{Snapshot: s, Handles: []Handle{{Name: "h", IDs: ids}}}
		tr := TranslationOf(v, PartingsOf(v.Snapshot, v.Handles))
		seen := make([]int, n)
		for _, row := range tr.rows {
			base := at[row.First]
			for i := range row.N {
				r := row.First + i*row.Step
				seen[r]++
				want := base
				if row.N > 1 {
					want = base + i*row.steps[0]
				}
				if ids[r] != ids[row.First] || at[r] != want {
					rt.Fatalf("rank %d: communicator %d rank %d, row has %d rank %d", r, ids[r], at[r], ids[row.First], want)
				}
			}
		}
		for r, k := range seen {
			if k != 1 {
				rt.Fatalf("rank %d is in %d rows", r, k)
			}
		}
	})
}

// In CommonMark a backslash makes any ASCII punctuation mark an ordinary character (§2.4), "&" begins an
// entity (§2.5), and in GitHub's tables "|" ends a cell even where it would be code.
func TestMarkdownText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`a|b`: `a\|b`, `a\|b`: `a\\\|b`, "a\nb": "a b", "a\x01b": "a\ufffdb", `*a* _b_ ~~c~~ $d$`: `\*a\* \_b\_ \~\~c\~\~ \$d\$`,
		"`|`": "\\`\\|\\`", `<b>&lt;`: `&lt;b&gt;&amp;lt;`, `[a](b) ![c](d)`: `[a]\(b) \!\[c]\(d)`, `[0,1]`: `[0,1]`,
	} {
		if got := markdownText(text); got != want {
			t.Errorf("%q is written %q, not %q", text, got, want)
		}
	}
}

// The key gives the names that programs set, and what became of the communicators.
func TestMarkdownKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ view, want string }{
		{written(t, Markdown, moved(t)), "| pack#2  stale | MPI\\_Comm\\_split\\_type  hwloc://Package L#0 | [0,1] "},
		{written(t, Markdown, hostile(t)), `half#2  "a\"b&lt;c&gt;&amp;\|\_#\$%{}`},
	} {
		want := strings.ReplaceAll(c.want, `a\"b`, `a"b`)
		if !strings.Contains(c.view, want) {
			t.Errorf("no %s in\n%s", want, c.view)
		}
	}
}

// No field begins with what a spreadsheet takes for a formula, whatever a program calls its
// communicators, and every row has a field for each column.
func TestCSVHasNoFormulas(t *testing.T) {
	t.Parallel()
	topo, b := worlds.Figure73(t)
	s := newSession(t, topo, b)
	s.Assign("half", 3, func(p *engine.Process) (*engine.Comm, error) {
		c, err := p.World().Split(p.Rank()%2, 0)
		if err == nil {
			err = c.SetName("=cmd|' /C calc'!A0,\"\n+-@")
		}
		return c, err
	})
	rows, err := csv.NewReader(strings.NewReader(written(t, CSV, s.view()))).ReadAll()
	if err != nil || len(rows) != 13 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	for _, row := range rows {
		for _, field := range row {
			if strings.ContainsAny(field, "=+-@\t\r\n") {
				t.Errorf("%q", field)
			}
		}
	}
}

// written is what a table for other programs writes.
func written(t testing.TB, f func(io.Writer, *View) error, v *View) string {
	t.Helper()
	var b strings.Builder
	if err := f(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// CSV holds a row for each rank and handle, worked by hand: hwcomm1 has the letters A and B, so the third of hwcomm2 is E; inter has 0, 2, 4 left, 1, 3, 5 right.
func TestCSV(t *testing.T) {
	t.Parallel()
	rows, err := csv.NewReader(strings.NewReader(written(t, CSV, levels73(t)))).ReadAll()
	if err != nil || len(rows) != 1+4*12 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	for i, want := range map[int]string{
		1:      "0,hwcomm1,2,A,0,8,,",
		12 + 9: "8,hwcomm2,6,E,0,2,,", 36 + 7: "6,hwcomm4,,,,,,",
	} {
		if got := strings.Join(rows[i], ","); got != want {
			t.Errorf("row %d is %s, want %s", i, got, want)
		}
	}
}

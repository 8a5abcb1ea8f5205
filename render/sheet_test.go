package render

import (
	"encoding/csv"
	"strings"
	"testing"

	"commsplit/engine"
)

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
		{drawings(t, moved(t))["markdown"], "| pack#2  stale | MPI\\_Comm\\_split\\_type  hwloc://Package L#0 | [0,1] "},
		{drawings(t, hostile(t))["markdown"], `half#2  "a\"b&lt;c&gt;&amp;\|\_#\$%{}`},
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
	topo, b := figure73(t)
	s := newSession(t, topo, b)
	s.assign("half", 3, func(p *engine.Process) (*engine.Comm, error) {
		c, err := p.World().Split(p.Rank()%2, 0)
		if err == nil {
			err = c.SetName("=cmd|' /C calc'!A0,\"\n+-@")
		}
		return c, err
	})
	rows, err := csv.NewReader(strings.NewReader(drawings(t, s.view())["csv"])).ReadAll()
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

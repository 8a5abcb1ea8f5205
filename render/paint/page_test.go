package paint_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// A page keeps its code as it is, wraps everything else to the width, and adds where a link leads.
func TestPage(t *testing.T) {
	const text = "# A title\n\n*For readers.* One two three `four` **five** six, see [the other](OTHER.md#part).\n" +
		"<!-- mark -->\n- first point that is\n  long\n- second\n\n```console\n$ commsplit -n 4 --topo core:4 --verylong\nout\n```\n\n" +
		"![a picture](x.svg)\n\n<picture>\n  <img src=\"x.svg\">\n</picture>\n\n| a | what it is |\n|---|---|\n| `x\\|y` | a cell that must be broken here |\n| z | short |\n"
	const want = `A title

For readers. One two
three four five six,
see the other (help
other).

• first point that is
  long
• second

    $ commsplit -n 4 --topo core:4 --verylong
    out

a    what it is
──────────────────────
x|y  a cell that must
     be broken here
z    short
`
	var got strings.Builder
	for _, l := range paint.Page(text, 22, func(link string) string {
		if name, ok := strings.CutSuffix(strings.Split(link, "#")[0], ".md"); ok {
			return "help " + strings.ToLower(name)
		}
		return ""
	}) {
		got.WriteString(strings.TrimRight(l.Plain(), " ") + "\n")
	}
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Error(d)
	}
}

package cmd

import (
	"bytes"
	"fmt"
	"testing"
)

// On a terminal a long diagnosis breaks at blanks; source lines, carets and lines that fit stay, and so
// does everything when the width is unknown.
func TestDiagnosesWrapOnTerminals(t *testing.T) {
	t.Parallel()
	const said = "error: there is no variable nuna\n    a = split world color=rank\n    ^\nshort\n"
	for width, want := range map[int]string{
		20: "error: there is no\nvariable nuna\n    a = split world color=rank\n    ^\nshort\n",
		33: said,
		0:  said,
	} {
		var out bytes.Buffer
		n, err := fmt.Fprint(wrapped{&out, func() int { return width }}, said)
		if err != nil || n != len(said) || out.String() != want {
			t.Errorf("width %d: wrote %d, %v:\n%s", width, n, err, out.String())
		}
	}
}

// Package marked lets tests write the tables of the manual: a test generates the text between two marks of a page
// from the tables of the program, or from its own.
package marked

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Hold compares the text in a file between "<!-- MARK -->" and "<!-- /MARK -->" with want. With UPDATE=1 it writes
// want there.
func Hold(t testing.TB, file, mark, want string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	open, end := "<!-- "+mark+" -->\n", "<!-- /"+mark+" -->"
	before, rest, ok := strings.Cut(string(data), open)
	got, after, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Fatalf("%s has no %q ... %q", file, open, end)
	case got == want:
	case os.Getenv("UPDATE") == "":
		t.Errorf("%s (-program +%s):\n%s", mark, file, cmp.Diff(want, got))
	default:
		if err := os.WriteFile(file, []byte(before+open+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Package marked lets tests write the tables of the manual: what stands between two marks of a page is what a test
// generates from the tables of the program, or from its own.
package marked

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Hold compares what stands in a file between "<!-- MARK -->" and "<!-- /MARK -->" with what should. UPDATE=1 writes it.
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

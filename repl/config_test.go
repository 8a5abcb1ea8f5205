package repl

import (
	"strings"
	"testing"
)

// A world that the machine cannot hold is refused with both sizes; one that fits, or whose machine
// nobody knows, is not.
func TestWorldFitsMemory(t *testing.T) {
	t.Parallel()
	const gb = 1 << 30
	for _, tt := range []struct {
		n     int
		total uint64
		want  string
	}{
		{1 << 20, 16 * gb, ""},
		{16 << 20, 0, ""},
		{16 << 20, 16 * gb, "-n 16777216: a world of that size takes about 96 GB, and this machine has 16 GB"},
	} {
		err := fits(tt.n, tt.total)
		if got := ""; err != nil {
			if got = err.Error(); !strings.Contains(got, tt.want) || tt.want == "" {
				t.Errorf("%d ranks in %d bytes: %q, want %q", tt.n, tt.total, got, tt.want)
			}
		} else if tt.want != "" {
			t.Errorf("%d ranks in %d bytes: no error, want %q", tt.n, tt.total, tt.want)
		}
	}
}

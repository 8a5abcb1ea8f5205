package render

import "testing"

// A call site leaks where a rank has more of its communicators in each quarter of the run, and ten or more at the
// end; it grows where they are freed only at the end. Hundreds made and freed at once or in rounds, or a number
// that stays the same, do not grow.
func TestTrend(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		alive func(i int) int64 // alive after the i-th is made
		made  int
		left  int64
		want  Trend
	}{
		{"ten that stay", func(i int) int64 { return int64(i + 1) }, 10, 10, Leaking},
		{"nine that stay", func(i int) int64 { return int64(i + 1) }, 9, 9, Steady},
		{"hundred, and the last is freed", func(i int) int64 { return int64(i + 1) }, 100, 99, Leaking},
		{"two of three are freed", func(i int) int64 { return int64(i/3 + 1) }, 300, 100, Leaking},
		{"fifty in each step, of which one stays", func(i int) int64 { return int64(i/50 + i%50 + 1) }, 1000, 20, Leaking},
		{"freed at the exit", func(i int) int64 { return int64(i + 1) }, 25, 0, Grows},
		{"all but three freed at the exit", func(i int) int64 { return int64(i + 1) }, 500, 3, Grows},
		{"freed at once", func(int) int64 { return 1 }, 500, 0, Steady},
		{"rounds of hundred", func(i int) int64 { return int64(i%100 + 1) }, 1000, 0, Steady},
		{"thirty in turn, kept to the end", func(i int) int64 { return int64(min(i+1, 30)) }, 1000, 30, Steady},
	} {
		var g Growth
		for i := range c.made {
			g.Add(c.alive(i))
		}
		if got := g.Trend(c.left); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

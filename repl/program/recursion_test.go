package program

import (
	"strings"
	"testing"

	"commsplit/engine"
)

// Functions may call themselves, also by way of others, as in Python: five processes halve until each
// is alone, the first two of them once more than the others.
func TestRecursion(t *testing.T) {
	t.Parallel()
	out := mustRun(t, 5, text(
		"def halve(comm):",
		"    return [] if comm.size == 1 else [comm.size] + halve(comm.Split(comm.rank * 2 // comm.size))",
		"def even(n):",
		"    return n == 0 or odd(n - 1)",
		"def odd(n):",
		"    return n != 0 and even(n - 1)",
		"print(halve(world), even(800))"))
	out.prints(t, []string{"2: [5, 3] True", "3-4: [5, 2] True", "0-1: [5, 3, 2] True"})
}

// One that does not end is an error of the program, at the function.
func TestEndlessRecursion(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want string
	}{
		"function": {"def f(n):\n    return f(n + 1)\nf(0)\n", ":1:5: more than 1000 calls"},
		"closure":  {"def f():\n    def g(n):\n        return g(n + 1)\n    g(0)\nf()\n", ":2:9: more than 1000 calls"},
		"lambda":   {"f = lambda n: f(n + 1)\nf(0)\n", ":1:5: more than 1000 calls"},
	} {
		got := programError(t, runChunks(t, engine.Config{Size: 2}, tt.text))
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// Memory is not short before: a world has a million calls in all, so the more ranks the fewer for each,
// but always enough to halve the world until each rank is alone.
func TestCallsIn(t *testing.T) {
	t.Parallel()
	for ranks, want := range map[int]int{1: 1000, 1000: 1000, 2000: 500, 1 << 20: 50} {
		if got := callsIn(ranks); got != want {
			t.Errorf("%d ranks: %d calls, want %d", ranks, got, want)
		}
	}
}

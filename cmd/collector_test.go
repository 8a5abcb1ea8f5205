package cmd

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// A large world postpones the first collection, and only that; a small one that comes meanwhile changes nothing.
func TestCollectLate(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	const most = 1 << 30
	is := func(what string, off bool, limit int64) {
		t.Helper()
		if got := debug.SetMemoryLimit(-1); collectorIsOff() != off || got != limit {
			t.Errorf("%s: the collector is off: %t, with a limit of %d; want %t, %d", what, collectorIsOff(), got, off, limit)
		}
	}
	collectLate(leastLate-1, most)
	is("a small world", false, most)
	collectLate(leastLate, most)
	is("a large world", true, lateBase+leastLate*latePerRank)
	collectLate(1, most)
	is("a small world before the first collection", true, lateBase+leastLate*latePerRank)
	collectLate(math.MaxInt32, most)
	is("a world that is too large", true, most/2)
	for collectorIsOff() {
		runtime.GC()
	}
	for debug.SetMemoryLimit(-1) != most {
		runtime.Gosched()
	}
	t.Setenv("GOGC", "50")
	collectLate(leastLate, most/4)
	is("the environment says how to collect", false, most)
}

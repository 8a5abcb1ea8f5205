package cmd

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The approximate memory of a world of so many ranks: below that, nothing is collected while it starts. A collection
// in a world of a million waiting ranks looks at each of their stacks, and frees next to nothing.
const (
	lateBase    = 64 << 20
	latePerRank = 12 << 10
	leastLate   = 8192 // ranks of a world for which that is worthwhile
)

// collectLate steers the garbage collector of the process for a new world of so many ranks. The first collection comes
// when the world has been made, or at half of the bytes that its programs may take; from then on garbage is collected
// as usual, and more often when these bytes are almost used up. In small worlds it is collected as usual from the
// beginning. Where the environment says how to collect, this changes nothing.
func collectLate(ranks int, most uint64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	late := collectorIsOff() // an earlier world said so, and there has been no collection since
	switch {
	case ranks >= leastLate:
		debug.SetMemoryLimit(int64(min(lateBase+uint64(ranks)*latePerRank, most/2)))
	case !late:
		debug.SetMemoryLimit(int64(most))
	}
	if late || ranks < leastLate {
		return
	}
	debug.SetGCPercent(-1)
	first := new(*byte) // unreachable: the first collection finds it
	runtime.AddCleanup(first, func(most int64) {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(most)
	}, int64(most))
}

// collectorIsOff reports whether no garbage is collected below the limit of memory.
func collectorIsOff() bool {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	return percent[0].Value.Uint64() == math.MaxUint64
}

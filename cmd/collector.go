package cmd

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// What a world of so many ranks takes, about: below that, nothing is collected while it starts. A collection in a
// world of a million waiting ranks looks at each of their stacks, and frees next to nothing.
const (
	reservedBase    = 64 << 20
	reservedPerRank = 12 << 10
	leastReserving  = 8192 // ranks
)

// collectLate steers the garbage collector of the process for a new world of so many ranks: the first collection comes
// when the world has what it needs, at most a half of what its programs may take, in bytes; from then on garbage is
// collected as usual. For small worlds it always is, and a process whose environment says how it collects does that.
func collectLate(ranks int, most uint64) {
	if ranks < leastReserving || os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(int64(min(reservedBase+uint64(ranks)*reservedPerRank, most/2)))
	if debug.SetGCPercent(-1) < 0 {
		return // an earlier world said so, and there has been no collection since
	}
	first := new(*byte) // unreachable: the first collection finds it
	runtime.AddCleanup(first, func(struct{}) {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
	}, struct{}{})
}

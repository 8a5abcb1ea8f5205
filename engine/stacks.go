package engine

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

const (
	manyRanks  = 4096    // with fewer, further processors gain nothing
	firstStack = 2 << 10 // bytes of the stack that the runtime gives a goroutine at first
	goroutine  = 512     // bytes, about, that the runtime keeps for a goroutine besides its stack
	largeStack = 64 << 10
	largeFrame = 61 << 10 // as much of a large stack as the frame of one function may take
)

// touchStacks has the kernel give the memory that ranks need when they begin, on all processors at the same time. The
// runtime takes memory for small stacks under one lock, and writes to all of it there: processors on which ranks begin
// would wait for each other while the kernel gives one of them page after page, which is most of what a large world
// costs.
//
// So goroutines with large stacks come first, and write to all of them. When such a goroutine ends, the runtime gets its
// stack back at once, without a collection of garbage, and makes small ones of it next. None ends before all have
// written, or some would get the memory of others. They wait with little on their stacks: how much a collection finds
// there is how much the runtime gives goroutines at first from then on.
func (w *World) touchStacks(ranks int) {
	procs := runtime.GOMAXPROCS(0)
	if ranks < manyRanks || procs == 1 {
		return
	}
	var left atomic.Int64
	left.Store((int64(ranks)*(firstStack+goroutine) - endedStacks()) / largeStack)
	end := make(chan struct{})
	var touching, touched sync.WaitGroup
	for range procs {
		touching.Go(func() {
			written := make(chan struct{})
			for left.Add(-1) >= 0 && w.withheld.Load() == nil {
				touched.Go(func() {
					writeStack(0)
					written <- struct{}{}
					<-end
				})
				<-written
				runtime.Gosched() // a screen or a prompt waits no longer than for one stack
			}
		})
	}
	touching.Wait()
	close(end)
	touched.Wait()
}

// writeStack writes to a large stack: its frame is cleared before it returns any of it.
//
//go:noinline
func writeStack(i int) byte {
	var frame [largeFrame]byte
	return frame[i]
}

// endedStacks is how many bytes of stacks the runtime keeps of goroutines that have ended, for those that begin next: of
// the ranks of an earlier world, say.
func endedStacks() int64 {
	s := [2]metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}, {Name: "/sched/goroutines:goroutines"}}
	metrics.Read(s[:])
	return max(int64(s[0].Value.Uint64())-int64(s[1].Value.Uint64())*firstStack, 0)
}

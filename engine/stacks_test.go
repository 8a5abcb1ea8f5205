package engine

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"testing"
)

// severalProcessors has the test run on at least two, as memory is touched ahead for their sake alone.
func severalProcessors(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(max(before, 2))
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

func metric(name string) int {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return int(s[0].Value.Uint64())
}

// Rule (of the engine): before many ranks begin, the runtime gets the memory for all of their goroutines and has it free;
// few ranks get none.
func TestTouchStacks(t *testing.T) {
	severalProcessors(t)
	debug.FreeOSMemory()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	free := func() int { return metric("/memory/classes/heap/free:bytes") }
	before := free()
	new(World).touchStacks(manyRanks - 1)
	if more := free() - before; more > 1<<20 {
		t.Errorf("%d bytes more are free after the memory of few ranks", more)
	}
	const ranks = 40_000
	need := ranks * (2048 + 448)
	new(World).touchStacks(ranks)
	// The runtime may give some of it back to the kernel at any time.
	if more := free() - before; more < need*3/4 || more > need*3/2 {
		t.Errorf("%d MB more are free, want about %d", more>>20, need>>20)
	}
}

// Rule (of the engine): memory that the ranks of a world leave behind is not got again for those of the next one.
func TestTouchStacksOfNextWorld(t *testing.T) {
	severalProcessors(t)
	debug.FreeOSMemory()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const ranks = 40_000
	w, err := New(Config{Size: ranks})
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(w, func(*Process) error { return nil }); err != nil {
		t.Fatal(err)
	}
	got := func() int {
		return metric("/memory/classes/total:bytes") - metric("/memory/classes/heap/released:bytes")
	}
	before := got()
	w.touchStacks(ranks)
	if more := got() - before; more > ranks*2048/4 {
		t.Errorf("%d MB more of the kernel for the next world", more>>20)
	}
}

// Rule (of the engine): a collection of garbage meanwhile does not make the runtime give every goroutine a large stack.
func TestTouchStacksWhileCollecting(t *testing.T) {
	severalProcessors(t)
	var over atomic.Bool
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		for !over.Load() {
			runtime.GC()
		}
	}()
	for range 5 {
		new(World).touchStacks(100_000)
		if size := metric("/gc/stack/starting-size:bytes"); size > 8<<10 {
			t.Errorf("goroutines begin with %d bytes of stack", size)
		}
	}
	over.Store(true)
	<-collected
}

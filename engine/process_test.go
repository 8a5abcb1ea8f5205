package engine_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"codeberg.org/commsplit/commsplit/engine"
)

// acquainted is how many ranks wait for each other without MPI: more than a shard, and no multiple of a shard.
const acquainted = 150

// acquaintances are ways in which the ranks of a Go program wait for each other without the engine. Each returns the
// function that all ranks of a world call.
var acquaintances = map[string]func() func(p *engine.Process){
	// Rank r cannot go on before rank r+1 has: the worst order for an engine that runs ranks in order.
	"a channel from the next rank": func() func(p *engine.Process) {
		var from [acquainted + 1]chan struct{}
		for i := range from {
			from[i] = make(chan struct{}, 1)
		}
		return func(p *engine.Process) {
			if p.Rank() < acquainted-1 {
				<-from[p.Rank()+1]
			}
			from[p.Rank()] <- struct{}{}
		}
	},
	"a rendezvous of neighbors": func() func(p *engine.Process) {
		var between [acquainted / 2]chan int
		for i := range between {
			between[i] = make(chan int)
		}
		return func(p *engine.Process) {
			// The first half receives, so that both sides are in different shards.
			if half := acquainted / 2; p.Rank() < half {
				<-between[p.Rank()]
			} else {
				between[p.Rank()-half] <- p.Rank()
			}
		}
	},
	"everybody": func() func(p *engine.Process) {
		var all sync.WaitGroup
		all.Add(acquainted)
		return func(*engine.Process) {
			all.Done()
			all.Wait()
		}
	},
	"a condition that the last rank makes true": func() func(p *engine.Process) {
		var mu sync.Mutex
		told, over := sync.NewCond(&mu), false
		return func(p *engine.Process) {
			mu.Lock()
			defer mu.Unlock()
			if p.Rank() == acquainted-1 {
				over = true
				told.Broadcast()
			}
			for !over {
				told.Wait()
			}
		}
	},
	"a word that is asked again and again": func() func(p *engine.Process) {
		var over atomic.Bool
		return func(p *engine.Process) {
			if p.Rank() == acquainted-1 {
				over.Store(true)
			}
			for !over.Load() {
				runtime.Gosched()
			}
		}
	},
	"a goroutine of the program's own": func() func(p *engine.Process) {
		return func(*engine.Process) {
			done := make(chan struct{})
			go close(done)
			<-done
		}
	},
}

// The ranks of a Go program are goroutines: they may wait for each other by other means than MPI, between calls and
// before the first call, and later calls meet as ever.
func TestRanksWaitOutsideOfTheEngine(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for name, way := range acquaintances {
		for _, procs := range []int{1, 2, 8} {
			t.Run(fmt.Sprint(name, " on ", procs), func(t *testing.T) {
				runtime.GOMAXPROCS(procs)
				early, middle, late := way(), way(), way()
				sizes := perRank(t, ofSize(acquainted), func(p *engine.Process) (int, error) {
					early(p)
					half, err := p.World().Split(p.Rank()%2, -p.Rank())
					if err != nil {
						return 0, err
					}
					middle(p)
					if half, err = half.Dup(); err != nil {
						return 0, err
					}
					late(p)
					return half.Size(), nil
				})
				for r, n := range sizes {
					if n != acquainted/2 {
						t.Fatalf("rank %d is in a communicator of %d", r, n)
					}
				}
			})
		}
	}
}

// Some ranks wait for each other without MPI while others wait in calls; then a deadlock follows. Its diagnosis does
// not count waits without MPI.
func TestDeadlockBehindOutsideWaits(t *testing.T) {
	t.Parallel()
	meet := acquaintances["everybody"]()
	err := try(t, ofSize(acquainted), func(p *engine.Process) error {
		meet(p)
		if p.Rank() == 70 {
			return nil
		}
		return p.World().Barrier()
	})
	d, ok := errors.AsType[*engine.Deadlock](err)
	if !ok || len(d.Waiting) != 1 || d.Waiting[0].Missing().String() != "70" {
		t.Errorf("got %v, want a deadlock in which rank 70 is missing", err)
	}
}

// Every rank may end its own goroutine, at different times, and the deferred functions of each may still make calls
// that other ranks wait for.
func TestGoexitMakesDeferredCalls(t *testing.T) {
	before := goleak.IgnoreCurrent()
	const n = 130
	var met [n]bool
	err := try(t, ofSize(n), func(p *engine.Process) error {
		defer func() { met[p.Rank()] = p.World().Barrier() == nil }()
		for range p.Rank() % 3 {
			if err := p.Self().Barrier(); err != nil {
				return err
			}
		}
		runtime.Goexit()
		return nil
	})
	f, ok := errors.AsType[*engine.Failure](err)
	if !ok || len(f.Program) != n || f.By[n-1] != n-1 {
		t.Errorf("got %v, want an error by each rank", err)
	}
	for r, ok := range met {
		if !ok {
			t.Errorf("rank %d did not come through the barrier", r)
		}
	}
	goleak.VerifyNone(t, before)
}

// Crashed runs on the goroutine of the rank that panics, so that the stack has the program's function; its error is the
// error of the rank, and the world can be closed.
func TestCrashedHasTheStack(t *testing.T) {
	before := goleak.IgnoreCurrent()
	w, err := engine.New(engine.Config{Size: 3, Crashed: func(v any) error { return fmt.Errorf("%v %s", v, debug.Stack()) }})
	if err != nil {
		t.Fatal(err)
	}
	w.Submit(engine.RanksOf(1), defective)
	st := w.Wait()
	if st.Failure == nil || len(st.Failure.Program) != 1 || st.Failure.By[0] != 1 {
		t.Fatalf("the world ended with %v, want one error by rank 1", st.Failure)
	}
	if text := st.Failure.Program[0].Error(); !strings.HasPrefix(text, "defect") || !strings.Contains(text, "engine_test.defective") {
		t.Errorf("told %s", text)
	}
	w.Close()
	goleak.VerifyNone(t, before)
}

// A panic in the work at the end of a superstep fails the world, which can be closed; no rank waits forever.
func TestCrashAtTheEndOfASuperstep(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 70, Output: func([]engine.Line) { panic("defect") },
		Crashed: func(v any) error { return fmt.Errorf("told: %v", v) }})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(70), func(p *engine.Process) error {
		p.Print("x")
		return p.World().Barrier()
	})
	if st := w.Wait(); st.Failure == nil || st.Failure.Program[0].Error() != "told: defect" {
		t.Errorf("the world ended with %v", st.Failure)
	}
}

func defective(*engine.Process) error { panic("defect") }

// panics makes the test binary a program in which a rank panics.
const panics = "COMMSPLIT_TEST_PANICS"

func runDefective() {
	w, err := engine.New(ofSize(70))
	if err == nil {
		err = engine.Run(w, func(p *engine.Process) error {
			if p.Rank() == 68 {
				return defective(p)
			}
			return p.World().Barrier()
		})
	}
	fmt.Println("it went on", err)
}

// Without Crashed, a panic in a rank ends the process as any panic does: status 2, with the value and the stack
// of the rank.
func TestPanicEndsTheProcess(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), panics+"=1")
	out, err := c.CombinedOutput()
	if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.ExitCode() != 2 {
		t.Fatalf("%v, %s", err, out)
	}
	wantText(t, string(out), "panic: defect", "rank 68: defect", "engine_test.defective")
}

// Rule (of the engine): with Withhold, tasks that ranks have not begun end with its error. A rank that never ran gets
// no goroutine for the task, a rank that has run keeps its goroutine.
func TestWithhold(t *testing.T) {
	const size = 150
	for _, before := range []bool{false, true} {
		t.Run(fmt.Sprintf("ranks that have run: %t", before), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			w, err := engine.New(engine.Config{Size: size})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if before {
				w.Submit(engine.AllRanks(size), func(*engine.Process) error { return nil })
				if st := w.Wait(); st.Failure != nil {
					t.Fatal(st.Failure)
				}
			}
			goroutines := runtime.NumGoroutine()
			stop := errors.New("stopped")
			w.Withhold(stop)
			var ran atomic.Int32
			w.Submit(engine.AllRanks(size), func(*engine.Process) error {
				ran.Add(1)
				return nil
			})
			st := w.Wait()
			if n := ran.Load(); n != 0 {
				t.Errorf("%d ranks ran a task that was withheld", n)
			}
			if st.Failure == nil || len(st.Failure.Program) != size || st.Failure.Program[size-1] != stop {
				t.Errorf("the task ended with %v, want %q from each of %d ranks", st.Failure, stop, size)
			}
			if n := runtime.NumGoroutine() - goroutines; n > size/64+2 { // the shards' and the conductor's
				t.Errorf("%d goroutines began", n)
			}
		})
	}
}

// Rule (of the engine): after Withhold(nil) tasks run again, also on ranks that never ran before.
func TestWithholdEnds(t *testing.T) {
	w, err := engine.New(engine.Config{Size: 150})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Withhold(errors.New("stopped"))
	w.Withhold(nil)
	var ran atomic.Int32
	w.Submit(engine.AllRanks(150), func(*engine.Process) error {
		ran.Add(1)
		return nil
	})
	if st := w.Wait(); st.Failure != nil || ran.Load() != 150 {
		t.Errorf("%d of 150 ranks ran: %v", ran.Load(), st.Failure)
	}
}

package repl

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"

	"go.starlark.net/starlark"
)

// processes are the ranks of the present world with the state of their programs: tasks in, the state of the world
// out. They know nothing of lines.
type processes struct {
	// Ticks, if not nil, sets when the output of ranks is shown while a line runs; nil: each tenth of a second.
	Ticks <-chan time.Time
	// Shows, if not nil, is called now and then while a chunk runs, to show the output so far.
	Shows func(context.Context)

	world   *engine.World
	ranks   []*program.Rank          // nil for a rank that has run nothing yet
	all     *program.Ranks           // what they have in common
	now     atomic.Pointer[Progress] // of the chunk that runs; nil: none does
	called  []bool                   // by rank: issued the MPI call of the present command
	values  []starlark.Value         // by rank: what the present chunk came to; nil where nobody asks
	memory  *program.Memory          // what programs may take
	over    *program.Limit           // why the present chunk was stopped, when it took more memory than memory allows
	failure *engine.Failure          // the world has failed: only Rollback and View make sense
}

// Close ends the ranks of the session.
func (p *processes) Close() {
	if p.world != nil {
		p.world.Close()
		p.world = nil
	}
}

// World returns the engine that the ranks run on, for questions; nil once the session was closed.
func (p *processes) World() *engine.World { return p.world }

// Size returns the number of ranks.
func (p *processes) Size() int { return p.world.Size() }

// runOn gives ranks a task, waits until no rank can go on, and returns the state of the world. prepare, if not nil,
// returns a function that runs before the task for each idle rank. When ctx ends before the ranks do, or the memory is
// used up, the programs are stopped and the chunk has failed: ranks that have not begun do not begin.
func (p *processes) runOn(ctx context.Context, ranks engine.Ranks, prepare func() func(*program.Rank), task func(*program.Rank) error) engine.Status {
	p.forEach(ranks, func() func(*program.Rank) { return func(*program.Rank) {} }) // makes the ranks: watch visits all that are made
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	w := p.watch(ctx, stop)
	defer w.end() // also where something panics
	if prepare != nil {
		p.forEach(ranks, func() func(*program.Rank) {
			do := prepare()
			return func(r *program.Rank) {
				if !w.stopped.Load() && p.world.Idle(r.P.Rank()) {
					do(r)
				}
			}
		})
	}
	st := engine.Status{Failure: &engine.Failure{}}
	if !w.stopped.Load() {
		p.world.Submit(ranks, func(me *engine.Process) error { return task(p.ranks[me.Rank()]) })
		if now := p.now.Load(); now != nil {
			now.began.Store(true)
		}
		st = p.world.Wait()
	}
	w.end()
	if w.crash != nil {
		panic(w.crash)
	}
	if w.stopped.Load() {
		p.world.Withhold(nil)
		for _, r := range p.Ranks {
			r.Uncancel()
		}
	}
	p.failure = st.Failure
	return st
}

// watch is two goroutines beside ranks that run: one shows the output of the ranks, the other stops the ranks.
type watch struct {
	end     func() // ends both, and waits for them
	stopped atomic.Bool
	crash   error // of showing
}

// watch begins to watch ranks until its end is called. ctx stops the ranks when it ends; stop ends ctx.
func (p *processes) watch(ctx context.Context, stop func()) *watch {
	w, done := &watch{}, make(chan struct{})
	var beside sync.WaitGroup
	w.end = sync.OnceFunc(func() {
		close(done)
		beside.Wait()
		p.memory.End()
	})
	p.over = nil
	p.memory.Begin()
	beside.Go(func() {
		if w.crash = Guarded(func() error { return p.showUntil(ctx, done) }); w.crash != nil {
			stop()
		}
	})
	beside.Go(func() {
		if p.mustStop(ctx, done) {
			w.stopped.Store(true)
			p.world.Withhold(errStopped)
			for _, r := range p.Ranks {
				r.Cancel("interrupted")
			}
		}
	})
	return w
}

// Progress returns the progress of the chunk that runs now, also when it runs again; nil while none runs. Any goroutine
// may call it.
func (p *processes) Progress() *Progress { return p.now.Load() }

// mustStop waits until done is closed, and returns false, or until the programs that run must be stopped, and returns
// true.
func (p *processes) mustStop(ctx context.Context, done chan struct{}) bool {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	memory := p.memory // a later session has its own, while a look may still be on
	over, looking := make(chan *program.Limit, 1), false
	for {
		select {
		case <-ctx.Done():
			return true
		case <-done:
			return false
		case p.over = <-over:
			if looking = false; p.over != nil {
				return true
			}
		case <-look.C: // beside this: a look may collect the garbage, which takes a while
			if !looking {
				looking = true
				go func() { over <- memory.Over() }()
			}
		}
	}
}

// showUntil shows the output of ranks now and then, until done is closed.
func (p *processes) showUntil(ctx context.Context, done chan struct{}) error {
	ticks := p.Ticks
	if ticks == nil {
		show := time.NewTicker(showEvery)
		defer show.Stop()
		ticks = show.C
	}
	for {
		select {
		case <-done:
			return nil
		case <-ticks:
			p.world.Stream()
			if p.Shows != nil {
				p.Shows(ctx)
			}
		}
	}
}

// Ranks visits the program states of the ranks that have run something. The session must be quiet.
func (p *processes) Ranks(yield func(int, *program.Rank) bool) {
	for i, r := range p.ranks {
		if r != nil && !yield(i, r) {
			return
		}
	}
}

// Attributes lists the names that can follow the dotted name text, as rank 0 has it.
func (p *processes) Attributes(text string) []string { return p.rank(0).AttributesOf(text) }

// rank returns the program state of a rank, and makes it at the first call.
func (p *processes) rank(r int) *program.Rank {
	if p.ranks[r] == nil {
		p.ranks[r] = program.NewRank(p.world.Process(r), p.all)
	}
	return p.ranks[r]
}

// forEach calls a function for each of the ranks, on as many goroutines as there are processors; each goroutine gets its
// function from f. One goroutine is enough for a small world.
func (p *processes) forEach(ranks engine.Ranks, f func() func(*program.Rank)) {
	const worthwhile = 1024
	size := max(len(p.ranks)/runtime.GOMAXPROCS(0)+1, worthwhile)
	var all sync.WaitGroup
	var crash atomic.Pointer[Crash]
	for first := 0; first < len(p.ranks); first += size {
		all.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					crash.CompareAndSwap(nil, NewCrash(v))
				}
			}()
			do := f()
			for i := first; i < min(first+size, len(p.ranks)); i++ {
				if i%64 == 0 {
					runtime.Gosched() // a screen or a prompt, to which Ctrl-C comes, waits no longer than for these
				}
				if ranks.Has(i) {
					do(p.rank(i))
				}
			}
		})
	}
	all.Wait()
	if c := crash.Load(); c != nil {
		panic(c)
	}
}

// forgetCalls begins the record of the calls of a chunk. Blocked ranks may still have earlier chunks to run; these
// chunks keep to the record that was made for them. With values, the record has the chunk's value on each rank, too.
func (p *processes) forgetCalls(values, blocked bool) {
	if blocked {
		p.called = make([]bool, p.Size())
	}
	clear(p.called)
	if p.values = nil; values {
		p.values = make([]starlark.Value, p.Size())
	}
}

// caught merges the errors that the ranks which issued an expect_error met.
func (p *processes) caught() []*engine.Error {
	var list []*engine.Error
	for r, called := range p.called {
		if e := p.ranks[r]; called && e != nil && e.Caught != nil {
			list = append(list, e.Caught)
		}
	}
	return engine.MergeErrors(list)
}

// bare lists the ranks that keep no older value of the command's variable: the ranks that issue the command,
// and the ranks whose variable had no value. When no rank keeps a value, the list is empty.
func (p *processes) bare(name string, known bool, issue engine.Ranks) engine.Ranks {
	var bare engine.Ranks
	for i, r := range p.ranks {
		held := r != nil && r.Vars.Get(name) != nil || known && !p.world.Idle(i)
		if issue.Has(i) || !held {
			bare.Append(int32(i))
		}
	}
	if bare.Len() == p.Size() {
		return nil
	}
	return bare
}

// fillNull gives COMM_NULL to the ranks that did not issue a constructor and whose variable has no value yet.
// Ranks that are blocked in the constructor still wait for their result, and get nothing here.
func (p *processes) fillNull(name, where string, ranks engine.Ranks, from int) {
	null := program.SkippedNull(where, "", nil)
	for i := range p.ranks {
		if r := p.rank(i); r.Vars.Get(name) == nil && (p.world.Idle(i) || !ranks.Has(i)) {
			r.Assign(name, null, engine.Behind(from+1))
		}
	}
}

// Steps returns how many steps the trace of the present world has.
func (p *processes) Steps() int { return p.world.Now().Steps }

// errStopped is the error of a rank that had not begun when the chunk was stopped.
var errStopped = errors.New("interrupted")

// Progress tells of a chunk while it runs. Any goroutine may ask it.
type Progress struct {
	Chunk *lang.Chunk
	Ranks int // that the chunk is for

	world *engine.World
	began atomic.Bool // the ranks have begun; before that, arguments are computed and memory is got
}

// Waiting returns how many of the ranks wait for others, in a call or at the end of the chunk; ok is false while the
// ranks have not begun, so that nobody can know.
func (p *Progress) Waiting() (n int, ok bool) {
	if !p.began.Load() {
		return 0, false
	}
	return max(p.Ranks-p.world.Computing(), 0), true
}

// lookEvery is the time between two looks at the memory while programs run; showEvery is the time between two looks at
// their output.
const (
	lookEvery = 20 * time.Millisecond
	showEvery = 100 * time.Millisecond
)

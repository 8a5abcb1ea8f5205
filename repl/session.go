// Package repl is the session: a world of ranks, the chunks of text that they were given, and what
// came of them. It knows the language (verbs, programs, meta commands), scripts, expectations, undo
// and completion; it runs every chunk on the ranks of an engine.World and describes the result as a
// render.View. It does not draw, and it reads and writes only the streams that it is given.
//
// A session is the list of its chunks. The engine is deterministic, so undoing a chunk, or taking
// back one that failed, means to run the chunks before it on a fresh world.
package repl

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/render/document"
	"commsplit/repl/lang"
	"commsplit/repl/program"
	"commsplit/repl/tongue"
)

// Session is a world and the chunks that were run on it. It is used by one goroutine at a time.
type Session struct {
	// ShowValues makes a line that is only an expression tell its value, as at a prompt.
	ShowValues bool
	// Ticks, if not nil, is when to show what ranks have printed while a line runs; nil: each tenth of a second.
	Ticks <-chan time.Time
	// Sealed, if not "", says why no line reads or writes files, not even one that a person types: the end of the
	// message about a line that would.
	Sealed string

	now    atomic.Pointer[Progress] // of the chunk that runs; nil: none does
	crash  atomic.Pointer[Crash]    // the first panic of a rank in this world
	plan   *worldPlan
	config Config
	world  *engine.World
	ranks  []*program.Rank
	all    *program.Ranks        // what they have in common
	output func([]engine.Line)   // nil while chunks are replayed
	shows  func(context.Context) // is called now and then while a chunk runs, to show what output got; nil: nobody is
	lines  *document.Lines       // is told what happens on each world; nil for none

	entries []entry
	pending []entry // entries that run now, or are to run again, and are not in entries yet
	redo    []entry
	order   []string         // names that the text gives to variables, in order of their first place in it
	names   map[string]bool  // variables that some rank has
	scope   tongue.Scope     // variables that lines of C and Fortran declared or set
	past    *past            // what the variables held
	numbers map[string]int   // by verb: the names with numbers up to this one are taken, see autoName
	called  []bool           // by rank: issued the MPI call of the present command
	values  []starlark.Value // by rank: what the present chunk came to; nil until that is reported
	memory  *program.Memory  // what programs may take
	over    *program.Limit   // why the present chunk was stopped, when it took more memory than memory allows
	failure *engine.Failure  // the world has failed: only Rollback and View make sense
	own     []render.Point   // expectations of the session itself (expect_deadlock), and all those of earlier worlds
	blocked int              // number of entries before the oldest entry that left ranks blocked; -1: no rank is blocked
}

// entry is a step of the session's story: a chunk that it ran, or a fresh world that it began.
type entry struct {
	chunk  *lang.Chunk
	config *Config             // what a fresh world is made from, when chunk is nil
	before render.Expectations // of a fresh world: what the worlds before it expected
	plan   *worldPlan
	clears int            // of expect_deadlock: the first entry that it took back; -1 for no entry
	result string         // variable that got the result of a command, also when the line names none
	groups bool           // the group argument of a command is a group object, not a list of ranks
	bare   engine.Ranks   // of a command that some ranks issue: the ranks that keep no older value of result; empty when no rank keeps one
	hidden []string       // of a command: names in its arguments that a variable hides
	at     engine.Moment  // the moment before the chunk ran
	gone   []render.Event // of expect_deadlock: the events that it took back
	shown  []shown        // what lines that follow this entry, and only look at the session, drew

	question, verdict string // of ask: the question, and the sentence that tells the answer
	answer            string // of ask: the right answer, "" when ranks differ
	why               string // of ask: the reason for those who predict wrongly
}

// Open makes a session on a fresh world. output gets what ranks print, as it is printed: it is called by several
// goroutines, one at a time.
func Open(ctx context.Context, cfg Config, output func([]engine.Line)) (*Session, error) {
	return openTelling(ctx, cfg, output, nil)
}

// Restart leaves the present world for a fresh one. It can be undone.
func (s *Session) Restart(ctx context.Context, cfg Config) error {
	if cfg.Begins == nil { // a journal does not keep it
		cfg.Begins = s.config.Begins
	}
	p, err := cfg.start(ctx)
	switch {
	case errors.Is(ctx.Err(), context.Canceled) && s.world != nil: // the present world stays
		return &Failed{Interrupted: true}
	case err != nil:
		return err
	}
	e := entry{config: &cfg, plan: p, clears: -1}
	if s.world != nil {
		e.before = s.expectations()
	}
	s.entries = append(s.entries, e)
	s.redo = nil
	return s.begin(e)
}

// begin starts the world of a configuration entry.
func (s *Session) begin(e entry) error {
	s.Close()
	cfg, p := *e.config, e.plan
	made := engine.Config{
		Size: len(p.bindings), Topology: p.topology, Bindings: p.bindings, Std: p.std, Psets: p.psets, Contexts: cfg.Contexts, Trace: true,
		Output: func(lines []engine.Line) {
			if s.output != nil {
				s.output(lines)
			}
		},
		Crashed: s.crashed,
	}
	if s.lines != nil {
		made.News = s.lines.Tell
	}
	s.memory = cfg.memory()
	s.all = program.NewRanks(s.memory)
	if cfg.Begins != nil {
		cfg.Begins(made.Size, s.memory.Most())
	}
	w, err := engine.New(made)
	if err != nil {
		return err
	}
	s.config, s.plan, s.world = cfg, p, w
	s.ranks = make([]*program.Rank, w.Size())
	s.called = make([]bool, w.Size())
	s.values = nil
	s.order, s.names, s.numbers, s.past = nil, map[string]bool{}, map[string]int{}, newPast(w.Size())
	s.scope = tongue.Scope{}
	s.failure, s.blocked = nil, -1
	s.crash.Store(nil)
	s.own = earlier(e.before.Points)
	if s.lines != nil {
		s.lines.Begin(s.View())
	}
	return nil
}

// Close ends the ranks of the session.
func (s *Session) Close() {
	if s.world != nil {
		s.world.Close()
		s.world = nil
	}
}

// Size is the number of ranks.
func (s *Session) Size() int { return s.world.Size() }

// Config is what the present world was made from.
func (s *Session) Config() Config { return s.config }

// Notes are what a person must know who begins on the present world: what stands in for this machine, and what is
// restricted or not known of the hardware.
func (s *Session) Notes() []string {
	if s.plan.instead == "" {
		return s.plan.topology.Notes
	}
	return append([]string{s.plan.instead}, s.plan.topology.Notes...)
}

// Waiting lists the ranks that wait in calls.
func (s *Session) Waiting() []engine.Wait {
	if s.blocked < 0 {
		return nil
	}
	return s.world.Snapshot().Waiting
}

// Deadlock is the diagnosis of the ranks that wait in calls, in the names of the session's variables; nil
// when no rank waits.
func (s *Session) Deadlock() *engine.Deadlock {
	if s.blocked < 0 {
		return nil
	}
	return s.world.Deadlock(s.commNames())
}

// known reports whether a variable of that name exists on some rank.
func (s *Session) known(name string) bool { return s.names[name] }

// crashed is the error of a rank that panicked, on its goroutine: a defect of ours. Ranks mostly do so alike, and the
// first one is described for all.
func (s *Session) crashed(v any) error {
	if s.crash.Load() == nil {
		s.crash.CompareAndSwap(nil, NewCrash(v))
	}
	return s.crash.Load()
}

// Run runs a chunk on its ranks and waits until nobody can go on. It returns a *lang.Error for a
// mistake in the text, which leaves the session as it was, or a *Failed when ranks failed: then the
// world has ended, View describes it, and Rollback leads back to before the chunk. Blocked ranks are
// no error: see Waiting.
func (s *Session) Run(ctx context.Context, c *lang.Chunk) (*Outcome, error) {
	if s.failure != nil {
		return nil, errors.New("the world has ended: Rollback comes first")
	}
	c, err := c.Among(s.scope)
	if err != nil {
		return nil, err
	}
	s.pending = []entry{{chunk: c}}
	e := entry{chunk: c, clears: -1, at: s.world.Now()}
	o, err := s.execute(ctx, c)
	s.pending = nil
	var failed *Failed
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	s.redo = nil
	if o == nil || err != nil {
		s.entries = append(s.entries, e)
		return nil, err
	}
	e.clears, e.result, e.groups, e.bare, e.hidden = o.clears, o.result, o.groups, o.bare, o.hidden
	if o.Verb != nil && o.Verb.Name == "ask" {
		e.question, e.verdict, e.answer = s.lastNote(), verdictOn("", "", o.Values), answerOf(o.Values)
		e.why = s.whyInWords(c, o)
	}
	if o.clears >= 0 {
		e.gone = s.takenBackFrom(o.clears)
		if s.lines != nil {
			s.lines.Blocked(s.View())
		}
	}
	s.entries = append(s.entries, e)
	if o.clears >= 0 {
		err := s.replay(ctx)
		o.From = s.world.Steps()
		return o, err
	}
	return o, nil
}

func (s *Session) execute(ctx context.Context, c *lang.Chunk) (*Outcome, error) {
	ranks, err := s.checkRanks(c)
	if err != nil {
		return nil, err
	}
	s.now.Store(&Progress{Chunk: c, Ranks: ranks.Len(), world: s.world})
	defer s.now.Store(nil)
	o := &Outcome{Chunk: c, From: s.world.Steps(), clears: -1}
	if c.Kind == lang.Command {
		err = s.executeCommand(ctx, o, ranks)
	} else {
		err = s.executeProgram(ctx, o, ranks)
	}
	maps.Copy(s.scope, c.Sets)
	s.noteVariables()
	s.nameFreed(err)
	s.judgeLeaks()
	return o, err
}

func (s *Session) executeProgram(ctx context.Context, o *Outcome, ranks engine.Ranks) error {
	c := o.Chunk
	if s.ShowValues && !c.Foreign {
		body := program.Fragment{Text: c.Body.Text, Line: c.Body.Line, Col: c.Body.Col}
		if e, err := program.CompileExprs(c.File, []program.Fragment{body}, s.known); err == nil {
			return s.executeExpression(ctx, o, ranks, e)
		}
	}
	text, hidden := s.statements(c)
	o.hidden = hidden
	code, err := program.Compile(c.File, text, c.Line, s.known)
	if err != nil {
		return s.position(err, c)
	}
	code.Begin, code.Places = c.Line, c.Places
	for _, a := range code.Assigns {
		s.mention(a.Name)
	}
	st := s.runOn(ctx, ranks, nil, func(r *program.Rank) error { return r.Run(code) })
	return s.settle(ctx, st, c)
}

// executeExpression evaluates an expression that a person typed and keeps its value on each rank.
func (s *Session) executeExpression(ctx context.Context, o *Outcome, ranks engine.Ranks, e *program.Exprs) error {
	s.forgetCalls(true)
	values := s.values
	st := s.runOn(ctx, ranks, nil, func(r *program.Rank) error {
		v, err := r.Eval(e, nil)
		if err == nil {
			values[r.P.Rank()] = v[0]
		}
		return err
	})
	if err := s.settle(ctx, st, o.Chunk); err != nil {
		return err
	}
	o.Values = groupValues(s.values, program.Repr)
	return nil
}

// runOn gives ranks a task, waits until no rank can go on, and returns how the world then stands. What prepare, if
// not nil, returns runs before the task for each idle rank. When ctx ends before the ranks do, or the memory is
// used up, the programs are stopped and the chunk has failed: ranks that did not begin do not.
func (s *Session) runOn(ctx context.Context, ranks engine.Ranks, prepare func() func(*program.Rank), task func(*program.Rank) error) engine.Status {
	s.makeRanks(ranks)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{})
	var beside sync.WaitGroup
	end := sync.OnceFunc(func() {
		close(done)
		beside.Wait()
		s.memory.End()
	})
	defer end() // also where something panics
	s.over = nil
	s.memory.Begin()
	var crash error
	beside.Go(func() {
		if crash = Guarded(func() error { return s.showUntil(ctx, done) }); crash != nil {
			stop()
		}
	})
	var stopped atomic.Bool
	beside.Go(func() {
		if s.mustStop(ctx, done) {
			stopped.Store(true)
			s.world.Withhold(errStopped)
			for _, r := range s.ranks {
				if r != nil {
					r.Cancel("interrupted")
				}
			}
		}
	})
	if prepare != nil {
		s.forIdle(ranks, func() func(*program.Rank) {
			do := prepare()
			return func(r *program.Rank) {
				if !stopped.Load() {
					do(r)
				}
			}
		})
	}
	st := engine.Status{Failure: &engine.Failure{}}
	if !stopped.Load() {
		s.world.Submit(ranks, func(p *engine.Process) error { return task(s.ranks[p.Rank()]) })
		if now := s.now.Load(); now != nil {
			now.began.Store(true)
		}
		st = s.world.Wait()
	}
	end()
	if crash != nil {
		panic(crash)
	}
	if stopped.Load() {
		s.world.Withhold(nil)
		for _, r := range s.ranks {
			if r != nil {
				r.Uncancel()
			}
		}
	}
	s.failure = st.Failure
	return st
}

// errStopped is the error of a rank that had not begun when the chunk was stopped.
var errStopped = errors.New("interrupted")

// Progress tells of a chunk while it runs. Any goroutine may ask it.
type Progress struct {
	Chunk *lang.Chunk
	Ranks int // that the chunk is for

	world *engine.World
	began atomic.Bool // the ranks have begun; before that, arguments are computed and memory is got
}

// Progress is of the chunk that runs now, also when it runs again; nil when none does. Any goroutine may call it.
func (s *Session) Progress() *Progress { return s.now.Load() }

// Waiting is how many of the ranks wait for others, in a call or at the end of the chunk; ok is false while nobody
// can know, because they have not begun.
func (p *Progress) Waiting() (n int, ok bool) {
	if !p.began.Load() {
		return 0, false
	}
	return max(p.Ranks-p.world.Computing(), 0), true
}

// lookEvery is the time between two looks at the memory while programs run, and showEvery that between two looks at
// what they have printed.
const (
	lookEvery = 20 * time.Millisecond
	showEvery = 100 * time.Millisecond
)

// mustStop waits until done is closed, or until the programs that run must be stopped, which it reports.
func (s *Session) mustStop(ctx context.Context, done chan struct{}) bool {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	memory := s.memory // a later session has its own, while a look may still be on
	over, looking := make(chan *program.Limit, 1), false
	for {
		select {
		case <-ctx.Done():
			return true
		case <-done:
			return false
		case s.over = <-over:
			if looking = false; s.over != nil {
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

// showUntil shows now and then what ranks have printed, until done is closed.
func (s *Session) showUntil(ctx context.Context, done chan struct{}) error {
	ticks := s.Ticks
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
			s.world.Stream()
			if s.shows != nil {
				s.shows(ctx)
			}
		}
	}
}

// rank is the program state of a rank, made when it is first asked for.
func (s *Session) rank(r int) *program.Rank {
	if s.ranks[r] == nil {
		s.ranks[r] = s.newRank(r)
	}
	return s.ranks[r]
}

// makeRanks makes the program states of those ranks that have none.
func (s *Session) makeRanks(ranks engine.Ranks) {
	s.inParts(func(_, first int, part []*program.Rank) {
		for i, r := range part {
			if r == nil && ranks.Has(first+i) {
				part[i] = s.newRank(first + i)
			}
		}
	})
}

// newRank makes the program state of a rank.
func (s *Session) newRank(r int) *program.Rank {
	made := &program.Rank{}
	made.Init(s.world.Process(r), s.all)
	return made
}

// forIdle calls for each idle rank among ranks what f gives, on as many goroutines as there are processors, each of
// which asks f once.
func (s *Session) forIdle(ranks engine.Ranks, f func() func(*program.Rank)) {
	s.inParts(func(_, _ int, part []*program.Rank) {
		do := f()
		for i, r := range part {
			if i%64 == 0 {
				runtime.Gosched() // a screen or a prompt, to which Ctrl-C comes, waits no longer than for these
			}
			if r != nil && ranks.Has(r.P.Rank()) && s.world.Idle(r.P.Rank()) {
				do(r)
			}
		}
	})
}

// inParts calls f for parts of the ranks, on as many goroutines as there are processors: with the number of the part,
// its first rank and its ranks. A small world is one part.
func (s *Session) inParts(f func(k, first int, part []*program.Rank)) {
	const worthwhile = 1024
	size := max(len(s.ranks)/runtime.GOMAXPROCS(0)+1, worthwhile)
	var all sync.WaitGroup
	var crash atomic.Pointer[Crash]
	for first := 0; first < len(s.ranks); first += size {
		all.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					crash.CompareAndSwap(nil, NewCrash(v))
				}
			}()
			f(first/size, first, s.ranks[first:min(first+size, len(s.ranks))])
		})
	}
	all.Wait()
	if c := crash.Load(); c != nil {
		panic(c)
	}
}

// checkRanks reads the ranks of "@0-3"; a chunk without "@" is for all ranks.
func (s *Session) checkRanks(c *lang.Chunk) (engine.Ranks, error) {
	if c.Ranks.Text == "" {
		return engine.AllRanks(s.Size()), nil
	}
	ranks, err := engine.ParseRanks(c.Ranks.Text, s.Size())
	if err != nil {
		return nil, c.ErrorAt(c.Ranks, "%s", err)
	}
	return ranks, nil
}

// forgetCalls begins the record of what a chunk makes ranks do. Blocked ranks may still have earlier chunks
// to run once they are let go; these chunks keep to the record that was made for them. values: what the chunk comes to
// is reported, too.
func (s *Session) forgetCalls(values bool) {
	if s.blocked >= 0 {
		s.called, s.values = make([]bool, s.Size()), nil
	}
	clear(s.called)
	if values && s.values == nil {
		s.values = make([]starlark.Value, s.Size())
	}
	clear(s.values)
}

// settle turns the state after a chunk into an error, or notes which entry first left ranks blocked.
func (s *Session) settle(ctx context.Context, st engine.Status, c *lang.Chunk) error {
	if st.Failure != nil {
		return s.failed(ctx, st.Failure, c)
	}
	switch {
	case len(st.Waiting) == 0:
		s.blocked = -1
	case s.blocked < 0:
		s.blocked = len(s.entries)
	}
	return nil
}

// expectDeadlock passes when ranks are blocked; the chunks that led there are then taken back.
func (s *Session) expectDeadlock(o *Outcome) {
	if o.clears = s.blocked; s.blocked < 0 {
		s.own = append(s.own, deadlockPoint(o.Chunk, false, s.world.Now()))
	}
}

// openTelling is Open, but tells lines, if not nil, what happens on every world. What chunks do that run again
// is reported again, on the fresh world that they run on.
func openTelling(ctx context.Context, cfg Config, output func([]engine.Line), lines *document.Lines) (*Session, error) {
	s := &Session{output: output, lines: lines}
	if err := s.Restart(ctx, cfg); err != nil {
		return nil, err
	}
	return s, nil
}

// autoName is the variable for the result of a line that names none: split1, split2, ... A name that was
// given stays taken, so the search goes on where the last one ended.
func (s *Session) autoName(v *Verb) string {
	for n := s.numbers[v.Name] + 1; ; n++ {
		if name := fmt.Sprintf("%s%d", v.Name, n); !s.names[name] {
			s.numbers[v.Name] = n - 1 // a line that fails leaves its name to the next one
			return name
		}
	}
}

// mention gives the variables that a text is about to set their place in the order.
func (s *Session) mention(names ...string) {
	for _, name := range names {
		if _, ok := s.past.positions[name]; !ok {
			s.past.positions[name] = len(s.order)
			s.order = append(s.order, name)
		}
	}
}

// Assigned lists the variables that the text of a chunk sets at its top level; none where there is a mistake in the
// text, which Run tells.
func (s *Session) Assigned(c *lang.Chunk) []string {
	var names []string
	for _, w := range s.Assignments(c) {
		names = append(names, w.Text)
	}
	return names
}

// Assignments is Assigned, with the place where the text sets each variable first.
func (s *Session) Assignments(c *lang.Chunk) []lang.Word {
	c, err := c.Among(s.scope)
	if err != nil {
		return nil
	}
	if c.Kind == lang.Command && c.Target.Text != "" {
		return []lang.Word{c.Target}
	}
	if c.Kind != lang.Program {
		return nil
	}
	text, _ := s.statements(c)
	code, err := program.Compile(c.File, text, c.Line, s.known)
	if err != nil {
		return nil
	}
	var list []lang.Word
	for _, a := range code.Assigns {
		if c.Foreign {
			a.Line, a.Col = c.Body.Line, c.Body.Col
		}
		list = append(list, lang.Word{Text: a.Name, Line: a.Line, Col: a.Col})
	}
	return list
}

// Unhide takes the variables away that hide a name with a meaning of its own, such as world or all, but for those that
// keep tells. The world must be quiet.
func (s *Session) Unhide(keep func(name string) bool) {
	for _, name := range s.Variables() {
		if keep(name) || !starlark.Universe.Has(name) && !slices.Contains(program.Predeclared(), name) {
			continue
		}
		for _, r := range s.ranks {
			if r != nil {
				r.Vars.Drop(name)
			}
		}
		delete(s.names, name)
		delete(s.scope, name)
	}
}

// noteVariables learns which variables exist after a chunk, and what they hold.
func (s *Session) noteVariables() {
	for _, r := range s.ranks {
		if r == nil {
			continue
		}
		for name := range r.TakeFresh() {
			s.names[name] = true
		}
	}
	s.notePast()
}

// Finalize ends a program, as MPI_Finalize does: the attributes of MPI_COMM_SELF are deleted, which
// may call functions of the program. It does nothing when ranks still wait. It fails like Run.
func (s *Session) Finalize(ctx context.Context) error {
	if s.failure != nil || s.blocked >= 0 {
		return nil
	}
	var ranks engine.Ranks
	for i, r := range s.ranks {
		if r != nil && r.Caches() {
			ranks.Append(int32(i))
		}
	}
	last := s.entries[len(s.entries)-1].chunk
	if len(ranks) == 0 || last == nil {
		return nil
	}
	end := engine.Site{File: last.File}
	st := s.runOn(ctx, ranks, nil, func(r *program.Rank) error { return r.Finalize(&end) })
	return s.settle(ctx, st, last)
}

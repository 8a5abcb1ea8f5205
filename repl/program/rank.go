// Package program runs Starlark programs on the ranks of a world: every rank runs the same text on
// its own goroutine and makes MPI calls under mpi4py's names. Text is parsed and compiled once for
// all ranks; each rank has its own variables and its own thread. The package does not read files,
// cut a session into chunks, know the verbs of commands or print anything itself.
//
// The model: every free name of a program that Starlark does not define is a field of one object, the
// rank's scope. Assigning such a name stores the value into Rank.Vars at once; reading it looks there
// first, then among the predeclared names. So functions see later changes of the session's variables,
// and the values that a rank assigned before it failed or blocked can be looked at.
//
// There are two ways to evaluate. Expressions of names, literals and operators, and calls of MPI with such
// arguments, are compiled to functions of Go (expr, invocation): they take little time, and little of the stack of a
// rank that goes on to wait. The arguments of a command are Exprs of these, the statements of a verb a Routine, and the
// top level of a program its steps. All else is Starlark's: what cannot be compiled, and what turns out on a rank to
// need it or to be wrong. It then runs the whole statement, or computes all arguments of the command, from the start.
// Compiled expressions change nothing before that, so there is one meaning, and each message and place is Starlark's.
//
// A session has one Memory, which bounds what its programs take together: guards refuse a value that is too large, or
// for which there is no room, before Starlark makes it, and the session asks Memory.Over now and then for the sum of all
// others. How the process collects its garbage is not decided here.
package program

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/python"
)

// Rank is what one MPI process needs to run programs. Only the process' goroutine may call its methods, but
// for Cancel and Uncancel; other goroutines may look at the Rank while the world is quiet.
type Rank struct {
	P    *engine.Process
	Vars Vars // the session's variables as this rank has them

	running atomic.Pointer[interpreter] // see interpreter; nil until the rank first needs one of its own
	world   Comm                        // COMM_WORLD
	at      *engine.Site                // where the rank is when no program frame tells; nil: nowhere
	stopped atomic.Bool                 // its program was cancelled
	turn    bool                        // it computes for long, and may
	unnoted bool                        // handles that are made now are not noted in open
	wary    bool                        // the program copied a handle, or finalized a session: see handle
	told    int32                       // how many variables Changes has told
	held    uint32                      // which of the first 32 variables held a communicator
	changes changes                     // not handed over yet
	*rare                               // rarely makes one to write to
}

// rare has what few of a million ranks need.
type rare struct {
	// Caught is the MPI error that the last expect_error met; nil when it met none.
	Caught *engine.Error
	// Why is the reason that the last ask gives to those who predict wrongly; "" when it gives none.
	Why string
	// Checks are the expectations that this rank has checked so far, in order.
	Checks []Check

	all         *Ranks
	undecided   []int                          // those of checks that the session decides
	count       map[engine.Site]int            // executions of each expectation so far
	keyvals     []keyval                       // by id, after the predefined ones
	buffers     map[bufferOwner]starlark.Value // attached for buffered sends
	open        []*Open                        // what handles were made, and where
	environment *Info                          // INFO_ENV; nil until it is asked for
	held        []int32                        // the variables behind the first 32 that held a communicator
	kept        []string                       // variables of functions that held communicators
	lists       []listed                       // that variables hold
	making      []unmade
	inside      []local    // variables of functions that run
	handled     *exception // by the except clause that runs; nil: none does
	line        string     // what print has written of a line without its end
	random      *random    // nil until the program draws
	read        int        // parts of standard input
}

// Ranks has what the ranks of a world share.
type Ranks struct {
	Arguments []string    // of the program: sys.argv[1:]
	Input     *Input      // standard input; nil: there is none
	Undecided atomic.Bool // some rank has an expectation of expect_no_leaks that the session has to decide

	memory *Memory
	turns  chan struct{} // see turnSteps
	calls  sync.Pool     // of finished calls
	none   names         // of the ranks without variables
	usual  rare          // of the ranks that need none of their own; never modified
}

// NewRanks prepares the ranks of one world. memory bounds the memory of all their programs together; nil sets no
// bound.
func NewRanks(memory *Memory) *Ranks {
	all := &Ranks{memory: memory, turns: make(chan struct{}, runtime.GOMAXPROCS(0))}
	all.usual.all = all
	return all
}

// rarely returns the rank's own rare, to write to.
func (r *Rank) rarely() *rare {
	if all := r.all; r.rare == &all.usual {
		r.rare = &rare{all: all}
	}
	return r.rare
}

// NewRank prepares p to run programs. It takes p.Local for itself.
func NewRank(p *engine.Process, all *Ranks) *Rank {
	r := &Rank{P: p, rare: &all.usual}
	r.world.c, r.Vars.names = p.World(), &all.none
	p.Local = r
	return r
}

// interpreter has what a rank needs to run text. Most ranks of a large world only make calls whose arguments others
// have computed for them, and have none.
type interpreter struct {
	thread starlark.Thread
	scope  scope
	env    starlark.StringDict // the scope under its one name
	turns  int                 // that it took
	code   *Code               // that runs, or ran last; nil: only expressions did
}

// site returns the call site that stands at a position of the text.
func (in *interpreter) site(pos syntax.Position) engine.Site {
	return *in.code.site(&engine.Site{File: pos.Filename(), Line: pos.Line})
}

// site returns the call site for a place of the text: where another program made the call, if Places tells that. c is nil
// if no code runs.
func (c *Code) site(at *engine.Site) *engine.Site {
	if c != nil {
		if k := int(at.Line) - c.Begin; k >= 0 && k < len(c.Places) {
			return &c.Places[k]
		}
	}
	return at
}

// newInterpreter makes an interpreter for r, whose thread asks for turns.
func newInterpreter(r *Rank) *interpreter {
	in := &interpreter{scope: scope{r: r}}
	in.env = starlark.StringDict{scopeName: &in.scope}
	in.thread.SetLocal(threadOwner, in)
	in.thread.OnMaxSteps = in.takeTurn
	in.thread.SetMaxExecutionSteps(turnSteps)
	return in
}

// threadOwner is the key under which a thread has its interpreter.
const threadOwner = "interpreter"

// rankOf returns the rank for which a thread runs.
func rankOf(t *starlark.Thread) *Rank { return t.Local(threadOwner).(*interpreter).scope.r }

// interpreter returns the rank's own interpreter, and makes it when there is none.
func (r *Rank) interpreter() *interpreter {
	in := r.running.Load()
	if in == nil {
		in = newInterpreter(r)
		r.running.Store(in)
		if r.stopped.Load() { // Cancel may have found no interpreter
			in.thread.Cancel("interrupted")
		}
	}
	return in
}

// depth returns how many calls are inside each other on this rank.
func (r *Rank) depth() int {
	if in := r.running.Load(); in != nil {
		return in.thread.CallStackDepth()
	}
	return 0
}

// Run executes c. The values that c assigns are in Vars, also when Run fails: with a *engine.Error for an
// erroneous MPI call that the program did not catch, otherwise with a *Error.
func (r *Rank) Run(c *Code) error {
	if c.native != nil {
		return c.native(r)
	}
	if c.steps != nil {
		return r.leftOff(r.runSteps(c))
	}
	p, err := c.program()
	if err != nil {
		return err
	}
	return r.leftOff(r.runWhole(c, p))
}

// leftOff ends the line that the program has begun to print. SystemExit without a failure is a good end.
func (r *Rank) leftOff(err error) error {
	r.endLine()
	if e := (*Error)(nil); errors.As(err, &e) && e.exits {
		return nil
	}
	return err
}

// Cancel makes the program of this rank fail with reason as soon as it computes again; a rank that
// waits in a call is not woken. Any goroutine may call it. It holds until Uncancel.
func (r *Rank) Cancel(reason string) {
	r.stopped.Store(true)
	if in := r.running.Load(); in != nil {
		in.thread.Cancel(reason)
	}
}

// Uncancel lets the rank run programs again.
func (r *Rank) Uncancel() {
	r.stopped.Store(false)
	if in := r.running.Load(); in != nil {
		in.thread.Uncancel()
	}
}

// position finds the innermost program frame: where the rank is in its text.
func (r *Rank) position() engine.Site {
	in := r.running.Load()
	if in == nil {
		return r.outside()
	}
	for depth := range in.thread.CallStackDepth() {
		if pos := in.thread.CallFrame(depth).Pos; pos.Line > 0 {
			return in.site(pos)
		}
	}
	return r.outside()
}

// outside returns where the rank is when no program frame tells.
func (r *Rank) outside() engine.Site {
	if r.at == nil {
		return engine.Site{}
	}
	return *r.at
}

// locate tells the engine where the next calls, which may block, stand in the text.
func (r *Rank) locate() {
	r.followAll()
	r.endTurn()
	r.P.At(r.position())
}

// Caches reports whether the rank's program made keyvals: without keyvals Finalize has nothing to do.
func (r *Rank) Caches() bool { return len(r.keyvals) > 0 }

// Finalize does as MPI_Finalize where the program ends, at the given place: it deletes the attributes of
// MPI_COMM_SELF.
func (r *Rank) Finalize(at *engine.Site) error {
	r.At(at)
	return r.P.Finalize()
}

// raise hands an MPI error that belongs to no communicator to the handler responsible for it, which
// also signs it. Other errors pass.
func (r *Rank) raise(err error) error {
	if e, ok := err.(*engine.Error); ok && len(e.Ranks) == 0 {
		return r.P.Raise(e)
	}
	return err
}

// At tells where the rank is when it makes calls outside a program: at a command. Nobody changes what site points
// to, which mostly is one place for all ranks.
func (r *Rank) At(site *engine.Site) {
	r.at = site
	r.P.At(*site)
}

// scopeName is the one predeclared name of a compiled program. No program can write it.
const scopeName = python.Scope

// resultName is the field that takes the values that Eval computes.
const resultName = "(result)"

// depthName is the field that each function reads first. Reading it is an error when recursion is too deep.
const depthName = "(depth)"

// maxCalls is how many calls of functions may be inside each other, as in Python, and
// maxWorldCalls how many in all ranks together. Each of these calls takes half a kilobyte.
const (
	maxCalls      = 1000
	maxWorldCalls = 1_000_000
)

// callsIn returns how many calls may be inside each other on one rank, in a world of so many ranks.
func callsIn(ranks int) int { return min(maxCalls, max(maxWorldCalls/ranks, 50)) }

// depth stops a recursion that would not end.
func (s *scope) depth() error {
	depth := s.r.depth()
	s.r.endLocals(depth)
	most := callsIn(s.r.P.Size())
	if depth <= most {
		return nil
	}
	return fmt.Errorf("more than %d nested calls: a recursion needs a case that ends it", most)
}

// scope is a rank as its program sees it: an object whose fields are the free names.
type scope struct {
	plainValue
	r      *Rank
	locals func(string) starlark.Value // of names that only the running eval has; nil: there are none
	result starlark.Value              // what the running eval computed
}

func (s *scope) String() string { return scopeName }
func (s *scope) Type() string   { return scopeName }

// Attr reads a free name: a local of the command, a variable, a predeclared name, or one of
// Starlark's that the program assigns somewhere else.
func (s *scope) Attr(name string) (starlark.Value, error) {
	if name[0] == '(' {
		if name == depthName {
			return starlark.True, s.depth()
		}
		if name == python.Caught {
			return s.r.handled, nil
		}
		return guards[name], nil
	}
	if s.locals != nil {
		if v := s.locals(name); v != nil {
			return v, nil
		}
	}
	if v := s.r.Vars.Get(name); v != nil {
		return v, nil
	}
	if a := predeclared.attrs[name]; a != nil {
		return a.of(s.r, nil)
	}
	if g := guards[name]; g != nil {
		return g, nil
	}
	if v := starlark.Universe[name]; v != nil {
		return v, nil
	}
	if isException(name) {
		return exceptionClass(name), nil
	}
	return nil, fmt.Errorf("%s has no value on this rank: the line that assigns it has not run here", name)
}

// AttrNames lists nothing: programs never hold the scope itself.
func (s *scope) AttrNames() []string { return nil }

// SetField assigns a free name.
func (s *scope) SetField(name string, v starlark.Value) error {
	if name == resultName {
		s.result = v
		return nil
	}
	if isLocal(name) {
		s.r.local(name, v)
		return nil
	}
	s.r.Assign(name, v, Now)
	return nil
}

// Open counts the handles of one kind ("group", "info", "keyval", ...) that one place of the program
// made on a rank and that were not freed.
type Open struct {
	Kind  string
	Call  engine.Call // of a request, what started it; CallNone elsewhere
	Where engine.Site
	Count int
}

// opened notes that the rank made a handle at its present place. The handle keeps the result, and calls closed
// on it when the program frees the handle. The result is nil when the world keeps no trace; closed takes nil, too.
func (r *Rank) opened(kind string) *Open { return r.openedBy(kind, engine.CallNone) }

func (r *Rank) openedBy(kind string, call engine.Call) *Open {
	if r == nil || r.unnoted || !r.P.Traced() {
		return nil
	}
	where := r.position()
	for i := len(r.open) - 1; i >= 0; i-- {
		if o := r.open[i]; o.Kind == kind && o.Call == call && o.Where == where {
			o.Count++
			return o
		}
	}
	o := &Open{kind, call, where, 1}
	r.rarely().open = append(r.open, o)
	return o
}

// closed notes that a handle was freed.
func (o *Open) closed() {
	if o != nil {
		o.Count--
	}
}

// Open lists the handles of this rank that were not freed, by the places that made them, in the order in which
// these places made their first handle. The world must be quiet.
func (r *Rank) Open() []Open {
	var list []Open
	for _, o := range r.open {
		if o.Count > 0 {
			list = append(list, *o)
		}
	}
	return list
}

// turnSteps is how many steps of Starlark a rank computes before it needs a turn, and how many it computes in a
// turn: less than a millisecond. Turns are the rights to compute for long. Thousands of ranks that all compute would
// keep the processors so busy that no goroutine gets to see Ctrl-C; so a rank without a turn waits for one.
const turnSteps = 10_000

// takeTurn lets the ranks that wait go first.
func (in *interpreter) takeTurn(t *starlark.Thread) {
	t.SetMaxExecutionSteps(t.Steps + turnSteps)
	in.turns++
	in.scope.r.endLap(in.turns)
	in.scope.r.nextTurn()
}

// nextTurn gives up the turn of r, if it has one, lets others go on, and waits for the next.
func (r *Rank) nextTurn() {
	r.endTurn()
	runtime.Gosched()
	if m := r.all.memory; m != nil {
		m.await(&r.stopped)
	}
	r.all.turns <- struct{}{}
	r.turn = true
}

// endTurn gives up the turn. It is called before the rank may block: the ranks that it waits for need turns, too.
func (r *Rank) endTurn() {
	if r.turn {
		<-r.all.turns
		r.turn = false
	}
}

// pause lets others go on, and returns an error when the program was cancelled. Code that computes for long calls it
// now and then: the scheduler does not interrupt code that only copies memory, so neither Ctrl-C nor another rank would
// get a processor.
func (r *Rank) pause() error {
	if r.stopped.Load() {
		return errStopped
	}
	if r.turn {
		r.nextTurn()
	} else {
		runtime.Gosched()
	}
	return nil
}

// errStopped ends the step of a program that was cancelled; the interpreter says why.
var errStopped = errors.New("interrupted")

// In a lap, all ranks together compute about allSteps; a rank computes not much more or less than these bounds. What ranks
// print in one lap is merged, and lines wait for ranks of the same lap: so a short lap shows lines early, and a long one
// shows equal lines once, though ranks compute for different times before they print them.
const (
	allSteps  = 8_000_000
	mostSteps = 1_000_000
	lessSteps = 100_000
)

// endLap ends a lap of the rank when it has taken enough turns.
func (r *Rank) endLap(turns int) {
	if lap := max(lessSteps, min(mostSteps, allSteps/r.P.Size())) / turnSteps; turns%lap == 0 {
		r.P.Lap()
	}
}

// keepPace waits while the rank has printed much that others have not come to: what it holds would grow without bound.
// Where nobody takes what is printed, it waits, too.
func (r *Rank) keepPace() {
	for wait := time.Millisecond; r.P.Ahead() && !r.stopped.Load(); wait = min(2*wait, 16*time.Millisecond) {
		r.endTurn()
		time.Sleep(wait)
	}
}

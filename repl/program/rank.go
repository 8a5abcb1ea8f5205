// Package program runs Starlark programs on the ranks of a world: every rank runs the same text on
// its own goroutine and makes MPI calls under mpi4py's names. Text is parsed and compiled once for
// all ranks; each rank has its own variables and its own thread. The package does not read files,
// cut a session into chunks, know the verbs of commands or print anything itself.
//
// The model: every free name of a program that Starlark does not define is a field of one object, the
// rank's scope. Assigning such a name stores the value into Rank.Vars at once; reading it looks there
// first, then among the predeclared names. So functions see later changes of the session's variables,
// and the values that a rank assigned before it failed or blocked can be looked at.
package program

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// Rank is what one MPI process needs to run programs. Only the process' goroutine may call its methods, but
// for Cancel and Uncancel; other goroutines may look at the Rank while the world is quiet.
type Rank struct {
	P    *engine.Process
	Vars starlark.StringDict // the session's variables as this rank has them

	// Memory bounds how much memory programs take; nil: nothing bounds it.
	Memory *Memory

	// Caught is the MPI error that the last expect_error met; nil when it met none.
	Caught *engine.Error

	thread  starlark.Thread
	stopped atomic.Bool                 // its program was cancelled
	guards  []guard                     // see guarded, made when one is first needed
	fresh   []string                    // variables that Assign made since TakeFresh
	turn    bool                        // it computes for long, and may
	env     starlark.StringDict         // the session under its one name
	locals  func(string) starlark.Value // of names that only the running Eval has; nil: there are none
	result  starlark.Value              // what the running Eval computed
	world   *Comm
	at      engine.Site // where the rank is when no program frame tells
	spare   *call       // storage for the next call
	checks  []Check
	count   map[engine.Site]int // executions of each expectation so far

	keyvals     []keyval                        // by id, after the predefined ones
	buffers     map[*engine.Comm]starlark.Value // attached for buffered sends
	open        []*Open                         // what handles were made, and where
	unnoted     bool                            // handles that are made now are not noted there
	environment *Info                           // INFO_ENV; nil until it is asked for
	copied      bool                            // the program copied a handle

	changes []Change // not handed over yet
	kept    []string // variables that held communicators
	lists   []listed // that variables hold
	making  []unmade
	inside  []local // variables of functions that run
}

// NewRank prepares p to run programs. It takes p.Local for itself.
func NewRank(p *engine.Process) *Rank {
	r := &Rank{P: p, Vars: starlark.StringDict{}}
	r.env = starlark.StringDict{scopeName: (*scope)(r)}
	r.limitTurns()
	p.Local = r
	return r
}

// TakeFresh lists the variables that this rank got since the last call of TakeFresh. The list is valid until
// the rank gets another variable.
func (r *Rank) TakeFresh() []string {
	list := r.fresh
	r.fresh = r.fresh[:0]
	return list
}

// Run executes c. The values that c assigns are in Vars, also when Run fails: with a *engine.Error for an
// erroneous MPI call that the program did not catch, otherwise with a *Error.
func (r *Rank) Run(c *Code) error {
	defer r.endTurn()
	_, err := c.program.Init(&r.thread, r.env)
	return r.failure(err)
}

// Eval computes the expressions of e, in order. A name for which locals has a value hides the variable of that
// name; locals may be nil. Eval fails like Run.
func (r *Rank) Eval(e *Exprs, locals func(name string) starlark.Value) ([]starlark.Value, error) {
	if e.program == nil {
		return nil, nil
	}
	r.locals = locals
	defer func() {
		r.endTurn()
		r.locals, r.result = nil, nil
	}()
	var rest starlark.Tuple
	if e.rest != nil {
		if _, err := e.rest.Init(&r.thread, r.env); err != nil {
			return nil, r.failure(err)
		}
		rest = r.result.(starlark.Tuple)
	}
	values := make([]starlark.Value, len(e.plain))
	for i, p := range e.plain {
		switch {
		case p.value != nil:
			values[i] = p.value
		case p.name != "":
			v, err := (*scope)(r).Attr(p.name)
			if err != nil {
				return nil, r.explainName(e)
			}
			values[i] = v
		default:
			values[i], rest = rest[0], rest[1:]
		}
	}
	return values, nil
}

// explainName runs the expressions, in which a name has no value, as a program: its error tells where the name
// stands.
func (r *Rank) explainName(e *Exprs) error {
	_, err := e.program.Init(&r.thread, r.env)
	return r.failure(err)
}

// Cancel makes the program of this rank fail with reason as soon as it computes again; a rank that
// waits in a call is not woken. Any goroutine may call it. It holds until Uncancel.
func (r *Rank) Cancel(reason string) {
	r.stopped.Store(true)
	r.thread.Cancel(reason)
}

// Uncancel lets the rank run programs again.
func (r *Rank) Uncancel() {
	r.stopped.Store(false)
	r.thread.Uncancel()
}

// Checks lists the expectations that this rank has checked so far, in order.
func (r *Rank) Checks() []Check { return r.checks }

// position finds the innermost program frame: where the rank is in its text.
func (r *Rank) position() engine.Site {
	for depth := range r.thread.CallStackDepth() {
		if pos := r.thread.CallFrame(depth).Pos; pos.Line > 0 {
			return engine.Site{File: pos.Filename(), Line: pos.Line}
		}
	}
	return r.at
}

// locate tells the engine where the next calls, which may block, stand in the text.
func (r *Rank) locate() {
	r.followAll()
	r.endTurn()
	r.P.At(r.position())
}

// raise hands an MPI error that belongs to no communicator to the handler responsible for it, which
// also signs it. Other errors pass.
func (r *Rank) raise(err error) error {
	if e, ok := err.(*engine.Error); ok && len(e.Ranks) == 0 {
		return r.P.Raise(e)
	}
	return err
}

// At tells where the rank is when it makes calls outside of a program: at a command.
func (r *Rank) At(site engine.Site) {
	r.at = site
	r.P.At(site)
}

// Value is what a predeclared name of programs is on this rank, such as MPI; nil for another name.
func (r *Rank) Value(name string) starlark.Value {
	v, err := predeclared.attr(r, nil, name)
	if err != nil {
		return nil
	}
	return v
}

// Attr is an attribute of a value of this rank.
func (r *Rank) Attr(of starlark.Value, name string) (starlark.Value, error) {
	if h, ok := of.(starlark.HasAttrs); ok {
		v, err := h.Attr(name)
		if v != nil || err != nil {
			return v, r.raise(err)
		}
	}
	return nil, fmt.Errorf("%s has no .%s", describe(of), name)
}

// Apply calls a function, as a program would. It fails like Run, but a *Error has no place. MPI's own functions
// are called without the interpreter, because a million ranks may wait in them, each with its stack.
func (r *Rank) Apply(fn starlark.Value, args ...starlark.Value) (starlark.Value, error) {
	defer r.endTurn()
	f, ok := fn.(*function)
	if !ok {
		v, err := starlark.Call(&r.thread, fn, args, nil)
		return v, r.failure(err)
	}
	v, err := f.CallInternal(&r.thread, args, nil)
	var mpi *engine.Error
	var eval *starlark.EvalError
	switch {
	case err == nil || errors.As(err, &mpi) && len(mpi.Ranks) > 0:
		return v, err
	case errors.As(err, &eval):
		return nil, r.failure(err)
	case mpi != nil:
		return nil, r.P.Raise(mpi)
	}
	e := &Error{Message: err.Error()}
	e.because(err)
	return nil, e
}

// Unnoted begins (true) or ends (false) a stretch in which new handles do not count as never freed. A handle that
// is opened on the way to a result, such as the group that a communicator is made of, has no name by which the
// program could free it.
func (r *Rank) Unnoted(begin bool) { r.unnoted = begin }

// scopeName is the one predeclared name of a compiled program. No program can write it.
const scopeName = "(session)"

// resultName is the field that takes the values that Eval computes.
const resultName = "(result)"

// depthName is the field that each function reads first. Reading it is an error when recursion is too deep.
const depthName = "(depth)"

// maxCalls is how many calls of functions may be inside of each other, as in Python, and
// maxWorldCalls how many in all ranks together. Each of these calls takes half a kilobyte.
const (
	maxCalls      = 1000
	maxWorldCalls = 1_000_000
)

// callsIn is how many calls may be inside of each other on one rank, in a world of so many ranks.
func callsIn(ranks int) int { return min(maxCalls, max(maxWorldCalls/ranks, 50)) }

// depth stops a recursion that would not end.
func (s *scope) depth() error {
	(*Rank)(s).endLocals(s.thread.CallStackDepth())
	most := callsIn(s.P.Size())
	if s.thread.CallStackDepth() <= most {
		return nil
	}
	return fmt.Errorf("more than %d calls are inside of each other: a recursion needs a case in which it ends", most)
}

// scope is a rank as its program sees it: an object whose fields are the free names.
type scope Rank

func (s *scope) String() string        { return scopeName }
func (s *scope) Type() string          { return scopeName }
func (s *scope) Freeze()               {}
func (s *scope) Truth() starlark.Bool  { return true }
func (s *scope) Hash() (uint32, error) { return 0, errors.New("unhashable: " + scopeName) }

// Attr reads a free name: a local of the command, a variable, a predeclared name, or one of
// Starlark's that the program assigns somewhere else.
func (s *scope) Attr(name string) (starlark.Value, error) {
	if name[0] == '(' {
		if name == depthName {
			return starlark.True, s.depth()
		}
		return (*Rank)(s).guarded(name), nil
	}
	if s.locals != nil {
		if v := s.locals(name); v != nil {
			return v, nil
		}
	}
	if v := s.Vars[name]; v != nil {
		return v, nil
	}
	if a := predeclared.attrs[name]; a != nil {
		return a.of((*Rank)(s), nil)
	}
	if g := (*Rank)(s).guarded(name); g != nil {
		return g, nil
	}
	if v := starlark.Universe[name]; v != nil {
		return v, nil
	}
	return nil, fmt.Errorf("%s has no value on this rank: what assigns it has not run here", name)
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
		(*Rank)(s).local(name, v)
		return nil
	}
	(*Rank)(s).Assign(name, v)
	return nil
}

// turns are the rights to compute for long. Thousands of ranks that all compute would keep the processors so
// busy that no goroutine gets to see Ctrl-C; so a rank without a turn waits here.
var turns = make(chan struct{}, runtime.GOMAXPROCS(0))

// turnSteps is how many steps of Starlark a rank computes before it needs a turn, and how many it computes in a
// turn: less than a millisecond.
const turnSteps = 10_000

// limitTurns makes the thread of r ask for turns.
func (r *Rank) limitTurns() {
	r.thread.OnMaxSteps = r.takeTurn
	r.thread.SetMaxExecutionSteps(turnSteps)
}

// takeTurn lets the ranks that wait go first.
func (r *Rank) takeTurn(t *starlark.Thread) {
	t.SetMaxExecutionSteps(t.Steps + turnSteps)
	r.nextTurn()
}

// nextTurn gives up the turn of r, if it has one, lets others go on, and waits for the next.
func (r *Rank) nextTurn() {
	r.endTurn()
	runtime.Gosched()
	turns <- struct{}{}
	r.turn = true
}

// endTurn is called before the rank may block: the ranks that it waits for need turns, too.
func (r *Rank) endTurn() {
	if r.turn {
		<-turns
		r.turn = false
	}
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
	r.open = append(r.open, o)
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

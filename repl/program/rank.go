package program

import (
	"sync/atomic"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// Rank is what one MPI process needs to run programs. Its methods, but for Cancel and Uncancel,
// belong to the process' goroutine; others may look at it while the world is quiet.
type Rank struct {
	P    *engine.Process
	Vars starlark.StringDict // the session's variables as this rank has them

	// Memory bounds what programs take; nil: nothing does.
	Memory *Memory

	// Caught is the MPI error that the last expect_error met; nil when there was none.
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

	keyvals []keyval                        // by id, after the predefined ones
	buffers map[*engine.Comm]starlark.Value // attached for buffered sends
	open    []*Open                         // what handles were made, and where
	unnoted bool                            // handles that are made now are not noted there

	changes []Change // not handed over yet
	kept    []string // variables that held communicators
	lists   []listed // that variables hold
	making  []unmade
	inside  []local // variables of functions that run
}

// NewRank prepares p to run programs. It takes p.Local for itself.
func NewRank(p *engine.Process) *Rank {
	r := &Rank{P: p, Vars: starlark.StringDict{}}
	r.env = starlark.StringDict{sessionName: (*session)(r)}
	r.limitTurns()
	p.Local = r
	return r
}

// TakeFresh lists the variables that this rank got since it was last asked. The list is good until it gets
// another one.
func (r *Rank) TakeFresh() []string {
	list := r.fresh
	r.fresh = r.fresh[:0]
	return list
}

// Run executes c. What it assigns is in Vars, also when it fails: with a *engine.Error for an
// erroneous MPI call that the program did not catch, otherwise with a *Error.
func (r *Rank) Run(c *Code) error {
	defer r.endTurn()
	_, err := c.program.Init(&r.thread, r.env)
	return r.failure(err)
}

// Eval computes the expressions of e, in order. Names of which locals has a value hide variables; nil is
// none. It fails like Run.
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
			v, err := (*session)(r).Attr(p.name)
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

// explainName runs the expressions as a program, one of whose names has no value: that tells where.
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

// Checks lists the expectations that this rank has met so far, in order.
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

// locate tells the engine where the next calls are written, which may block.
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

package program

import (
	"errors"
	"runtime"

	"go.starlark.net/starlark"
)

// turnSteps is how many steps of Starlark a rank computes before it needs a turn, and how many it computes in a
// turn: less than a millisecond. Turns are the rights to compute for long. Thousands of ranks that all compute would
// keep the processors so busy that no goroutine gets to see Ctrl-C; so a rank without a turn waits for one.
const turnSteps = 10_000

// takeTurn lets the ranks that wait go first.
func (in *interpreter) takeTurn(t *starlark.Thread) {
	t.SetMaxExecutionSteps(t.Steps + turnSteps)
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

// endTurn is called before the rank may block: the ranks that it waits for need turns, too.
func (r *Rank) endTurn() {
	if r.turn {
		<-r.all.turns
		r.turn = false
	}
}

// pause lets others go on, and is an error when the program was cancelled: what computes for long asks it now and then.
// Without it neither Ctrl-C nor another rank would get a processor: the scheduler interrupts nothing that only copies
// memory.
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

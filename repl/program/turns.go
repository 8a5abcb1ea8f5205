package program

import (
	"errors"
	"runtime"
	"time"

	"go.starlark.net/starlark"
)

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

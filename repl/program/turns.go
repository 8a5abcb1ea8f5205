package program

import (
	"runtime"

	"go.starlark.net/starlark"
)

// turns are the rights to compute for long. Thousands of ranks that all compute keep the processors
// so busy that nobody gets to see Ctrl-C; those without a turn wait here instead.
var turns = make(chan struct{}, runtime.GOMAXPROCS(0))

// turnSteps is how many steps of Starlark a rank computes before it needs a turn, and in one: less
// than a millisecond.
const turnSteps = 10_000

// limitTurns makes the thread of r ask for turns.
func (r *Rank) limitTurns() {
	r.thread.OnMaxSteps = r.takeTurn
	r.thread.SetMaxExecutionSteps(turnSteps)
}

// takeTurn lets the ranks that wait go first.
func (r *Rank) takeTurn(t *starlark.Thread) {
	t.SetMaxExecutionSteps(t.Steps + turnSteps)
	r.endTurn()
	turns <- struct{}{}
	r.turn = true
}

// endTurn comes before what may block: the others that it waits for need turns, too.
func (r *Rank) endTurn() {
	if r.turn {
		<-turns
		r.turn = false
	}
}

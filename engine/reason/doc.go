// Package reason reads the trace of a world backwards. It says why a process holds the communicator
// that it holds, or MPI_COMM_NULL, and takes a collective call apart into what happens on the way
// from contributions to replies.
//
// Both are pure functions of a snapshot: they work the results out again from what the processes
// passed, and know nothing of the engine's own tables. Tests hold the two against each other.
package reason

import (
	"fmt"

	"commsplit/engine"
)

// Held is what the variable of one rank holds.
type Held struct {
	Comm    int            // id of the communicator, also of a freed one; -1: MPI_COMM_NULL
	Origin  *engine.Origin // of a MPI_COMM_NULL that a call returned
	Skipped *Skipped       // of a MPI_COMM_NULL for a line that made no call on this rank
	Unset   string         // why the variable holds no communicator at all; "": it does
}

// Returned is the step that returned a MPI_COMM_NULL, also one because of which a later line made no
// call; 0 when none did.
func (h Held) Returned() int {
	switch {
	case h.Origin != nil:
		return h.Origin.Step
	case h.Skipped != nil && h.Skipped.Of != nil:
		return h.Skipped.Of.Returned()
	}
	return 0
}

// Skipped is a line of a session that made its call on other ranks only.
type Skipped struct {
	Where  string // "<input>:3"
	Handle string // what the line acted on: "half"
	Of     *Held  // what Handle held on this rank; nil: the line was not for this rank
}

// Explanation says why some ranks hold what they hold: facts of the call that gave it to them, and
// the rule of the standard that these meet.
type Explanation struct {
	Ranks engine.Ranks // world ranks that it holds for, all for the same reason
	Comm  int          // the communicator that they hold; -1: none
	Unset bool         // they hold nothing that is a communicator, not even MPI_COMM_NULL
	Freed bool         // it was freed since
	Full  bool         // it is about one rank alone, and tells all of it
	Rank  int          // their rank in Comm when it is about one of them, otherwise -1
	Step  *engine.Step // the call; nil when no step of the trace made it
	Facts []Fact
	Order *Order // of the ranks of the communicator; nil when nothing was sorted
	Tried []Fact // hardware resource types that an unguided split tried, and what came of it
	Rule  string // "Processes with the same color form a communicator. ..."
	In    string // where the rule stands: "MPI-5.0 §7.4.2"
	Of    *Explanation
}

// Fact is one thing that counted.
type Fact struct{ Name, Text string }

// add adds a fact.
func (e *Explanation) add(name, format string, args ...any) {
	e.Facts = append(e.Facts, Fact{name, fmt.Sprintf(format, args...)})
}

// Order is the ranks of one communicator sorted by (key, old rank).
type Order struct {
	Seats []Seat
	Focus int // index of the rank that is explained; -1: all of them are
}

// Seat is one row of an Order.
type Seat struct {
	Key, Old, World int32
	Tie             bool // its key is that of a neighbor, so that the old rank decides
}

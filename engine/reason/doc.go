// Package reason reads the trace of a world backwards. It explains why a process holds its communicator, or
// MPI_COMM_NULL, and takes a collective call apart into the phases from contributions to replies.
//
// Explanations and phases are pure functions of a snapshot: they work the results out again from the arguments of the
// calls, without the engine's own tables. Tests compare them with the engine's results.
package reason

import (
	"fmt"

	"codeberg.org/commsplit/commsplit/engine"
)

// Held has the communicator that a rank holds in a variable, or tells why it holds none.
type Held struct {
	Comm    int            // id of the communicator, also of a freed one; -1: MPI_COMM_NULL
	Origin  *engine.Origin // of an MPI_COMM_NULL that a call returned
	Skipped *Skipped       // of an MPI_COMM_NULL of a line that made no call on this rank
	Unset   string         // why the variable holds no communicator at all, not even MPI_COMM_NULL; else ""
}

// Returned returns the step that returned the MPI_COMM_NULL or, for a line that made no call, that of the handle on
// which the line acted; 0 when no step did.
func (h Held) Returned() int {
	switch {
	case h.Origin != nil:
		return h.Origin.Step
	case h.Skipped != nil && h.Skipped.Of != nil:
		return h.Skipped.Of.Returned()
	}
	return 0
}

// Skipped is a line of a session that made its call only on other ranks.
type Skipped struct {
	Where  string // "<input>:3"
	Handle string // the handle that the line acted on: "half"
	Of     *Held  // the value of this handle on this rank; nil: the line was not for this rank
}

// Explanation tells why some ranks hold what they hold: the facts of the call that gave it to them, and the rule of the
// standard for these facts. All the ranks have the same reason.
type Explanation struct {
	Ranks engine.Ranks // world ranks
	Comm  int          // the communicator that the ranks hold; -1: none
	Unset bool         // the ranks hold no communicator, not even MPI_COMM_NULL
	Freed bool         // the communicator was freed since
	Full  bool         // the explanation is about one rank alone, and complete
	Rank  int          // rank in Comm when the explanation is about one rank, otherwise -1
	Step  *engine.Step // the call; nil when no step of the trace gave the ranks what they hold
	Facts []Fact
	Order *Order // the ranks of the communicator in order; nil when nothing was sorted
	Tried []Fact // hardware resource types that an unguided split tried, each with the result
	Rule  string // "Processes with the same color form a communicator. ..."
	In    string // section of the rule: "MPI-5.0 §7.4.2"
	Of    *Explanation
}

// Fact is a fact that led to the result.
type Fact struct{ Name, Text string }

// add adds a fact.
func (e *Explanation) add(name, format string, args ...any) {
	e.Facts = append(e.Facts, Fact{name, fmt.Sprintf(format, args...)})
}

// Order is the ranks of a communicator sorted by (key, old rank).
type Order struct {
	Seats []Seat
	Focus int // index of the rank that is explained; -1: all ranks are
}

// Seat is a row of an Order.
type Seat struct {
	Key, Old, World int32
	Tie             bool // a neighbor in the order has the same key, so that the old rank decides
}

// RuleOf returns the rule for a call that makes no communicator, and its section; "" for other calls.
func RuleOf(c engine.Call) (rule, in string) {
	switch c {
	case engine.CallBarrier:
		return barrierRule, c.Rule()
	case engine.CallFree:
		return pendingRule, c.Rule()
	case engine.CallDisconnect:
		return disconnectRule, c.Rule()
	case engine.CallHWInfo:
		return hwInfoRule, c.Rule()
	case engine.CallBind:
		return bindRule, engine.CallSplitType.Rule()
	}
	return "", ""
}

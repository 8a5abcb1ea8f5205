// Package render prints an immutable view of a world as text: the hardware with the ranks on it, a partition over
// that hardware, translation tables, the lineage of communicators, the trace, explanations, reports. The package
// also has the words and names that all other pictures use. The package computes nothing about MPI and decides
// nothing about terminals: width and colors come in a Style, results go to an io.Writer. Other forms of a view
// have packages of their own: outline folds hardware, figure draws for documents, page writes HTML, document JSON,
// source programs.
//
// The model: a View is one moment of a session. Every text output is a page of lines made of styled spans; no line
// is wider than Style.Width. A picture that would be large is folded: equal siblings of a tree into one line,
// regular rows of a table into one row, lists of ranks into runs. The same view gives the same bytes every time.
package render

import (
	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// View is everything that pictures and documents are made from. No output changes a View.
type View struct {
	Snapshot     *engine.Snapshot
	Placement    placement.Policy // how the ranks were placed, in the user's words
	Psets        []engine.Pset
	Handles      []Handle                // variables that hold communicators, in the order to show them
	Before       func(step int) []Handle // the variables after an earlier step; nil when unknown
	Called       func(id int) string     // the first variable that held a communicator, "" for none; nil when unknown
	Expectations Expectations
	Errors       []*engine.Error
	Deadlock     *engine.Deadlock
	Stuck        []Stuck           // the moments at which ranks were blocked, in order
	Leaks        []Leak            // what was never freed; nil unless asked for
	Unfinished   []Unfinished      // what never completed, at the end of a program
	Stopped      []Stop            // why the program ended before its end, apart from Errors and Deadlock
	Choices      []engine.Choice   // where a receive from any source had messages of several senders to take
	As           *deviation.Report // what a library would do differently; nil unless asked for
	Timeline     *Timeline         // of the recording that the session replays; nil without one
	Contexts     int               // context ids of a process; 0 when unknown
	Script       []ScriptLine      // the lines of the session, for programs whose comments quote them
}

// Stuck is a moment between two steps at which ranks were blocked.
type Stuck struct {
	Step int   // the last step before it
	View *View // of the session then
}

// Stop is a reason why a program ended before its end that is not an error of MPI: a line that could not be read, an error
// of the program, a limit, Ctrl-C.
type Stop struct {
	Where   string       // "demo.py:7:3"; "" for no place
	Ranks   engine.Ranks // that made the error; none where no rank ran the line
	Message string
}

// ScriptLine is a line of a script.
type ScriptLine struct {
	Where string // "demo.py:7"
	Text  string // the line as it was written; of a note, the text of the note
	Note  bool   // the line is a note
	Void  bool   // the line ended in an expected deadlock, and was taken back
}

// Handle is a variable that holds each rank's own communicator.
type Handle struct {
	Name  string
	IDs   []int32         // by world rank: id of a communicator; -1: MPI_COMM_NULL; Unset: neither
	Lists map[int][]int32 // by world rank, for ranks that hold a list of communicators instead

	Beside []Handle // variables whose letters come before its own, where a picture shows several
}

// Unset is the id for a variable that holds no communicator, not even MPI_COMM_NULL: the rank has not yet made the
// call that sets the variable, or the variable holds another value.
const Unset = -2

// Expectations counts the expectations of a script.
type Expectations struct {
	Passed, Failed int
	Failures       []Failure
	Points         []Point // all expectations, by file and line
}

// Point is an expectation, met or not.
type Point struct {
	Where   string   // "demo.py:9", "" when unknown
	Text    string   // the expectation in words
	Failure *Failure // nil when the expectation is met
}

// Failure is an expectation that failed. Message may have several lines.
type Failure struct {
	Where   string // "demo.py:9", "" when unknown
	Ranks   engine.Ranks
	Message string
	Source  string        // the line of the script, "" when the script is not available
	At      engine.Moment // when the failure was found
}

// Event is something that happened beside the calls of the trace. A list of events is in the order in which they
// happened; Step is how many calls came before the event. The other fields say what happened: only one is set,
// except that Question comes with Line and Drawn with Typed.
type Event struct {
	Step     int
	Line     *engine.Line  // an output or note of ranks
	Question *Question     // set together with Line, when the line asks a question
	Caught   *engine.Error // an error that the program survived
	Failure  *Failure      // an expectation that was not met
	Typed    string        // a line without a call in the trace: a command that only looks, or a line that was taken back
	Called   string        // a call that was taken back, in words
	Drawn    string        // the picture that the line Typed drew
	Locked   *View         // the moment of an expected deadlock, whose calls were then taken back
}

// Question is a question to the reader.
type Question struct {
	Verdict string   // the result, for a reader who predicts nothing
	Answer  string   // the right prediction; "" when none can be judged
	Why     string   // the reason, for a reader who predicts wrongly; "" when the script gives none
	Judge   *Judge   // nil when no prediction can be judged
	Lines   []string // the lines whose calls the question is about, as written
}

// Judge decides whether a prediction is right, from its words. A prediction is right when
type Judge struct {
	Words   []string `json:"words,omitempty"`   // it has these words,
	Set     bool     `json:"set,omitempty"`     // sorted, when their order does not matter;
	Means   []string `json:"means,omitempty"`   // or, if there are any, it begins with one of these
	Against []string `json:"against,omitempty"` // and has none of these
}

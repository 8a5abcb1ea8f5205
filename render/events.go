package render

import "commsplit/engine"

// Event is one thing that happened beside the calls of the trace. A list of them is in the order in which
// they happened; Step is how many calls came before it. One of the other fields tells what it is.
type Event struct {
	Step     int
	Line     *engine.Line  // what ranks said, or narrated
	Question *Question     // besides, when Line asks it
	Caught   *engine.Error // an error that the program survived
	Failure  *Failure      // an expectation that was not met
	Typed    string        // a line that leaves no call in the trace: it looks at something, or was taken back
	Called   string        // a call that was taken back, in words
	Drawn    string        // what Typed drew
	Locked   *View         // ranks were blocked, as was expected; then what led there was taken back
}

// Question is one that the reader is asked.
type Question struct {
	Verdict string   // what came, for those who do not predict
	Answer  string   // what is right; "" when no prediction can be judged
	Judge   *Judge   // nil when none can
	Lines   []string // whose calls it is about, as written
}

// Judge tells of the words of a prediction whether it is right.
type Judge struct {
	Words   []string `json:"words,omitempty"`   // it has these words,
	Set     bool     `json:"set,omitempty"`     // sorted, when their order does not matter;
	Means   []string `json:"means,omitempty"`   // or, if there are such, it begins with one of these
	Against []string `json:"against,omitempty"` // and has none of these
}

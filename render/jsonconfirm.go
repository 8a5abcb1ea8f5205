package render

import (
	"io"

	"commsplit/engine/deviation"
)

// ConfirmDoc is how a session compares with a run under a real MPI.
type ConfirmDoc struct {
	Version     int          `json:"version"`
	Verdict     string       `json:"verdict"`
	Library     string       `json:"library"`
	Ranks       int          `json:"ranks"`
	Calls       int          `json:"constructors"`
	Handles     int          `json:"handles"`
	Errors      int          `json:"erroneous_calls"`
	Findings    []FindingDoc `json:"findings"`
	NotCompared []GapDoc     `json:"not_compared"`
	Deadlock    *string      `json:"deadlock"`
}

// FindingDoc is one thing that is not the same.
type FindingDoc struct {
	Kind       string     `json:"kind"`
	Handle     *string    `json:"handle"`
	Ranks      string     `json:"ranks"`
	Step       *int       `json:"step"`
	Call       *string    `json:"call"`
	Where      string     `json:"where"`
	Expected   string     `json:"expected"`
	Found      string     `json:"found"`
	Deviations []KnownDoc `json:"deviations"`
	Rule       *string    `json:"rule"`
}

// KnownDoc is a deviation of a library that explains a finding, and the section that it leaves.
type KnownDoc struct {
	Deviation string `json:"deviation"`
	Step      int    `json:"step"`
	Call      string `json:"call"`
	Where     string `json:"where"`
	Text      string `json:"text"`
	Rule      string `json:"rule"`
	Section   string `json:"section"`
	Source    string `json:"source"`
}

// GapDoc is what was not compared for one reason.
type GapDoc struct {
	What []string `json:"what"`
	Why  string   `json:"why"`
}

// KnownDeviation is a note of a deviation as documents have it.
func KnownDeviation(n *deviation.Note) KnownDoc {
	return KnownDoc{n.Deviation, n.Step, n.Call.String(), n.Where, n.Text, n.Rule, n.Call.Rule(), n.Source}
}

// ConfirmJSON writes the document.
func ConfirmJSON(w io.Writer, d *ConfirmDoc) error { return indentedJSON(w, d) }

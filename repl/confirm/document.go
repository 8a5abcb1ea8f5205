package confirm

import (
	"encoding/json"
	"io"

	"commsplit/engine"
)

// The shape of the JSON document, a type for each of its parts.

type reportDoc struct {
	Version     int          `json:"version"`
	Verdict     string       `json:"verdict"`
	Library     string       `json:"library"`
	Ranks       int          `json:"ranks"`
	Calls       int          `json:"constructors"`
	Handles     int          `json:"handles"`
	Errors      int          `json:"erroneous_calls"`
	Findings    []findingDoc `json:"findings"`
	NotCompared []gapDoc     `json:"not_compared"`
	Deadlock    *string      `json:"deadlock"`
}

type findingDoc struct {
	Kind       string         `json:"kind"`
	Handle     *string        `json:"handle"`
	Ranks      string         `json:"ranks"`
	Step       *int           `json:"step"`
	Call       *string        `json:"call"`
	Where      string         `json:"where"`
	Expected   string         `json:"expected"`
	Found      string         `json:"found"`
	Deviations []deviationDoc `json:"deviations"`
	Rule       *string        `json:"rule"`
}

type deviationDoc struct {
	Deviation string `json:"deviation"`
	Step      int    `json:"step"`
	Call      string `json:"call"`
	Where     string `json:"where"`
	Text      string `json:"text"`
	Rule      string `json:"rule"`
	Section   string `json:"section"`
	Source    string `json:"source"`
}

type gapDoc struct {
	What []string `json:"what"`
	Why  string   `json:"why"`
}

// JSON writes the report as a document.
func (r *Report) JSON(w io.Writer) error {
	d := reportDoc{1, r.Verdict(), r.Library.Name, r.Ranks, r.Calls, r.Handles, r.Errors, []findingDoc{}, []gapDoc{}, nil}
	for _, f := range r.Findings {
		doc := findingDoc{
			Kind: f.Kind.String(), Handle: orNull(f.Handle), Ranks: f.Ranks.String(), Where: f.Where,
			Expected: f.Expected, Found: f.Found, Deviations: []deviationDoc{}, Rule: orNull(f.Rule),
		}
		if f.Step > 0 {
			doc.Step = &f.Step
		}
		if f.Call != engine.CallNone {
			doc.Call = orNull(f.Call.String())
		}
		for _, n := range f.Why {
			doc.Deviations = append(doc.Deviations, deviationDoc{
				n.Deviation, n.Step, n.Call.String(), n.Where, n.Text, n.Rule, n.Call.Rule(), n.Source,
			})
		}
		d.Findings = append(d.Findings, doc)
	}
	for _, g := range r.Gaps {
		d.NotCompared = append(d.NotCompared, gapDoc(g))
	}
	if r.Deadlock != nil {
		d.Deadlock = &r.Deadlock.Message
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(d)
}

// orNull is null for "".
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

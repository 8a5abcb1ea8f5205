package confirm

import (
	"io"

	"commsplit/engine"
	"commsplit/render"
)

// JSON writes the report as a document.
func (r *Report) JSON(w io.Writer) error {
	d := render.ConfirmDoc{
		Version: 1, Verdict: r.Verdict(), Library: r.Library.Name, Ranks: r.Ranks, Calls: r.Calls, Handles: r.Handles,
		Errors: r.Errors, Findings: []render.FindingDoc{}, NotCompared: []render.GapDoc{},
	}
	for i := range r.Findings {
		d.Findings = append(d.Findings, r.Findings[i].document())
	}
	for _, g := range r.Gaps {
		d.NotCompared = append(d.NotCompared, render.GapDoc(g))
	}
	if r.Deadlock != nil {
		d.Deadlock = &r.Deadlock.Message
	}
	return render.ConfirmJSON(w, &d)
}

func (f *Finding) document() render.FindingDoc {
	doc := render.FindingDoc{
		Kind: f.Kind.String(), Handle: orNull(f.Handle), Ranks: f.Ranks.String(), Where: f.Where,
		Expected: f.Expected, Found: f.Found, Deviations: []render.KnownDoc{}, Rule: orNull(f.Rule),
	}
	if f.Step > 0 {
		doc.Step = &f.Step
	}
	if f.Call != engine.CallNone {
		doc.Call = orNull(f.Call.String())
	}
	for i := range f.Why {
		doc.Deviations = append(doc.Deviations, render.KnownDeviation(&f.Why[i]))
	}
	return doc
}

// orNull is null for "".
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

package replay

import (
	"io"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
)

// JSON writes the report as a document.
func (r *Report) JSON(w io.Writer) error {
	rec := r.Recording
	peak, rank := rec.Peak()
	d := document.Replay{
		Version: 1, Verdict: r.Verdict(), Library: rec.Library.Name, Ranks: len(rec.Processes), Calls: int(rec.CallCount()),
		Communicators: rec.CommCount(), Peak: int(peak), PeakRank: rank, Missing: rec.Missing().String(), Truncated: rec.Truncated().String(),
		Crashed: rec.Crashed().String(), Killed: rec.Killed().String(),
		Compared: 0, Findings: []document.Finding{}, Sites: []document.Place{}, Notes: append([]string{}, r.Notes...),
	}
	if r.Held != nil {
		d.Compared, d.Findings = r.Held.Calls, r.Held.Documents()
	}
	if r.Deadlock != nil {
		d.Deadlock = &r.Deadlock.Message
	}
	for _, s := range r.Sites {
		d.Sites = append(d.Sites, r.site(s))
	}
	return document.Write(w, &d)
}

func (r *Report) site(s *Site) document.Place {
	doc := document.Place{
		Place: s.Site.String(), Function: s.Site.Function(), Call: s.Call, Ranks: s.Ranks.String(), Calls: int(s.Calls), Communicators: s.Comms,
		Made: int(s.Made), Left: int(s.Alive), Peak: int(s.Peak), Most: s.Most, Trend: string(s.Trend()), Leaks: s.Trend() == render.Leaking, Every: int(s.Every()), Smallest: s.Smallest, Largest: s.Largest,
		Equal: s.Equal, Parents: s.Parents, Took: int(s.Took), Wait: int(s.Wait), First: s.First, Last: s.Last,
	}
	doc.Callers = append([]string{}, s.Site.Callers()...)
	doc.Also = []string{}
	for _, also := range s.Also {
		doc.Also = append(doc.Also, also.Name())
	}
	doc.Growth = []document.Alive{}
	for _, p := range s.Growth {
		doc.Growth = append(doc.Growth, document.Alive{At: int(p.At), Alive: int(p.Alive)})
	}
	if r.Hardware && s.Comms > 0 {
		doc.Spans = spans(&s.Spans)
	}
	if r.Recording.Messages {
		doc.Unused = &s.Unused
	}
	if s.After != nil {
		doc.After = spans(s.After)
	}
	return doc
}

func spans(s *render.Spans) *document.Spans {
	return &document.Spans{
		Hosts: []int{s.Hosts.Low, s.Hosts.High}, Packages: []int{s.Packages.Low, s.Packages.High}, NUMA: []int{s.NUMA.Low, s.NUMA.High},
	}
}

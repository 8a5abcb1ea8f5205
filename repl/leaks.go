package repl

import (
	"fmt"

	"commsplit/engine"
	"commsplit/render"
)

// ViewLeaks is View with the table of what was never freed.
func (s *Session) ViewLeaks() *render.View {
	v := s.View()
	found := s.world.Leaks()
	told := map[string]bool{} // places of requests that the engine tells more about
	for _, l := range found {
		told[l.Where] = told[l.Where] || l.Kind == engine.LeakedReceive || l.Kind == engine.LeakedDup
	}
	var handles []render.Leak
	for _, o := range s.Open() {
		if o.Kind == "request" && told[o.Where] {
			continue
		}
		what := o.Kind
		if o.Count > 1 {
			what = fmt.Sprintf("%d %ss", o.Count, o.Kind)
		}
		handles = append(handles, render.Leak{What: what, Where: o.Where, Ranks: o.Ranks})
	}
	v.TellLeaks(found, handles)
	return v
}

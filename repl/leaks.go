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
	var handles []render.Leak
	for _, o := range s.untold(found) {
		what := o.Kind
		if o.Count > 1 {
			what = fmt.Sprintf("%d %ss", o.Count, o.Kind)
		}
		handles = append(handles, render.Leak{What: what, Where: o.Where, Ranks: o.Ranks})
	}
	v.TellLeaks(found, handles)
	return v
}

// ViewEnd is View at the end of a program, or ViewLeaks, with what never completed. A program that failed or
// hangs came to no end, so nothing of it is told then.
func (s *Session) ViewEnd(leaks bool) *render.View {
	v := s.View()
	if leaks {
		v = s.ViewLeaks()
	}
	if s.failure != nil || s.blocked >= 0 {
		return v
	}
	found := s.world.Unfinished()
	v.TellUnfinished(found)
	for _, o := range s.untold(found) {
		if o.Kind == "request" {
			v.Unfinished = append(v.Unfinished, render.UncompletedRequest(o.Call, o.Count, o.Ranks, o.Where))
		}
	}
	return v
}

// untold lists the open handles but for requests that the engine tells more about.
func (s *Session) untold(found []engine.Leak) []OpenHandle {
	told := map[string]bool{} // places of these
	for _, l := range found {
		told[l.Where] = told[l.Where] || l.Kind == engine.LeakedReceive || l.Kind == engine.LeakedDup
	}
	var list []OpenHandle
	for _, o := range s.Open() {
		if o.Kind != "request" || !told[o.Where] {
			list = append(list, o)
		}
	}
	return list
}

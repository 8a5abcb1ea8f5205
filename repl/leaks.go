package repl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
)

// mostLeft is how many leaks a failed expect_no_leaks names.
const mostLeft = 4

// judgeLeaks decides the expectations of expect_no_leaks, now that the world is quiet. A failed expectation fails on
// all ranks that came to it.
func judgeLeaks(s *Session) {
	var found []string
	judged := false
	for _, r := range s.Ranks {
		for _, k := range r.Undecided() {
			if !judged {
				found, judged = leftBy(s), true
			}
			if k.OK = len(found) == 0; !k.OK {
				k.Expected, k.Found = "nothing", strings.Join(found, "; ")
			}
		}
	}
}

// leftBy lists the objects that were never freed or completed, at most mostLeft of them.
func leftBy(s *Session) []string {
	if s.failure != nil || s.blocked >= 0 {
		return []string{"a program that did not come to its end"}
	}
	var list []string
	leaks := s.ViewLeaks().Leaks
	for i, l := range leaks {
		if i == mostLeft {
			list = append(list, fmt.Sprintf("and %d more", len(leaks)-i))
			break
		}
		list = append(list, l.String())
	}
	return list
}

// ViewLeaks describes the session as View does, with the table of the objects that were never freed.
func (s *Session) ViewLeaks() *render.View {
	v := s.View()
	found := s.world.Leaks()
	var handles []render.Leak
	for _, o := range untold(s, found) {
		what := o.Kind
		if o.Count > 1 {
			what = fmt.Sprintf("%d %ss", o.Count, o.Kind)
		}
		handles = append(handles, render.Leak{What: what, Where: o.Where, Ranks: o.Ranks, Told: o.Kind == "request"})
	}
	v.TellLeaks(found, handles)
	return v
}

// ViewEnd describes the session at the end of a program, as ViewLeaks or View does, with the operations that never
// completed. A program that failed or hangs has none, because it did not come to its end.
func (s *Session) ViewEnd(leaks bool) *render.View {
	view := s.View
	if leaks {
		view = s.ViewLeaks
	}
	v := view()
	v.Choices = s.world.Choices()
	if s.failure != nil || s.blocked >= 0 {
		return v
	}
	found := s.world.Unfinished()
	if len(found) > 0 {
		v.TellUnfinished(found)
	}
	for _, o := range untold(s, found) {
		if o.Kind == "request" {
			v.Unfinished = append(v.Unfinished, render.UncompletedRequest(o.Call, o.Count, o.Ranks, o.Where))
		}
	}
	return v
}

// untold lists the open handles without the requests that found already describes in more detail.
func untold(s *Session, found []engine.Leak) []OpenHandle {
	told := map[string]bool{} // by place: whether found describes requests made there
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

// OpenHandle counts the handles of one kind that one call site made and nobody freed. Communicators do not count: the
// trace has them.
type OpenHandle struct {
	Kind  string       // "group", "info", "keyval", ...
	Call  engine.Call  // of a request, the call that started it; CallNone for other kinds
	Where string       // "demo.py:7"
	Ranks engine.Ranks // the ranks that have such handles
	Count int          // how many handles, on all these ranks together
}

// Open lists the handles that the program made and has not freed yet, ordered by file and line of the call site. The
// session must be quiet.
func (p *processes) Open() []OpenHandle {
	type origin struct {
		kind string
		call engine.Call
		site engine.Site
	}
	at := map[origin]*OpenHandle{}
	var origins []origin
	for i, r := range p.Ranks {
		for _, o := range r.Open() {
			from := origin{o.Kind, o.Call, o.Where}
			if at[from] == nil {
				at[from] = &OpenHandle{Kind: o.Kind, Call: o.Call, Where: o.Where.String()}
				origins = append(origins, from)
			}
			at[from].Ranks.Append(int32(i))
			at[from].Count += o.Count
		}
	}
	slices.SortFunc(origins, func(a, b origin) int {
		return cmp.Or(cmp.Compare(a.site.File, b.site.File), cmp.Compare(a.site.Line, b.site.Line), cmp.Compare(a.kind, b.kind), cmp.Compare(a.call, b.call))
	})
	list := make([]OpenHandle, len(origins))
	for i, from := range origins {
		list[i] = *at[from]
	}
	return list
}

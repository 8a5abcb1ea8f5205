package repl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// View describes the present session.
func (s *Session) View() *render.View {
	v := s.ViewAfterLine()
	v.Before, v.Handles = s.past.view().handles, handles(s)
	v.Expectations, v.Stuck = s.Expectations(), s.stuck()
	return v
}

// handles describes all variables that hold communicators.
func handles(s *Session) []render.Handle {
	var list []render.Handle
	for _, name := range s.Handles() {
		list = append(list, s.Handle(name))
	}
	return list
}

// ViewAfterLine describes the session as View does, but without the variables and the expectations: communicators have
// the names of the variables that held them first. The console describes the session after each line; if it read all
// variables and expectations, the time of a long session would grow with the square of its lines.
func (s *Session) ViewAfterLine() *render.View {
	v := &render.View{
		Snapshot: s.world.Snapshot(), Placement: s.config.Policy, Psets: s.world.Psets(),
		Called: s.past.called.name, Timeline: s.config.Timeline, Contexts: s.config.Contexts,
	}
	if v.Contexts == 0 {
		v.Contexts = engine.MaxContexts
	}
	if s.failure != nil {
		v.Errors = s.failure.Errors
	} else {
		v.Deadlock = s.Deadlock()
	}
	return v
}

// commNames returns a function that names communicators by the variables that hold them.
func commNames(s *Session) func(id int) string {
	return render.Called(&render.View{Snapshot: s.world.Snapshot(), Handles: handles(s)})
}

// Handle returns the communicators that a variable holds, rank by rank.
func (s *Session) Handle(name string) render.Handle {
	h := render.Handle{Name: name}
	if c := s.past.at[columnKey{name, -1}]; c != nil {
		h.IDs, c.lent = c.now.ids, true
	} else {
		h.IDs = slices.Repeat([]int32{render.Unset}, s.Size())
	}
	if s.past.at[columnKey{name, 0}] == nil {
		return h
	}
	for i, r := range s.Ranks {
		if ids, isList, ok := program.Held(r.Vars.Get(name)); ok && isList {
			if h.Lists == nil {
				h.Lists = map[int][]int32{}
			}
			h.Lists[i] = ids
		}
	}
	return h
}

// ViewByHandle describes the session as View does, with a handle for each entry of lists.
func (s *Session) ViewByHandle() *render.View {
	v := s.View()
	var handles []render.Handle
	for _, h := range v.Handles {
		handles = append(handles, Expand(h)...)
	}
	v.Handles = handles
	return v
}

// Expand makes a handle of lists into one handle for each element: name[0], name[1], ... A handle for
// the ranks that hold a communicator instead of a list comes first.
func Expand(h render.Handle) []render.Handle {
	if len(h.Lists) == 0 {
		return []render.Handle{h}
	}
	longest := 0
	for _, list := range h.Lists {
		longest = max(longest, len(list))
	}
	var out []render.Handle
	if slices.ContainsFunc(h.IDs, func(id int32) bool { return id != render.Unset }) {
		out = append(out, render.Handle{Name: h.Name, IDs: h.IDs})
	}
	for k := range longest {
		at := render.Handle{Name: fmt.Sprintf("%s[%d]", h.Name, k), IDs: make([]int32, len(h.IDs))}
		for r := range h.IDs {
			at.IDs[r] = render.Unset
			if list := h.Lists[r]; k < len(list) {
				at.IDs[r] = list[k]
			}
		}
		out = append(out, at)
	}
	return out
}

// PastView returns the view as after step k: the communicators that existed then, and the values of the variables. An
// element of a list, name[0], has its own handle.
func PastView(v *render.View, k int) *render.View {
	past := *v
	past.Snapshot = v.Snapshot.At(k)
	if past.Snapshot != v.Snapshot {
		past.Handles = v.Before(k)
		past.Deadlock, past.Errors = nil, nil
		return &past
	}
	past.Handles = nil
	for _, h := range v.Handles {
		past.Handles = append(past.Handles, Expand(h)...)
	}
	return &past
}

// Deadlock returns the diagnosis of the ranks that wait in calls, in the names of the session's variables; nil when no
// rank waits.
func (s *Session) Deadlock() *engine.Deadlock {
	if s.blocked < 0 {
		return nil
	}
	return s.world.Deadlock(commNames(s))
}

// mostLeft is how many leaks a failed expect_no_leaks names.
const mostLeft = 4

// judgeLeaks decides the expectations of expect_no_leaks, now that the world is quiet. A failed expectation fails on
// all ranks that came to it.
func judgeLeaks(s *Session) {
	found := leftBy(s)
	for _, r := range s.Ranks {
		for _, k := range r.Undecided() {
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
	for _, o := range s.Open(found) {
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
	for _, o := range s.Open(found) {
		if o.Kind == "request" {
			v.Unfinished = append(v.Unfinished, render.UncompletedRequest(o.Call, o.Count, o.Ranks, o.Where))
		}
	}
	return v
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

// Open lists the handles that the program made and has not freed yet, ordered by file and line of the call site, without
// the requests that found already describes in more detail. The session must be quiet.
func (p *processes) Open(found []engine.Leak) []OpenHandle {
	told := map[string]bool{} // by place: whether found describes requests made there
	for _, l := range found {
		told[l.Where] = told[l.Where] || l.Kind == engine.LeakedReceive || l.Kind == engine.LeakedDup
	}
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
	var list []OpenHandle
	for _, from := range origins {
		if o := at[from]; o.Kind != "request" || !told[o.Where] {
			list = append(list, *o)
		}
	}
	return list
}

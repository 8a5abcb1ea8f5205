package repl

import (
	"fmt"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// View describes the present session.
func (s *Session) View() *render.View {
	v := s.ViewWithoutHandles()
	v.Before = s.past.view().handles
	v.Handles = handles(s)
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

// ViewWithoutHandles describes the session as View does, but without the variables: communicators have the names of the
// variables that held them first. The console describes the session after each line; if it read all variables, the
// time of a long session would grow with the square of its lines.
func (s *Session) ViewWithoutHandles() *render.View {
	v := &render.View{
		Snapshot: s.world.Snapshot(), Placement: s.config.Policy, Psets: s.world.Psets(),
		Expectations: s.Expectations(), Called: s.past.called.name, Stuck: s.stuck(),
		Timeline: s.config.Timeline, Contexts: s.config.Contexts,
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
		h.IDs = unset(s.Size())
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

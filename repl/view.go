package repl

import (
	"slices"

	"commsplit/render"
	"commsplit/repl/program"
)

// View describes the session as it is now.
func (s *Session) View() *render.View {
	v := s.withoutHandles()
	past := s.past.view()
	v.Before, v.Called = past.handles, s.past.called.name
	for _, name := range s.Handles() {
		v.Handles = append(v.Handles, s.Handle(name))
	}
	return v
}

// withoutHandles is View but for the variables: what is told after each line must not look at all of
// them, or a long session would take the square of its lines.
func (s *Session) withoutHandles() *render.View {
	v := &render.View{
		Snapshot: s.world.Snapshot(), Placement: s.config.Policy, Psets: s.world.Psets(),
		Expectations: s.expectations(),
	}
	if s.failure != nil {
		v.Errors = s.failure.Errors
	} else {
		v.Deadlock = s.Deadlock()
	}
	return v
}

// commNames names communicators as the session's variables do.
func (s *Session) commNames() func(id int) string {
	v := &render.View{Snapshot: s.world.Snapshot()}
	for _, name := range s.Handles() {
		v.Handles = append(v.Handles, s.Handle(name))
	}
	return render.Called(v)
}

// Handle tells which communicators a variable holds, rank by rank.
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
	for i, r := range s.ranks {
		if r == nil {
			continue
		}
		if ids, isList, ok := program.Held(r.Vars[name]); ok && isList {
			if h.Lists == nil {
				h.Lists = map[int][]int32{}
			}
			h.Lists[i] = ids
		}
	}
	return h
}

// Handles lists the variables that hold communicators, in order of their first place in the text.
func (s *Session) Handles() []string {
	var list []string
	for _, c := range s.past.columns {
		if n := len(list); c.holding > 0 && !c.isLocal() && (n == 0 || list[n-1] != c.name) {
			list = append(list, c.name)
		}
	}
	return list
}

// Variables lists all variables.
func (s *Session) Variables() []string {
	list := make([]string, 0, len(s.names))
	for n := range s.names {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

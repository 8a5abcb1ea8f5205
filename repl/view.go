package repl

import (
	"slices"

	"commsplit/render"
	"commsplit/repl/program"
)

// View describes the session as it is now.
func (s *Session) View() *render.View {
	v := s.withoutHandles()
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
	h := render.Handle{Name: name, IDs: make([]int32, len(s.ranks))}
	for i, r := range s.ranks {
		h.IDs[i] = -1
		if r == nil {
			continue
		}
		ids, isList, ok := program.Held(r.Vars[name])
		switch {
		case !ok:
		case isList:
			if h.Lists == nil {
				h.Lists = map[int][]int32{}
			}
			h.Lists[i] = ids
		default:
			h.IDs[i] = ids[0]
		}
	}
	return h
}

// Handles lists the variables that hold communicators, in order of appearance.
func (s *Session) Handles() []string {
	var list []string
	for _, name := range s.order {
		if slices.ContainsFunc(s.ranks, func(r *program.Rank) bool { return holdsComm(r, name) }) {
			list = append(list, name)
		}
	}
	return list
}

func holdsComm(r *program.Rank, name string) bool {
	if r == nil {
		return false
	}
	_, _, ok := program.Held(r.Vars[name])
	return ok
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

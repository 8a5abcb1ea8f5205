package practice

import (
	"fmt"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/repl"
)

// misnamed says of the first name that the exercise asks for, and that no line has set, which communicators were made
// under other names; "" where all names are set, and where no other communicator was made. It is a sentence.
// The goal was asked for before.
func (x *Exercise) misnamed(s *repl.Session) string {
	want := x.goals[0]
	vars := s.Variables()
	missing := slices.DeleteFunc(slices.Clone(x.Names), func(name string) bool {
		return slices.Contains(vars, name) || !want.holdsComms(name)
	})
	made := x.others(want, s)
	if len(missing) == 0 || len(made) == 0 {
		return ""
	}
	name := missing[0]
	for _, m := range missing {
		if slices.ContainsFunc(made, func(other string) bool { return want.fits(m, s, other) }) {
			name = m
			break
		}
	}
	return sentence(x.unset(name, want, s))
}

// unset says what a name should hold that no line sets, and what was made under other names: the communicators with
// the right processes, where there are some.
func (x *Exercise) unset(name string, want *state, s *repl.Session) string {
	if !want.holdsComms(name) {
		return fmt.Sprintf("the exercise asks for a value named %s, and no line sets it", name)
	}
	made := x.others(want, s)
	fitting := slices.DeleteFunc(slices.Clone(made), func(other string) bool { return !want.fits(name, s, other) })
	if len(fitting) > 0 {
		made = fitting
	}
	text := "the exercise asks for a communicator named " + name
	if len(made) == 0 {
		return text + ", and no line makes one"
	}
	return text + "; you made " + listed(made)
}

// others are the variables with communicators that an answer made under names that are not asked for.
func (x *Exercise) others(want *state, s *repl.Session) []string {
	given := x.assignedByGiven(s)
	return slices.DeleteFunc(s.Handles(), func(name string) bool {
		isNew := func(id int32) bool { return id != engine.SelfID && int(id) >= want.before }
		return given[name] || slices.Contains(x.Names, name) || !slices.ContainsFunc(s.Handle(name).IDs, isNew)
	})
}

// assignedByGiven are the variables of the given lines, which an answer cannot assign.
func (x *Exercise) assignedByGiven(s *repl.Session) map[string]bool {
	names := map[string]bool{}
	for _, c := range x.given {
		for _, name := range s.Assigned(c) {
			names[name] = true
		}
	}
	return names
}

// holdsComms reports whether a variable holds communicators, in a list too, and no other values.
func (st *state) holdsComms(name string) bool {
	for _, h := range st.handles {
		if of, _, _ := strings.Cut(h.Name, "["); of == name && slices.ContainsFunc(h.IDs, func(id int32) bool { return id >= 0 }) {
			return true
		}
	}
	return false
}

// fits reports whether each rank has in another variable the processes that it should have in the one of that name.
func (want *state) fits(name string, s *repl.Session, other string) bool {
	got := &state{session: s, view: s.View()}
	for r, w := range want.holds(name) {
		if _, differs := got.differ(want, r, w, s.Handle(other).IDs[r]); differs {
			return false
		}
	}
	return true
}

// sentence is a message as a sentence of its own.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// listed is "a, b and c".
func listed(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

package practice

import (
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl"
)

// misnamed returns a sentence about a name that the exercise asks for and that no line has set, and about the
// communicators that were made under other names; "" where all names are set, or no other communicator was made.
// The first of the exercise's goals must have been computed.
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

// unset says what an unset name should hold, and which communicators were made under other names: only those with the
// right processes, if there are any.
func (x *Exercise) unset(name string, want *state, s *repl.Session) string {
	if !want.holdsComms(name) {
		return fmt.Sprintf("the exercise asks for a value named %s, but no line sets it", name)
	}
	made := x.others(want, s)
	fitting := slices.DeleteFunc(slices.Clone(made), func(other string) bool { return !want.fits(name, s, other) })
	if len(fitting) > 0 {
		made = fitting
	}
	text := "the exercise asks for a communicator named " + name
	if len(made) == 0 {
		return text + ", but no line makes one"
	}
	return text + "; you made " + listed(made)
}

// others lists the variables with communicators that an answer made under names that the exercise does not ask for.
func (x *Exercise) others(want *state, s *repl.Session) []string {
	given := x.assignedByGiven(s)
	return slices.DeleteFunc(s.Handles(), func(name string) bool {
		isNew := func(id int32) bool { return id != engine.SelfID && int(id) >= want.before }
		return given[name] || slices.Contains(x.Names, name) || !slices.ContainsFunc(s.Handle(name).IDs, isNew)
	})
}

// assignedByGiven returns the variables that the given lines assign, which an answer cannot assign.
func (x *Exercise) assignedByGiven(s *repl.Session) map[string]bool {
	names := map[string]bool{}
	for _, c := range x.given {
		for _, name := range s.Assigned(c) {
			names[name] = true
		}
	}
	return names
}

// holdsComms reports whether a variable holds a communicator on some rank, also in a list.
func (st *state) holdsComms(name string) bool {
	for _, h := range st.handles {
		if of, _, _ := strings.Cut(h.Name, "["); of == name && slices.ContainsFunc(h.IDs, func(id int32) bool { return id >= 0 }) {
			return true
		}
	}
	return false
}

// fits reports whether each rank has in the variable other the processes that it should have in the variable name.
func (want *state) fits(name string, s *repl.Session, other string) bool {
	got := &state{session: s, view: s.View()}
	for r, w := range want.holds(name) {
		if _, differs := got.differ(want, r, w, s.Handle(other).IDs[r]); differs {
			return false
		}
	}
	return true
}

// sentence makes a message a sentence: with a capital and a full stop.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// listed returns "a, b and c".
func listed(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

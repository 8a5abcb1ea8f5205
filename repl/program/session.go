package program

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// sessionName is the one predeclared name of a compiled program. No program can write it.
const sessionName = "(session)"

// resultName is the field that takes what Eval computes.
const resultName = "(result)"

// depthName is the field that each function reads first: an error where recursion has gone too far.
const depthName = "(depth)"

// maxCalls is how many calls of functions may be inside of each other, as in Python, and
// maxWorldCalls how many in all ranks together, each of which takes half a kilobyte.
const (
	maxCalls      = 1000
	maxWorldCalls = 1_000_000
)

// callsIn is how many calls may be inside of each other on each of so many ranks.
func callsIn(ranks int) int { return min(maxCalls, max(maxWorldCalls/ranks, 50)) }

// depth stops a recursion that would not end.
func (s *session) depth() error {
	(*Rank)(s).endLocals(s.thread.CallStackDepth())
	most := callsIn(s.P.Size())
	if s.thread.CallStackDepth() <= most {
		return nil
	}
	return fmt.Errorf("more than %d calls are inside of each other: a recursion needs a case in which it ends", most)
}

// session is a rank as its program sees it: an object whose fields are the free names.
type session Rank

func (s *session) String() string        { return sessionName }
func (s *session) Type() string          { return sessionName }
func (s *session) Freeze()               {}
func (s *session) Truth() starlark.Bool  { return true }
func (s *session) Hash() (uint32, error) { return 0, errors.New("unhashable: " + sessionName) }

// Attr reads a free name: a local of the command, a variable, a predeclared name, or one of
// Starlark's that the program assigns somewhere else.
func (s *session) Attr(name string) (starlark.Value, error) {
	if name[0] == '(' {
		if name == depthName {
			return starlark.True, s.depth()
		}
		return (*Rank)(s).guarded(name), nil
	}
	if s.locals != nil {
		if v := s.locals(name); v != nil {
			return v, nil
		}
	}
	if v := s.Vars[name]; v != nil {
		return v, nil
	}
	if a := predeclared.attrs[name]; a != nil {
		return a.of((*Rank)(s), nil)
	}
	if g := (*Rank)(s).guarded(name); g != nil {
		return g, nil
	}
	if v := starlark.Universe[name]; v != nil {
		return v, nil
	}
	return nil, fmt.Errorf("%s has no value on this rank: what assigns it has not run here", name)
}

// AttrNames lists nothing: programs never hold the session itself.
func (s *session) AttrNames() []string { return nil }

// SetField assigns a free name.
func (s *session) SetField(name string, v starlark.Value) error {
	if name == resultName {
		s.result = v
		return nil
	}
	if isLocal(name) {
		(*Rank)(s).local(name, v)
		return nil
	}
	(*Rank)(s).Assign(name, v)
	return nil
}

// Predeclared lists the names that every program has besides Starlark's own, in order.
func Predeclared() []string { return slices.Clone(predeclared.names) }

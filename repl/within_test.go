package repl

import "go.starlark.net/starlark"

// SetVariable gives a variable a value, also one that no line can make.
func (s *Session) SetVariable(name string, v starlark.Value) {
	for _, r := range s.ranks {
		r.Vars.Set(name, v)
	}
}

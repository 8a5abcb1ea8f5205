package program

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// local is a variable of a function that runs. The past shows what communicator it holds, as long as the
// function has not returned.
type local struct {
	name  string // "descend.comm"
	depth int    // calls that the function is inside of, itself counted
	value starlark.Value
}

// localName is what a variable of a function is called; no variable of the session has a dot.
func localName(def, name string) string { return def + "." + name }

func isLocal(name string) bool { return strings.Contains(name, ".") }

// local notes that a variable of the function that runs has a value.
func (r *Rank) local(name string, v starlark.Value) {
	if !r.P.Traced() {
		return
	}
	depth := r.thread.CallStackDepth()
	i := slices.IndexFunc(r.inside, func(l local) bool { return l.name == name && l.depth == depth })
	switch _, ok := v.(*Comm); {
	case i >= 0:
		r.inside[i].value = v
	case !ok:
		return
	default:
		r.inside = append(r.inside, local{name, depth, v})
	}
	r.note(name, -1, v, -1)
}

// leaveFunctions ends the variables of functions that have returned.
func (r *Rank) leaveFunctions() {
	for len(r.inside) > 0 {
		l := r.inside[len(r.inside)-1]
		def, _, _ := strings.Cut(l.name, ".")
		above := r.thread.CallStackDepth() - l.depth
		if above >= 0 && r.thread.CallFrame(above).Name == def {
			return
		}
		r.endLocals(l.depth)
	}
}

// endLocals ends the variables of functions at this depth and below. A caller of the same name, in a
// recursion, has its own again.
func (r *Rank) endLocals(depth int) {
	for len(r.inside) > 0 && r.inside[len(r.inside)-1].depth >= depth {
		last := r.inside[len(r.inside)-1]
		r.inside = r.inside[:len(r.inside)-1]
		var before starlark.Value
		for _, l := range r.inside {
			if l.name == last.name {
				before = l.value
			}
		}
		r.note(last.name, -1, before, -1)
	}
}

package program

import (
	"iter"
	"slices"
	"sync/atomic"

	"go.starlark.net/starlark"
)

// Vars are the variables of a rank, in the order in which they first got a value.
type Vars struct {
	names  *names
	values []starlark.Value // by index in names
}

// names are the names of a rank's variables. Ranks that got the same few variables in the same order share the
// struct; a rank with many variables has its own.
type names struct {
	list []string
	at   map[string]int // index in list, once there are many

	more, beside atomic.Pointer[names] // shared: the first with one name more; the next with another last name
}

// fewVars is up to how many variables a search in a list is faster than in a map.
const fewVars = 8

// index returns the place of a name in list; -1 for an unknown name.
func (n *names) index(name string) int {
	if n.at != nil {
		if i, ok := n.at[name]; ok {
			return i
		}
		return -1
	}
	for i := range n.list {
		if n.list[i] == name {
			return i
		}
	}
	return -1
}

// with returns the names with one more at the end.
func (n *names) with(name string) *names {
	if len(n.list) < fewVars {
		return n.sharing(name)
	}
	if n.at == nil {
		n = &names{list: slices.Clone(n.list), at: map[string]int{}}
		for i, name := range n.list {
			n.at[name] = i
		}
	}
	n.at[name] = len(n.list)
	n.list = append(n.list, name)
	return n
}

// sharing does as with for few names, and returns names that ranks share. Ranks may call it in parallel.
func (n *names) sharing(name string) *names {
	var made *names
	for at := &n.more; ; {
		next := at.Load()
		if next == nil {
			if made == nil {
				made = &names{list: append(slices.Clip(n.list), name)}
			}
			if at.CompareAndSwap(nil, made) {
				return made
			}
			next = at.Load()
		}
		if next.list[len(next.list)-1] == name {
			return next
		}
		at = &next.beside
	}
}

// Get returns the value of a variable; nil when it has none.
func (v *Vars) Get(name string) starlark.Value {
	if i := v.names.index(name); i >= 0 {
		return v.values[i]
	}
	return nil
}

// Set gives a variable a value.
func (v *Vars) Set(name string, value starlark.Value) {
	if i := v.names.index(name); i >= 0 {
		v.values[i] = value
		return
	}
	v.names = v.names.with(name)
	v.values = append(v.values, value)
}

// Drop removes the value of a variable.
func (v *Vars) Drop(name string) {
	if i := v.names.index(name); i >= 0 {
		v.values[i] = nil
	}
}

// All yields the variables that have a value, and their values.
func (v *Vars) All() iter.Seq2[string, starlark.Value] {
	return func(yield func(string, starlark.Value) bool) {
		for i, name := range v.names.list {
			if v.values[i] != nil && !yield(name, v.values[i]) {
				return
			}
		}
	}
}

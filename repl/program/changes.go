package program

import (
	"slices"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/render"
)

// Change is that a variable of a rank came to hold something else, as far as communicators go.
type Change struct {
	Name   string
	Index  int           // of an element of a list; -1: the variable itself
	Behind engine.Behind // the rank had come so far
	ID     int32         // -1: COMM_NULL; or render.Unset
	Came   *reason.Held  // where what is no communicator came from, when that is known
}

// making stands for the id of a communicator that is not there yet.
const making = render.Unset - 1

// listed is a list of communicators in a variable. A program changes lists in place, so each is looked
// at again before every call.
type listed struct {
	name string
	list starlark.Indexable
	ids  []int32
	done bool // it is a tuple, and all is there
}

// unmade is a communicator in a variable that a call without waiting is still making.
type unmade struct {
	name string
	c    *Comm
}

// Assign gives a variable of the session a value on this rank.
func (r *Rank) Assign(name string, v starlark.Value) { r.assign(name, v, -1) }

// AssignNext is Assign on a rank that makes no call in a line whose calls other ranks make: the value is
// there from their first one on.
func (r *Rank) AssignNext(name string, v starlark.Value) { r.assign(name, v, r.P.BehindNext()) }

// AssignAt is Assign once the line is over: the value is there from a step on.
func (r *Rank) AssignAt(name string, v starlark.Value, step int) {
	r.assign(name, v, engine.Behind(step))
}

// assign stores a value, and notes what it means for communicators. A negative mark is now.
func (r *Rank) assign(name string, v starlark.Value, at engine.Behind) {
	r.followMaking()
	before := len(r.Vars)
	if r.Vars[name] = v; len(r.Vars) > before {
		r.fresh = append(r.fresh, name)
	}
	if !r.P.Traced() {
		return
	}
	list, ok := v.(starlark.Indexable)
	if ok && isList(v) {
		r.note(name, -1, nil, at)
		r.enlist(name, list, at)
		return
	}
	r.note(name, -1, v, at)
	r.unlist(name, at)
}

// note adds a change. Nothing is noted of a variable that never held a communicator.
func (r *Rank) note(name string, index int, v starlark.Value, at engine.Behind) {
	c, ok := v.(*Comm)
	if index < 0 && !slices.Contains(r.kept, name) {
		if !ok {
			return
		}
		r.kept = append(r.kept, name)
	}
	x := Change{Name: name, Index: index, Behind: at, ID: render.Unset}
	if at < 0 {
		x.Behind = r.P.Behind()
	}
	switch {
	case ok:
		if x.ID = c.held(); x.ID == -1 {
			held := HeldBy(c)
			x.Came = &held
		}
	case v != nil && v != starlark.None:
		held := HeldBy(v)
		x.Came = &held
	}
	r.changes = append(r.changes, x)
	if index < 0 && len(r.making) > 0 {
		r.making = slices.DeleteFunc(r.making, func(u unmade) bool { return u.name == name })
	}
	if index < 0 && ok && c.c.Pending() {
		r.making = append(r.making, unmade{name, c})
	}
}

// followMaking notes which communicators were completed since it was called last.
func (r *Rank) followMaking() {
	for _, u := range slices.Clone(r.making) {
		if !u.c.c.Pending() {
			r.note(u.name, -1, u.c, -1)
		}
	}
}

// enlist begins to follow a list, or goes on with what a variable holds now.
func (r *Rank) enlist(name string, list starlark.Indexable, at engine.Behind) {
	i := slices.IndexFunc(r.lists, func(l listed) bool { return l.name == name })
	if i < 0 {
		i = len(r.lists)
		r.lists = append(r.lists, listed{name: name})
	}
	r.lists[i].list, r.lists[i].done = list, false
	r.follow(&r.lists[i], at)
}

// unlist ends it: the variable holds something else.
func (r *Rank) unlist(name string, at engine.Behind) {
	i := slices.IndexFunc(r.lists, func(l listed) bool { return l.name == name })
	if i < 0 {
		return
	}
	r.lists[i].list = starlark.Tuple{}
	r.follow(&r.lists[i], at)
	r.lists = slices.Delete(r.lists, i, i+1)
}

// followAll notes what became since it was called last of what needs no assignment to change: lists,
// and communicators in the making.
func (r *Rank) followAll() {
	if len(r.making) > 0 {
		r.followMaking()
	}
	if len(r.inside) > 0 {
		r.leaveFunctions()
	}
	for i := range r.lists {
		if !r.lists[i].done {
			r.follow(&r.lists[i], -1)
		}
	}
}

// follow notes which communicators a list holds at other places than before. Values that are none are
// left out, as Held does; in a list without any, all are.
func (r *Rank) follow(l *listed, at engine.Behind) {
	some := false
	for i := 0; i < l.list.Len() && !some; i++ {
		_, some = l.list.Index(i).(*Comm)
	}
	_, l.done = l.list.(starlark.Tuple)
	k := 0
	for i := 0; some && i < l.list.Len(); i++ {
		v := l.list.Index(i)
		c, ok := v.(*Comm)
		if !ok && v != starlark.None {
			continue
		}
		id := int32(render.Unset)
		switch {
		case ok && c.c.Pending():
			id, l.done = making, false
		case ok:
			id = int32(c.c.ID()) // also when it was freed: that is no change of the list
		}
		if k == len(l.ids) {
			l.ids = append(l.ids, render.Unset)
		}
		if id != l.ids[k] {
			r.note(l.name, k, v, at)
			l.ids[k] = id
		}
		k++
	}
	for ; k < len(l.ids); k++ {
		if l.ids[k] != render.Unset {
			r.note(l.name, k, nil, at)
			l.ids[k] = render.Unset
		}
	}
}

// Changes hands over what was noted since it was called last. The world must be quiet.
func (r *Rank) Changes() []Change {
	r.followAll()
	list := r.changes
	r.changes = nil
	return list
}

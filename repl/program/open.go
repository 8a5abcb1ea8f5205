package program

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
)

// Open counts the handles of one kind ("group", "info", "keyval", ...) that one place of the program
// made on a rank and that were not freed.
type Open struct {
	Kind  string
	Call  engine.Call // of a request, what started it; CallNone elsewhere
	Where engine.Site
	Count int
}

// opened notes that the rank made a handle where it is. The handle keeps the result, to call closed on
// it when it is freed. Nil, which is closed as well, when the world keeps no trace.
func (r *Rank) opened(kind string) *Open { return r.openedBy(kind, engine.CallNone) }

func (r *Rank) openedBy(kind string, call engine.Call) *Open {
	if r == nil || r.unnoted || !r.P.Traced() {
		return nil
	}
	where := r.position()
	for i := len(r.open) - 1; i >= 0; i-- {
		if o := r.open[i]; o.Kind == kind && o.Call == call && o.Where == where {
			o.Count++
			return o
		}
	}
	o := &Open{kind, call, where, 1}
	r.open = append(r.open, o)
	return o
}

// closed notes that a handle was freed.
func (o *Open) closed() {
	if o != nil {
		o.Count--
	}
}

// Open lists the handles of this rank that were not freed, in the order in which their places first
// made one. The world must be quiet.
func (r *Rank) Open() []Open {
	var list []Open
	for _, o := range r.open {
		if o.Count > 0 {
			list = append(list, *o)
		}
	}
	return list
}

// newGroup is a new handle of a group, which the program should free unless it is predefined.
func (r *Rank) newGroup(g *engine.Group, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	v := &Group{r: r, g: g}
	if g != engine.EmptyGroup {
		v.open = r.opened("group")
	}
	return v, nil
}

// newInfo is a handle of a new info object, which the program should free.
func (r *Rank) newInfo(i *engine.Info, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return &Info{r: r, info: i, open: r.opened("info")}, nil
}

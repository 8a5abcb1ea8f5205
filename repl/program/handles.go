package program

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
)

// At tells where the rank is when it makes calls outside of a program: at a command.
func (r *Rank) At(site engine.Site) {
	r.at = site
	r.P.At(site)
}

// Call calls the predeclared function of that name, as a program would.
func (r *Rank) Call(name string, args []starlark.Value) (starlark.Value, error) {
	fn, err := predeclared.attr(r, nil, name)
	if err != nil {
		return nil, err
	}
	defer r.endTurn()
	v, err := starlark.Call(&r.thread, fn, args, nil)
	return v, r.failure(err)
}

// CallMethod calls a method of a value of this rank, as a program would.
func (r *Rank) CallMethod(self starlark.Value, name string, args []starlark.Value) (starlark.Value, error) {
	fn, err := self.(starlark.HasAttrs).Attr(name)
	if err != nil {
		return nil, err
	}
	defer r.endTurn()
	v, err := starlark.Call(&r.thread, fn, args, nil)
	return v, r.failure(err)
}

// GroupOf is the group that v holds, nil for GROUP_NULL; ok tells whether v is a group.
func GroupOf(v starlark.Value) (g *engine.Group, ok bool) {
	h, ok := v.(*Group)
	if !ok {
		return nil, false
	}
	return h.g, true
}

// InfoOf is the info object that v holds, nil for INFO_NULL; ok tells whether v is one.
func InfoOf(v starlark.Value) (i *engine.Info, ok bool) {
	h, ok := v.(*Info)
	if !ok {
		return nil, false
	}
	return h.info, true
}

// Info makes a value of a new info object of this rank.
func (r *Rank) Info(i *engine.Info) starlark.Value {
	return &Info{r: r, info: i, open: r.opened("info")}
}

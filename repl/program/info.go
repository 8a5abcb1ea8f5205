package program

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/engine"
)

// Info is an info object as programs see it: a handle that also behaves like a dict of strings.
type Info struct {
	r    *Rank
	info *engine.Info // nil: INFO_NULL
	open *Open
}

var infoClass = newClass("Info", func(v starlark.Value) bool { _, ok := v.(*Info); return ok },
	method("Create", "items=None", engine.CallInfoCreate,
		"a new info object, with the pairs of a dict", infoCreate).isStatic(),
	method("Set", "key, value", engine.CallInfoSet, "add or replace a pair", infoSet),
	method("Get", "key, maxlen=None", engine.CallInfoGet, "the value of a key, at most maxlen characters of it, or None", infoGet),
	method("Delete", "key", engine.CallInfoDelete, "remove a pair", infoDelete),
	method("Dup", "", engine.CallInfoDup, "a copy", infoDup),
	method("Get_nkeys", "", engine.CallInfoNkeys, "number of pairs", infoNkeys),
	method("Get_nthkey", "n", engine.CallInfoNthkey, "the n-th key, from 0", infoNthkey),
	method("keys", "", engine.CallInfoNthkey,
		"the keys in order", infoList(func(k, _ string) starlark.Value { return starlark.String(k) })),
	method("values", "", engine.CallInfoGet,
		"the values in the order of their keys", infoList(func(_, v string) starlark.Value { return starlark.String(v) })),
	method("items", "", engine.CallInfoGet, "the pairs (key, value) in order", infoList(pairValue)),
	method("Free", "", engine.CallInfoFree, "the handle becomes INFO_NULL", infoFree),
)

// String shows the pairs.
func (v *Info) String() string {
	if v.info.IsNull() {
		return "<Info MPI_INFO_NULL>"
	}
	var parts []string
	for _, p := range v.pairs() {
		parts = append(parts, fmt.Sprintf("%q: %q", p[0], p[1]))
	}
	return "<Info {" + strings.Join(parts, ", ") + "}>"
}

// Type is mpi4py's name of the type.
func (v *Info) Type() string          { return "Info" }
func (v *Info) Freeze()               {}
func (v *Info) Truth() starlark.Bool  { return starlark.Bool(!v.info.IsNull()) }
func (v *Info) Hash() (uint32, error) { return 0, nil }

func (v *Info) Attr(name string) (starlark.Value, error) { return infoClass.attr(v.r, v, name) }
func (v *Info) AttrNames() []string                      { return infoClass.listed(v.r) }

// CompareSameType compares handles.
func (v *Info) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	w := other.(*Info)
	return sameHandle(op, v.info == w.info || v.info.IsNull() && w.info.IsNull(), "info objects")
}

// pairs lists (key, value) in order; none for INFO_NULL.
func (v *Info) pairs() [][2]string {
	if v.info.IsNull() {
		return nil
	}
	n, _ := v.info.Len() // cannot fail: the handle is not null
	list := make([][2]string, n)
	for i := range list {
		key, _ := v.info.Key(i)
		value, _, _ := v.info.Get(key)
		list[i] = [2]string{key, value}
	}
	return list
}

// Len is the number of pairs, 0 for INFO_NULL.
func (v *Info) Len() int { return len(v.pairs()) }

// Iterate goes over the keys.
func (v *Info) Iterate() starlark.Iterator {
	keys := make(starlark.Tuple, 0, v.Len())
	for _, p := range v.pairs() {
		keys = append(keys, starlark.String(p[0]))
	}
	return keys.Iterate()
}

// Get implements info[key] and key in info.
func (v *Info) Get(key starlark.Value) (starlark.Value, bool, error) {
	k, ok := starlark.AsString(key)
	if !ok {
		return nil, false, fmt.Errorf("an info key must be a string, not %s", describe(key))
	}
	value, ok, err := v.info.Get(k)
	return starlark.String(value), ok, err
}

// SetKey implements info[key] = value.
func (v *Info) SetKey(key, value starlark.Value) error {
	k, ok := starlark.AsString(key)
	t, isText := starlark.AsString(value)
	if !ok || !isText {
		return fmt.Errorf("info keys and values must be strings, not %s and %s", describe(key), describe(value))
	}
	return v.info.Set(k, t)
}

func (c *call) onInfo() *engine.Info { return c.self.(*Info).info }

func infoCreate(c *call) (starlark.Value, error) {
	v := &Info{r: c.r, info: engine.NewInfo()}
	items, ok := itemsOf(c.args[0])
	if !ok {
		return nil, c.wrong(0, "a dict of strings, an info object or a list of pairs")
	}
	for _, item := range items {
		if err := v.SetKey(item.Index(0), item.Index(1)); err != nil {
			return nil, err
		}
	}
	return c.r.newInfo(v.info, nil)
}

// itemsOf are the pairs of what an info object is made of, in order; none for None.
func itemsOf(v starlark.Value) (pairs []starlark.Indexable, ok bool) {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, true
	case *starlark.Dict:
		for _, item := range v.Items() {
			pairs = append(pairs, item)
		}
		return pairs, true
	case *Info:
		if v.info.IsNull() {
			return nil, false
		}
		for _, p := range v.pairs() {
			pairs = append(pairs, starlark.Tuple{starlark.String(p[0]), starlark.String(p[1])})
		}
		return pairs, true
	case starlark.Sequence:
		for item := range starlark.Elements(v) {
			pair, isPair := item.(starlark.Indexable)
			if _, text := item.(starlark.String); !isPair || text || pair.Len() != 2 {
				return nil, false
			}
			pairs = append(pairs, pair)
		}
		return pairs, true
	}
	return nil, false
}

func infoSet(c *call) (starlark.Value, error) {
	return nothing(c.self.(*Info).SetKey(c.args[0], c.args[1]))
}

func infoGet(c *call) (starlark.Value, error) {
	key, err := c.text(0)
	if err != nil {
		return nil, err
	}
	most := -1 // all of it
	if c.args[1] != starlark.None {
		if most, err = c.int(1); err != nil {
			return nil, err
		}
	}
	value, ok, err := c.onInfo().Get(key)
	if !ok || most == 0 {
		return starlark.None, err
	}
	if most > 0 {
		value = value[:min(most, len(value))]
	}
	return starlark.String(value), nil
}

func infoDelete(c *call) (starlark.Value, error) {
	key, err := c.text(0)
	if err != nil {
		return nil, err
	}
	return nothing(c.onInfo().Delete(key))
}

func infoDup(c *call) (starlark.Value, error) {
	return c.r.newInfo(c.onInfo().Dup())
}

func infoNkeys(c *call) (starlark.Value, error) { return number(c.onInfo().Len()) }

func infoNthkey(c *call) (starlark.Value, error) {
	n, err := c.int(0)
	if err != nil {
		return nil, err
	}
	key, err := c.onInfo().Key(n)
	return starlark.String(key), err
}

func infoList(of func(key, value string) starlark.Value) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		if _, err := c.onInfo().Len(); err != nil {
			return nil, err
		}
		var list []starlark.Value
		for _, p := range c.self.(*Info).pairs() {
			list = append(list, of(p[0], p[1]))
		}
		return starlark.NewList(list), nil
	}
}

func pairValue(k, v string) starlark.Value {
	return starlark.Tuple{starlark.String(k), starlark.String(v)}
}

func infoFree(c *call) (starlark.Value, error) {
	if err := c.onInfo().Free(); err != nil {
		return nil, err
	}
	c.self.(*Info).open.closed()
	return starlark.None, nil
}

// newInfo is a handle of a new info object, which the program should free.
func (r *Rank) newInfo(i *engine.Info, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return &Info{r: r, info: i, open: r.opened("info")}, nil
}

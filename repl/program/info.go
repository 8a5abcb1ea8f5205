package program

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

// Info is an info object as programs see it: a handle that also behaves like a dict of strings.
type Info struct {
	plainValue
	r    *Rank
	info *engine.Info // nil: INFO_NULL
	open *Open

	predefined bool // INFO_ENV
}

var infoClass = newClass("Info", isA[*Info], rows("Info", map[string]any{
	"Create":     infoCreate,
	"Create_env": tells(func(r *Rank) any { return environment(r) }),
	"Set":        do2((*Info).SetKey),
	"Get":        infoGet,
	"Delete":     do1((*Info).remove),
	"Dup":        of0((*engine.Info).Dup),
	"Get_nkeys":  of0((*engine.Info).Len),
	"Get_nthkey": of1((*engine.Info).Key),
	"keys":       infoList(func(p starlark.Tuple) starlark.Value { return p[0] }),
	"values":     infoList(func(p starlark.Tuple) starlark.Value { return p[1] }),
	"items":      infoList(func(p starlark.Tuple) starlark.Value { return p }),
	"get":        of2((*Info).getOr),
	"update":     infoUpdate,
	"pop":        infoPop,
	"popitem":    of0((*Info).popitem),
	"copy":       of0((*Info).copy),
	"clear":      do0((*Info).clear),
	"Free":       do0((*Info).free),
	"free":       freeing(do0((*Info).free)),
}))

// String returns `<Info {"key": "value"}>`.
func (v *Info) String() string {
	if v.info.IsNull() {
		return "<Info MPI_INFO_NULL>"
	}
	var parts []string
	for _, p := range v.pairs() {
		parts = append(parts, fmt.Sprintf("%q: %q", string(p[0].(starlark.String)), string(p[1].(starlark.String))))
	}
	return "<Info {" + strings.Join(parts, ", ") + "}>"
}

// Type returns mpi4py's name of the type.
func (v *Info) Type() string         { return "Info" }
func (v *Info) Truth() starlark.Bool { return starlark.Bool(!v.info.IsNull()) }

func (v *Info) Attr(name string) (starlark.Value, error) { return infoClass.attr(v.r, v, name) }
func (v *Info) AttrNames() []string                      { return infoClass.listed(v.r) }

// CompareSameType compares handles.
func (v *Info) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	w := other.(*Info)
	return sameHandle(op, v.info == w.info || v.info.IsNull() && w.info.IsNull(), "info objects")
}

// pairs lists (key, value) in order; none for INFO_NULL.
func (v *Info) pairs() []starlark.Tuple {
	if v.info.IsNull() {
		return nil
	}
	n, _ := v.info.Len() // cannot fail: the handle is not null
	list := make([]starlark.Tuple, n)
	for i := range list {
		key, _ := v.info.Key(i)
		value, _, _ := v.info.Get(key)
		list[i] = starlark.Tuple{starlark.String(key), starlark.String(value)}
	}
	return list
}

// Len returns the number of pairs, 0 for INFO_NULL.
func (v *Info) Len() int { return len(v.pairs()) }

// Iterate goes over the keys.
func (v *Info) Iterate() starlark.Iterator {
	keys := make(starlark.Tuple, 0, v.Len())
	for _, p := range v.pairs() {
		keys = append(keys, p[0])
	}
	return keys.Iterate()
}

// Get implements info[key] and key in info.
func (v *Info) Get(key starlark.Value) (starlark.Value, bool, error) {
	k, ok := starlark.AsString(key)
	if !ok {
		return nil, false, fmt.Errorf("an info key must be a string, not %s", describe(key))
	}
	if v.info.IsNull() { // INFO_NULL has no pairs here, as in mpi4py; calls of MPI refuse INFO_NULL
		return nil, false, nil
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
	if v.predefined {
		return engine.MistakeInfoPredefined.In(engine.CallInfoSet)
	}
	return v.info.Set(k, t)
}

func infoCreate(c *call) (starlark.Value, error) {
	v := &Info{r: c.r, info: engine.NewInfo()}
	items, ok := itemsOf(c.args[0])
	if !ok {
		return nil, c.wrong(0, "a dict of strings, an info object or a list of pairs")
	}
	if err := v.setAll(items); err != nil {
		return nil, err
	}
	v.open = c.r.opened("info")
	return v, nil
}

// setAll adds pairs.
func (v *Info) setAll(pairs []starlark.Indexable) error {
	for _, p := range pairs {
		if err := v.SetKey(p.Index(0), p.Index(1)); err != nil {
			return err
		}
	}
	return nil
}

// itemsOf returns the pairs of a value from which an info object can be made, in order; none for None.
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
			pairs = append(pairs, p)
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

func infoGet(c *call) (starlark.Value, error) {
	key, err := c.text(0)
	if err != nil {
		return nil, err
	}
	most := -1 // the whole value
	if c.args[1] != starlark.None {
		if most, err = c.int(1); err != nil {
			return nil, err
		}
	}
	value, ok, err := c.self.(*Info).info.Get(key)
	if !ok || most == 0 {
		return starlark.None, err
	}
	if most > 0 {
		value = value[:min(most, len(value))]
	}
	return starlark.String(value), nil
}

func (v *Info) remove(key string) error {
	if v.predefined {
		return engine.MistakeInfoPredefined.In(engine.CallInfoDelete)
	}
	return v.info.Delete(key)
}

// The methods with names in small letters are those of Python's dict; an exception of dict is an error that ends
// the program.

func (v *Info) getOr(key, dflt starlark.Value) (starlark.Value, error) {
	value, ok, err := v.Get(key)
	if !ok {
		return dflt, err
	}
	return value, err
}

func infoUpdate(c *call) (starlark.Value, error) {
	v := c.self.(*Info)
	if len(c.pos) > 1 {
		return nil, fmt.Errorf("update takes 1 argument (items) and pairs by name, not %d", len(c.pos))
	}
	var items []starlark.Indexable
	for _, of := range c.pos {
		pairs, ok := itemsOf(of)
		if !ok {
			return nil, fmt.Errorf("update: items must be a dict of strings, an info object or a list of pairs, not %s", describe(of))
		}
		items = append(items, pairs...)
	}
	for _, kw := range c.kw {
		items = append(items, kw)
	}
	return nothing(v.setAll(items))
}

func infoPop(c *call) (starlark.Value, error) {
	if len(c.pos) < 1 || len(c.pos) > 2 || len(c.kw) > 0 {
		return nil, fmt.Errorf("pop takes a key, and the value where there is no such key")
	}
	v := c.self.(*Info)
	value, ok, err := v.Get(c.pos[0])
	switch {
	case err != nil:
		return nil, err
	case ok:
		return value, v.remove(string(c.pos[0].(starlark.String)))
	case len(c.pos) == 2:
		return c.pos[1], nil
	}
	return nil, fmt.Errorf("pop: the info object has no key %s", c.pos[0])
}

func (v *Info) popitem() (starlark.Tuple, error) {
	pairs := v.pairs()
	if len(pairs) == 0 {
		return nil, fmt.Errorf("popitem: the info object has no pairs")
	}
	last := pairs[len(pairs)-1]
	return last, v.remove(string(last[0].(starlark.String)))
}

func (v *Info) copy() (any, error) {
	if v.info.IsNull() {
		return &Info{r: v.r}, nil
	}
	return v.info.Dup()
}

func (v *Info) clear() error {
	for _, p := range v.pairs() {
		if err := v.remove(string(p[0].(starlark.String))); err != nil {
			return err
		}
	}
	return nil
}

// environment returns an info object about the start of the program, with keys of the standard (§11.5): the number of
// processes, the host, and the thread level. It has no command line, and no folder.
func environment(r *Rank) *engine.Info {
	info := engine.NewInfo()
	for _, p := range [][2]string{{"maxprocs", strconv.Itoa(r.P.Size())}, {"host", r.P.ProcessorName()}, {"thread_level", "MPI_THREAD_MULTIPLE"}} {
		if err := info.Set(p[0], p[1]); err != nil {
			panic("program: a pair of INFO_ENV is none: " + err.Error())
		}
	}
	return info
}

// infoEnv returns INFO_ENV, one object for each rank.
func infoEnv(r *Rank) starlark.Value {
	if r.environment == nil {
		r.rarely().environment = &Info{r: r, info: environment(r), predefined: true}
	}
	return r.environment
}

// infoList makes a method that lists what of returns for each pair.
func infoList(of func(pair starlark.Tuple) starlark.Value) method {
	return func(c *call) (starlark.Value, error) {
		var list []starlark.Value
		for _, p := range c.self.(*Info).pairs() {
			list = append(list, of(p))
		}
		return starlark.NewList(list), nil
	}
}

func (v *Info) free() error {
	if v.predefined {
		return engine.MistakeInfoPredefined.In(engine.CallInfoFree)
	}
	err := v.info.Free()
	if err == nil {
		v.open.closed()
	}
	return err
}

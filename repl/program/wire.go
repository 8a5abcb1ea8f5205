package program

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
)

// maxNesting bounds how deep a value that travels may be nested; a list that contains itself is
// deeper than any.
const maxNesting = 200

// pack copies v deeply into a value that nobody modifies any more, so that other ranks may read it.
// The error continues "sendobj ...".
func pack(v starlark.Value) (starlark.Value, error) {
	p, err := copyValue(v, 0)
	if err != nil {
		return nil, err
	}
	p.Freeze()
	return p, nil
}

// unpack copies a packed value deeply into one that this rank may modify. nil is None.
func unpack(v any) starlark.Value {
	if v == nil {
		return starlark.None
	}
	c, err := copyValue(v.(starlark.Value), 0)
	if err != nil {
		panic("program: a value arrived that cannot travel: " + err.Error())
	}
	return c
}

// copyValue copies what can be modified; what cannot is shared. It never iterates over v with
// Starlark's iterators, which would write to it.
func copyValue(v starlark.Value, depth int) (starlark.Value, error) {
	if depth > maxNesting {
		return nil, errors.New("is nested too deeply to be sent; does a list contain itself?")
	}
	switch v := v.(type) {
	case starlark.NoneType, starlark.Bool, starlark.Int, starlark.Float, starlark.String, starlark.Bytes:
		return v, nil
	case *starlark.List:
		list, err := copyElements(v, depth)
		return starlark.NewList(list), err
	case starlark.Tuple:
		return asValue(copyElements(v, depth))
	case *starlark.Dict:
		return copyDict(v, depth)
	case *starlark.Set:
		return copySet(v)
	}
	if v.Type() == "range" { // Starlark does not export this type; its values cannot be modified
		return v, nil
	}
	return nil, fmt.Errorf("cannot be sent: %s is neither None, bool, int, float, string, bytes, list, tuple, range, dict nor set", describe(v))
}

func asValue(list []starlark.Value, err error) (starlark.Value, error) {
	return starlark.Tuple(list), err
}

func copyElements(v starlark.Indexable, depth int) ([]starlark.Value, error) {
	list := make([]starlark.Value, v.Len())
	for i := range list {
		e, err := copyValue(v.Index(i), depth+1)
		if err != nil {
			return nil, err
		}
		list[i] = e
	}
	return list, nil
}

func copyDict(v *starlark.Dict, depth int) (starlark.Value, error) {
	d := starlark.NewDict(v.Len())
	for _, item := range v.Items() {
		key, err := copyValue(item[0], depth+1)
		if err != nil {
			return nil, err
		}
		value, err := copyValue(item[1], depth+1)
		if err != nil {
			return nil, err
		}
		if err := d.SetKey(key, value); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// copySet copies a set. Its elements are hashable, so only their types need checking.
func copySet(v *starlark.Set) (starlark.Value, error) {
	s := starlark.NewSet(v.Len())
	it := v.Iterate() // writes only to a set that is not frozen, which is this rank's own
	defer it.Done()
	var e starlark.Value
	for it.Next(&e) {
		c, err := copyValue(e, 1)
		if err != nil {
			return nil, err
		}
		if err := s.Insert(c); err != nil {
			return nil, err
		}
	}
	return s, nil
}

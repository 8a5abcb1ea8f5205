package program

import (
	"fmt"
	"reflect"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// Most methods of programs are methods of the engine or of a handle. The functions of this file make a method from such a
// function of Go: they read its arguments as its types say, and convert its result to a value.

// object returns what a method acts on: the handle itself, the engine's object of the handle, or the process of rank r.
func object[S any](r *Rank, handle starlark.Value) S {
	if of, ok := handle.(S); ok {
		return of
	}
	if r != nil {
		if p, ok := any(r.P).(S); ok {
			return p
		}
	}
	return objectOf(handle).(S)
}

// objectOf returns the engine's object of a handle; nil for another value.
func objectOf(handle starlark.Value) any {
	switch v := handle.(type) {
	case *Comm:
		return v.c
	case *Group:
		return v.g
	case *Info:
		return v.info
	case *Request:
		return v.req
	case *Session:
		return v.s
	}
	return nil
}

// subject returns what a call acts on, and reads the other arguments. A function of a class acts on its first argument.
func subject[S any](c *call, into ...any) (on S, err error) {
	if _, process := any(on).(*engine.Process); c.fn.static && !process {
		return on, c.read(0, append([]any{&on}, into...)...)
	}
	return object[S](c.r, c.self), c.read(0, into...)
}

// read reads arguments from the i-th on. The types that into points to tell how.
func (c *call) read(i int, into ...any) error {
	for k, to := range into {
		if err := c.readAs(i+k, to); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) readAs(i int, to any) (err error) {
	n := 0
	switch to := to.(type) {
	case *int:
		*to, err = c.int(i)
	case *engine.SplitType:
		n, err = c.int(i)
		*to = engine.SplitType(n)
	case *engine.Class:
		n, err = c.int(i)
		*to = engine.Class(n)
	case *starlark.Value:
		*to = c.args[i]
	case *float64:
		*to, err = c.float(i)
	case **Buffer:
		*to, err = arrayOf(c.r, c.args[i], nil)
	case *string:
		*to, err = c.text(i)
	case *bool:
		*to, err = c.flag(i)
	case *[]int:
		*to, err = c.integers(i)
	case *noHints:
		err = c.noHints(i)
	case *edges:
		*to, err = c.edges(i)
	case *[]bool:
		*to, err = listOf(c, i, "a list of True and False", asFlag)
	case *[]engine.RankRange:
		*to, err = listOf(c, i, "a list of triplets (first, last, stride)", triplet)
	case *any:
		*to, err = c.packed(i)
	case *[]any:
		*to, err = listOf(c, i, "a list with one value per process", pack)
	case **engine.Comm:
		*to, err = c.comm(i)
	case **engine.Group:
		*to, err = c.group(i)
	case **engine.Info:
		*to, err = c.info(i)
	case **engine.Session:
		*to, err = objectAt[*engine.Session](c, i, "a session, as from MPI.Session.Init()")
	case **engine.Errhandler:
		*to, err = c.errhandler(i)
	case **engine.Keyval:
		*to, err = c.keyval(i)
	case **Status:
		*to, err = c.status(i)
	default:
		panic(fmt.Sprintf("program: no argument is read as %T", to))
	}
	return err
}

// made converts what the engine gave on rank r to a value of programs. The program has to free handles of new objects.
func (r *Rank) made(v any, by engine.Call) starlark.Value {
	switch v := v.(type) {
	case starlark.Value:
		return v
	case int:
		return starlark.MakeInt(v)
	case string:
		return starlark.String(v)
	case float64:
		return starlark.Float(v)
	case bool:
		return starlark.Bool(v)
	case []int:
		return numbers(v)
	case tuple:
		list := make(starlark.Tuple, len(v))
		for i, x := range v {
			list[i] = r.made(x, by)
		}
		return list
	case *engine.Request:
		return r.newRequest(v)
	case []any: // from each neighbor
		return unpackAll(v)
	case *engine.Comm:
		return r.constructed(v, by)
	case *engine.Group:
		return r.newGroup(v)
	case *engine.Info:
		return &Info{r: r, info: v, open: r.opened("info")}
	case *engine.Session:
		return &Session{r: r, s: v, open: r.opened("session")}
	case *engine.Errhandler:
		return &Errhandler{r: r, h: v}
	}
	return starlark.MakeInt64(reflect.ValueOf(v).Int()) // also of a type of its own
}

// ended makes the result of a call for which the engine gave got or err.
func ended[R any](c *call, got R, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return c.r.made(got, c.fn.call), nil
}

func nothing(err error) (starlark.Value, error) { return starlark.None, err }

// tuple has several results.
type tuple []any

// both makes a function that returns the two results of f as a tuple.
func both[S, A, B any](f func(S) (A, B, error)) func(S) (tuple, error) {
	return func(on S) (tuple, error) {
		a, b, err := f(on)
		return tuple{a, b}, err
	}
}

// gives turns a function without arguments into a property.
func gives[S, R any](f func(S) (R, error)) getter {
	return func(r *Rank, v starlark.Value) (starlark.Value, error) {
		got, err := f(object[S](r, v))
		if err != nil {
			return nil, err
		}
		return r.made(got, engine.CallNone), nil
	}
}

// of0 to of4 make a method from a function with so many arguments and a result, do0 to do2 from a function without a result.

func of0[S, R any](f func(S) (R, error)) method {
	return func(c *call) (starlark.Value, error) {
		got, err := f(object[S](c.r, c.self))
		return ended(c, got, err)
	}
}

func of1[S, A, R any](f func(S, A) (R, error)) method {
	return func(c *call) (starlark.Value, error) {
		var a A
		on, err := subject[S](c, &a)
		if err != nil {
			return nil, err
		}
		got, err := f(on, a)
		return ended(c, got, err)
	}
}

func of2[S, A, B, R any](f func(S, A, B) (R, error)) method {
	return func(c *call) (starlark.Value, error) {
		var a A
		var b B
		on, err := subject[S](c, &a, &b)
		if err != nil {
			return nil, err
		}
		got, err := f(on, a, b)
		return ended(c, got, err)
	}
}

func of3[S, A, B, C, R any](f func(S, A, B, C) (R, error)) method {
	return func(c *call) (starlark.Value, error) {
		var x A
		var y B
		var z C
		on, err := subject[S](c, &x, &y, &z)
		if err != nil {
			return nil, err
		}
		got, err := f(on, x, y, z)
		return ended(c, got, err)
	}
}

func of4[S, A, B, C, D, R any](f func(S, A, B, C, D) (R, error)) method {
	return func(c *call) (starlark.Value, error) {
		var w A
		var x B
		var y C
		var z D
		on, err := subject[S](c, &w, &x, &y, &z)
		if err != nil {
			return nil, err
		}
		got, err := f(on, w, x, y, z)
		return ended(c, got, err)
	}
}

func do0[S any](f func(S) error) method {
	return of0(func(on S) (starlark.Value, error) { return nothing(f(on)) })
}

func do1[S, A any](f func(S, A) error) method {
	return of1(func(on S, a A) (starlark.Value, error) { return nothing(f(on, a)) })
}

func do2[S, A, B any](f func(S, A, B) error) method {
	return of2(func(on S, a A, b B) (starlark.Value, error) { return nothing(f(on, a, b)) })
}

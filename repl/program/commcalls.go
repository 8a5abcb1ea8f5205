package program

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

func getRank(_ *Rank, v starlark.Value) (starlark.Value, error) { return number(v.(*Comm).c.Rank()) }
func getSize(_ *Rank, v starlark.Value) (starlark.Value, error) { return number(v.(*Comm).c.Size()) }

func number(n int, err error) (starlark.Value, error) { return starlark.MakeInt(n), err }

func getGroup(r *Rank, v starlark.Value) (starlark.Value, error) {
	return r.newGroup(v.(*Comm).c.Group())
}

func getName(_ *Rank, v starlark.Value) (starlark.Value, error) {
	name, err := v.(*Comm).c.Name()
	return starlark.String(name), err
}

func getInfo(r *Rank, v starlark.Value) (starlark.Value, error) {
	return r.newInfo(v.(*Comm).c.Hints())
}

func getRemoteSize(_ *Rank, v starlark.Value) (starlark.Value, error) {
	return number(v.(*Comm).c.RemoteSize())
}

func getRemoteGroup(r *Rank, v starlark.Value) (starlark.Value, error) {
	g, err := v.(*Comm).c.RemoteGroup()
	return &Group{r: r, g: g}, err
}

func getInter(_ *Rank, v starlark.Value) (starlark.Value, error) {
	inter, err := v.(*Comm).c.IsInter()
	return starlark.Bool(inter), err
}

func getIntra(_ *Rank, v starlark.Value) (starlark.Value, error) {
	inter, err := v.(*Comm).c.IsInter()
	return starlark.Bool(!inter), err
}

func setName(_ *Rank, v, to starlark.Value) error {
	name, ok := starlark.AsString(to)
	if !ok {
		return fmt.Errorf("name must be a string, not %s", describe(to))
	}
	return v.(*Comm).c.SetName(name)
}

func setInfo(_ *Rank, v, to starlark.Value) error {
	info, ok := to.(*Info)
	if !ok {
		return fmt.Errorf("info must be an info object, not %s", describe(to))
	}
	return v.(*Comm).c.SetInfo(info.info)
}

func commSetName(c *call) (starlark.Value, error) {
	if _, err := c.text(0); err != nil {
		return nil, err
	}
	return nothing(setName(c.r, c.self, c.args[0]))
}

func commSetInfo(c *call) (starlark.Value, error) { return nothing(setInfo(c.r, c.self, c.args[0])) }

func commCompare(c *call) (starlark.Value, error) {
	other, err := c.comm(0)
	if err != nil {
		return nil, err
	}
	result, err := c.on().Compare(other)
	return starlark.MakeInt(int(result)), err
}

func commSplit(c *call) (starlark.Value, error) {
	color, key, err := c.ints(0, 1)
	if err != nil {
		return nil, err
	}
	return c.wrapped(c.on().Split(color, key))
}

func commSplitType(c *call) (starlark.Value, error) {
	kind, key, err := c.ints(0, 1)
	if err != nil {
		return nil, err
	}
	info, err := c.info(2)
	if err != nil {
		return nil, err
	}
	return c.wrapped(c.on().SplitType(engine.SplitType(kind), key, info))
}

func commCreate(c *call) (starlark.Value, error) {
	g, err := c.group(0)
	if err != nil {
		return nil, err
	}
	return c.wrapped(c.on().Create(g))
}

func commCreateGroup(c *call) (starlark.Value, error) {
	g, err := c.group(0)
	if err != nil {
		return nil, err
	}
	tag, err := c.int(1)
	if err != nil {
		return nil, err
	}
	return c.wrapped(c.on().CreateGroup(g, tag))
}

func commSetErrhandler(c *call) (starlark.Value, error) {
	h, ok := c.args[0].(*Errhandler)
	if !ok {
		return nil, c.wrong(0, "an error handler, such as MPI.ERRORS_RETURN")
	}
	return nothing(c.on().SetErrhandler(h.h))
}

func commGetErrhandler(c *call) (starlark.Value, error) {
	h, err := c.on().Errhandler()
	return &Errhandler{h}, err
}

func commCallErrhandler(c *call) (starlark.Value, error) {
	class, err := c.class(0)
	if err != nil {
		return nil, err
	}
	return nothing(c.on().CallErrhandler(class))
}

// class reads an error class.
func (c *call) class(i int) (engine.Class, error) {
	class, err := asClass(c.args[i])
	if err != nil {
		return 0, fmt.Errorf("%s: %s %w", c.fn.name, c.fn.params[i].name, err)
	}
	return class, nil
}

// asClass is the value as an error class; the error continues "errorcode ...".
func asClass(v starlark.Value) (engine.Class, error) {
	n, err := asInt(v)
	if class := engine.Class(n); err == nil && slices.Contains(engine.Classes(), class) {
		return class, nil
	}
	return 0, fmt.Errorf("must be an error class, such as MPI.ERR_ARG, not %s", describe(v))
}

func commAbort(c *call) (starlark.Value, error) {
	code, err := c.int(0)
	if err != nil {
		return nil, err
	}
	return nothing(c.on().Abort(code))
}

func commBarrier(c *call) (starlark.Value, error) { return nothing(c.on().Barrier()) }

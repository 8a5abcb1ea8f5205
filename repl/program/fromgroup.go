package program

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
)

func commFromGroup(c *call) (starlark.Value, error) {
	g, err := c.group(0)
	if err != nil {
		return nil, err
	}
	tag, info, h, err := c.identity(1)
	if err != nil {
		return nil, err
	}
	return c.wrapped(c.r.P.CreateFromGroup(g, tag, info, h))
}

func commFromGroups(c *call) (starlark.Value, error) {
	var groups [2]*engine.Group
	var leaders [2]int
	for k := range groups {
		var err error
		if groups[k], err = c.group(2 * k); err != nil {
			return nil, err
		}
		if leaders[k], err = c.int(2*k + 1); err != nil {
			return nil, err
		}
	}
	tag, info, h, err := c.identity(4)
	if err != nil {
		return nil, err
	}
	return c.wrapped(c.r.P.CreateIntercommFromGroups(groups[0], leaders[0], groups[1], leaders[1], tag, info, h))
}

// identity reads the arguments stringtag, info and errhandler from the i-th on.
func (c *call) identity(i int) (tag string, info *engine.Info, h *engine.Errhandler, err error) {
	if tag, err = c.text(i); err != nil {
		return "", nil, nil, err
	}
	if info, err = c.info(i + 1); err != nil {
		return "", nil, nil, err
	}
	h, err = c.errhandler(i + 2)
	return tag, info, h, err
}

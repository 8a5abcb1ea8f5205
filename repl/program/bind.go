package program

import (
	"fmt"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/hw"
)

// bind moves this process to other PUs when it is one of the ranks. Every process checks the ranks;
// the PUs are those of the host of each one that moves.
func bind(c *call) (starlark.Value, error) {
	text, err := c.list(0, `ranks such as "0-3,7"`)
	if err != nil {
		return nil, err
	}
	ranks, err := engine.ParseRanks(text, c.r.P.Size())
	if err != nil {
		return nil, fmt.Errorf("bind: ranks %q: %w", text, err)
	}
	pus, err := c.list(1, `PUs such as "0-1+8"`)
	if err != nil || !ranks.Has(c.r.P.Rank()) {
		return starlark.None, err
	}
	set, err := hw.ParsePUs(pus, c.r.P.Host())
	if err == nil {
		err = c.r.P.Bind(set)
	}
	if err != nil {
		return nil, fmt.Errorf("bind: cpuset %w", err)
	}
	return starlark.None, nil
}

// list reads a list of numbers as text; one number may be an integer.
func (c *call) list(i int, want string) (string, error) {
	switch v := c.args[i].(type) {
	case starlark.String:
		return string(v), nil
	case starlark.Int:
		return v.String(), nil
	}
	return "", c.wrong(i, want)
}

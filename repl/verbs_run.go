package repl

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/repl/program"
)

func made(c *engine.Comm, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return program.WrapComm(c), nil
}

func runSplit(i *issue) (starlark.Value, error) {
	color, err := i.integer("color")
	if err != nil {
		return nil, err
	}
	key, err := i.integer("key")
	if err != nil {
		return nil, err
	}
	return made(i.comm.Split(color, key))
}

func runSplitType(i *issue) (starlark.Value, error) {
	t, err := i.integer("type")
	if err != nil {
		return nil, err
	}
	key, err := i.integer("key")
	if err != nil {
		return nil, err
	}
	info, err := i.guide()
	if err != nil {
		return nil, err
	}
	return made(i.comm.SplitType(engine.SplitType(t), key, info))
}

// guide is the info object that resource=, pset= and info= ask for; nil when none does.
func (i *issue) guide() (*engine.Info, error) {
	info, ok := program.InfoOf(i.arg("info"))
	if !ok && i.arg("info") != starlark.None {
		return nil, i.wrong("info", "info must be an info object, not %s", article(i.arg("info").Type()))
	}
	for _, p := range []struct{ param, key string }{{"resource", engine.KeyHWResourceType}, {"pset", engine.KeyPsetName}} {
		text, err := i.text(p.param)
		if err != nil {
			return nil, err
		}
		if text == "" {
			continue
		}
		if info == nil {
			info = engine.NewInfo()
		}
		if err := info.Set(p.key, text); err != nil {
			return nil, err
		}
	}
	return info, nil
}

func runCreate(i *issue) (starlark.Value, error) {
	g, err := i.group("group")
	if err != nil {
		return nil, err
	}
	return made(i.comm.Create(g))
}

func runCreateGroup(i *issue) (starlark.Value, error) {
	g, err := i.group("group")
	if err != nil {
		return nil, err
	}
	tag, err := i.integer("tag")
	if err != nil {
		return nil, err
	}
	return made(i.comm.CreateGroup(g, tag))
}

func runDup(i *issue) (starlark.Value, error) { return made(i.comm.Dup()) }

func runFree(i *issue) (starlark.Value, error) { return starlark.None, i.comm.Free() }

func runBarrier(i *issue) (starlark.Value, error) { return starlark.None, i.comm.Barrier() }

func runCompare(i *issue) (starlark.Value, error) {
	other, ok := program.CommOf(i.arg("other"))
	if !ok {
		return nil, i.wrong("other", "other must be a communicator, not %s", article(i.arg("other").Type()))
	}
	r, err := i.comm.Compare(other)
	if err != nil {
		return nil, err
	}
	return starlark.String(r.String()), nil
}

func runName(i *issue) (starlark.Value, error) {
	text, err := i.text("text")
	if err != nil {
		return nil, err
	}
	return starlark.None, i.comm.SetName(text)
}

func runHWInfo(i *issue) (starlark.Value, error) {
	return i.rank.Info(i.rank.P.HWResourceInfo()), nil
}

// builtin runs a verb that is the function of the same name in programs.
func (i *issue) builtin() (starlark.Value, error) { return i.rank.Call(i.cmd.verb.Name, i.args) }

func runExpect(i *issue) (starlark.Value, error)      { return i.builtin() }
func runExpectParts(i *issue) (starlark.Value, error) { return i.builtin() }
func runExpectError(i *issue) (starlark.Value, error) { return i.builtin() }
func runNote(i *issue) (starlark.Value, error)        { return i.builtin() }
func runAsk(i *issue) (starlark.Value, error)         { return i.builtin() }

package repl

import (
	"strings"

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
	if text, _ := i.text("resource"); text != "" && engine.SplitType(t) == engine.TypeHWSubdomain {
		return nil, i.wrong("resource", "resource sets mpi_hw_resource_type, and HW_SUBDOMAIN looks at mpi_hw_domain_type: pass info=MPI.Info.Create({%q:%q})", engine.KeyHWDomainType, text)
	}
	if err := i.unguided(engine.SplitType(t)); err != nil {
		return nil, err
	}
	info, err := i.guide()
	if err != nil {
		return nil, err
	}
	return made(i.comm.SplitType(engine.SplitType(t), key, info))
}

// unguided tells of a resource or pset that the type passes over, where the line names that type. A
// type that is computed may differ between ranks, which is for the call itself to find.
func (i *issue) unguided(t engine.SplitType) error {
	if t != engine.TypeShared && t != engine.TypeHWUnguided {
		return nil
	}
	written := i.cmd.bound[i.cmd.verb.param("type")].Text
	if !strings.HasSuffix(t.String(), strings.TrimPrefix(written, "MPI.")) {
		return nil
	}
	for _, name := range []string{"resource", "pset"} {
		if text, _ := i.text(name); text != "" {
			return i.wrong(name, "%s looks at no %s: it is for HW_GUIDED and RESOURCE_GUIDED", t, name)
		}
	}
	return nil
}

// guide is the info object that resource=, pset= and info= ask for; nil when none does.
func (i *issue) guide() (*engine.Info, error) {
	var info *engine.Info
	own := i.arg("info") != starlark.None
	if own {
		var err error
		if info, err = i.info("info"); err != nil {
			return nil, err
		}
	}
	for _, p := range []struct{ param, key string }{{"resource", engine.KeyHWResourceType}, {"pset", engine.KeyPsetName}} {
		text, err := i.text(p.param)
		if err != nil {
			return nil, err
		}
		if text == "" {
			continue
		}
		if own {
			return nil, i.wrong(p.param, "%s goes into an info object of its own: pass info or %s, not both", p.param, p.param)
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

func runDupWithInfo(i *issue) (starlark.Value, error) {
	info, err := i.info("info")
	if err != nil {
		return nil, err
	}
	return made(i.comm.DupWithInfo(info))
}

func runIdup(i *issue) (starlark.Value, error) {
	c, request, err := i.comm.Idup()
	if err != nil {
		return nil, err
	}
	return i.rank.Started(c, request), nil
}

func runWait(i *issue) (starlark.Value, error) {
	c, request, ok := program.StartedOf(i.arg("pair"))
	if !ok {
		return nil, i.wrong("pair", "pair must be what idup gave, a communicator and its request, not %s", article(i.arg("pair").Type()))
	}
	if err := request(); err != nil {
		return nil, err
	}
	return c, nil
}

func runDisconnect(i *issue) (starlark.Value, error) { return starlark.None, i.comm.Disconnect() }

func runFree(i *issue) (starlark.Value, error) { return starlark.None, i.comm.Free() }

func runBarrier(i *issue) (starlark.Value, error) { return starlark.None, i.comm.Barrier() }

func runCompare(i *issue) (starlark.Value, error) {
	other, err := i.communicator("other")
	if err != nil {
		return nil, err
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
func (i *issue) builtin() (starlark.Value, error) {
	v, err := i.rank.Call(i.cmd.verb.Name, i.args)
	return v, i.placed(err)
}

func runExpect(i *issue) (starlark.Value, error)      { return i.builtin() }
func runExpectParts(i *issue) (starlark.Value, error) { return i.builtin() }
func runExpectError(i *issue) (starlark.Value, error) { return i.builtin() }
func runNote(i *issue) (starlark.Value, error)        { return i.builtin() }

// runAsk returns what came, for the console to tell.
func runAsk(i *issue) (starlark.Value, error) {
	_, err := i.builtin()
	return i.arg("value"), err
}

package repl

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/repl/program"
)

// constants are the names that arguments may use for what MPI calls MPI_COMM_TYPE_... and so on.
var constants = map[string]starlark.Value{
	"SHARED":          starlark.MakeInt(int(engine.TypeShared)),
	"HW_GUIDED":       starlark.MakeInt(int(engine.TypeHWGuided)),
	"HW_UNGUIDED":     starlark.MakeInt(int(engine.TypeHWUnguided)),
	"RESOURCE_GUIDED": starlark.MakeInt(int(engine.TypeResourceGuided)),
	"HW_SUBDOMAIN":    starlark.MakeInt(int(engine.TypeHWSubdomain)),
	"UNDEFINED":       starlark.MakeInt(engine.Undefined),
}

// rankNames are the names that differ from rank to rank.
var rankNames = append([]string{"rank", "size", "remote_size"}, program.HereNames()...)

func isLocal(name string) bool {
	if constants[name] != nil {
		return true
	}
	for _, n := range rankNames {
		if n == name {
			return true
		}
	}
	return false
}

// locals are the values of the names that the arguments of the command use on this rank.
func (cmd *command) locals(r *program.Rank, c *engine.Comm) starlark.StringDict {
	locals := starlark.StringDict{}
	for _, name := range cmd.args.Names() {
		if v := constants[name]; v != nil {
			locals[name] = v
			continue
		}
		if v := localValue(name, r, c); v != nil {
			locals[name] = v
		}
	}
	return locals
}

func localValue(name string, r *program.Rank, c *engine.Comm) starlark.Value {
	if c == nil {
		c = r.P.World()
	}
	switch name {
	case "rank":
		n, _ := c.Rank()
		return starlark.MakeInt(n)
	case "size":
		n, _ := c.Size()
		return starlark.MakeInt(n)
	case "remote_size":
		if c.Kind() != engine.Inter {
			return nil
		}
		n, _ := c.RemoteSize()
		return starlark.MakeInt(n)
	}
	return r.Here(name)
}

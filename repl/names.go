package repl

import (
	"fmt"
	"slices"

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

// IsNumber reports whether a name in a command is a number that differs from rank to rank.
func IsNumber(name string) bool { return slices.Contains(rankNames, name) }

func isLocal(name string) bool {
	return constants[name] != nil || IsNumber(name)
}

// hides reports whether a variable hides the name of a constant or of a number of each rank: it does when
// some rank holds communicators in it, which nobody means as a number.
func (s *Session) hides(name string) bool {
	return isLocal(name) && s.known(name) && slices.ContainsFunc(s.ranks, func(r *program.Rank) bool {
		if r == nil {
			return false
		}
		_, _, holds := program.Held(r.Vars[name])
		return holds
	})
}

// localNames are those that a variable does not hide.
func (s *Session) localNames() []string {
	return slices.DeleteFunc(append(slices.Clone(rankNames), "UNDEFINED"), s.hides)
}

// unhide says how a name that a variable hides is written otherwise; "" when there is none.
func (cmd *command) unhide() string {
	if len(cmd.hidden) == 0 {
		return ""
	}
	name := cmd.hidden[0]
	return fmt.Sprintf("; %s is a variable of this session, and %s the number", name, longName(name, cmd.commText()))
}

// local is the value of a name that only arguments have, on this rank; nil for other names, and for those
// that a variable hides.
func (cmd *command) local(name string, r *program.Rank, c *engine.Comm) starlark.Value {
	if !isLocal(name) || slices.Contains(cmd.hidden, name) {
		return nil
	}
	if v := constants[name]; v != nil {
		return v
	}
	return localValue(name, r, c)
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

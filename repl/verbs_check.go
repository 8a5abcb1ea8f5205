package repl

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// checkArguments are the functions that refuse arguments of a verb which do not go together.
var checkArguments = map[string]func(*issue) error{
	"split_type": splitTypeArguments, "wait": isPair, "create_from_group": oneSource, "intercomm_create_from_groups": listsOnly,
}

// splitTypeArguments returns an error for a resource, process set or info object that the call would ignore.
func splitTypeArguments(i *issue) error {
	if name := i.cmd.bound[i.cmd.verb.Index("type")].Text; IsNumber(name) && hw.KnownResource(name) && !slices.Contains(i.cmd.hidden, name) {
		return i.wrong("type", "%s is a number here, which differs from rank to rank%s", name, resourceHint(name))
	}
	n, err := starlark.AsInt32(i.arg("type"))
	t := engine.SplitType(n)
	if err != nil {
		return nil // the call says that it must be an integer
	}
	resource := i.arg("resource") != starlark.String("")
	if resource && t == engine.TypeHWSubdomain {
		return i.wrong("resource", "resource sets mpi_hw_resource_type, but HW_SUBDOMAIN reads mpi_hw_domain_type: pass info=MPI.Info.Create({%q:%s})", engine.KeyHWDomainType, i.arg("resource"))
	}
	for _, name := range []string{"resource", "pset"} {
		if i.arg(name) == starlark.String("") {
			continue
		}
		if i.names(t) {
			return i.wrong(name, "%s ignores %s: use HW_GUIDED or RESOURCE_GUIDED, or leave it out", t, name)
		}
		if i.arg("info") != starlark.None {
			return i.wrong(name, "%s is put into a new info object: pass info or %s, not both", name, name)
		}
	}
	return nil
}

// names reports whether the line names split type t literally, and t ignores resources. A computed type may
// differ between ranks; the call itself checks that.
func (i *issue) names(t engine.SplitType) bool {
	written := i.cmd.bound[i.cmd.verb.Index("type")].Text
	return (t == engine.TypeShared || t == engine.TypeHWUnguided) && strings.HasSuffix(t.String(), strings.TrimPrefix(written, "MPI."))
}

// isPair returns an error for a value that is not the result of an idup.
func isPair(i *issue) error {
	if !program.IsStarted(i.arg("pair")) {
		return i.wrong("pair", "pair must be the result of idup, a communicator and its request, not %s", article(i.arg("pair").Type()))
	}
	return nil
}

// oneSource returns an error unless exactly one of group and pset is given.
func oneSource(i *issue) error {
	_, isNull := i.arg("group").(starlark.NoneType)
	set := i.arg("pset") != starlark.String("")
	switch {
	case isNull && !set:
		return i.wrong("group", "create_from_group needs group, as in group=[0,1,2], or pset, as in pset=\"mpi://WORLD\"")
	case !isNull && set:
		return i.wrong("pset", "create_from_group takes group or pset, not both")
	}
	return nil
}

// listsOnly returns an error for group objects: a group of the World Model does not belong to the verb's session.
func listsOnly(i *issue) error {
	for _, name := range []string{"left", "right"} {
		if _, ok := program.GroupOf(i.arg(name)); ok {
			return i.wrong(name, "%s must be a list of world ranks such as [0, 1], not a group", name)
		}
	}
	return nil
}

// groupItself removes the call that makes a group from a list of ranks, for an argument that is already a group.
var groupItself = strings.NewReplacer("{comm}.group.Incl({group})", "{group}", `session.Create_group("mpi://WORLD").Incl({group})`, "{group}")

// comparison returns the name of a result of MPI_Comm_compare.
func comparison(v starlark.Value) string {
	n, err := starlark.AsInt32(v)
	if err != nil {
		return v.String()
	}
	return engine.Comparison(n).String()
}

package source

import (
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
)

// of lists the communicators that a variable holds, by id.
func (p *plan) of(name string) []int {
	var ids []int
	for id, n := range p.names {
		if n == name && p.comms[id] != nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func sorted(list []int) engine.Ranks {
	slices.Sort(list)
	return engine.RanksOf(slices.Compact(list)...)
}

// madeFor is the communicator that a rank got of a call, and on which side it is.
func (g *generator) madeFor(c *call, rank int32) (k *engine.CommInfo, right bool) {
	for _, s := range c.steps {
		for _, id := range s.Made {
			k := g.plan.comms[id]
			switch {
			case slices.Contains(k.Group, rank):
				return k, false
			case slices.Contains(k.Remote, rank):
				return k, true
			}
		}
	}
	return nil, false
}

// localComm is the variable of the local communicator that a rank passed to MPI_Intercomm_create. The
// trace names that of the left side; the other's is one with the same group.
func (g *generator) localComm(c *call, rank int32) string {
	k, right := g.madeFor(c, rank)
	if !right {
		return g.plan.names[k.Parent]
	}
	for _, other := range slices.Backward(g.plan.view.Snapshot.Comms) {
		if other.Step < k.Step && other.Remote == nil && slices.Equal(other.Group, k.Remote) && !g.gone(other.ID, k.Step) {
			return g.plan.names[other.ID]
		}
	}
	return "MPI_COMM_SELF" // of one process: no other communicator is left that the call could have acted on
}

// gone reports whether a communicator was freed before a step.
func (g *generator) gone(id, step int) bool {
	for _, s := range g.plan.view.Snapshot.Steps[:step] {
		if s.Comm == id && s.Err == nil && (s.Call == engine.CallFree || s.Call == engine.CallDisconnect) {
			return true
		}
	}
	return false
}

// create passes a group object to a constructor, and frees it.
func (g *generator) create(c *call) {
	groups := g.membersByRank(c)
	name := "group"
	who := map[string][]int{}
	for i, r := range groups.ranks {
		who[groups.values[i]] = append(who[groups.values[i]], r)
	}
	all := unique(groups.values)
	if len(all) > 1 {
		g.line(g.lang.set(name, "MPI_GROUP_EMPTY"))
	}
	for _, text := range all {
		g.group(name, fields(text), who[text], len(all) > 1, c.op == engine.CallCreateFromGroup)
	}
	switch c.op {
	case engine.CallCreate:
		g.maker(c, name)
	case engine.CallCreateGroup:
		g.maker(c, name, g.of(c, "tag"))
	default:
		tags, _ := c.texts("stringtag")
		g.call(c.op.String(), name, g.lang.quoted(tags.values[0]), "MPI_INFO_NULL", "MPI_ERRORS_ARE_FATAL", g.lang.out(c.made))
	}
	g.freeGroup(name, len(who[listText(nil)]) == 0)
}

// membersByRank is the group that each rank passed, as "(0,2,4)". The trace shortens long ones: these
// are the groups of what was made.
func (g *generator) membersByRank(c *call) byRank[string] {
	told, _ := c.texts("group")
	full := byRank[string]{ranks: told.ranks}
	for i, r := range told.ranks {
		full.values = append(full.values, g.members(c, int32(r), told.values[i]))
	}
	return full
}

func (g *generator) members(c *call, rank int32, text string) string {
	head, _, short := strings.Cut(strings.Trim(text, "{}"), ",...")
	switch {
	case text == "MPI_GROUP_EMPTY":
		return "()"
	case !short:
		return "(" + head + ")"
	}
	if k, right := g.madeFor(c, rank); k != nil {
		group := k.Group
		if right {
			group = k.Remote
		}
		return listText(group)
	}
	for _, s := range c.steps {
		for _, id := range s.Made {
			if all := listText(g.plan.comms[id].Group); strings.HasPrefix(all, "("+head+",") {
				return all
			}
		}
	}
	return "(" + head + ")"
}

func listText(group []int32) string {
	parts := make([]string, len(group))
	for i, r := range group {
		parts[i] = strconv.Itoa(int(r))
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// group makes a group of world ranks, on some ranks only when several are made side by side.
func (g *generator) group(name string, members []string, who []int, several, session bool) {
	if len(members) == 0 {
		if !several {
			g.line(g.lang.set(name, "MPI_GROUP_EMPTY"))
		}
		return
	}
	make := "group_of"
	if session {
		make = "session_group_of"
	}
	text := g.lang.call(make, strconv.Itoa(len(members)), g.list("members", members), g.lang.out(name))
	if several {
		text = "if (" + g.condition(who) + ") " + text
	}
	g.line(text)
}

// sessionGroups makes one of the two groups of an intercommunicator on each side.
func (g *generator) sessionGroups(c *call, name string, of func(k *engine.CommInfo, right bool) []int32) {
	who := map[string][]int{}
	var all []string
	for _, r := range c.ranks.Slice() {
		k, right := g.madeFor(c, int32(r))
		text := listText(of(k, right))
		if who[text] == nil {
			all = append(all, text)
		}
		who[text] = append(who[text], r)
	}
	if len(all) > 1 {
		g.line(g.lang.set(name, "MPI_GROUP_EMPTY"))
	}
	for _, text := range all {
		g.group(name, fields(text), who[text], len(all) > 1, true)
	}
}

// freeGroup frees a group, on the ranks that have made one.
func (g *generator) freeGroup(name string, everywhere bool) {
	if everywhere {
		g.call("MPI_Group_free", g.lang.out(name))
		return
	}
	g.line("if (" + g.lang.notEqual(name, "MPI_GROUP_EMPTY") + ") " + g.lang.call("MPI_Group_free", g.lang.out(name)))
}

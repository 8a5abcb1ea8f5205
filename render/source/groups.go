package source

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
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

// side writes the local or the peer communicator that each rank passed to MPI_Intercomm_create.
func (g *generator) side(c *call, name string) string {
	passed := byRank[string]{}
	peers, _ := c.ints("peer_comm")
	for i, r := range peers.ranks {
		if name == "peer_comm" {
			passed.add(r, g.plan.names[int(peers.values[i])])
		} else {
			passed.add(r, g.localComm(c, int32(r)))
		}
	}
	return g.choice(passed)
}

// groups makes the groups that the ranks passed for a parameter, and frees them behind the call.
func (g *generator) groups(c *call, param string) string {
	name := strings.TrimPrefix(param, "local_")
	passed := g.membersByRank(c)
	if c.op == engine.CallIntercommCreateFromGroups {
		passed = g.sideByRank(c, param)
	}
	who, all := passed.who(), unique(passed.values)
	if len(all) > 1 {
		g.line(g.lang.set(name, "MPI_GROUP_EMPTY"))
	}
	for _, text := range all {
		g.group(name, fields(text), who[text], len(all) > 1, c.from == "")
	}
	g.after = append(g.after, func() { g.freeGroup(name, len(who[listText(nil)]) == 0) })
	return name
}

// sideByRank finds one of the two groups that each rank passed for an intercommunicator.
func (g *generator) sideByRank(c *call, param string) (passed byRank[string]) {
	for r := range c.ranks.All {
		k, right := g.madeFor(c, int32(r))
		group := k.Group
		if right == (param == "local_group") {
			group = k.Remote
		}
		passed.add(r, listText(group))
	}
	return passed
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
	g.only(who, several, g.lang.call(make, strconv.Itoa(len(members)), g.list("members", members), g.lang.out(name)))
}

// freeGroup frees a group, on the ranks that have made one.
func (g *generator) freeGroup(name string, everywhere bool) {
	if everywhere {
		g.call("MPI_Group_free", g.lang.out(name))
		return
	}
	g.line("if (" + name + g.lang.unlike + "MPI_GROUP_EMPTY) " + g.lang.call("MPI_Group_free", g.lang.out(name)))
}

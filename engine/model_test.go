package engine_test

import (
	"slices"

	"commsplit/engine"
)

// The model below says in plain maps what the text says of dup, split, create, create_group,
// intercomm_create, merge and free, on communicators of one group and of two. It knows nothing of channels, sorting by digits, or shared tables.

// act is one call of a random program. Who is not in the communicator does nothing.
type act struct {
	Kind   string
	On     int // index into the communicators made so far, the world being 0
	Color  map[int]int
	Key    map[int]int
	Groups map[int][]int // by world rank: what it passes, as world ranks
	Other  int           // of intercomm_create: the other side
	Leader [2]int        // world ranks of the leaders
	High   [2]bool       // of merge: what the left and the right group pass
}

// modelComm is a communicator of the model.
type modelComm struct {
	id       int
	contexts [2]int
	members  []int // world ranks in rank order; of an intercommunicator, of the left group
	remote   []int // of the right group; nil for an intracommunicator
	freed    bool
}

// all is everybody in the communicator.
func (c *modelComm) all() []int { return slices.Concat(c.members, c.remote) }

// pair is the two groups of a communicator that is to be made; the second is nil for one group.
type pair [2][]int

// model is the state of a world.
type model struct {
	size  int
	comms []*modelComm
	used  map[int]map[int]bool // by world rank: context ids
	next  int
}

func newModel(n int) *model {
	m := &model{size: n, used: map[int]map[int]bool{}, next: 2}
	m.comms = []*modelComm{{members: upTo(n)}}
	for r := range n {
		m.used[r] = map[int]bool{0: true}
	}
	return m
}

// intercomms are those of the communicators that have two groups.
func (m *model) intercomms(list []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return m.comms[i].remote == nil })
}

// free is the lowest context id that none of the processes uses. All of them use it from now on.
func (m *model) free(processes []int) int {
	context := 0
	for taken := true; taken; {
		context++
		taken = slices.ContainsFunc(processes, func(r int) bool { return m.used[r][context] })
	}
	for _, r := range processes {
		m.used[r][context] = true
	}
	return context
}

// add makes the parts of one call: they share one context id, and their right groups another.
func (m *model) add(parts []pair) {
	if len(parts) == 0 {
		return
	}
	var left, right []int
	for _, p := range parts {
		left, right = append(left, p[0]...), append(right, p[1]...)
	}
	contexts := [2]int{m.free(left)}
	if right != nil {
		contexts[1] = m.free(right)
	}
	for _, p := range parts {
		m.comms = append(m.comms, &modelComm{id: m.next, contexts: contexts, members: p[0], remote: p[1]})
		m.next++
	}
}

// apply carries the call out.
func (m *model) apply(a act) {
	c := m.comms[a.On]
	switch a.Kind {
	case "dup", "idup":
		m.add([]pair{{c.members, c.remote}})
	case "free":
		c.freed = true
		for side, members := range [][]int{c.members, c.remote} {
			for _, r := range members {
				delete(m.used[r], c.contexts[side])
			}
		}
	case "split":
		m.add(splitByHand(c, a.Color, a.Key))
	case "create":
		m.add(createByHand(c, a.Groups))
	case "create_group":
		m.add([]pair{{a.Groups[a.Key[0]], nil}})
	case "intercomm_create":
		d := m.comms[a.Other]
		if slices.Min(d.members) < slices.Min(c.members) {
			c, d = d, c
		}
		m.add([]pair{{c.members, d.members}})
	case "merge":
		left, right := c.members, c.remote
		swap := a.High[0] && !a.High[1]
		if a.High[0] == a.High[1] {
			swap = slices.Min(right) < slices.Min(left)
		}
		if swap {
			left, right = right, left
		}
		m.add([]pair{{slices.Concat(left, right), nil}})
	}
}

// createByHand lists the groups that were passed, or pairs those of the two sides.
func createByHand(c *modelComm, groups map[int][]int) []pair {
	if c.remote != nil {
		left, right := groups[c.members[0]], groups[c.remote[0]]
		if len(left) == 0 || len(right) == 0 {
			return nil
		}
		return []pair{{left, right}}
	}
	var parts []pair
	for _, r := range c.members {
		g := groups[r]
		seen := slices.ContainsFunc(parts, func(p pair) bool { return slices.Equal(p[0], g) })
		if len(g) > 0 && !seen {
			parts = append(parts, pair{g, nil})
		}
	}
	return parts
}

// splitByHand takes each color of the left group, in ascending order, with those of the right one.
func splitByHand(c *modelComm, color, key map[int]int) []pair {
	var colors []int
	for _, r := range c.members {
		if color[r] != engine.Undefined && !slices.Contains(colors, color[r]) {
			colors = append(colors, color[r])
		}
	}
	slices.Sort(colors)
	var parts []pair
	for _, k := range colors {
		p := pair{ofColor(k, c.members, color, key), nil}
		if c.remote != nil {
			if p[1] = ofColor(k, c.remote, color, key); p[1] == nil {
				continue
			}
		}
		parts = append(parts, p)
	}
	return parts
}

// ofColor takes, of the members with a color, the lowest (key, old rank) that is left.
func ofColor(k int, members []int, color, key map[int]int) []int {
	var left, part []int
	for _, r := range members {
		if color[r] == k {
			left = append(left, r)
		}
	}
	for len(left) > 0 {
		best := 0
		for i, r := range left {
			if key[r] < key[left[best]] {
				best = i
			}
		}
		part = append(part, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return part
}

// fact is what the model and the engine must agree on.
type fact struct {
	ID, Rank      int
	Contexts      [2]int
	Group, Remote []int32
}

// facts is what a rank sees of each communicator; numbers only count when calls cannot overlap.
func (m *model) facts(rank int, synced bool) []fact {
	list := make([]fact, len(m.comms))
	for i, c := range m.comms {
		at := max(slices.Index(c.members, rank), slices.Index(c.remote, rank))
		if at < 0 || c.freed {
			continue
		}
		list[i] = fact{Rank: at, Group: small(c.members), Remote: small(c.remote)}
		if synced {
			list[i].ID, list[i].Contexts = c.id, c.contexts
		}
	}
	return list
}

func small(ranks []int) []int32 {
	var list []int32
	for _, r := range ranks {
		list = append(list, int32(r))
	}
	return list
}

package engine_test

import (
	"slices"

	"commsplit/engine"
)

// The model below says in plain maps what the text says of dup, split, create, create_group and
// free. It knows nothing of channels, sorting by digits, or shared tables.

// act is one call of a random program. Who is not in the communicator does nothing.
type act struct {
	Kind   string
	On     int // index into the communicators made so far, the world being 0
	Color  map[int]int
	Key    map[int]int
	Groups map[int][]int // by world rank: what it passes, as world ranks
}

// modelComm is a communicator of the model.
type modelComm struct {
	id, context int
	members     []int // world ranks in rank order
	freed       bool
}

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

// add makes the parts of one call: one context id, the lowest that none of their processes uses.
func (m *model) add(parts [][]int) {
	context := 0
	for taken := true; taken; {
		context++
		taken = false
		for _, part := range parts {
			for _, r := range part {
				taken = taken || m.used[r][context]
			}
		}
	}
	for _, part := range parts {
		for _, r := range part {
			m.used[r][context] = true
		}
		m.comms = append(m.comms, &modelComm{id: m.next, context: context, members: part})
		m.next++
	}
}

// apply carries the call out.
func (m *model) apply(a act) {
	c := m.comms[a.On]
	switch a.Kind {
	case "dup":
		m.add([][]int{c.members})
	case "free":
		c.freed = true
		for _, r := range c.members {
			delete(m.used[r], c.context)
		}
	case "split":
		m.add(splitByHand(c.members, a.Color, a.Key))
	case "create":
		var parts [][]int
		for _, r := range c.members {
			g := a.Groups[r]
			seen := slices.ContainsFunc(parts, func(p []int) bool { return slices.Equal(p, g) })
			if len(g) > 0 && !seen {
				parts = append(parts, g)
			}
		}
		m.add(parts)
	case "create_group":
		m.add([][]int{a.Groups[a.Key[0]]})
	}
}

// splitByHand takes, color by color, the lowest (key, old rank) that is left.
func splitByHand(members []int, color, key map[int]int) [][]int {
	var colors []int
	for _, r := range members {
		if color[r] != engine.Undefined && !slices.Contains(colors, color[r]) {
			colors = append(colors, color[r])
		}
	}
	slices.Sort(colors)
	var parts [][]int
	for _, c := range colors {
		var left, part []int
		for _, r := range members {
			if color[r] == c {
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
		parts = append(parts, part)
	}
	return parts
}

// fact is what the model and the engine must agree on.
type fact struct {
	ID, Context, Rank int
	Group             []int32
}

// facts is what a rank sees of each communicator; numbers only count when calls cannot overlap.
func (m *model) facts(rank int, synced bool) []fact {
	list := make([]fact, len(m.comms))
	for i, c := range m.comms {
		at := slices.Index(c.members, rank)
		if at < 0 || c.freed {
			continue
		}
		list[i].Rank = at
		for _, r := range c.members {
			list[i].Group = append(list[i].Group, int32(r))
		}
		if synced {
			list[i].ID, list[i].Context = c.id, c.context
		}
	}
	return list
}

package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
)

// The model below implements in plain maps what the text says of dup, split, create, create_group, intercomm_create,
// merge and free, on communicators of one group and of two. It has no channels, no sorting by digits and no shared
// tables.

// act is one call of a random program. Processes that are not in the communicator do nothing.
type act struct {
	Kind   string
	On     int // index into the communicators made so far, the world being 0
	Color  map[int]int
	Key    map[int]int
	Groups map[int][]int // by world rank: the group that it passes, as world ranks
	Other  int           // of intercomm_create: the other side
	Leader [2]int        // world ranks of the leaders
	High   [2]bool       // of merge: what the left and the right group pass
}

// modelComm is a communicator of the model.
type modelComm struct {
	id       int
	contexts [2]int
	members  []int // world ranks in rank order; of an intercommunicator, of the left group
	remote   []int // of the right group, likewise; nil for an intracommunicator
	freed    bool
}

// all returns the world ranks of all processes in the communicator.
func (c *modelComm) all() []int { return slices.Concat(c.members, c.remote) }

// pair is the two groups of a new communicator; the second group is nil for an intracommunicator.
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

// intercomms returns the intercommunicators in a list of communicators.
func (m *model) intercomms(list []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return m.comms[i].remote == nil })
}

// free returns the lowest context id that none of the processes uses, and notes that all of them use it.
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

// add makes the communicators of one call: they share a context id, and their right groups another.
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

// apply carries out a call on the model.
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

// createByHand returns the groups that were passed; for an intercommunicator, the groups of the two sides as a pair.
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

// splitByHand returns, for each color of the left group in ascending order, the processes of that color on each side.
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

// ofColor returns the members with color k, sorted by (key, old rank): it takes the lowest again and again.
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

// facts returns what a rank sees of each communicator; ids and contexts only when synced: only then calls cannot
// overlap.
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

// drawProgram draws correct calls, and uses the model to know which processes hold which communicators.
func drawProgram(t *rapid.T, n int) ([]act, *model) {
	m := newModel(n)
	var program []act
	for range rapid.IntRange(1, 24).Draw(t, "calls") {
		var live []int
		for i, c := range m.comms {
			if !c.freed {
				live = append(live, i)
			}
		}
		a := drawCall(t, m, live)
		m.apply(a)
		program = append(program, a)
	}
	return program, m
}

func drawCall(t *rapid.T, m *model, live []int) act {
	from := live
	if inter := m.intercomms(live); len(inter) > 0 && rapid.Bool().Draw(t, "inter") {
		from = inter // intercommunicators are rare
	}
	a := act{On: rapid.SampledFrom(from).Draw(t, "on")}
	c := m.comms[a.On]
	kinds := []string{"split", "split", "dup", "idup", "create"}
	if c.remote == nil {
		kinds = append(kinds, "create_group")
	} else {
		kinds = append(kinds, "merge", "split", "split")
	}
	if a.On != 0 {
		kinds = append(kinds, "free")
	}
	var strangers []int
	for _, i := range live {
		disjoint := !slices.ContainsFunc(c.members, func(r int) bool { return slices.Contains(m.comms[i].members, r) })
		if c.remote == nil && m.comms[i].remote == nil && disjoint {
			strangers = append(strangers, i)
		}
	}
	if len(strangers) > 0 {
		kinds = append(kinds, "intercomm_create", "intercomm_create", "intercomm_create")
	}
	a.Kind = rapid.SampledFrom(kinds).Draw(t, "call")
	if a.Kind == "intercomm_create" {
		a.Other = rapid.SampledFrom(strangers).Draw(t, "other")
		a.Leader = [2]int{rapid.SampledFrom(c.members).Draw(t, "leader"), rapid.SampledFrom(m.comms[a.Other].members).Draw(t, "remote leader")}
	}
	drawArguments(t, &a, c)
	return a
}

func drawArguments(t *rapid.T, a *act, c *modelComm) {
	a.Color, a.Key, a.Groups = map[int]int{}, map[int]int{}, map[int][]int{}
	colors := rapid.OneOf(rapid.IntRange(0, 3), rapid.Just(engine.Undefined),
		rapid.IntRange(0, 1<<31-1))
	if c.remote != nil { // so that the sides have colors in common
		colors = rapid.IntRange(0, 2)
	}
	keys := rapid.OneOf(rapid.IntRange(-2, 2), rapid.IntRange(-1<<31, 1<<31-1))
	switch a.Kind {
	case "split":
		for _, r := range c.all() {
			a.Color[r], a.Key[r] = colors.Draw(t, "color"), keys.Draw(t, "key")
		}
	case "merge":
		a.High = [2]bool{rapid.Bool().Draw(t, "left high"), rapid.Bool().Draw(t, "right high")}
	case "create":
		if c.remote == nil {
			drawGroups(t, a, c.members)
			return
		}
		for _, side := range [][]int{c.members, c.remote} {
			order := rapid.Permutation(side).Draw(t, "order")
			g := order[:rapid.IntRange(0, len(side)).Draw(t, "size")]
			for _, r := range side {
				a.Groups[r] = g
			}
		}
	case "create_group":
		order := rapid.Permutation(c.members).Draw(t, "order")
		g := order[:rapid.IntRange(1, len(order)).Draw(t, "size")]
		for _, r := range g {
			a.Groups[r] = g
		}
		a.Key[0] = g[0]
	}
}

// drawGroups draws disjoint groups of the members; some members get the empty group.
func drawGroups(t *rapid.T, a *act, members []int) {
	order := rapid.Permutation(members).Draw(t, "order")
	for len(order) > 0 {
		k := rapid.IntRange(1, len(order)).Draw(t, "part")
		g := order[:k]
		if rapid.Bool().Draw(t, "absent") {
			g = nil
		}
		for _, r := range order[:k] {
			a.Groups[r] = g
		}
		order = order[k:]
	}
}

// play makes the calls of the program that concern this rank, and returns its handles in the order of the model's
// communicators.
func play(p *engine.Process, program []act, synced bool) ([]*engine.Comm, error) {
	handles := map[int]*engine.Comm{0: p.World()}
	m := newModel(p.Size())
	for _, a := range program {
		before := len(m.comms)
		m.apply(a)
		c := handles[a.On]
		if a.Kind == "intercomm_create" && c == nil {
			c = handles[a.Other]
		}
		made, err := perform(p, c, a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Kind, err)
		}
		for i := before; i < len(m.comms); i++ {
			if slices.Contains(m.comms[i].all(), p.Rank()) {
				handles[i], made = made, nil
			}
		}
		if made != nil {
			return nil, fmt.Errorf("%s made a communicator where none was due", a.Kind)
		}
		if synced {
			if err := p.World().Barrier(); err != nil {
				return nil, err
			}
		}
	}
	list := make([]*engine.Comm, len(m.comms))
	for i := range list {
		list[i] = handles[i]
	}
	return list, nil
}

// perform makes a call on c, which is nil for ranks that are not in the communicator.
func perform(p *engine.Process, c *engine.Comm, a act) (*engine.Comm, error) {
	if c == nil {
		return nil, nil
	}
	rank := p.Rank()
	switch a.Kind {
	case "dup":
		return c.Dup()
	case "idup":
		d, r, err := c.Idup()
		if err == nil {
			_, err = r.Wait()
		}
		return d, err
	case "free":
		return nil, c.Free()
	case "split":
		return c.Split(a.Color[rank], a.Key[rank])
	case "merge":
		right := slices.Contains(c.Info().Remote, int32(rank))
		return c.Merge(a.High[0] && !right || a.High[1] && right)
	case "intercomm_create":
		local, remote := a.Leader[0], a.Leader[1]
		if !slices.Contains(c.Info().Group, int32(local)) {
			local, remote = remote, local
		}
		return c.CreateIntercomm(slices.Index(c.Info().Group, int32(local)), p.World(), remote, a.On)
	}
	all, err := c.Group()
	if err != nil {
		return nil, err
	}
	var ranks []int
	for _, world := range a.Groups[rank] {
		ranks = append(ranks, slices.Index(all.WorldRanks(), int32(world)))
	}
	g, err := all.Incl(ranks)
	if err != nil {
		return nil, err
	}
	if a.Kind == "create" {
		return c.Create(g)
	}
	return c.CreateGroup(g, len(ranks))
}

// §7.4.2, §7.4.3 and §7.6.2: random programs give every process the communicators that the model has. With a barrier
// after each call, ids and context ids are the model's, too; without it, calls on disjoint communicators overlap, and
// only the groups are known.
func TestRandomProgramsAgainstTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(2, 8), rapid.IntRange(2, 70)).Draw(t, "ranks")
		synced := rapid.Bool().Draw(t, "synced")
		program, m := drawProgram(t, n)
		got := perRank(t, ofSize(n), func(p *engine.Process) ([]fact, error) {
			handles, err := play(p, program, synced)
			return facts(handles, synced), err
		})
		want := make([][]fact, n)
		for r := range want {
			want[r] = m.facts(r, synced)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("by rank and communicator (-want +got):\n%s", diff)
		}
	})
}

func facts(handles []*engine.Comm, synced bool) []fact {
	list := make([]fact, len(handles))
	for i, c := range handles {
		if c.IsNull() {
			continue
		}
		rank := c.Rank()
		list[i] = fact{Rank: rank, Group: c.Info().Group, Remote: c.Info().Remote}
		if synced {
			list[i].ID, list[i].Contexts = c.Info().ID, [2]int{c.Info().Context, c.Info().Context2}
		}
	}
	return list
}

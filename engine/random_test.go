package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"commsplit/engine"
)

// drawProgram draws calls that are correct, with the model at hand to know who holds what.
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
		from = inter // they are rare
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

// drawGroups gives disjoint groups to the members, some the empty one.
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

// play makes the calls of the program that concern this rank, and returns its handles in order of
// the model's communicators.
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

// perform makes one call on c, which is nil for ranks that are not in it.
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

// §7.4.2, §7.4.3 and §7.6.2: random programs give every process what the text says. With a barrier after
// each call also ids and context ids are known; without, calls on disjoint communicators overlap
// and only the groups are.
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
		rank, _ := c.Rank()
		list[i] = fact{Rank: rank, Group: c.Info().Group, Remote: c.Info().Remote}
		if synced {
			list[i].ID, list[i].Contexts = c.Info().ID, [2]int{c.Info().Context, c.Info().Context2}
		}
	}
	return list
}

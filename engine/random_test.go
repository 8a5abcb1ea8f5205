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
	for range rapid.IntRange(1, 12).Draw(t, "calls") {
		var live []int
		for i, c := range m.comms {
			if !c.freed {
				live = append(live, i)
			}
		}
		a := act{On: rapid.SampledFrom(live).Draw(t, "on")}
		kinds := []string{"split", "split", "dup", "create", "create_group", "free"}
		if a.On == 0 {
			kinds = kinds[:5]
		}
		a.Kind = rapid.SampledFrom(kinds).Draw(t, "call")
		drawArguments(t, &a, m.comms[a.On].members)
		m.apply(a)
		program = append(program, a)
	}
	return program, m
}

func drawArguments(t *rapid.T, a *act, members []int) {
	a.Color, a.Key, a.Groups = map[int]int{}, map[int]int{}, map[int][]int{}
	shuffled := rapid.Permutation(members).Draw(t, "order")
	colors := rapid.OneOf(rapid.IntRange(0, 3), rapid.Just(engine.Undefined),
		rapid.IntRange(0, 1<<31-1))
	keys := rapid.OneOf(rapid.IntRange(-2, 2), rapid.IntRange(-1<<31, 1<<31-1))
	switch a.Kind {
	case "split":
		for _, r := range members {
			a.Color[r], a.Key[r] = colors.Draw(t, "color"), keys.Draw(t, "key")
		}
	case "create":
		for len(shuffled) > 0 {
			k := rapid.IntRange(1, len(shuffled)).Draw(t, "part")
			g := shuffled[:k]
			if rapid.Bool().Draw(t, "absent") {
				g = nil
			}
			for _, r := range shuffled[:k] {
				a.Groups[r] = g
			}
			shuffled = shuffled[k:]
		}
	case "create_group":
		g := shuffled[:rapid.IntRange(1, len(shuffled)).Draw(t, "size")]
		for _, r := range g {
			a.Groups[r] = g
		}
		a.Key[0] = g[0]
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
		made, err := perform(handles[a.On], p.Rank(), a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Kind, err)
		}
		for i := before; i < len(m.comms); i++ {
			if slices.Contains(m.comms[i].members, p.Rank()) {
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
func perform(c *engine.Comm, rank int, a act) (*engine.Comm, error) {
	if c == nil {
		return nil, nil
	}
	switch a.Kind {
	case "dup":
		return c.Dup()
	case "free":
		return nil, c.Free()
	case "split":
		return c.Split(a.Color[rank], a.Key[rank])
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

// §7.4.2 and §7.4.3: random programs give every process what the text says. With a barrier after
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
		list[i] = fact{Rank: rank, Group: c.Info().Group}
		if synced {
			list[i].ID, list[i].Context = c.Info().ID, c.Info().Context
		}
	}
	return list
}

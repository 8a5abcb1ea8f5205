package worlds

import (
	"strconv"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// Levels73 makes the recursive splitting of Example 7.5 on the machine of Figure 7.3.
func Levels73(t testing.TB) *Session {
	topo, b := Figure73(t)
	s := New(t, topo, b)
	s.Unguided("hwcomm1", 3, func(p *engine.Process) *engine.Comm { return p.World() })
	for i, name := range []string{"hwcomm2", "hwcomm3", "hwcomm4"} {
		above := "hwcomm" + strconv.Itoa(i+1)
		s.Unguided(name, 3, func(p *engine.Process) *engine.Comm { return Local(p)[above] })
	}
	return s
}

// Family makes a world with 64 communicators of 64 ranks, each split in two, and a world split with a name and a
// freed part.
func Family(t testing.TB) *Session {
	topo := Synthesized(t, "machine:16 pack:4 core:64 pu:1")
	s := New(t, topo, Place(t, topo, 4096, placement.Policy{}))
	s.Split("block", 1, func(r int) int { return r / 64 }, Zero)
	s.Assign("half", 2, func(p *engine.Process) (*engine.Comm, error) {
		return Local(p)["block"].Split(p.Rank()%2, 0)
	})
	s.Split("even", 3, func(r int) int { return r % 2 }, Zero)
	s.World.Submit(engine.AllRanks(4096), func(p *engine.Process) error {
		if c := Local(p)["even"]; p.Rank()%2 == 0 {
			return c.SetName("evens")
		} else {
			return c.Free()
		}
	})
	s.World.Wait()
	return s
}

// Blocks makes a world of 4096 ranks, split by rank%2, and by blocks of 1024 with reversed order.
func Blocks(t testing.TB) *Session {
	topo := Synthesized(t, "pack:4 [numa(memory=64GB)] core:64 pu:1")
	s := New(t, topo, Place(t, topo, 4096, placement.Policy{}))
	s.Split("even", 1, func(r int) int { return r % 2 }, Zero)
	s.Split("block", 2, func(r int) int { return r / 1024 }, func(r int) int { return -r })
	return s
}

// Scattered makes a world of 4096 ranks in 1000 communicators that match no part of the machine.
func Scattered(t testing.TB) *Session {
	topo := Synthesized(t, "pack:4 [numa(memory=64GB)] l3:4 core:16 pu:1")
	s := New(t, topo, Place(t, topo, 4096, placement.Policy{}))
	s.Split("scattered", 1, func(r int) int { return r * 7919 % 1000 }, Zero)
	return s
}

// Moved makes a world on two packages of two cores, split by package and duplicated; then rank 1 moves to core 3.
func Moved(t testing.TB) *Session {
	topo := Synthesized(t, "pack:2 core:2 pu:1")
	s := New(t, topo, Place(t, topo, 4, placement.Policy{}))
	s.Assign("pack", 1, func(p *engine.Process) (*engine.Comm, error) {
		info := engine.NewInfo()
		if err := info.Set(engine.KeyHWResourceType, "hwloc://Package"); err != nil {
			return nil, err
		}
		return p.World().SplitType(engine.TypeHWGuided, 0, info)
	})
	s.Assign("copy", 2, func(p *engine.Process) (*engine.Comm, error) { return Local(p)["pack"].Dup() })
	s.Split("other", 3, func(r int) int { return r % 2 }, Zero)
	s.World.Submit(engine.RanksOf(1), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 4})
		return p.Bind(hw.SetOf(3))
	})
	s.World.Wait()
	return s
}

// hostileName has characters with a meaning in some format, wide characters and characters without width, and a
// character that reverses the direction of text; and it is long.
const hostileName = "a\"b<c>&|_#$%{}\\\x01~^]`*\n漢字 😀 e\u0301 \u202e]]> and so on, and on, and on, and on, and on"

// Hostile makes a world with names that every format has to escape.
func Hostile(t testing.TB) *Session {
	topo, b := Figure73(t)
	s := New(t, topo, b)
	s.Assign("half", 3, func(p *engine.Process) (*engine.Comm, error) {
		c, err := p.World().Split(p.Rank()%2, 0)
		if err == nil {
			err = c.SetName(hostileName)
		}
		return c, err
	})
	return s
}

// Nobody makes a world in which no rank gets a communicator.
func Nobody(t testing.TB) *Session {
	s := New(t, nil, make([]*hw.Binding, 3))
	s.Split("none", 1, func(int) int { return engine.Undefined }, Zero)
	return s
}

// Inter makes a world of six ranks with an intercommunicator: ranks 4, 0 on the left and 1, 2, 3 on the right;
// rank 5 has none. No call in the trace made the intercommunicator.
func Inter(t testing.TB) *Session {
	topo := Synthesized(t, "pack:2 core:3 pu:1")
	s := New(t, topo, Place(t, topo, 6, placement.Policy{}))
	s.made = append(s.made, &engine.CommInfo{ID: 2, Context: 3, Context2: 5, Op: engine.CallCreate,
		Group: []int32{4, 0}, Remote: []int32{1, 2, 3}, Instance: -1})
	s.Variables = append(s.Variables, Variable{"pair", []int32{2, 2, 2, 2, 2, -1}})
	return s
}

package render

import (
	"strconv"
	"testing"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/hw/placement"
	"commsplit/render/worlds"
)

// session is a world under test, of which there are views.
type session struct{ *worlds.Session }

func newSession(t testing.TB, topo *hw.Topology, b []*hw.Binding, psets ...engine.Pset) *session {
	t.Helper()
	return &session{worlds.New(t, topo, b, psets...)}
}

// view is the world and its variables now.
func (s *session) view() *View {
	v := &View{Snapshot: s.World.Snapshot()}
	for _, x := range s.Variables {
		v.Handles = append(v.Handles, Handle{Name: x.Name, IDs: x.IDs})
	}
	return v
}

// family4 is 64 communicators of 64 ranks, each split in two, and a world split with a name and
// a freed part.
func family4(t testing.TB) *View {
	topo := worlds.Synthesized(t, "machine:16 pack:4 core:64 pu:1")
	s := newSession(t, topo, worlds.Place(t, topo, 4096, placement.Policy{}))
	s.Split("block", 1, func(r int) int { return r / 64 }, worlds.Zero)
	s.Assign("half", 2, func(p *engine.Process) (*engine.Comm, error) {
		return worlds.Local(p)["block"].Split(p.Rank()%2, 0)
	})
	s.Split("even", 3, func(r int) int { return r % 2 }, worlds.Zero)
	s.World.Submit(engine.AllRanks(4096), func(p *engine.Process) error {
		if c := worlds.Local(p)["even"]; p.Rank()%2 == 0 {
			return c.SetName("evens")
		} else {
			return c.Free()
		}
	})
	s.World.Wait()
	return s.view()
}

// blocked is a world in which ranks 0-9 of 12 wait in a barrier.
func blocked(t testing.TB) *View {
	topo, b := worlds.Figure73(t)
	s := newSession(t, topo, b)
	s.ReversedHalves()
	s.World.Submit(engine.AllRanks(10), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 9})
		return p.World().Barrier()
	})
	s.World.Wait()
	v := s.view()
	v.Deadlock = s.World.Deadlock(Called(v))
	return v
}

// levels73 is the recursive splitting of Example 7.5 on the machine of Figure 7.3.
func levels73(t testing.TB) *View {
	topo, b := worlds.Figure73(t)
	s := newSession(t, topo, b)
	s.Unguided("hwcomm1", 3, func(p *engine.Process) *engine.Comm { return p.World() })
	for i, name := range []string{"hwcomm2", "hwcomm3", "hwcomm4"} {
		above := "hwcomm" + strconv.Itoa(i+1)
		s.Unguided(name, 3, func(p *engine.Process) *engine.Comm { return worlds.Local(p)[above] })
	}
	return s.view()
}

// mod1000 is 4096 ranks in 1000 communicators that nothing on the machine corresponds to.
func mod1000(t testing.TB) *View {
	topo := worlds.Synthesized(t, "pack:4 [numa(memory=64GB)] l3:4 core:16 pu:1")
	s := newSession(t, topo, worlds.Place(t, topo, 4096, placement.Policy{}))
	s.Split("scattered", 1, func(r int) int { return r * 7919 % 1000 }, worlds.Zero)
	return s.view()
}

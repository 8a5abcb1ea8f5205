package render

import (
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
)

// session is a world under test, of which there are views.
type session struct{ *worlds.Session }

func newSession(t testing.TB, topo *hw.Topology, b []*hw.Binding, psets ...engine.Pset) *session {
	t.Helper()
	return &session{worlds.New(t, topo, b, psets...)}
}

// view is the world and its variables now.
func (s *session) view() *View {
	v := &View{Snapshot: s.Snapshot()}
	for _, x := range s.Variables {
		v.Handles = append(v.Handles, Handle{Name: x.Name, IDs: x.IDs})
	}
	return v
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

// What several tests draw.
func levels73(t testing.TB) *View  { return (&session{worlds.Levels73(t)}).view() }
func family4(t testing.TB) *View   { return (&session{worlds.Family(t)}).view() }
func blocksOf4(t testing.TB) *View { return (&session{worlds.Blocks(t)}).view() }
func mod1000(t testing.TB) *View   { return (&session{worlds.Scattered(t)}).view() }
func moved(t testing.TB) *View     { return (&session{worlds.Moved(t)}).view() }
func hostile(t testing.TB) *View   { return (&session{worlds.Hostile(t)}).view() }
func interView(t testing.TB) *View { return (&session{worlds.Inter(t)}).view() }

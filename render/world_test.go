package render

import (
	"strconv"
	"testing"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/hw/placement"
	"commsplit/hw/preset"
	"commsplit/hw/synthetic"
)

// figure73 is the machine of Figure 7.3 and its twelve processes.
func figure73(t testing.TB) (*hw.Topology, []*hw.Binding) {
	t.Helper()
	topo, ok := preset.Lookup("figure-7.3")
	if !ok {
		t.Fatal("no preset figure-7.3")
	}
	return topo, place(t, topo, 12, placement.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"})
}

func synthesized(t testing.TB, text string) *hw.Topology {
	t.Helper()
	root, err := synthetic.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return hw.New(text, root)
}

// fullHouse is the number of ranks that fill a topology.
func fullHouse(t testing.TB, topo *hw.Topology) int {
	n, err := placement.Default(topo, placement.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func place(t testing.TB, topo *hw.Topology, n int, p placement.Policy) []*hw.Binding {
	t.Helper()
	b, err := placement.Place(topo, n, p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// session is a world under test and the variables that its ranks filled.
type session struct {
	testing.TB
	world   *engine.World
	handles []Handle
}

func newSession(t testing.TB, topo *hw.Topology, b []*hw.Binding) *session {
	t.Helper()
	w, err := engine.New(engine.Config{Size: len(b), Topology: topo, Bindings: b, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return &session{TB: t, world: w}
}

// assign runs f on every rank and keeps what it returns as a variable. at is the line of demo.py.
func (s *session) assign(name string, at int32, f func(p *engine.Process) (*engine.Comm, error)) {
	s.Helper()
	s.assignOn(engine.AllRanks(s.world.Size()), name, at, f)
}

func (s *session) assignOn(who engine.Ranks, name string, at int32, f func(p *engine.Process) (*engine.Comm, error)) {
	s.Helper()
	ids := make([]int32, s.world.Size())
	for i := range ids {
		ids[i] = -1
	}
	s.world.Submit(who, func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: at})
		c, err := f(p)
		if !c.IsNull() {
			ids[p.Rank()] = int32(c.Info().ID)
			local(p)[name] = c
		}
		return err
	})
	s.world.Wait()
	s.handles = append(s.handles, Handle{Name: name, IDs: ids})
}

// local is the variables of a process.
func local(p *engine.Process) map[string]*engine.Comm {
	if p.Local == nil {
		p.Local = map[string]*engine.Comm{}
	}
	return p.Local.(map[string]*engine.Comm)
}

func (s *session) view() *View {
	return &View{Snapshot: s.world.Snapshot(), Handles: s.handles}
}

// split assigns MPI_Comm_split of the world.
func (s *session) split(name string, at int32, color, key func(r int) int) {
	s.Helper()
	s.assign(name, at, func(p *engine.Process) (*engine.Comm, error) {
		return p.World().Split(color(p.Rank()), key(p.Rank()))
	})
}

// reversedHalves assigns half, at line 3: even and odd ranks, each part in the reverse order, without
// rank 11.
func (s *session) reversedHalves() {
	s.Helper()
	s.split("half", 3, func(r int) int {
		if r == 11 {
			return engine.Undefined
		}
		return r % 2
	}, func(r int) int { return -r })
}

// unguided assigns MPI_Comm_split_type with MPI_COMM_TYPE_HW_UNGUIDED of a variable.
func (s *session) unguided(name string, at int32, of func(p *engine.Process) *engine.Comm) {
	s.Helper()
	s.assign(name, at, func(p *engine.Process) (*engine.Comm, error) {
		c := of(p)
		if c.IsNull() {
			return nil, nil
		}
		return c.SplitType(engine.TypeHWUnguided, 0, nil)
	})
}

func zero(int) int { return 0 }

// family4 is 64 communicators of 64 ranks, each split in two, and a world split with a name and
// a freed part.
func family4(t testing.TB) *View {
	topo := synthesized(t, "machine:16 pack:4 core:64 pu:1")
	s := newSession(t, topo, place(t, topo, 4096, placement.Policy{}))
	s.split("block", 1, func(r int) int { return r / 64 }, zero)
	s.assign("half", 2, func(p *engine.Process) (*engine.Comm, error) {
		return local(p)["block"].Split(p.Rank()%2, 0)
	})
	s.split("even", 3, func(r int) int { return r % 2 }, zero)
	s.world.Submit(engine.AllRanks(4096), func(p *engine.Process) error {
		if c := local(p)["even"]; p.Rank()%2 == 0 {
			return c.SetName("evens")
		} else {
			return c.Free()
		}
	})
	s.world.Wait()
	return s.view()
}

// blocked is a world in which ranks 0-9 of 12 wait in a barrier.
func blocked(t testing.TB) *View {
	topo, b := figure73(t)
	s := newSession(t, topo, b)
	s.reversedHalves()
	s.world.Submit(engine.AllRanks(10), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 9})
		return p.World().Barrier()
	})
	s.world.Wait()
	v := s.view()
	v.Deadlock = s.world.Deadlock(Called(v))
	return v
}

// levels73 is the recursive splitting of Example 7.5 on the machine of Figure 7.3.
func levels73(t testing.TB) *View {
	topo, b := figure73(t)
	s := newSession(t, topo, b)
	s.unguided("hwcomm1", 3, func(p *engine.Process) *engine.Comm { return p.World() })
	for i, name := range []string{"hwcomm2", "hwcomm3", "hwcomm4"} {
		above := "hwcomm" + strconv.Itoa(i+1)
		s.unguided(name, 3, func(p *engine.Process) *engine.Comm { return local(p)[above] })
	}
	return s.view()
}

// mod1000 is 4096 ranks in 1000 communicators that nothing on the machine corresponds to.
func mod1000(t testing.TB) *View {
	topo := synthesized(t, "pack:4 [numa(memory=64GB)] l3:4 core:16 pu:1")
	s := newSession(t, topo, place(t, topo, 4096, placement.Policy{}))
	s.split("scattered", 1, func(r int) int { return r * 7919 % 1000 }, zero)
	return s.view()
}

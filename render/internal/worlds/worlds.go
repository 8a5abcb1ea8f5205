// Package worlds makes small worlds for tests: a machine with ranks on it, the variables that the ranks filled,
// and reports about both. Tests of pictures use these worlds.
package worlds

import (
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// Figure73 returns the machine of Figure 7.3 and the bindings of its twelve processes.
func Figure73(t testing.TB) (*hw.Topology, []*hw.Binding) {
	t.Helper()
	topo, ok := preset.Lookup("figure-7.3")
	if !ok {
		t.Fatal("no preset figure-7.3")
	}
	return topo, Place(t, topo, 12, placement.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"})
}

// Synthesized returns the machine of a synthetic description.
func Synthesized(t testing.TB, text string) *hw.Topology {
	t.Helper()
	root, _, err := synthetic.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return hw.New(text, root)
}

// FullHouse returns the number of ranks that fill a topology.
func FullHouse(t testing.TB, topo *hw.Topology) int {
	n, err := placement.Default(topo, placement.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Place binds n ranks by a policy.
func Place(t testing.TB, topo *hw.Topology, n int, p placement.Policy) []*hw.Binding {
	t.Helper()
	b, err := placement.Place(topo, n, p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Session is a world under test and the variables that its ranks filled.
type Session struct {
	testing.TB
	World     *engine.World
	Variables []Variable

	made []*engine.CommInfo // communicators without a call
}

// Snapshot returns the current snapshot of the world.
func (s *Session) Snapshot() *engine.Snapshot {
	now := s.World.Snapshot()
	now.Comms = append(now.Comms[:len(now.Comms):len(now.Comms)], s.made...)
	return now
}

// Variable is what each world rank holds under a name: the id of a communicator, -1 for MPI_COMM_NULL.
type Variable struct {
	Name string
	IDs  []int32
}

// New begins a world with a rank for each binding, and with psets in addition to the standard process sets.
func New(t testing.TB, topo *hw.Topology, b []*hw.Binding, psets ...engine.Pset) *Session {
	t.Helper()
	w, err := engine.New(engine.Config{Size: len(b), Topology: topo, Bindings: b, Trace: true, Psets: psets})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return &Session{TB: t, World: w}
}

// Assign runs f on every rank and keeps its results as a variable. at is the line of demo.py.
func (s *Session) Assign(name string, at int32, f func(p *engine.Process) (*engine.Comm, error)) {
	s.Helper()
	s.AssignOn(engine.AllRanks(s.World.Size()), name, at, f)
}

// AssignOn runs f on some ranks only; the others hold MPI_COMM_NULL.
func (s *Session) AssignOn(who engine.Ranks, name string, at int32, f func(p *engine.Process) (*engine.Comm, error)) {
	s.Helper()
	ids := make([]int32, s.World.Size())
	for i := range ids {
		ids[i] = -1
	}
	s.World.Submit(who, func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: at})
		c, err := f(p)
		if !c.IsNull() {
			ids[p.Rank()] = int32(c.Info().ID)
			Local(p)[name] = c
		}
		return err
	})
	s.World.Wait()
	s.Variables = append(s.Variables, Variable{name, ids})
}

// Local returns the variables of a process.
func Local(p *engine.Process) map[string]*engine.Comm {
	if p.Local == nil {
		p.Local = map[string]*engine.Comm{}
	}
	return p.Local.(map[string]*engine.Comm)
}

// Split assigns the result of MPI_Comm_split on the world.
func (s *Session) Split(name string, at int32, color, key func(r int) int) {
	s.Helper()
	s.Assign(name, at, func(p *engine.Process) (*engine.Comm, error) {
		return p.World().Split(color(p.Rank()), key(p.Rank()))
	})
}

// ReversedHalves assigns half, at line 3: even and odd ranks, each part in reverse order, without rank 11.
func (s *Session) ReversedHalves() {
	s.Helper()
	s.Split("half", 3, func(r int) int {
		if r == 11 {
			return engine.Undefined
		}
		return r % 2
	}, func(r int) int { return -r })
}

// Unguided assigns the result of MPI_Comm_split_type with MPI_COMM_TYPE_HW_UNGUIDED on the communicator that of
// returns.
func (s *Session) Unguided(name string, at int32, of func(p *engine.Process) *engine.Comm) {
	s.Helper()
	s.Assign(name, at, func(p *engine.Process) (*engine.Comm, error) {
		c := of(p)
		if c.IsNull() {
			return nil, nil
		}
		return c.SplitType(engine.TypeHWUnguided, 0, nil)
	})
}

// Zero returns 0, as a color or key that is the same on all ranks.
func Zero(int) int { return 0 }

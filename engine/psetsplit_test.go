package engine_test

import (
	"testing"

	"commsplit/engine"
)

// everybody is a communicator of mpi://WORLD that derives from a session, the ranks in reverse order.
func everybody(p *engine.Process) (*engine.Comm, error) {
	ranks := make([]int, p.Size())
	for i := range ranks {
		ranks[i] = p.Size() - 1 - i
	}
	return fromRanks(p, "everybody", ranks...)
}

// bySet splits such a communicator by the info object that each rank passes.
func bySet(p *engine.Process, key int, info *engine.Info) (view, error) {
	c, err := everybody(p)
	if err != nil {
		return view{}, err
	}
	return looking(c.SplitType(engine.TypeResourceGuided, key, info))
}

func pset(name string) *engine.Info { return naming(engine.KeyPsetName, name) }

// §7.4.2: the processes of the communicator that are in the named process set form the new one,
// ranked by key, ties broken by the old rank; the others get MPI_COMM_NULL.
func TestPsetSplit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  string
		key  func(rank int) int
		want [][]int32
	}{
		"old ranks":   {"app://ocean", zero, [][]int32{{4, 2, 0}}},
		"keys":        {"app://ocean", func(r int) int { return r }, [][]int32{{0, 2, 4}}},
		"everybody":   {"mpi://world", zero, [][]int32{{5, 4, 3, 2, 1, 0}}},
		"unknown":     {"app://oceans", zero, nil},
		"other case":  {"APP://OCEAN", zero, nil},
		"each itself": {"mpi://SELF", zero, [][]int32{{5}, {4}, {3}, {2}, {1}, {0}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			views := perRank(t, seas(), func(p *engine.Process) (view, error) {
				return bySet(p, c.key(p.Rank()), pset(c.set))
			})
			wantParts(t, views, append([][]int32{{5, 4, 3, 2, 1, 0}}, c.want...)[1:])
		})
	}
}

// §7.4.2: the set must be valid in the session from which comm is derived; the new communicator
// knows its name, as the standard writes it.
func TestPsetSplitRemembersTheSet(t *testing.T) {
	t.Parallel()
	perRank(t, seas(), func(p *engine.Process) (any, error) {
		c, err := everybody(p)
		if err != nil {
			return nil, err
		}
		for given, want := range map[string]string{"mpi://world": "mpi://WORLD"} {
			d, err := c.SplitType(engine.TypeResourceGuided, 0, pset(given))
			if err != nil {
				return nil, err
			}
			if i := d.Info(); i.Pset != want || i.Resource != "" {
				t.Errorf("%s: set %q, resource %q", given, i.Pset, i.Resource)
			}
		}
		w, err := p.World().SplitType(engine.TypeResourceGuided, 0, pset("mpi://WORLD"))
		if w != nil {
			t.Error("a communicator of the World Model has process sets")
		}
		return nil, err
	})
}

// §7.4.2: only the processes that are both in comm and in the named set must give the same key and
// value. So different sets may be named at once, and who is in none of them may name anything; a
// process that passes MPI_UNDEFINED is out of it.
func TestPsetSplitDisjointSets(t *testing.T) {
	t.Parallel()
	cfg := engine.Config{Size: 6, Psets: []engine.Pset{
		{Name: "app://ocean", Ranks: engine.RanksOf(0, 1)}, {Name: "app://atmos", Ranks: engine.RanksOf(3, 4)}}}
	for name, others := range map[string]string{
		"none": "", "a foreign set": "app://ocean", "an unknown set": "app://ice", "itself": "mpi://SELF",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			views := perRank(t, cfg, func(p *engine.Process) (view, error) {
				var info *engine.Info
				switch {
				case p.Rank() < 2:
					info = pset("app://ocean")
				case p.Rank() == 3 || p.Rank() == 4:
					info = pset("app://atmos")
				case others != "":
					info = pset(others)
				}
				c, err := everybody(p)
				if err != nil {
					return view{}, err
				}
				kind := engine.TypeResourceGuided
				if p.Rank() == 4 {
					kind, info = engine.Undefined, pset("app://ocean")
				}
				return looking(c.SplitType(kind, 0, info))
			})
			want := [][]int32{{1, 0}, {3}}
			if name == "itself" {
				want = append(want, []int32{5}, []int32{2})
			}
			wantParts(t, views, want)
		})
	}
}

// §7.4.2: all processes that are both in comm and in the named set must provide the same key and the
// same value; the hardware key must be the same on all of comm. The error is everybody's and names
// the sides.
func TestPsetSplitErroneous(t *testing.T) {
	t.Parallel()
	core := func() *engine.Info { return naming(engine.KeyHWResourceType, "hwloc://Core") }
	for name, c := range map[string]struct {
		info  func(rank int) *engine.Info
		sides []string
	}{
		"overlap": {func(r int) *engine.Info { // rank 4 is in both sets
			if r == 0 || r == 2 {
				return pset("app://ocean")
			}
			return pset("app://atmos")
		}, []string{`"app://ocean"`, `ranks 0,2 pass mpi_pset_name="app://ocean"`, `rank 4 passes mpi_pset_name="app://atmos"`}},
		"a member passes none": {func(r int) *engine.Info {
			if r == 3 {
				return nil
			}
			return pset("app://atmos")
		}, []string{`ranks 4-5 pass mpi_pset_name="app://atmos"`, "rank 3 passes no resource"}},
		"a stranger names a set whose members differ": {func(r int) *engine.Info {
			switch r {
			case 1:
				return pset("app://ocean")
			case 0:
				return pset("app://ice")
			}
			return nil
		}, []string{`rank 0 passes mpi_pset_name="app://ice"`, "ranks 2,4 pass no resource"}},
		"the hardware key": {func(r int) *engine.Info {
			if r == 1 { // in neither set
				return core()
			}
			return pset("app://ocean")
		}, []string{`rank 1 passes mpi_hw_resource_type="hwloc://Core"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := try(t, seas(), func(p *engine.Process) error {
				_, err := bySet(at(p, 4), 0, c.info(p.Rank()))
				return err
			})
			e := wantClass(t, err, engine.ErrArg)
			if e.Ranks.String() != "0-5" {
				t.Errorf("raised on %s, want on all ranks", e.Ranks)
			}
			wantText(t, e.Error(), append(c.sides, "demo.py:4", "§7.4.2")...)
		})
	}
}

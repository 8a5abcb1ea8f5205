package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// seas returns a world of six ranks with two process sets that overlap.
func seas() engine.Config {
	return engine.Config{Size: 6, Psets: []engine.Pset{
		{Name: "app://ocean", Ranks: engine.RanksOf(0, 2, 4)},
		{Name: "app://atmos", Ranks: engine.RanksOf(3, 4, 5)},
	}}
}

// opened opens a session whose errors are returned.
func opened(p *engine.Process) *engine.Session {
	s, err := p.SessionInit(nil, engine.ErrorsReturn)
	if err != nil {
		panic(err)
	}
	return s
}

// members writes the world ranks of a process set as the session's process sees it.
func members(s *engine.Session, name string) (string, error) {
	g, err := s.Group(name)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(g.WorldRanks()), nil
}

// §11.3.3: MPI_SESSION_GET_NUM_PSETS counts the process sets that the process is a member of; MPI_SESSION_GET_NTH_PSET
// returns their names. §11.3.2: mpi://WORLD and mpi://SELF always exist.
func TestSessionPsets(t *testing.T) {
	t.Parallel()
	got := perRank(t, seas(), func(p *engine.Process) (string, error) {
		s := opened(p)
		n, err := s.NumPsets()
		if err != nil {
			return "", err
		}
		var names []string
		for i := range n {
			name, err := s.NthPset(i)
			if err != nil {
				return "", err
			}
			names = append(names, name)
		}
		return strings.Join(names, " "), nil
	})
	const both = "mpi://WORLD mpi://SELF"
	want := []string{both + " app://ocean", both, both + " app://ocean", both + " app://atmos",
		both + " app://ocean app://atmos", both + " app://atmos"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names by rank (-want +got):\n%s", diff)
	}
}

// §7.3.2: MPI_GROUP_FROM_SESSION_PSET returns the group of a process set; the process need not be a member. §11.3.2:
// mpi://SELF is the process alone. As in both libraries, upper and lower case are the same in mpi:// names, and differ
// in other names.
func TestGroupFromPset(t *testing.T) {
	t.Parallel()
	perRank(t, seas(), func(p *engine.Process) (any, error) {
		s := opened(p)
		for name, want := range map[string]string{
			"mpi://WORLD": "[0 1 2 3 4 5]", "mpi://world": "[0 1 2 3 4 5]", "MPI://World": "[0 1 2 3 4 5]",
			"mpi://self": fmt.Sprint([]int{p.Rank()}), "app://ocean": "[0 2 4]", "app://atmos": "[3 4 5]",
		} {
			if got, err := members(s, name); got != want || err != nil {
				t.Errorf("rank %d, %s: %s (%v), want %s", p.Rank(), name, got, err, want)
			}
		}
		return nil, nil
	})
}

// §11.3.3: the info object of a process set has the key mpi_size, the number of its processes.
func TestPsetInfo(t *testing.T) {
	t.Parallel()
	perRank(t, seas(), func(p *engine.Process) (any, error) {
		s := opened(p)
		for name, want := range map[string]string{"mpi://WORLD": "6", "mpi://SELF": "1", "app://ocean": "3"} {
			info, err := s.PsetInfo(name)
			if err != nil {
				return nil, err
			}
			if diff := cmp.Diff([]string{"mpi_size", want}, listing(t, info)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		return nil, nil
	})
}

// §11.3.1: the session takes hints, of which thread_level is predefined; §11.3.3: MPI_SESSION_GET_INFO returns a new
// object with these hints and the level provided.
func TestSessionInfo(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		for level, want := range map[string]string{"": "MPI_THREAD_MULTIPLE", "MPI_THREAD_FUNNELED": "MPI_THREAD_FUNNELED"} {
			info := naming("color", "red")
			if level != "" {
				info = naming("thread_level", level)
			}
			s, err := p.SessionInit(info, engine.ErrorsReturn)
			if err != nil {
				return nil, err
			}
			used, err := s.Info()
			if err != nil {
				return nil, err
			}
			if got, _, err := used.Get("thread_level"); got != want || err != nil {
				t.Errorf("level %q: %q (%v), want %q", level, got, err, want)
			}
		}
		_, err := p.SessionInit(naming("thread_level", "2"), engine.ErrorsReturn)
		wantClass(t, err, engine.ErrInfoValue)
		freed := engine.NewInfo()
		if err := freed.Free(); err != nil {
			return nil, err
		}
		_, err = p.SessionInit(freed, engine.ErrorsReturn)
		wantClass(t, err, engine.ErrInfo)
		return nil, nil
	})
}

// §11.3.2: mpi:// is reserved for the standard; a set has a unique name and processes that exist.
func TestPsetsOfConfig(t *testing.T) {
	t.Parallel()
	one := engine.RanksOf(0)
	for _, list := range [][]engine.Pset{
		{{Name: "", Ranks: one}}, {{Name: "mpi://OCEAN", Ranks: one}}, {{Name: "MPI://self", Ranks: one}},
		{{Name: "a", Ranks: one}, {Name: "a", Ranks: one}}, {{Name: "a"}}, {{Name: "a", Ranks: engine.RanksOf(0, 2)}},
		{{Name: strings.Repeat("a", engine.MaxPsetName+1), Ranks: one}},
	} {
		if _, err := engine.New(engine.Config{Size: 2, Psets: list}); err == nil {
			t.Errorf("%+v: no error", list)
		}
	}
	w, err := engine.New(seas())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	want := append([]engine.Pset{{Name: "mpi://WORLD", Ranks: engine.AllRanks(6)}}, seas().Psets...)
	if diff := cmp.Diff(want, w.Psets()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// errAnswer is the error that tests return when a call gave another result than they wanted.
var errAnswer = errors.New("another answer")

// §11.3: an unknown set and an index out of range raise MPI_ERR_ARG (as in MPICH and Open MPI, and as mpi4py's tests
// expect).
func TestSessionBadArguments(t *testing.T) {
	t.Parallel()
	perRank(t, seas(), func(p *engine.Process) (any, error) {
		s := opened(p)
		_, err := s.Group("app://oceans")
		wantText(t, wantClass(t, err, engine.ErrArg).Error(), `"app://oceans"`, "MPI_Group_from_session_pset")
		_, err = s.PsetInfo("APP://ocean")
		wantClass(t, err, engine.ErrArg)
		for _, n := range []int{-1, 4} {
			_, err = s.NthPset(n)
			wantText(t, wantClass(t, err, engine.ErrArg).Error(), fmt.Sprint("no set ", n))
		}
		return nil, nil
	})
}

// §11.3.1: MPI_SESSION_FINALIZE makes the handle MPI_SESSION_NULL, which is invalid in every session call.
func TestSessionNull(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		s := opened(p)
		if err := s.Finalize(); err != nil || !s.IsNull() {
			t.Errorf("finalize: %v, null %t", err, s.IsNull())
		}
		for _, null := range []*engine.Session{s, nil} {
			_, num := null.NumPsets()
			_, nth := null.NthPset(0)
			_, info := null.Info()
			_, psetInfo := null.PsetInfo("mpi://WORLD")
			_, group := null.Group("mpi://WORLD")
			for _, err := range []error{num, nth, info, psetInfo, group, null.Finalize()} {
				wantClass(t, err, engine.ErrSession)
			}
		}
		return nil, nil
	})
}

// §9.3: errors of calls on a session, and on a group that derives from it, go to the session's error handler, not to
// that of MPI_COMM_SELF.
func TestSessionErrhandler(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]func(s *engine.Session, g *engine.Group) error{
		"session": func(s *engine.Session, _ *engine.Group) error { _, err := s.NthPset(99); return err },
		"group":   func(_ *engine.Session, g *engine.Group) error { _, err := g.Incl([]int{99}); return err },
	} {
		for _, fatal := range []bool{true, false} {
			err := try(t, ofSize(1), func(p *engine.Process) error {
				h, other := engine.ErrorsReturn, engine.ErrorsAreFatal
				if fatal {
					h, other = other, h
				}
				if err := p.Self().SetErrhandler(other); err != nil {
					return err
				}
				s, err := p.SessionInit(nil, h)
				if err != nil {
					return err
				}
				g, err := s.Group("mpi://WORLD")
				if err != nil {
					return err
				}
				if wrong(s, g) == nil {
					t.Errorf("%s: no error", name)
				}
				return nil
			})
			if (err != nil) != fatal {
				t.Errorf("%s, fatal %t: %v", name, fatal, err)
			}
		}
	}
}

// §9.4: MPI_ERR_ERRHANDLER came with MPI-4.1; before, MPI_ERRHANDLER_NULL raised MPI_ERR_ARG.
func TestSessionErrhandlerNull(t *testing.T) {
	t.Parallel()
	for std, class := range map[engine.Std]engine.Class{40: engine.ErrArg, 41: engine.ErrErrhandler, 50: engine.ErrErrhandler} {
		perRank(t, engine.Config{Size: 1, Std: std}, func(p *engine.Process) (any, error) {
			_, err := p.SessionInit(nil, nil)
			wantClass(t, err, class)
			g, err := p.World().Group()
			if err != nil {
				return nil, err
			}
			_, err = p.CreateFromGroup(g, "", nil, nil)
			wantClass(t, err, class)
			return nil, nil
		})
	}
}

// two returns the groups of mpi://WORLD in two sessions, and the group of MPI_COMM_WORLD.
func two(p *engine.Process) (first, second, world *engine.Group, err error) {
	if first, err = opened(p).Group("mpi://WORLD"); err != nil {
		return
	}
	if second, err = opened(p).Group("mpi://WORLD"); err != nil {
		return
	}
	world, err = p.World().Group()
	return
}

// combine has the operations that make one group of two.
var combine = map[string]func(g, h *engine.Group) (*engine.Group, error){
	"union": (*engine.Group).Union, "intersection": (*engine.Group).Intersection, "difference": (*engine.Group).Difference,
}

// §11.3: objects of different sessions shall not be intermixed in a single procedure call, nor objects of a session
// with objects of the World Model. Here inquiries may mix objects of a session and of the World Model.
func TestGroupsOfTwoSessions(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(3), func(p *engine.Process) (any, error) {
		g, h, world, err := two(p)
		if err != nil {
			return nil, err
		}
		for name, f := range combine {
			_, err := f(g, h)
			wantText(t, wantClass(t, err, engine.ErrSession).Error(), "session 1", "session 2", "§11.3")
			_, err = f(world, g)
			wantText(t, wantClass(t, err, engine.ErrSession).Error(), "the World Model", "session 1")
			if r, err := f(g, engine.EmptyGroup); err != nil {
				t.Errorf("%s with MPI_GROUP_EMPTY: %v (%v)", name, r, err)
			}
		}
		_, err = g.Compare(h)
		wantClass(t, err, engine.ErrSession)
		_, err = g.TranslateRanks([]int{0}, h)
		wantClass(t, err, engine.ErrSession)
		if r, err := g.Compare(world); r != engine.Ident || err != nil {
			t.Errorf("compare with the World Model: %v (%v)", r, err)
		}
		if r, err := world.TranslateRanks([]int{2}, g); fmt.Sprint(r) != "[2]" || err != nil {
			t.Errorf("translate from the World Model: %v (%v)", r, err)
		}
		return nil, nil
	})
}

// §11.3: a group made of a session's group belongs to that session, too.
func TestDerivedGroupsKeepTheirSession(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(4), func(p *engine.Process) (any, error) {
		g, other, _, err := two(p)
		if err != nil {
			return nil, err
		}
		pairs := [][]int{{0, 2}, {1}}
		for name, f := range map[string]func() (*engine.Group, error){
			"incl":         func() (*engine.Group, error) { return g.Incl(pairs[0]) },
			"excl":         func() (*engine.Group, error) { return g.Excl(pairs[0]) },
			"range_incl":   func() (*engine.Group, error) { return g.RangeIncl([]engine.RankRange{{3, 0, -2}}) },
			"range_excl":   func() (*engine.Group, error) { return g.RangeExcl([]engine.RankRange{{0, 2, 2}}) },
			"union":        func() (*engine.Group, error) { return g.Union(engine.EmptyGroup) },
			"empty union":  func() (*engine.Group, error) { return engine.EmptyGroup.Union(g) },
			"intersection": func() (*engine.Group, error) { return g.Intersection(g) },
			"difference":   func() (*engine.Group, error) { return g.Difference(engine.EmptyGroup) },
		} {
			h, err := f()
			if err != nil {
				return nil, err
			}
			if _, err := other.Union(h); err == nil {
				t.Errorf("%s: the result belongs to no session", name)
			}
			if _, err := g.Union(h); err != nil {
				t.Errorf("%s: the result belongs to another session: %v", name, err)
			}
		}
		return nil, nil
	})
}

// §7.4.2 and §11.3: a communicator made from a communicator that derives from a session derives from that session, and
// MPI_COMM_GROUP returns a group of that session. Groups and communicators of different origin are not mixed.
func TestCommunicatorsOfASession(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(4), func(p *engine.Process) (any, error) {
		g, other, world, err := two(p)
		if err != nil {
			return nil, err
		}
		c, err := p.CreateFromGroup(g, "x", nil, engine.ErrorsReturn)
		if err != nil {
			return nil, err
		}
		same, err := c.Group()
		if err != nil {
			return nil, err
		}
		// The order is the same on all ranks, since the calls are collective.
		for i, f := range []func() (*engine.Comm, error){
			func() (*engine.Comm, error) { return c, nil },
			c.Dup,
			func() (*engine.Comm, error) { return c.Split(p.Rank()%2, -p.Rank()) },
			func() (*engine.Comm, error) { return c.SplitType(engine.TypeShared, 0, nil) },
			func() (*engine.Comm, error) { return c.Create(same) },
			func() (*engine.Comm, error) { return c.CreateGroup(g, 3) },
		} {
			if err := ofSession(f, g, other); err != nil {
				t.Errorf("constructor %d: %v", i, err)
			}
		}
		_, err = p.World().Create(g)
		wantText(t, wantClass(t, err, engine.ErrSession).Error(), "the communicator derives from the World Model", "session 1")
		_, err = c.Create(world)
		wantClass(t, err, engine.ErrSession)
		_, err = c.CreateGroup(other, 0)
		wantText(t, wantClass(t, err, engine.ErrSession).Error(), "session 1", "session 2")
		return nil, nil
	})
}

// §11.3: where the members pass groups of different origin, the communicator derives from a session only if all groups
// do: here rank 2 passes a group of the World Model.
func TestCommunicatorOfMixedOrigin(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(3), func(p *engine.Process) (any, error) {
		g, _, world, err := two(p)
		if err != nil {
			return nil, err
		}
		mine, err := g.Incl([]int{0, 1, 2})
		if p.Rank() == 2 {
			mine = world
		}
		if err != nil {
			return nil, err
		}
		c, err := p.CreateFromGroup(mine, "x", nil, engine.ErrorsReturn)
		if err != nil {
			return nil, err
		}
		of, err := c.Group()
		if err != nil {
			return nil, err
		}
		if _, err := of.Union(world); err != nil {
			t.Errorf("its group: %v", err)
		}
		d, err := c.SplitType(engine.TypeResourceGuided, 0, pset("mpi://WORLD"))
		if d != nil {
			t.Error("it has process sets")
		}
		return nil, err
	})
}

// ofSession makes a communicator and checks that its group combines with a group of its session, and does not combine
// with a group of another session.
func ofSession(make func() (*engine.Comm, error), mine, other *engine.Group) error {
	c, err := make()
	if err != nil {
		return err
	}
	g, err := c.Group()
	if err != nil {
		return err
	}
	if _, err := g.Union(mine); err != nil {
		return err
	}
	if _, err := g.Union(other); err == nil {
		return errAnswer
	}
	return nil
}

// Objects that derive from a session outlive it in name only: "Once MPI_SESSION_FINALIZE returns, no MPI procedure may
// be called ... related to this session (not even freeing objects derived from it)" (§11.3.1). Objects of the World
// Model, or of another session, can still be used.
func TestSessionEndsWhatDerivesFromIt(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		s, other := opened(p), opened(p)
		g, err := s.Group("mpi://WORLD")
		if err != nil {
			return nil, err
		}
		c, err := p.CreateFromGroup(g, "a", nil, engine.ErrorsReturn)
		if err != nil {
			return nil, err
		}
		half, err := c.Split(0, 0)
		if err != nil {
			return nil, err
		}
		late, making, err := c.Idup()
		if err != nil {
			return nil, err
		}
		if _, err := making.Wait(); err != nil {
			return nil, err
		}
		open, err := c.Irecv(1-p.Rank(), 3)
		if err != nil {
			return nil, err
		}
		if err := c.Send(1, 1-p.Rank(), 4); err != nil {
			return nil, err
		}
		m, _, err := c.Mprobe(1-p.Rank(), 4)
		if err != nil {
			return nil, err
		}
		h, err := other.Group("mpi://WORLD")
		if err != nil {
			return nil, err
		}
		if err := s.Finalize(); err != nil {
			return nil, err
		}
		for name, call := range map[string]func() error{
			"barrier": c.Barrier, "free": c.Free, "disconnect": c.Disconnect, "free of a derived one": half.Free, "free of a duplicate": late.Free,
			"send":         func() error { return c.Send(1, 0, 0) },
			"group of it":  func() error { _, err := c.Group(); return err },
			"set_name":     func() error { return half.SetName("x") },
			"incl":         func() error { _, err := g.Incl([]int{0}); return err },
			"range_incl":   func() error { _, err := g.RangeIncl([]engine.RankRange{{First: 0, Last: 0, Stride: 1}}); return err },
			"incl range":   func() error { _, err := g.InclRange(engine.RankRange{First: 0, Last: 0, Stride: 1}); return err },
			"union":        func() error { _, err := g.Union(engine.EmptyGroup); return err },
			"compare":      func() error { _, err := h.Compare(g); return err },
			"group's free": func() error { return g.Check(engine.CallGroupFree) },
			"wait":         func() error { _, err := open.Wait(); return err },
			"test":         func() error { _, _, err := open.Test(); return err },
			"cancel":       open.Cancel,
			"request_free": open.CheckFree,
			"waitall":      func() error { _, err := engine.Waitall([]*engine.Request{nil, open}); return err },
			"testall":      func() error { _, _, err := engine.Testall([]*engine.Request{open}); return err },
			"waitany":      func() error { _, _, err := engine.Waitany([]*engine.Request{open}); return err },
			"testany":      func() error { _, _, _, err := engine.Testany([]*engine.Request{open}); return err },
			"waitsome":     func() error { _, _, err := engine.Waitsome([]*engine.Request{open}); return err },
			"testsome":     func() error { _, _, err := engine.Testsome([]*engine.Request{open}); return err },
			"mrecv":        func() error { _, err := m.Recv(); return err },
			"imrecv":       func() error { _, err := m.Irecv(); return err },
		} {
			err := call()
			if !errors.Is(err, engine.ErrSession) {
				t.Errorf("%s: %v, want MPI_ERR_SESSION", name, err)
			}
		}
		d, err := p.CreateFromGroup(h, "b", nil, engine.ErrorsReturn)
		if err != nil {
			return nil, err
		}
		if err := d.Barrier(); err != nil {
			return nil, err
		}
		return nil, p.World().Barrier()
	})
}

// Outliving lists, by step, the communicators that processes have not freed when they finalize the session, and no
// freed communicators.
func TestSessionLeavesCommunicators(t *testing.T) {
	t.Parallel()
	w := traced(t, 3, func(p *engine.Process) error {
		for i, name := range []string{"freed", "left"} {
			s := opened(p)
			g, err := s.Group("mpi://WORLD")
			if err != nil {
				return err
			}
			c, err := p.CreateFromGroup(g, name, nil, engine.ErrorsReturn)
			if err != nil {
				return err
			}
			half, err := c.Split(p.Rank()%2, 0)
			if err != nil {
				return err
			}
			if err := half.Free(); err != nil {
				return err
			}
			if i == 0 {
				if err := c.Disconnect(); err != nil {
					return err
				}
			}
			if err := s.Finalize(); err != nil {
				return err
			}
		}
		return nil
	})
	// The first session has communicators 2, and 3 and 4; the second session has 5, which stays, and 6 and 7.
	if diff := cmp.Diff([]engine.Outliving{{Comms: []int{5}, Ranks: engine.AllRanks(3)}}, w.Outliving(0)); diff != "" {
		t.Errorf("left behind (-want +got):\n%s", diff)
	}
}

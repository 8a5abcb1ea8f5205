package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// seas is a world of six ranks with two process sets that overlap.
func seas() engine.Config {
	return engine.Config{Size: 6, Psets: []engine.Pset{
		{Name: "app://ocean", Ranks: engine.RanksOf(0, 2, 4)},
		{Name: "app://atmos", Ranks: engine.RanksOf(3, 4, 5)},
	}}
}

// opened is a new session whose errors are returned.
func opened(p *engine.Process) *engine.Session {
	s, err := p.SessionInit(nil, engine.ErrorsReturn)
	if err != nil {
		panic(err)
	}
	return s
}

// members lists the world ranks of a process set as p sees it.
func members(s *engine.Session, name string) (string, error) {
	g, err := s.Group(name)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(g.WorldRanks()), nil
}

// §11.3.3: MPI_SESSION_GET_NUM_PSETS counts the process sets that the process is a member of;
// MPI_SESSION_GET_NTH_PSET tells their names. §11.3.2: mpi://WORLD and mpi://SELF are mandated.
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

// §7.3.2: MPI_GROUP_FROM_SESSION_PSET gives the group of a process set, which the process need not
// be in. §11.3.2: mpi://SELF is the process alone. Both libraries ignore the case of mpi:// names;
// others are exact.
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

// §11.3.1: the session takes hints, of which thread_level is predefined; §11.3.3: MPI_SESSION_GET_INFO
// returns a new object with them and the level provided.
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

// §11.3.2: mpi:// is reserved for the standard; a set has a name of its own and processes that exist.
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

// errAnswer is what tests return when a call gave something else than they wanted.
var errAnswer = errors.New("another answer")

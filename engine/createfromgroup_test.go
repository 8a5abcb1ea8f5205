package engine_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// fromRanks makes a communicator of some ranks of mpi://WORLD.
func fromRanks(p *engine.Process, stringtag string, ranks ...int) (*engine.Comm, error) {
	g, err := opened(p).Group("mpi://WORLD")
	if err != nil {
		return nil, err
	}
	if g, err = g.Incl(ranks); err != nil {
		return nil, err
	}
	return p.CreateFromGroup(g, stringtag, nil, engine.ErrorsReturn)
}

// §7.4.2: MPI_COMM_CREATE_FROM_GROUP is invoked only by the processes of the group, whose order is
// that of the new communicator; there is no parent.
func TestCreateFromGroupMembersOnly(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(5), func(p *engine.Process) (view, error) {
		if p.Rank()%2 == 1 {
			return view{}, nil
		}
		c, err := fromRanks(p, "org.example", 4, 0, 2)
		if err != nil {
			return view{}, err
		}
		if i := c.Info(); i.Parent != -1 || i.Op != engine.CallCreateFromGroup {
			t.Errorf("made by %s from %d", i.Op, i.Parent)
		}
		return look(c)
	})
	wantParts(t, views, [][]int32{{4, 0, 2}})
}

// §7.4.2: with MPI_GROUP_EMPTY the call is local and returns MPI_COMM_NULL; likewise for a process
// that is not in the group: it does not wait for the members, which here only call later.
func TestCreateFromGroupLocal(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(3), func(p *engine.Process) (view, error) {
		if p.Rank() == 2 {
			c, err := fromRanks(p, "x", 0, 1)
			d, err2 := p.CreateFromGroup(engine.EmptyGroup, "x", nil, engine.ErrorsReturn)
			if err := errors.Join(err, err2); err != nil || c != nil || d != nil {
				return view{}, errors.Join(err, errAnswer)
			}
			return view{}, p.World().Send("go on", 0, 0)
		}
		if p.Rank() == 0 {
			if _, err := p.World().Recv(2, 0); err != nil {
				return view{}, err
			}
		}
		return looking(fromRanks(p, "x", 0, 1))
	})
	wantParts(t, views, [][]int32{{0, 1}})
}

// §7.4.2: errhandler is attached to the new communicator, info gives its hints.
func TestCreateFromGroupAttaches(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		g, err := opened(p).Group("mpi://WORLD")
		if err != nil {
			return nil, err
		}
		info := naming("mpi_assert_no_any_tag", "true")
		c, err := p.CreateFromGroup(g, "x", info, engine.ErrorsAbort)
		wantHandler(t, "create_from_group", c, err)
		hints, err := c.Hints()
		if err != nil {
			return nil, err
		}
		if diff := cmp.Diff([]string{"mpi_assert_no_any_tag", "true"}, listing(t, hints)); diff != "" {
			t.Errorf("hints (-want +got):\n%s", diff)
		}
		return nil, nil
	})
}

// §7.4.2: stringtag distinguishes concurrent calls; disjoint groups may use the same one. Here the
// groups overlap in rank 2, which makes its calls one after the other.
func TestCreateFromGroupConcurrently(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(5), func(p *engine.Process) (v view, err error) {
		for _, c := range []struct {
			tag   string
			ranks []int
		}{{"x", []int{0, 1}}, {"x", []int{2, 3}}, {"y", []int{2, 4}}} {
			if v, err = looking(fromRanks(p, c.tag, c.ranks...)); err != nil || v.ID != 0 && p.Rank() != 2 {
				return v, err
			}
		}
		return v, err
	})
	got := [][]int32{views[0].Group, views[2].Group, views[3].Group, views[4].Group}
	if diff := cmp.Diff([][]int32{{0, 1}, {2, 4}, {2, 3}, {2, 4}}, got); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

// The trace shows the call without a communicator, with the group and the stringtag.
func TestCreateFromGroupTrace(t *testing.T) {
	t.Parallel()
	s := tracing(t, 3, func(p *engine.Process) error {
		_, err := fromRanks(p, "x", 2, 0)
		return err
	})
	st := s.Steps[len(s.Steps)-1]
	if st.Call != engine.CallCreateFromGroup || st.Comm != -1 || st.Ranks.String() != "0,2" {
		t.Errorf("last step %+v", st)
	}
	want := []engine.Column{{Name: "group", Texts: []string{"{2,0}", "{2,0}"}}, {Name: "stringtag", Texts: []string{"x", "x"}}}
	if diff := cmp.Diff(want, st.Args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

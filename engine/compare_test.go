package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// §7.4.1: MPI_COMM_COMPARE is IDENT for handles of the same object, CONGRUENT if the groups are
// identical but the contexts differ, SIMILAR if only the members agree, UNEQUAL otherwise.
func TestCommCompare(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(4), func(p *engine.Process) (list []engine.Comparison, err error) {
		w := p.World()
		dup, err := w.Dup()
		if err != nil {
			return nil, err
		}
		same, err := w.Split(0, p.Rank())
		if err != nil {
			return nil, err
		}
		back, err := w.Split(0, -p.Rank())
		if err != nil {
			return nil, err
		}
		half, err := w.Split(p.Rank()/2, 0)
		if err != nil {
			return nil, err
		}
		for _, c := range []*engine.Comm{w, dup, same, back, half, p.Self()} {
			r, err := w.Compare(c)
			if err != nil {
				return nil, err
			}
			list = append(list, r)
		}
		return list, nil
	})
	want := []engine.Comparison{engine.Ident, engine.Congruent, engine.Congruent, engine.Similar,
		engine.Unequal, engine.Unequal}
	for rank, list := range got {
		if diff := cmp.Diff(want, list); diff != "" {
			t.Errorf("rank %d (-want +got):\n%s", rank, diff)
		}
	}
}

// §7.6.1: of two intercommunicators, both the local and the remote groups must compare correctly to get
// MPI_CONGRUENT or MPI_SIMILAR; an intercommunicator and an intracommunicator are MPI_UNEQUAL.
func TestCompareIntercommunicators(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(5), func(p *engine.Process) (list []engine.Comparison, err error) {
		// Ranks 0 and 1 with, in turn: 2 and 3, the same, 3 and 2, 2 and 4.
		var inter []*engine.Comm
		for tag, right := range [][]int{{2, 3}, {2, 3}, {3, 2}, {2, 4}} {
			color, key, leader := engine.Undefined, slices.Index(right, p.Rank()), 0
			if p.Rank() < 2 {
				color, key, leader = 0, p.Rank(), right[0]
			} else if key >= 0 {
				color = 1
			}
			side, err := p.World().Split(color, key)
			if err != nil {
				return nil, err
			}
			if side == nil {
				continue
			}
			c, err := side.CreateIntercomm(0, p.World(), leader, tag)
			if err != nil {
				return nil, err
			}
			inter = append(inter, c)
		}
		for _, c := range append(inter, p.World()) {
			r, err := inter[0].Compare(c)
			if err != nil {
				return nil, err
			}
			list = append(list, r)
		}
		return list, nil
	})
	with := func(list ...engine.Comparison) []engine.Comparison { return append(list, engine.Unequal) }
	want := [][]engine.Comparison{
		with(engine.Ident, engine.Congruent, engine.Similar, engine.Unequal), // the remote groups decide
		with(engine.Ident, engine.Congruent, engine.Similar, engine.Unequal),
		with(engine.Ident, engine.Congruent, engine.Similar, engine.Unequal), // the local ones
		with(engine.Ident, engine.Congruent, engine.Similar),
		with(engine.Ident), // rank 4 is in the last one only
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("by rank (-want +got):\n%s", diff)
	}
}

// The one process of a world of one: MPI_COMM_WORLD and MPI_COMM_SELF have identical groups.
func TestCompareWorldAndSelf(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		r, err := p.World().Compare(p.Self())
		if r != engine.Congruent {
			t.Errorf("got %v, want MPI_CONGRUENT", r)
		}
		return nil, err
	})
}

// The names that messages and traces show are those of the C binding.
func TestCNames(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		engine.Ident.String(): "MPI_IDENT", engine.Congruent.String(): "MPI_CONGRUENT",
		engine.Similar.String(): "MPI_SIMILAR", engine.Unequal.String(): "MPI_UNEQUAL",
		engine.ErrArg.String(): "MPI_ERR_ARG", engine.CallSplitType.String(): "MPI_Comm_split_type",
		engine.CallCreateGroup.String(): "MPI_Comm_create_group",
		engine.CallDup.Rule():           "MPI-5.0 §7.4.2",
		engine.TypeHWUnguided.String():  "MPI_COMM_TYPE_HW_UNGUIDED",
		engine.Std(22).String():         "2.2",
		engine.ErrorsReturn.String():    "MPI_ERRORS_RETURN",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

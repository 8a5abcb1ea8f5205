package engine_test

import (
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

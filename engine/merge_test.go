package engine_test

import (
	"slices"
	"testing"

	"commsplit/engine"
)

// MPI_Intercomm_merge, §7.6.2: the group with high=false comes first, each in its own order.
func TestMerge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left, right bool
		want        []int32
	}{
		{false, true, []int32{1, 0, 2, 3}},
		{true, false, []int32{2, 3, 1, 0}},
		{true, true, []int32{1, 0, 2, 3}}, // the order is open: the lowest world rank is on the left
		{false, false, []int32{1, 0, 2, 3}},
	} {
		got := perRank(t, ofSize(4), func(p *engine.Process) ([]int32, error) {
			local, err := p.World().Split(p.Rank()/2, []int{1, 0, 0, 1}[p.Rank()])
			if err != nil {
				return nil, err
			}
			inter, err := local.CreateIntercomm(0, p.World(), []int{2, 2, 1, 1}[p.Rank()], 0)
			if err != nil {
				return nil, err
			}
			m, err := inter.Merge(p.Rank() < 2 && c.left || p.Rank() >= 2 && c.right)
			if err != nil {
				return nil, err
			}
			rank, _ := m.Rank()
			return m.Info().Group, want(m.Info().Group[rank] == int32(p.Rank()), "rank %d", rank)
		})
		for _, g := range got {
			if !slices.Equal(g, c.want) {
				t.Errorf("high %v %v: %v, want %v", c.left, c.right, g, c.want)
			}
		}
	}
}

// §7.6.2: all processes of a group provide the same high; MPI_ERR_ARG names who passed what.
func TestMergeOfDifferingHigh(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(4), func(p *engine.Process) error {
		inter, err := bridge(p, 2)
		if err != nil {
			return err
		}
		_, err = inter.Merge(p.Rank() == 1)
		return isClass(err, engine.ErrArg, ": rank 0 passes high=false; rank 1 passes high=true [", "§7.6.2")
	})
	if err != nil {
		t.Error(err)
	}
}

package engine_test

import (
	"testing"

	"commsplit/engine"
)

// §8.5.4: the edges that all sources describe must be those that all destinations describe, with
// the same weights: MPI_ERR_ARG everywhere, naming the ends of an edge that is not.
func TestDistGraphEndsMustMatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ranks [2]dist
		text  string
	}{
		"source only": {[2]dist{{Destinations: []int{1}}, {}},
			"rank 0 names rank 1 as destination, but rank 1 does not name it as source so often"},
		"destination only": {[2]dist{{Sources: []int{1}}, {}},
			"rank 0 names rank 1 as source, but rank 1 does not name it as destination so often"},
		"once and twice": {[2]dist{{Destinations: []int{1}}, {Sources: []int{0, 0}}},
			"rank 1 names rank 0 as source, but rank 0 does not name it as destination so often"},
		"other edges, as many": {[2]dist{{Destinations: []int{1}}, {Sources: []int{1}}},
			"rank 0 names rank 1 as destination, but rank 1"},
		"other weights": {[2]dist{{[]int{}, []int{}, []int{1}, []int{3}}, {[]int{0}, []int{4}, []int{}, []int{}}},
			"rank 0 names rank 1 as destination with weight 3, but rank 1"},
	} {
		err := try(t, ofSize(2), func(p *engine.Process) error {
			a := c.ranks[p.Rank()]
			_, err := at(p, 5).World().CreateDistGraphAdjacent(a.Sources, a.SourceWeights, a.Destinations, a.DestWeights, nil, false)
			return err
		})
		e := wantClass(t, err, engine.ErrArg)
		if e.Ranks.Len() != 2 {
			t.Errorf("%s: raised on %s, want on both ranks", name, e.Ranks)
		}
		wantText(t, e.Error(), c.text, "demo.py:5", "§8.5.4")
	}
}

// §8.5.4: sources and destinations are ranks of comm (an invalid rank is MPI_ERR_RANK), weights are
// nonnegative, degrees count destinations. What is wrong with one process' own arguments is raised
// there.
func TestDistGraphBadArguments(t *testing.T) {
	t.Parallel()
	freed := engine.NewInfo()
	if err := freed.Free(); err != nil {
		t.Fatal(err)
	}
	none := []int{}
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		adjacent := func(class engine.Class, text string, sources, sourceWeights, dests, destWeights []int, info *engine.Info) {
			_, err := p.World().CreateDistGraphAdjacent(sources, sourceWeights, dests, destWeights, info, false)
			wantText(t, wantClass(t, err, class).Message(), text)
		}
		adjacent(engine.ErrRank, "sources[1] = 2", []int{0, 2}, nil, nil, nil, nil)
		adjacent(engine.ErrRank, "destinations[0] = -1", nil, nil, []int{-1}, nil, nil)
		adjacent(engine.ErrArg, "1 for 2 sources", []int{0, 1}, []int{1}, none, none, nil)
		adjacent(engine.ErrArg, "0 for 1 destinations", none, none, []int{1}, none, nil)
		adjacent(engine.ErrArg, "destweights[0] = -1", none, none, []int{1}, []int{-1}, nil)
		adjacent(engine.ErrArg, "both are MPI_UNWEIGHTED or none is", []int{1}, []int{1}, []int{1}, nil, nil)
		if p.Rank() == 0 { // the object belongs to one process
			adjacent(engine.ErrInfo, "freed before", nil, nil, nil, nil, freed)
		}

		general := func(class engine.Class, text string, sources, degrees, dests, weights []int) {
			_, err := p.World().CreateDistGraph(sources, degrees, dests, weights, nil, false)
			wantText(t, wantClass(t, err, class).Message(), text)
		}
		general(engine.ErrRank, "sources[0] = 2", []int{2}, []int{1}, []int{0}, nil)
		general(engine.ErrRank, "destinations[1] = 5", []int{0}, []int{2}, []int{0, 5}, nil)
		general(engine.ErrArg, "1 for 2 sources", []int{0, 1}, []int{1}, []int{0}, nil)
		general(engine.ErrArg, "degrees[1] = -1", []int{0, 1}, []int{2, -1}, []int{0}, nil)
		general(engine.ErrArg, "2 for 1 destinations", []int{0}, []int{2}, []int{0}, nil)
		general(engine.ErrArg, "1 for 2 destinations", []int{0}, []int{1}, []int{1, 0}, nil)
		general(engine.ErrArg, "2 for 1 destinations", []int{0}, []int{1}, []int{1}, []int{1, 2})
		return nil, nil
	})
}

// §8.5.4: it is erroneous to supply MPI_UNWEIGHTED for some but not all processes. §8.4: reorder and
// info have the same value everywhere. Equal hints in two objects are the same.
func TestDistGraphArgumentsDiffer(t *testing.T) {
	t.Parallel()
	hints := func(value string) *engine.Info {
		i := engine.NewInfo()
		if err := i.Set("weights", value); err != nil {
			t.Fatal(err)
		}
		return i
	}
	for _, c := range []struct {
		weights [2][]int
		info    [2]string
		reorder [2]bool
		text    []string
	}{
		{[2][]int{nil, {}}, [2]string{"a", "a"}, [2]bool{}, []string{"rank 0 passes MPI_UNWEIGHTED", "rank 1 passes weights", "MPI_WEIGHTS_EMPTY"}},
		{[2][]int{}, [2]string{"a", "b"}, [2]bool{}, []string{"the same info", `rank 0 passes weights="a"`, `rank 1 passes weights="b"`}},
		{[2][]int{}, [2]string{"a", "a"}, [2]bool{true, false}, []string{"the same reorder", "rank 0 passes true", "rank 1 passes false"}},
		{[2][]int{}, [2]string{"a", "a"}, [2]bool{true, true}, nil},
	} {
		for _, adjacent := range []bool{true, false} {
			err := try(t, ofSize(2), func(p *engine.Process) (err error) {
				w, info, reorder := c.weights[p.Rank()], hints(c.info[p.Rank()]), c.reorder[p.Rank()]
				if adjacent {
					_, err = p.World().CreateDistGraphAdjacent(nil, w, nil, w, info, reorder)
				} else {
					_, err = p.World().CreateDistGraph(nil, nil, nil, w, info, reorder)
				}
				return err
			})
			if c.text == nil && err != nil {
				t.Errorf("equal arguments: %v", err)
			} else if c.text != nil {
				wantText(t, wantClass(t, err, engine.ErrArg).Text, c.text...)
			}
		}
	}
}

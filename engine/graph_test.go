package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
)

// §8.5.3, Example 8.3: process 0 has the neighbors 1 and 3, process 1 has 0, process 2 has 3, and
// process 3 has 0 and 2. The graph has four nodes; processes beyond them get MPI_COMM_NULL, and the
// others keep their order, whatever reorder is.
func TestGraphCreate(t *testing.T) {
	t.Parallel()
	index, edges := []int{2, 3, 4, 6}, []int{1, 3, 0, 3, 0, 2}
	neighbors := [][]int{{1, 3}, {0}, {3}, {0, 2}}
	for _, reorder := range []bool{false, true} {
		views := perRank(t, ofSize(6), func(p *engine.Process) (view, error) {
			c, err := p.World().CreateGraph(slices.Clone(index), slices.Clone(edges), reorder)
			if c == nil || err != nil {
				return view{}, err
			}
			i, e, err := c.GraphGet()
			if diff := cmp.Diff([][]int{index, edges}, [][]int{i, e}); diff != "" || err != nil {
				t.Errorf("%v, index and edges (-want +got):\n%s", err, diff)
			}
			for r, want := range neighbors { // any process may ask for the neighbors of any other
				if got, err := c.GraphNeighbors(r); !slices.Equal(got, want) || err != nil {
					t.Errorf("neighbors of %d: %v, %v, want %v", r, got, err, want)
				}
			}
			for _, r := range []int{-1, 4} {
				_, err := c.GraphNeighbors(r)
				wantText(t, wantClass(t, err, engine.ErrRank).Message(), "0 to 3")
			}
			return look(c)
		})
		wantParts(t, views, [][]int32{{0, 1, 2, 3}})
	}
}

// §8.5.3: a process may be a neighbor of itself and more than once, as in the shuffle-exchange
// network of §8.5.5 (Example 8.7): exchange flips the last bit, unshuffle and shuffle rotate.
func TestGraphShuffleExchange(t *testing.T) {
	t.Parallel()
	index := []int{3, 6, 9, 12, 15, 18, 21, 24}
	edges := []int{1, 0, 0, 0, 2, 4, 3, 4, 1, 2, 6, 5, 5, 1, 2, 4, 3, 6, 7, 5, 3, 6, 7, 7}
	got := perRank(t, ofSize(8), func(p *engine.Process) ([]int, error) {
		c, err := p.World().CreateGraph(index, edges, false)
		if err != nil {
			return nil, err
		}
		return c.GraphNeighbors(p.Rank())
	})
	for r, list := range got {
		if want := []int{r ^ 1, r<<1&7 | r>>2, r>>1 | r&1<<2}; !slices.Equal(list, want) {
			t.Errorf("neighbors of %03b: %v, want %v", r, list, want)
		}
	}
}

// §8.5.3: an empty graph gives MPI_COMM_NULL to all processes.
func TestGraphEmpty(t *testing.T) {
	t.Parallel()
	views := perRank(t, ofSize(3), func(p *engine.Process) (view, error) {
		return looking(p.World().CreateGraph(nil, nil, false))
	})
	wantParts(t, views, nil)
}

// §8.5.3: a graph larger than the group is erroneous; index[i] is the number of neighbors of the
// first nodes, so it cannot fall, and its last entry is the number of edges; neighbors are nodes.
// MPI_ERR_ARG on every process.
func TestGraphErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		index, edges []int
		text         string
	}{
		{[]int{0, 0, 0, 0}, nil, "4 nodes, the group 3 processes"},
		{[]int{2, 1}, []int{0}, "index[1] is 1 after 2"},
		{[]int{-1}, nil, "index[0] is -1 after 0"},
		{[]int{1, 3}, []int{0, 1}, "index says 3, and edges has 2"},
		{[]int{1, 2}, []int{0, 1, 1}, "index says 2, and edges has 3"},
		{[]int{1, 2}, []int{0, 2}, "a node of the graph, 0 to 1: edges[1] is 2"}, // rank 2 is a process, but no node
		{[]int{1, 2}, []int{-1, 0}, "edges[0] is -1"},
		{nil, []int{0}, "index says 0, and edges has 1"},
	} {
		err := try(t, ofSize(3), func(p *engine.Process) error {
			_, err := p.World().GraphMap(c.index, c.edges)
			wantText(t, wantClass(t, err, engine.ErrArg).Text, c.text)
			_, err = p.World().CreateGraph(c.index, c.edges, false)
			return err
		})
		e := wantClass(t, err, engine.ErrArg)
		if e.Ranks.Len() != 3 {
			t.Errorf("raised on %s, want on all ranks", e.Ranks)
		}
		wantText(t, e.Error(), c.text, "MPI_Graph_create", "§8.5.3")
	}
}

// §8.4: all processes must pass the same graph: else MPI_ERR_ARG, which names the sides. For long
// arrays it names the first difference.
func TestGraphArgumentsDiffer(t *testing.T) {
	t.Parallel()
	long := make([]int, 40)
	for i := range long {
		long[i] = 20
	}
	changed := slices.Clone(long)
	changed[30] = 21
	for _, c := range []struct {
		index0, edges0, index1, edges1 []int
		text                           []string
	}{
		{[]int{1, 2}, []int{0, 1}, []int{1, 2}, []int{1, 0}, []string{"the same edges", "rank 0 passes (0,1)", "ranks 1-2 pass (1,0)"}},
		{[]int{1}, []int{0}, []int{0, 1}, []int{0}, []string{"the same index", "rank 0 passes (1)", "ranks 1-2 pass (0,1)"}},
		{[]int{40}, long, []int{40}, changed, []string{"the same edges", "rank 0 passes 20 as entry 30", "ranks 1-2 pass 21 as entry 30"}},
		{[]int{40}, long, []int{40}, long[1:], []string{"the same edges", "rank 0 passes 40 entries", "ranks 1-2 pass 39 entries"}},
	} {
		err := try(t, ofSize(3), func(p *engine.Process) error {
			index, edges := c.index1, c.edges1
			if p.Rank() == 0 {
				index, edges = c.index0, c.edges0
			}
			_, err := p.World().CreateGraph(index, edges, false)
			return err
		})
		wantText(t, wantClass(t, err, engine.ErrArg).Text, c.text...)
	}
}

// §8.5.8: MPI_Graph_map may return the caller's rank; MPI_UNDEFINED when it is not a node.
func TestGraphMap(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(3), func(p *engine.Process) (int, error) {
		return p.World().GraphMap([]int{1, 2}, []int{1, 0})
	})
	if want := []int{0, 1, engine.Undefined}; !slices.Equal(got, want) {
		t.Errorf("ranks %v, want %v", got, want)
	}
}

type dist = engine.DistNeighbors

// neighborsOf returns what a process sees of the communicator that a constructor made.
func neighborsOf(c *engine.Comm, err error) (dist, error) {
	if err != nil {
		return dist{}, err
	}
	return c.DistGraphNeighbors()
}

// §8.5.4, the graph of Example 8.3 with both constructors: process 0 sends to 1 and 3, process 1 to
// 0, process 2 to 3, process 3 to 0 and 2. Without weights queries return no weights (§8.5.5). The
// group is the same, also with reorder = true.
func TestDistGraph(t *testing.T) {
	t.Parallel()
	want := []dist{
		{Sources: []int{1, 3}, Destinations: []int{1, 3}},
		{Sources: []int{0}, Destinations: []int{0}},
		{Sources: []int{3}, Destinations: []int{3}},
		{Sources: []int{0, 2}, Destinations: []int{0, 2}},
	}
	adjacent := perRank(t, ofSize(4), func(p *engine.Process) (dist, error) {
		mine := want[p.Rank()]
		return neighborsOf(p.World().CreateDistGraphAdjacent(mine.Sources, nil, mine.Destinations, nil, nil, true))
	})
	if diff := cmp.Diff(want, adjacent); diff != "" {
		t.Errorf("adjacent (-want +got):\n%s", diff)
	}
	for name, edges := range map[string][4][3][]int{ // sources, degrees, destinations by rank
		"each its own":     {{{0}, {2}, {1, 3}}, {{1}, {1}, {0}}, {{2}, {1}, {3}}, {{3}, {2}, {0, 2}}},
		"all by process 0": {{{0, 1, 2, 3}, {2, 1, 1, 2}, {1, 3, 0, 3, 0, 2}}},
		"mixed, repeated":  {{{0, 1, 0}, {1, 1, 0}, {1, 0}}, {{0, 3}, {1, 1}, {3, 0}}, {{3, 2}, {1, 1}, {2, 3}}, {}},
	} {
		got := perRank(t, ofSize(4), func(p *engine.Process) (dist, error) {
			e := edges[p.Rank()]
			return neighborsOf(p.World().CreateDistGraph(e[0], e[1], e[2], nil, nil, false))
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// §8.5.5: after MPI_Dist_graph_create_adjacent neighbors have the order of its arguments, with their
// weights. §8.5.4: edges may repeat with other weights, whose order does not matter, and may be
// loops; a process may have no edges: it passes MPI_WEIGHTS_EMPTY.
func TestDistGraphAdjacentOrder(t *testing.T) {
	t.Parallel()
	want := []dist{
		{[]int{2, 0, 2}, []int{5, 1, 4}, []int{0}, []int{1}},
		{[]int{}, []int{}, []int{}, []int{}},
		{[]int{}, []int{}, []int{0, 0}, []int{4, 5}},
	}
	got := perRank(t, ofSize(3), func(p *engine.Process) (dist, error) {
		a := want[p.Rank()]
		return neighborsOf(p.World().CreateDistGraphAdjacent(a.Sources, a.SourceWeights, a.Destinations, a.DestWeights, nil, false))
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("neighbors (-want +got):\n%s", diff)
	}
}

// §8.5.4: the graph of MPI_Dist_graph_create is the union of the edges that all processes name, with
// their weights and as often as processes name them; it does not matter which process names an edge.
// §8.5.5: two queries return the same sequence, and so does a query after
// MPI_Dist_graph_create_adjacent with that sequence.
func TestDistGraphIsTheUnion(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const n = 4
		type named struct{ By, From, To, Weight int }
		node := rapid.IntRange(0, n-1)
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) named {
			return named{node.Draw(t, "by"), node.Draw(t, "from"), node.Draw(t, "to"), rapid.IntRange(0, 2).Draw(t, "weight")}
		}), 0, 12).Draw(t, "edges")
		type end struct{ Peer, Weight int }
		var in, out [n][]end
		for _, e := range edges {
			out[e.From] = append(out[e.From], end{e.To, e.Weight})
			in[e.To] = append(in[e.To], end{e.From, e.Weight})
		}
		perRank(t, ofSize(n), func(p *engine.Process) (any, error) {
			sources, degrees, dests, weights := []int{}, []int{}, []int{}, []int{}
			for _, e := range edges {
				if e.By == p.Rank() {
					sources, degrees = append(sources, e.From), append(degrees, 1)
					dests, weights = append(dests, e.To), append(weights, e.Weight)
				}
			}
			got, err := neighborsOf(p.World().CreateDistGraph(sources, degrees, dests, weights, nil, false))
			if err != nil {
				return nil, err
			}
			for _, side := range []struct {
				want         []end
				peers, weigh []int
			}{{in[p.Rank()], got.Sources, got.SourceWeights}, {out[p.Rank()], got.Destinations, got.DestWeights}} {
				found := []end{}
				for i, peer := range side.peers {
					found = append(found, end{peer, side.weigh[i]})
				}
				order := func(a, b end) int { return (a.Peer-b.Peer)*10 + a.Weight - b.Weight }
				want := slices.SortedFunc(slices.Values(side.want), order)
				slices.SortFunc(found, order)
				if !slices.Equal(want, found) {
					t.Errorf("rank %d has %v, want %v", p.Rank(), found, want)
				}
			}
			again, err := neighborsOf(p.World().CreateDistGraphAdjacent(got.Sources, got.SourceWeights, got.Destinations, got.DestWeights, nil, false))
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("the adjacent constructor (-first +second):\n%s", diff)
			}
			return nil, err
		})
	})
}

// §8.5.4: the edges that all sources describe must be those that all destinations describe, with the
// same weights: else MPI_ERR_ARG on all processes, naming the ends of an edge that differs.
func TestDistGraphEndsMustMatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ranks [2]dist
		text  string
	}{
		"source only": {[2]dist{{Destinations: []int{1}}, {}},
			"rank 0 names rank 1 as destination more often than rank 1 names rank 0 as source"},
		"destination only": {[2]dist{{Sources: []int{1}}, {}},
			"rank 0 names rank 1 as source more often than rank 1 names rank 0 as destination"},
		"once and twice": {[2]dist{{Destinations: []int{1}}, {Sources: []int{0, 0}}},
			"rank 1 names rank 0 as source more often than rank 0 names rank 1 as destination"},
		"other edges, as many": {[2]dist{{Destinations: []int{1}}, {Sources: []int{1}}},
			"rank 0 names rank 1 as destination more often than rank 1"},
		"other weights": {[2]dist{{[]int{}, []int{}, []int{1}, []int{3}}, {[]int{0}, []int{4}, []int{}, []int{}}},
			"rank 0 names rank 1 as destination with weight 3 more often than rank 1"},
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
// nonnegative, degrees count destinations. An error in the arguments of one process is raised on
// that process.
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
		if p.Rank() == 0 { // the object belongs to rank 0
			adjacent(engine.ErrInfo, "has been freed", nil, nil, nil, nil, freed)
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

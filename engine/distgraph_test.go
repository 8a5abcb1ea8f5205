package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"commsplit/engine"
)

type dist = engine.DistNeighbors

// neighborsOf is what a process sees of the communicator that a constructor made.
func neighborsOf(c *engine.Comm, err error) (dist, error) {
	if err != nil {
		return dist{}, err
	}
	return c.DistGraphNeighbors()
}

// §8.5.4, the graph of Example 8.3 with both constructors: process 0 sends to 1 and 3, process 1 to
// 0, process 2 to 3, process 3 to 0 and 2. Without weights there are none to be had (§8.5.5). The
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

// §8.5.5: of MPI_Dist_graph_create_adjacent the order of the neighbors is that of the arguments,
// with their weights. §8.5.4: edges may repeat with other weights, whose order does not matter, may
// be loops, and processes may have none: those pass MPI_WEIGHTS_EMPTY.
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

// §8.5.4: the graph of MPI_Dist_graph_create is the union of the edges that all processes name,
// with their weights and as often as they name them; who names an edge does not matter. §8.5.5: two
// queries give the same sequence, and here that of MPI_Dist_graph_create_adjacent with its answer.
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

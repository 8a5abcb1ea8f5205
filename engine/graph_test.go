package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
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
		{[]int{1, 2}, []int{0, 2}, "a node of the graph, 0 to 1: edges[1] is 2"}, // a process, but no node
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

// §8.4: all processes must pass the same graph: MPI_ERR_ARG naming the sides, of long arrays where
// they differ.
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

// §8.5.8: MPI_Graph_map may return the caller's rank; MPI_UNDEFINED when it is no node.
func TestGraphMap(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(3), func(p *engine.Process) (int, error) {
		return p.World().GraphMap([]int{1, 2}, []int{1, 0})
	})
	if want := []int{0, 1, engine.Undefined}; !slices.Equal(got, want) {
		t.Errorf("ranks %v, want %v", got, want)
	}
}

package engine

import (
	"cmp"
	"fmt"
	"slices"
)

// distGraph is a distributed graph topology (§8.5.4): the edges into and out of each process.
type distGraph struct{ in, out adjacency }

func (*distGraph) topoType() TopoType { return TopoDistGraph }

// adjacency is a list of neighbors for each process, one after the other.
type adjacency struct {
	first   []int // where the list of each process begins; the last one is where all end
	peers   []int
	weights []int // nil when there are none
}

// of is the list of one process, copied. Its weights are nil when the graph has none.
func (a *adjacency) of(rank int32) (peers, weights []int) {
	from, to := a.first[rank], a.first[rank+1]
	peers = append([]int{}, a.peers[from:to]...)
	if a.weights != nil {
		weights = append([]int{}, a.weights[from:to]...)
	}
	return peers, weights
}

// edge goes from one rank of the communicator to another.
type edge struct{ from, to, weight int }

func (e edge) compare(f edge) int {
	return cmp.Or(cmp.Compare(e.from, f.from), cmp.Compare(e.to, f.to), cmp.Compare(e.weight, f.weight))
}

// adjacencyOf sorts edges by the process end(e), and keeps the order of those at one process.
func adjacencyOf(edges []edge, n int, weighted bool, ends func(edge) (at, peer int)) adjacency {
	a := adjacency{first: make([]int, n+1), peers: make([]int, len(edges))}
	if weighted {
		a.weights = make([]int, len(edges))
	}
	for _, e := range edges {
		at, _ := ends(e)
		a.first[at+1]++
	}
	for i := range n {
		a.first[i+1] += a.first[i]
	}
	next := slices.Clone(a.first)
	for _, e := range edges {
		at, peer := ends(e)
		a.peers[next[at]] = peer
		if weighted {
			a.weights[next[at]] = e.weight
		}
		next[at]++
	}
	return a
}

func atSource(e edge) (at, peer int) { return e.from, e.to }
func atDest(e edge) (at, peer int)   { return e.to, e.from }

// unmatched finds an edge that one end describes and the other does not, or not as often. Each edge
// must be in both lists with the same weight; the lists are sorted in place.
func unmatched(in, out []edge) (text string) {
	slices.SortFunc(in, edge.compare)
	slices.SortFunc(out, edge.compare)
	for i := range max(len(in), len(out)) {
		order := len(in) - len(out) // decides when one list has ended
		if i < len(in) && i < len(out) {
			order = out[i].compare(in[i])
		}
		switch {
		case order > 0:
			e := in[i]
			return fmt.Sprintf("rank %d names rank %d as source%s, but rank %d does not name it as destination so often", e.to, e.from, e.weightText(), e.from)
		case order < 0:
			e := out[i]
			return fmt.Sprintf("rank %d names rank %d as destination%s, but rank %d does not name it as source so often", e.from, e.to, e.weightText(), e.to)
		}
	}
	return ""
}

// unweighted stands for the weight of an edge of a graph without weights, which are nonnegative.
const unweighted = -1

func (e edge) weightText() string {
	if e.weight == unweighted {
		return ""
	}
	return fmt.Sprintf(" with weight %d", e.weight)
}

// DistNeighbors is what a process knows of a distributed graph: the ranks at the other ends of its
// edges, and their weights, which are nil when the graph has none.
type DistNeighbors struct {
	Sources, SourceWeights    []int // edges into the process
	Destinations, DestWeights []int // edges out of it
}

// DistGraphNeighbors gives the caller's neighbors (MPI_Dist_graph_neighbors_count and
// MPI_Dist_graph_neighbors, §8.5.5): in the order in which CreateDistGraphAdjacent got them; of
// CreateDistGraph those that lower ranks named come first. Another topology, or none:
// MPI_ERR_TOPOLOGY.
func (c *Comm) DistGraphNeighbors() (n DistNeighbors, err error) {
	g, err := virtualOf[*distGraph](c, CallDistGraphNeighbors)
	if err != nil {
		return n, err
	}
	n.Sources, n.SourceWeights = g.in.of(c.rank)
	n.Destinations, n.DestWeights = g.out.of(c.rank)
	return n, nil
}

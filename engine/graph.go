package engine

import (
	"fmt"
	"slices"
)

// graph is a graph topology (§8.5.3): the neighbors of all nodes, one node's after the other's.
// Edges may repeat, may be loops and need not go both ways.
type graph struct {
	index []int // neighbors of nodes 0 to i
	edges []int
}

func (*graph) topoType() TopoType { return TopoGraph }

// CreateGraph makes a communicator with a graph topology (MPI_Graph_create, §8.5.3). index[i] is the
// number of neighbors of nodes 0 to i, and edges their neighbors in order. The first processes of c
// become the nodes, in their order; the others get nil, and so do all when there is no node. reorder
// is accepted as the standard has it, and ranks are never reordered. All processes must pass the
// whole graph: else MPI_ERR_ARG, and so for one that is larger than c's group or contradicts itself.
func (c *Comm) CreateGraph(index, edges []int, reorder bool) (*Comm, error) {
	if err := c.needIntra(CallGraphCreate); err != nil {
		return nil, err
	}
	return c.constructTopology(CallGraphCreate, reorder, topologyArgs{lists: []argList{{name: "index", values: index}, {name: "edges", values: edges}}})
}

// wrongGraph says what contradicts itself in a graph for a group of size processes; "" when nothing
// does.
func wrongGraph(index, edges []int, size int) string {
	if len(index) > size {
		return fmt.Sprintf("the graph must not be larger than the group: it has %d nodes, the group %d processes", len(index), size)
	}
	before := 0
	for i, n := range index {
		if n < before {
			return fmt.Sprintf("index counts the neighbors of all nodes so far and cannot fall: index[%d] is %d after %d", i, n, before)
		}
		before = n
	}
	if before != len(edges) {
		return fmt.Sprintf("the last entry of index is the number of edges: index says %d, and edges has %d", before, len(edges))
	}
	if i := slices.IndexFunc(edges, func(e int) bool { return e < 0 || e >= len(index) }); i >= 0 {
		return fmt.Sprintf("a neighbor must be a node of the graph, 0 to %d: edges[%d] is %d", len(index)-1, i, edges[i])
	}
	return ""
}

func (op *operation) finishGraphCreate(w *World) {
	lists := op.topologyArgs(0).lists
	index, edges := slices.Clone(lists[0].values), slices.Clone(lists[1].values)
	if text := wrongGraph(index, edges, len(op.a)); text != "" {
		op.err = op.wrong(ErrArg, text)
		return
	}
	op.makeFirst(w, len(index), &graph{index, edges})
}

// GraphGet gives the graph topology of c as CreateGraph took it (MPI_Graphdims_get and
// MPI_Graph_get, §8.5.5). Another topology, or none: MPI_ERR_TOPOLOGY.
func (c *Comm) GraphGet() (index, edges []int, err error) {
	g, err := virtualOf[*graph](c, CallGraphGet)
	if err != nil {
		return nil, nil, err
	}
	return append([]int{}, g.index...), append([]int{}, g.edges...), nil
}

// GraphNeighbors lists the neighbors of any process of c, in the order of edges
// (MPI_Graph_neighbors_count and MPI_Graph_neighbors, §8.5.5). A rank that c does not have:
// MPI_ERR_RANK; another topology, or none: MPI_ERR_TOPOLOGY.
func (c *Comm) GraphNeighbors(rank int) ([]int, error) {
	g, err := virtualOf[*graph](c, CallGraphNeighbors)
	if err != nil {
		return nil, err
	}
	if err := c.checkNode(CallGraphNeighbors, rank, len(g.index)); err != nil {
		return nil, err
	}
	first := 0
	if rank > 0 {
		first = g.index[rank-1]
	}
	return append([]int{}, g.edges[first:g.index[rank]]...), nil
}

// GraphMap is the rank that the caller would have in such a graph (MPI_Graph_map, §8.5.8): its own,
// as ranks are never reordered, or Undefined when it would be no node. It is local.
func (c *Comm) GraphMap(index, edges []int) (int, error) {
	if err := c.needIntra(CallGraphMap); err != nil {
		return Undefined, err
	}
	if text := wrongGraph(index, edges, len(c.core.group.members)); text != "" {
		return Undefined, c.fail(ErrArg, CallGraphMap, text, "")
	}
	return c.placed(len(index)), nil
}

package engine

import (
	"cmp"
	"fmt"
	"slices"
)

// graph is a graph topology (§8.5.3). Edges may repeat, may be loops and need not go both ways.
type graph struct {
	index []int // index[i]: how many neighbors nodes 0 to i have together
	edges []int
}

func (*graph) topoType() TopoType { return TopoGraph }

// CreateGraph makes a communicator with a graph topology (MPI_Graph_create, §8.5.3). index[i] is how many neighbors
// nodes 0 to i have together, and edges lists the neighbors of node 0, then those of node 1, and so on. The first
// processes of c become the nodes, in their order; the others get nil, as does every process when there is no node.
// reorder is accepted as in the standard, but ranks are never reordered. All processes must pass the whole graph: else
// MPI_ERR_ARG. A graph that is larger than c's group, or contradicts itself: MPI_ERR_ARG, too.
func (c *Comm) CreateGraph(index, edges []int, reorder bool) (*Comm, error) {
	if err := c.needIntra(CallGraphCreate); err != nil {
		return nil, err
	}
	return c.constructTopology(CallGraphCreate, reorder, topologyArgs{lists: []argList{{name: "index", values: index}, {name: "edges", values: edges}}})
}

// checkGraph returns an error when a graph contradicts itself or has more than size nodes.
func checkGraph(call Call, index, edges []int, size int) *Error {
	if len(index) > size {
		return MistakeGraphTooLarge.In(call, len(index), size)
	}
	before := 0
	for i, n := range index {
		if n < before {
			return MistakeGraphIndex.In(call, i, n, before)
		}
		before = n
	}
	if before != len(edges) {
		return MistakeGraphIndex.In(call).saying("the last entry of index is the number of edges: index says %d, and edges has %d", before, len(edges))
	}
	if i := slices.IndexFunc(edges, func(e int) bool { return e < 0 || e >= len(index) }); i >= 0 {
		return MistakeGraphNeighbor.In(call, len(index)-1, i, edges[i])
	}
	return nil
}

func (op *operation) finishGraphCreate(w *World) {
	lists := op.topologyArgs(0).lists
	index, edges := slices.Clone(lists[0].values), slices.Clone(lists[1].values)
	if e := checkGraph(op.call, index, edges, len(op.a)); e != nil {
		op.err = e.on(op.core)
		return
	}
	op.makeFirst(w, len(index), &graph{index, edges})
}

// GraphGet returns the graph topology of c as CreateGraph got it (MPI_Graphdims_get and MPI_Graph_get, §8.5.5). Another
// topology, or none: MPI_ERR_TOPOLOGY.
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
	return append([]int{}, g.sources(rank)...), nil
}

// GraphMap returns the rank that the caller would have in such a graph (MPI_Graph_map, §8.5.8): the caller's rank in c,
// since ranks are never reordered, or Undefined when the graph has too few nodes. It is local.
func (c *Comm) GraphMap(index, edges []int) (int, error) {
	if err := c.needIntra(CallGraphMap); err != nil {
		return Undefined, err
	}
	if e := checkGraph(CallGraphMap, index, edges, len(c.core.group.members)); e != nil {
		return Undefined, c.fail(e)
	}
	return c.placed(len(index)), nil
}

// distGraph is a distributed graph topology (§8.5.4): the edges into and out of each process.
type distGraph struct{ in, out adjacency }

func (*distGraph) topoType() TopoType { return TopoDistGraph }

// Neighbors returns the neighbors of a rank in a graph topology, of a distributed graph the destinations; ok is false
// without a graph topology.
func (k *CommInfo) Neighbors(rank int) (list []int, ok bool) {
	switch g := k.virtual.(type) {
	case *graph:
		return slices.Clone(g.sources(rank)), true
	case *distGraph:
		return g.destinations(rank), true
	}
	return nil, false
}

// Sources returns the sources of a rank in a distributed graph; ok is false for another topology.
func (k *CommInfo) Sources(rank int) (list []int, ok bool) {
	g, ok := k.virtual.(*distGraph)
	if ok {
		list = g.sources(rank)
	}
	return list, ok
}

// adjacency is a list of neighbors for each process, in rank order.
type adjacency struct {
	first   []int // where the list of each process begins, then where the last list ends
	peers   []int
	weights []int // nil when there are none
}

// of returns a copy of the list of the process with this rank; nil weights when the graph has none.
func (a *adjacency) of(rank int32) (peers, weights []int) {
	from, to := a.first[rank], a.first[rank+1]
	peers = append([]int{}, a.peers[from:to]...)
	if a.weights != nil {
		weights = append([]int{}, a.weights[from:to]...)
	}
	return peers, weights
}

// edge is an edge from one rank of the communicator to another.
type edge struct{ from, to, weight int }

func (e edge) compare(f edge) int {
	return cmp.Or(cmp.Compare(e.from, f.from), cmp.Compare(e.to, f.to), cmp.Compare(e.weight, f.weight))
}

// adjacencyOf makes an adjacency of edges. ends returns the process that an edge belongs to and the peer at its
// other end; edges of the same process keep their order.
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

// unmatched describes an edge that its two ends do not name equally often, or not with the same weight; "" when there
// is none. It sorts the lists in place.
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
			return fmt.Sprintf("rank %d names rank %d as source%s more often than rank %d names rank %d as destination", e.to, e.from, e.weightText(), e.from, e.to)
		case order < 0:
			e := out[i]
			return fmt.Sprintf("rank %d names rank %d as destination%s more often than rank %d names rank %d as source", e.from, e.to, e.weightText(), e.to, e.from)
		}
	}
	return ""
}

// unweighted is the weight of edges in a graph without weights. Real weights are nonnegative.
const unweighted = -1

func (e edge) weightText() string {
	if e.weight == unweighted {
		return ""
	}
	return fmt.Sprintf(" with weight %d", e.weight)
}

// DistNeighbors has the edges of a distributed graph at one process: the ranks at their other ends, and their weights,
// which are nil when the graph has none.
type DistNeighbors struct {
	Sources, SourceWeights    []int // edges into the process
	Destinations, DestWeights []int // edges out of the process
}

// DistGraphNeighbors returns the caller's neighbors (MPI_Dist_graph_neighbors_count and MPI_Dist_graph_neighbors,
// §8.5.5). After CreateDistGraphAdjacent they have the order of its arguments; after CreateDistGraph, edges that lower
// ranks passed come first. Another topology, or none: MPI_ERR_TOPOLOGY.
func (c *Comm) DistGraphNeighbors() (n DistNeighbors, err error) {
	g, err := virtualOf[*distGraph](c, CallDistGraphNeighbors)
	if err != nil {
		return n, err
	}
	n.Sources, n.SourceWeights = g.in.of(c.rank)
	n.Destinations, n.DestWeights = g.out.of(c.rank)
	return n, nil
}

// CreateDistGraphAdjacent makes a communicator of the same group with a distributed graph topology
// (MPI_Dist_graph_create_adjacent, §8.5.4). Each process names the ranks of c at the other ends of its edges. Weights
// are nonnegative, one for each edge; nil is MPI_UNWEIGHTED, which all processes must pass for both lists or none at
// all; an empty slice is MPI_WEIGHTS_EMPTY. info and reorder must be equal on all processes; ranks are never reordered.
// A rank that c does not have: MPI_ERR_RANK. Wrong weights, and an edge that its two ends do not describe alike:
// MPI_ERR_ARG.
func (c *Comm) CreateDistGraphAdjacent(sources, sourceWeights, destinations, destWeights []int, info *Info, reorder bool) (*Comm, error) {
	const call = CallDistGraphCreateAdjacent
	if err := c.checkDistGraph(call, info); err != nil {
		return nil, err
	}
	if (sourceWeights == nil) != (destWeights == nil) {
		return nil, c.fail(MistakeWeights.In(call).saying(
			"sourceweights and destweights describe the same edges: both are MPI_UNWEIGHTED or none is (without edges: MPI_WEIGHTS_EMPTY)"))
	}
	args := topologyArgs{info: hintsText(info), weighted: sourceWeights != nil}
	args.lists = []argList{{name: "sources", values: sources}, weightList("sourceweights", sourceWeights),
		{name: "destinations", values: destinations}, weightList("destweights", destWeights)}
	for i := 0; i < len(args.lists); i += 2 {
		if err := c.checkEdges(call, args.lists[i], args.lists[i+1]); err != nil {
			return nil, err
		}
	}
	return c.constructTopology(call, reorder, args)
}

// CreateDistGraph makes a communicator of the same group with a distributed graph topology (MPI_Dist_graph_create,
// §8.5.4). Each process names any edges of the graph: degrees[i] edges from sources[i]; destinations lists their other
// ends, source by source. weights, info, reorder and errors are as for CreateDistGraphAdjacent; degrees that are
// negative or do not add up to the number of destinations: MPI_ERR_ARG.
func (c *Comm) CreateDistGraph(sources, degrees, destinations, weights []int, info *Info, reorder bool) (*Comm, error) {
	const call = CallDistGraphCreate
	if err := c.checkDistGraph(call, info); err != nil {
		return nil, err
	}
	if len(degrees) != len(sources) {
		return nil, c.fail(MistakeDegrees.In(call).passing("%d for %d sources", len(degrees), len(sources)))
	}
	total := 0
	for i, d := range degrees {
		if d < 0 {
			return nil, c.fail(MistakeDegrees.In(call).saying("degrees must not be negative").passing("degrees[%d] = %d", i, d))
		}
		total += d
	}
	if total != len(destinations) {
		return nil, c.fail(MistakeDegrees.In(call).saying("degrees must add up to the number of destinations").passing("%d for %d destinations", total, len(destinations)))
	}
	lists := []argList{{name: "sources", values: sources}, {name: "degrees", values: degrees},
		{name: "destinations", values: destinations}, weightList("weights", weights)}
	if err := c.checkRanks(call, lists[0]); err != nil {
		return nil, err
	}
	if err := c.checkEdges(call, lists[2], lists[3]); err != nil {
		return nil, err
	}
	return c.constructTopology(call, reorder, topologyArgs{lists: lists, info: hintsText(info), weighted: weights != nil})
}

// checkDistGraph checks the communicator and the info object of both constructors of distributed graphs.
func (c *Comm) checkDistGraph(call Call, info *Info) error {
	if err := c.needIntra(call); err != nil {
		return err
	}
	return c.checkInfo(call, info)
}

// checkEdges checks the ranks at the other ends of edges, and their weights.
func (c *Comm) checkEdges(call Call, ranks, weights argList) error {
	if err := c.checkRanks(call, ranks); err != nil || weights.unweighted {
		return err
	}
	if len(weights.values) != len(ranks.values) {
		return c.fail(MistakeWeights.In(call, weights.name).passing("%d for %d %s", len(weights.values), len(ranks.values), ranks.name))
	}
	if i := slices.IndexFunc(weights.values, func(w int) bool { return w < 0 || !fitsInt(w) }); i >= 0 {
		return c.fail(MistakeWeights.In(call).saying("weights must be nonnegative C ints").passing("%s[%d] = %d", weights.name, i, weights.values[i]))
	}
	return nil
}

func (c *Comm) checkRanks(call Call, list argList) error {
	n := len(c.core.group.members)
	if i := slices.IndexFunc(list.values, func(r int) bool { return r < 0 || r >= n }); i >= 0 {
		return c.fail(MistakeEdgeRank.In(call, list.name, n-1).passing("%s[%d] = %d", list.name, i, list.values[i]))
	}
	return nil
}

func (op *operation) finishAdjacent(w *World) {
	var in, out []edge
	for r := range op.x {
		lists := op.topologyArgs(r).lists
		for i, from := range lists[0].values {
			in = append(in, edge{from, r, lists[1].weight(i)})
		}
		for i, to := range lists[2].values {
			out = append(out, edge{r, to, lists[3].weight(i)})
		}
	}
	n, weighted := len(op.a), op.topologyArgs(0).weighted
	g := &distGraph{adjacencyOf(in, n, weighted, atDest), adjacencyOf(out, n, weighted, atSource)}
	if text := unmatched(in, out); text != "" {
		op.err = op.wrong(MistakeEdgeOneSided, text)
		return
	}
	op.makeFirst(w, n, g)
}

func (op *operation) finishDistGraph(w *World) {
	var edges []edge
	for r := range op.x {
		lists := op.topologyArgs(r).lists
		at := 0
		for i, from := range lists[0].values {
			for range lists[1].values[i] {
				edges = append(edges, edge{from, lists[2].values[at], lists[3].weight(at)})
				at++
			}
		}
	}
	n, weighted := len(op.a), op.topologyArgs(0).weighted
	op.makeFirst(w, n, &distGraph{adjacencyOf(edges, n, weighted, atDest), adjacencyOf(edges, n, weighted, atSource)})
}

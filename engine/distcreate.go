package engine

import (
	"fmt"
	"slices"
)

// CreateDistGraphAdjacent makes a communicator of the same group with a distributed graph topology
// (MPI_Dist_graph_create_adjacent, §8.5.4). Each process names the ranks of c at the other ends of
// its edges. Weights are nonnegative, one per edge; nil is MPI_UNWEIGHTED, which either all pass
// everywhere or nobody, and an empty slice MPI_WEIGHTS_EMPTY. info and reorder, equal on all
// processes, can guide a reordering of ranks, which does not happen here. A rank that c does not
// have: MPI_ERR_RANK. Wrong weights, and an edge that its two ends do not describe alike:
// MPI_ERR_ARG.
func (c *Comm) CreateDistGraphAdjacent(sources, sourceWeights, destinations, destWeights []int, info *Info, reorder bool) (*Comm, error) {
	const call = CallDistGraphCreateAdjacent
	if err := c.checkDistGraph(call, info); err != nil {
		return nil, err
	}
	if (sourceWeights == nil) != (destWeights == nil) {
		return nil, c.fail(ErrArg, call, "sourceweights and destweights describe the same edges: both are MPI_UNWEIGHTED or none is (without edges: MPI_WEIGHTS_EMPTY)", "")
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

// CreateDistGraph makes a communicator of the same group with a distributed graph topology
// (MPI_Dist_graph_create, §8.5.4). Each process names any edges of the graph: degrees[i] edges from
// sources[i], whose other ends follow each other in destinations. weights, info, reorder and errors
// are as for CreateDistGraphAdjacent; degrees that are negative or do not add up to the number of
// destinations: MPI_ERR_ARG.
func (c *Comm) CreateDistGraph(sources, degrees, destinations, weights []int, info *Info, reorder bool) (*Comm, error) {
	const call = CallDistGraphCreate
	if err := c.checkDistGraph(call, info); err != nil {
		return nil, err
	}
	if len(degrees) != len(sources) {
		return nil, c.fail(ErrArg, call, "degrees needs one entry per source", fmt.Sprintf("%d for %d sources", len(degrees), len(sources)))
	}
	total := 0
	for i, d := range degrees {
		if d < 0 {
			return nil, c.fail(ErrArg, call, "a source has a nonnegative number of destinations", fmt.Sprintf("degrees[%d] = %d", i, d))
		}
		total += d
	}
	if total != len(destinations) {
		return nil, c.fail(ErrArg, call, "degrees must add up to the number of destinations", fmt.Sprintf("%d for %d destinations", total, len(destinations)))
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

// checkDistGraph checks what both constructors take alike.
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
		return c.fail(ErrArg, call, weights.name+" needs one entry per edge",
			fmt.Sprintf("%d for %d %s", len(weights.values), len(ranks.values), ranks.name))
	}
	if i := slices.IndexFunc(weights.values, func(w int) bool { return w < 0 || !fitsInt(w) }); i >= 0 {
		return c.fail(ErrArg, call, "weights are nonnegative C ints", fmt.Sprintf("%s[%d] = %d", weights.name, i, weights.values[i]))
	}
	return nil
}

func (c *Comm) checkRanks(call Call, list argList) error {
	n := len(c.core.group.members)
	if i := slices.IndexFunc(list.values, func(r int) bool { return r < 0 || r >= n }); i >= 0 {
		return c.fail(ErrRank, call, fmt.Sprintf("%s must be ranks of the communicator, 0 to %d", list.name, n-1),
			fmt.Sprintf("%s[%d] = %d", list.name, i, list.values[i]))
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
		op.err = op.wrong(ErrArg, "both ends of an edge must describe it, equally often and with the same weight: in this communicator "+text)
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

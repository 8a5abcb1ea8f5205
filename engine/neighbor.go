package engine

import (
	"fmt"
	"slices"
	"strconv"
)

// neighborhood is a virtual topology as neighborhood collectives use it (§8.6): the sources and the destinations
// of each process, in order; ProcNull stands for no process.
type neighborhood interface {
	sources(rank int) []int
	destinations(rank int) []int

	// slot returns the index, among the destinations of source number i of rank, where the message for rank
	// stands; -1 when the source does not have rank as a destination.
	slot(rank, i int) int
}

// In a grid the neighbors are, for each dimension, the process below and the process above (§8.6). What a process
// sends up arrives from below, also where both neighbors are the same process.

func (g *grid) sources(rank int) []int {
	list := make([]int, 0, 2*len(g.dims))
	for i := range g.dims {
		list = append(list, g.shifted(rank, i, -1), g.shifted(rank, i, 1))
	}
	return list
}

func (g *grid) destinations(rank int) []int { return g.sources(rank) }
func (g *grid) slot(_, i int) int           { return i ^ 1 }

func (g *graph) sources(rank int) []int {
	first := 0
	if rank > 0 {
		first = g.index[rank-1]
	}
	return g.edges[first:g.index[rank]]
}

func (g *graph) destinations(rank int) []int { return g.sources(rank) }
func (g *graph) slot(rank, i int) int        { return slotOf(g, rank, i) }

func (g *distGraph) sources(rank int) []int {
	list, _ := g.in.of(int32(rank))
	return list
}

func (g *distGraph) destinations(rank int) []int {
	list, _ := g.out.of(int32(rank))
	return list
}

func (g *distGraph) slot(rank, i int) int { return slotOf(g, rank, i) }

// slotOf matches edges between the same two processes in order: the n-th edge at one process belongs to the n-th
// edge at the other.
func slotOf(g neighborhood, rank, i int) int {
	in := g.sources(rank)
	n := 0
	for _, s := range in[:i] {
		if s == in[i] {
			n++
		}
	}
	for k, d := range g.destinations(in[i]) {
		if d != rank {
			continue
		}
		if n == 0 {
			return k
		}
		n--
	}
	return -1
}

// Neighbors returns the sources and destinations of the caller in c's virtual topology, with ProcNull beyond the
// border of a grid (§8.6). Without a topology: MPI_ERR_TOPOLOGY.
func (c *Comm) Neighbors() (sources, destinations []int, err error) {
	g, err := c.neighborhood(CallTopoTest)
	if err != nil {
		return nil, nil, err
	}
	return slices.Clone(g.sources(int(c.rank))), slices.Clone(g.destinations(int(c.rank))), nil
}

func (c *Comm) neighborhood(call Call) (neighborhood, error) {
	if err := c.Check(call); err != nil {
		return nil, err
	}
	if c.core.virtual == nil {
		return nil, c.fail(MistakeNoTopology.In(call))
	}
	return c.core.virtual.(neighborhood), nil
}

// Degrees are how many sources and destinations the caller of a neighborhood collective has.
func (c *Comm) Degrees(call Call) (in, out int, err error) {
	g, err := c.neighborhood(call)
	if err != nil {
		return 0, 0, err
	}
	return len(g.sources(int(c.rank))), len(g.destinations(int(c.rank))), nil
}

// Neighborly reports whether the call is one of a neighborhood collective, in any form.
func (c Call) Neighborly() bool {
	return c.Plain() == CallNeighborAllgather || c.Plain() == CallNeighborAlltoall
}

// NeighborAllgather sends value to all destinations, and returns what the sources sent, in their order; nil for
// ProcNull (MPI_Neighbor_allgather, §8.6.1).
func (c *Comm) NeighborAllgather(value any) ([]any, error) {
	return listed(c.Collect(CallNeighborAllgather, Data{Value: value}))
}

// NeighborAlltoall sends values[i] to destination i, and returns what the sources sent, in their order; nil for
// ProcNull (MPI_Neighbor_alltoall, §8.6.2). Each process must pass a value for each destination: else MPI_ERR_ARG
// on all processes.
func (c *Comm) NeighborAlltoall(values []any) ([]any, error) {
	return listed(c.Collect(CallNeighborAlltoall, Data{Value: values}))
}

// fromSources lists what the sources sent; nil for ProcNull.
func (c *Comm) fromSources(from func(i, source int) any) []any {
	sources := c.core.virtual.(neighborhood).sources(int(c.rank))
	list := make([]any, len(sources))
	for i, s := range sources {
		if s != ProcNull {
			list[i] = from(i, s)
		}
	}
	return list
}

// checkNeighbors sets the error of a neighborhood collective: a graph has an edge with one end only, or a list of
// values does not have a value for each destination.
func (op *operation) checkNeighbors() {
	g := op.core.virtual.(neighborhood)
	for slot := range op.values {
		if n, values := len(g.destinations(slot)), op.values[slot]; op.call.Plain() == CallNeighborAlltoall && len(values.([]any)) != n {
			op.err = op.wrong(MistakeNeighborCount, op.who(slot, slot), n, len(values.([]any)))
			return
		}
		if op.err = op.oneSided(g, slot); op.err != nil {
			return
		}
	}
}

// who writes "rank 3", with the world rank in parentheses when it differs.
func (op *operation) who(rank, slot int) string {
	if world := op.core.all[slot]; int(world) != rank {
		return fmt.Sprintf("rank %d (world rank %d)", rank, world)
	}
	return fmt.Sprintf("rank %d", rank)
}

// oneSided returns an error when a process of a graph has another process as a neighbor more often than the other
// has it. Only MPI_Graph_create makes such graphs.
func (op *operation) oneSided(g neighborhood, rank int) *Error {
	if op.core.topoType() != TopoGraph {
		return nil
	}
	in := g.sources(rank)
	for _, s := range in {
		mine, theirs := count(in, s), count(g.destinations(s), rank)
		if mine != theirs {
			return op.wrong(MistakeNeighborOneSided, rank, s, times(mine), s, rank, times(theirs))
		}
	}
	return nil
}

func count(list []int, v int) int {
	n := 0
	for _, w := range list {
		if w == v {
			n++
		}
	}
	return n
}

func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

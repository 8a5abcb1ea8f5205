package engine

import "fmt"

// TopoType is the type of virtual topology that a communicator has (MPI_Topo_test, §8.5.5).
type TopoType int

// The types of virtual topology. TopoNone is MPI_UNDEFINED: the communicator has none.
const (
	TopoNone      TopoType = Undefined
	TopoCart      TopoType = 1
	TopoGraph     TopoType = 2
	TopoDistGraph TopoType = 3
)

var topoNames = map[TopoType]struct{ constant, noun string }{
	TopoNone:      {"MPI_UNDEFINED", "no virtual topology"},
	TopoCart:      {"MPI_CART", "a Cartesian topology"},
	TopoGraph:     {"MPI_GRAPH", "a graph topology"},
	TopoDistGraph: {"MPI_DIST_GRAPH", "a distributed graph topology"},
}

// String is the C name: "MPI_CART".
func (t TopoType) String() string { return topoNames[t].constant }

// virtual is a virtual topology (§8.2). The processes of a communicator, and of its duplicates,
// share one value, which nobody changes.
type virtual interface{ topoType() TopoType }

// topoType is the type of k's virtual topology.
func (k *core) topoType() TopoType {
	if k.virtual == nil {
		return TopoNone
	}
	return k.virtual.topoType()
}

// TopoTest is the type of c's virtual topology, or TopoNone (MPI_Topo_test, §8.5.5).
func (c *Comm) TopoTest() (TopoType, error) {
	if err := c.check(CallTopoTest); err != nil {
		return TopoNone, err
	}
	return c.core.topoType(), nil
}

// Topo is the type of c's virtual topology for display, also of one that is still being made.
func (c *Comm) Topo() TopoType {
	if k := c.shape(); k != nil {
		return k.topoType()
	}
	return TopoNone
}

// virtualOf is c's virtual topology, which must be of type V: else MPI_ERR_TOPOLOGY.
func virtualOf[V virtual](c *Comm, call Call) (v V, err error) {
	if err := c.check(call); err != nil {
		return v, err
	}
	if found, ok := c.core.virtual.(V); ok {
		return found, nil
	}
	return v, c.fail(ErrTopology, call, fmt.Sprintf("the call needs a communicator with %s, but this one has %s",
		topoNames[v.topoType()].noun, topoNames[c.core.topoType()].noun), "")
}

// checkNode raises MPI_ERR_RANK when rank is none of the nodes 0 to n-1 of c's topology.
func (c *Comm) checkNode(call Call, rank, n int) error {
	if rank >= 0 && rank < n {
		return nil
	}
	return c.fail(ErrRank, call, fmt.Sprintf("the rank must be one of the communicator, 0 to %d", n-1), fmt.Sprintf("rank %d", rank))
}

// finishVirtual carries out a constructor of a communicator with a virtual topology.
func (op *operation) finishVirtual(w *World) {
	if op.err = op.agreeOnTopology(); op.err != nil {
		return
	}
	switch op.call {
	case CallCartCreate:
		op.finishCartCreate(w)
	case CallCartSub:
		op.finishCartSub(w)
	case CallGraphCreate:
		op.finishGraphCreate(w)
	case CallDistGraphCreateAdjacent:
		op.finishAdjacent(w)
	case CallDistGraphCreate:
		op.finishDistGraph(w)
	}
}

// makeFirst makes a communicator of the first n processes, in their order, with topology v; the
// others get MPI_COMM_NULL. That is also what reorder = true gives: it allows an implementation to
// reorder (§8.5.1), and this one never does.
func (op *operation) makeFirst(w *World, n int, v virtual) {
	part, newRank := op.grouping()
	for r := range n {
		part[r], newRank[r] = 0, int32(r)
	}
	switch {
	case n == len(part):
		w.make(op, []slice{alone(op.core.group)})
	case n > 0:
		w.make(op, []slice{alone(&Group{members: op.members()[:n:n]})})
	}
	op.attach(v)
}

// attach gives the communicators that op made, if any, the virtual topology v.
func (op *operation) attach(v virtual) {
	for _, k := range op.made {
		k.virtual = v
	}
}

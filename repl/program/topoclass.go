package program

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
)

// topology is the type of virtual topology of the communicator.
func (v *Comm) topology() engine.TopoType {
	if v.c == nil {
		return v.topo
	}
	return v.c.Topo()
}

// topoClass is what a communicator can do because of its virtual topology; nil when it has none.
func (v *Comm) topoClass() *class {
	switch v.topology() {
	case engine.TopoCart:
		return cartClass
	case engine.TopoGraph:
		return graphClass
	case engine.TopoDistGraph:
		return distGraphClass
	}
	return nil
}

// classWith is the class of v that has an attribute of that name: what a virtual topology adds, or
// what every communicator has.
func (v *Comm) classWith(name string) *class {
	if t := v.topoClass(); t != nil && t.attrs[name] != nil {
		return t
	}
	return commClass
}

// topoNames lists the attributes that v's virtual topology adds.
func (v *Comm) topoNames() []string {
	if t := v.topoClass(); t != nil {
		return t.listed(v.r)
	}
	return nil
}

// isTopo tells the values of the class of a type of virtual topology.
func isTopo(t engine.TopoType) func(starlark.Value) bool {
	return func(v starlark.Value) bool {
		c, ok := v.(*Comm)
		return ok && c.topology() == t
	}
}

// wrappedAs is the result of a constructor of communicators with a virtual topology. COMM_NULL has
// their class, too, so that using it is MPI's error.
func (c *call) wrappedAs(t engine.TopoType, made *engine.Comm, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	v := c.r.remember(c.r.wrap(made))
	v.topo = t
	return v, nil
}

// element is part i of the tuple that get returns.
func element(get func(*Rank, starlark.Value) (starlark.Value, error), i int) func(*Rank, starlark.Value) (starlark.Value, error) {
	return func(r *Rank, v starlark.Value) (starlark.Value, error) {
		tuple, err := get(r, v)
		if err != nil {
			return nil, err
		}
		return tuple.(starlark.Tuple)[i], nil
	}
}

// numbers is a list of integers as a value.
func numbers(list []int) *starlark.List {
	values := make([]starlark.Value, len(list))
	for i, n := range list {
		values[i] = starlark.MakeInt(n)
	}
	return starlark.NewList(values)
}

// topoAttributes are what every intracommunicator has to do with virtual topologies.
func topoAttributes() []*attribute {
	return []*attribute{
		property("topology", engine.CallTopoTest, "CART, GRAPH, DIST_GRAPH or UNDEFINED", getTopology),
		property("is_topo", engine.CallTopoTest, "whether it has a virtual topology", isTopology),
		method("Get_topology", "", engine.CallTopoTest,
			"CART, GRAPH, DIST_GRAPH or UNDEFINED", calling(getTopology)),
		method("Create_cart", "dims, periods=None, reorder=False", engine.CallCartCreate,
			"a communicator with a Cartesian grid; ranks keep their order", commCreateCart),
		method("Create_graph", "index, edges, reorder=False", engine.CallGraphCreate,
			"a communicator with a graph, which all pass; ranks keep their order", commCreateGraph),
		method("Create_dist_graph_adjacent",
			"sources, destinations, sourceweights=None, destweights=None, info=INFO_NULL, reorder=False",
			engine.CallDistGraphCreateAdjacent,
			"a communicator with a graph, of which each process passes its own edges", commCreateAdjacent),
		method("Create_dist_graph",
			"sources, degrees, destinations, weights=None, info=INFO_NULL, reorder=False",
			engine.CallDistGraphCreate,
			"a communicator with a graph, of which each process passes any edges", commCreateDistGraph),
		method("Cart_map", "dims, periods=None", engine.CallCartMap,
			"the rank this process would have in a grid, or UNDEFINED", commCartMap),
		method("Graph_map", "index, edges", engine.CallGraphMap,
			"the rank this process would have in a graph, or UNDEFINED", commGraphMap),
	}
}

func getTopology(_ *Rank, v starlark.Value) (starlark.Value, error) {
	t, err := v.(*Comm).c.TopoTest()
	return starlark.MakeInt(int(t)), err
}

func isTopology(_ *Rank, v starlark.Value) (starlark.Value, error) {
	t, err := v.(*Comm).c.TopoTest()
	return starlark.Bool(t != engine.TopoNone), err
}

// topoNamesOfMPI are the names that MPI has for virtual topologies.
func topoNamesOfMPI() []*attribute {
	return []*attribute{
		submodule("Cartcomm", cartClass, "the functions of communicators with a Cartesian topology"),
		submodule("Graphcomm", graphClass, "the functions of communicators with a graph topology"),
		submodule("Distgraphcomm", distGraphClass, "the functions of communicators with a distributed graph topology"),
		method("Compute_dims", "nnodes, dims", engine.CallDimsCreate,
			"sizes for the dimensions of a grid, where dims is 0, or for so many dimensions", computeDims),
	}
}

// topoConstants are the constants of MPI for virtual topologies. Like mpi4py's, those for weights
// are no lists.
func topoConstants() []*attribute {
	return []*attribute{
		integer("CART", int(engine.TopoCart), "the topology of a Cartesian grid"),
		integer("GRAPH", int(engine.TopoGraph), "the topology of a graph that every process knows"),
		integer("DIST_GRAPH", int(engine.TopoDistGraph), "the topology of a distributed graph").from(22),
		integer("UNWEIGHTED", unweighted, "in place of weights: all edges weigh the same").from(22),
		integer("WEIGHTS_EMPTY", weightsEmpty, "in place of weights, for a process without edges in a graph with weights").from(30),
	}
}

const (
	unweighted   = 2
	weightsEmpty = 3
)

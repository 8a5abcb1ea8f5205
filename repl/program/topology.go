package program

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// topology returns the type of the communicator's virtual topology.
func (v *Comm) topology() engine.TopoType {
	switch {
	case v.c != nil:
		return v.c.Topo()
	case v.apart != nil:
		return v.apart.topo
	}
	return 0
}

// topoClass returns the class of the communicator's virtual topology; nil when it has none.
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

// classWith returns the class of v that has an attribute of that name: the class of the virtual topology, or
// commClass.
func (v *Comm) classWith(name string) *class {
	if t := v.topoClass(); t != nil && t.attrs[name] != nil {
		return t
	}
	return commClass
}

// topoNames lists the attributes of the class of v's virtual topology.
func (v *Comm) topoNames() []string {
	if t := v.topoClass(); t != nil {
		return t.listed(v.rank())
	}
	return nil
}

// isTopo makes a function that reports whether a value is a communicator with that type of virtual topology.
func isTopo(t engine.TopoType) func(starlark.Value) bool {
	return func(v starlark.Value) bool {
		c, ok := v.(*Comm)
		return ok && c.topology() == t
	}
}

// topologyMade says which virtual topology a constructor makes.
var topologyMade = map[engine.Call]engine.TopoType{engine.CallCartCreate: engine.TopoCart, engine.CallCartSub: engine.TopoCart,
	engine.CallGraphCreate: engine.TopoGraph, engine.CallDistGraphCreate: engine.TopoDistGraph,
	engine.CallDistGraphCreateAdjacent: engine.TopoDistGraph}

// element makes a function that returns element i of the tuple that get returns.
func element(get func(*Rank, starlark.Value) (starlark.Value, error), i int) func(*Rank, starlark.Value) (starlark.Value, error) {
	return func(r *Rank, v starlark.Value) (starlark.Value, error) {
		tuple, err := get(r, v)
		if err != nil {
			return nil, err
		}
		return tuple.(starlark.Tuple)[i], nil
	}
}

// numbers makes a Starlark list of integers.
func numbers(list []int) *starlark.List {
	values := make([]starlark.Value, len(list))
	for i, n := range list {
		values[i] = starlark.MakeInt(n)
	}
	return starlark.NewList(values)
}

// topoAttributes returns the attributes of every intracommunicator that concern virtual topologies.
func topoAttributes() []*attribute {
	return []*attribute{
		property("topology", engine.CallTopoTest, "CART, GRAPH, DIST_GRAPH or UNDEFINED",
			gives((*engine.Comm).TopoTest)).called("Get_topology"),
		property("is_topo", engine.CallTopoTest, "whether it has a virtual topology", isTopology),
		method("Create_cart", "dims, periods=None, reorder=False", engine.CallCartCreate,
			"a communicator with a Cartesian grid; ranks keep their order", commCreateCart),
		method("Create_graph", "index, edges, reorder=False", engine.CallGraphCreate,
			"a communicator with a graph, which all processes pass; ranks keep their order", commCreateGraph),
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

func isTopology(_ *Rank, v starlark.Value) (starlark.Value, error) {
	t, err := v.(*Comm).c.TopoTest()
	return starlark.Bool(t != engine.TopoNone), err
}

// topoNamesOfMPI returns the names of MPI for virtual topologies.
func topoNamesOfMPI() []*attribute {
	return []*attribute{
		submodule("Cartcomm", cartClass, "the functions of communicators with a Cartesian topology"),
		submodule("Graphcomm", graphClass, "the functions of communicators with a graph topology"),
		submodule("Distgraphcomm", distGraphClass, "the functions of communicators with a distributed graph topology"),
		method("Compute_dims", "nnodes, dims", engine.CallDimsCreate,
			"sizes for the dimensions of a grid: for each 0 in dims, or for that number of dimensions", computeDims),
	}
}

// topoConstants returns the constants of MPI for virtual topologies. The constants for weights are integers, as in
// mpi4py.
func topoConstants() []*attribute {
	return []*attribute{
		integer("CART", int(engine.TopoCart), "the topology of a Cartesian grid"),
		integer("GRAPH", int(engine.TopoGraph), "the topology of a graph that every process knows"),
		integer("DIST_GRAPH", int(engine.TopoDistGraph), "the topology of a distributed graph").from(22),
		integer("UNWEIGHTED", unweighted, "instead of weights: all edges have the same weight").from(22),
		integer("WEIGHTS_EMPTY", weightsEmpty, "instead of weights, for a process without edges in a graph with weights").from(30),
	}
}

const (
	unweighted   = 2
	weightsEmpty = 3
)

// neighborAttributes returns the attributes of every communicator with a virtual topology: mpi4py's Topocomm.
func neighborAttributes() []*attribute {
	return []*attribute{
		property("degrees", engine.CallTopoTest, "(number of sources, number of destinations) of this process", neighborDegrees),
		property("indegree", engine.CallTopoTest, "number of sources of this process", element(neighborDegrees, 0)),
		property("outdegree", engine.CallTopoTest, "number of destinations of this process", element(neighborDegrees, 1)),
		property("inoutedges", engine.CallTopoTest, "(sources, destinations) of this process", neighborEdges),
		property("inedges", engine.CallTopoTest, "sources of this process; PROC_NULL beyond a border", element(neighborEdges, 0)),
		property("outedges", engine.CallTopoTest, "destinations of this process; PROC_NULL beyond a border", element(neighborEdges, 1)),
		method("neighbor_allgather", "sendobj", engine.CallNeighborAllgather,
			"the value that each source passed; None beyond a border", of1((*engine.Comm).NeighborAllgather)),
		method("neighbor_alltoall", "sendobj", engine.CallNeighborAlltoall,
			"element i of the list goes to destination i; the values from the sources, None beyond a border", of1((*engine.Comm).NeighborAlltoall)),
	}
}

func neighborEdges(_ *Rank, v starlark.Value) (starlark.Value, error) {
	sources, destinations, err := v.(*Comm).c.Neighbors()
	return starlark.Tuple{numbers(sources), numbers(destinations)}, err
}

func neighborDegrees(_ *Rank, v starlark.Value) (starlark.Value, error) {
	sources, destinations, err := v.(*Comm).c.Neighbors()
	return starlark.Tuple{starlark.MakeInt(len(sources)), starlark.MakeInt(len(destinations))}, err
}

// cartClass has the attributes that a Cartesian topology adds to a communicator.
var cartClass = newClass("Cartcomm", isTopo(engine.TopoCart), append(neighborAttributes(),
	property("dim", engine.CallCartGet, "number of dimensions", cartDim).called("Get_dim").also("ndim"),
	property("topo", engine.CallCartGet, "(dims, periods, coords)", cartTopo).called("Get_topo"),
	property("dims", engine.CallCartGet, "processes in each dimension", element(cartTopo, 0)),
	property("periods", engine.CallCartGet, "1 for each dimension that is a ring, else 0", element(cartTopo, 1)),
	property("coords", engine.CallCartGet, "coordinates of this process", element(cartTopo, 2)),
	method("Get_coords", "rank", engine.CallCartCoords, "coordinates of a process", of1((*engine.Comm).CartCoords)),
	method("Get_cart_rank", "coords", engine.CallCartRank,
		"rank at the coordinates, which wrap in periodic dimensions", of1((*engine.Comm).CartRank)),
	method("Shift", "direction, disp", engine.CallCartShift,
		"(source, dest) of a shift along a dimension; PROC_NULL beyond a border", cartShift),
	method("Sub", "remain_dims", engine.CallCartSub,
		"a communicator per subgrid of the dimensions that remain", of1((*engine.Comm).CartSub)),
)...)

func cartDim(_ *Rank, v starlark.Value) (starlark.Value, error) {
	dims, _, _, err := v.(*Comm).c.CartGet()
	return number(len(dims), err)
}

func cartTopo(_ *Rank, v starlark.Value) (starlark.Value, error) {
	dims, periods, coords, err := v.(*Comm).c.CartGet()
	if err != nil {
		return nil, err
	}
	flags := make([]int, len(periods))
	for i, p := range periods {
		if p {
			flags[i] = 1
		}
	}
	return starlark.Tuple{numbers(dims), numbers(flags), numbers(coords)}, nil
}

func cartShift(c *call) (starlark.Value, error) {
	direction, disp, err := c.ints(0, 1)
	if err != nil {
		return nil, err
	}
	source, dest, err := c.on().CartShift(direction, disp)
	return starlark.Tuple{starlark.MakeInt(source), starlark.MakeInt(dest)}, err
}

// grid reads the arguments dims, periods and, when there are three, reorder.
func (c *call) grid() (dims []int, periods []bool, reorder bool, err error) {
	if dims, err = c.integers(0); err != nil {
		return nil, nil, false, err
	}
	switch p := c.args[1].(type) {
	case starlark.NoneType:
	case starlark.Bool: // all dimensions alike
		periods = make([]bool, len(dims))
		for i := range periods {
			periods[i] = bool(p)
		}
	default:
		if periods, err = c.flags(1); err != nil {
			return nil, nil, false, err
		}
	}
	if len(c.fn.params) > 2 {
		reorder, err = c.flag(2)
	}
	return dims, periods, reorder, err
}

func commCreateCart(c *call) (starlark.Value, error) {
	dims, periods, reorder, err := c.grid()
	if err != nil {
		return nil, err
	}
	return c.wrapped(c.on().CreateCart(dims, periods, reorder))
}

func commCartMap(c *call) (starlark.Value, error) {
	dims, periods, _, err := c.grid()
	if err != nil {
		return nil, err
	}
	return number(c.on().CartMap(dims, periods))
}

// computeDims implements Compute_dims. dims is a list with the fixed sizes, or the number of dimensions.
func computeDims(c *call) (starlark.Value, error) {
	nnodes, err := c.int(0)
	if err != nil {
		return nil, err
	}
	var dims []int
	if n, isInt := c.args[1].(starlark.Int); isInt {
		const most = 1 << 16
		count, ok := n.Int64()
		if !ok || count < 0 || count > most {
			return nil, fmt.Errorf("%s: dims must be a list, or a number of dimensions up to %d, not %s", c.fn.name, most, n)
		}
		dims = make([]int, count)
	} else if dims, err = c.integers(1); err != nil {
		return nil, err
	}
	chosen, err := engine.DimsCreate(nnodes, dims)
	return numbers(chosen), err
}

// graphClass has the attributes that a graph topology adds to a communicator.
var graphClass = newClass("Graphcomm", isTopo(engine.TopoGraph), append(neighborAttributes(),
	property("dims", engine.CallGraphGet, "(number of nodes, number of edges)", graphDims).called("Get_dims"),
	property("nnodes", engine.CallGraphGet, "number of nodes", element(graphDims, 0)),
	property("nedges", engine.CallGraphGet, "number of edges", element(graphDims, 1)),
	property("topo", engine.CallGraphGet, "(index, edges)", graphTopo).called("Get_topo"),
	property("index", engine.CallGraphGet, "neighbors of nodes 0 to i", element(graphTopo, 0)),
	property("edges", engine.CallGraphGet, "neighbors of all nodes in order", element(graphTopo, 1)),
	property("nneighbors", engine.CallGraphNeighbors, "number of neighbors of this process", graphDegree),
	property("neighbors", engine.CallGraphNeighbors, "neighbors of this process", graphNeighbors),
	method("Get_neighbors_count", "rank", engine.CallGraphNeighbors,
		"number of neighbors of a process", of1(neighborsOf)),
	method("Get_neighbors", "rank", engine.CallGraphNeighbors,
		"neighbors of a process", of1((*engine.Comm).GraphNeighbors)),
)...)

func graphDims(_ *Rank, v starlark.Value) (starlark.Value, error) {
	index, edges, err := v.(*Comm).c.GraphGet()
	return starlark.Tuple{starlark.MakeInt(len(index)), starlark.MakeInt(len(edges))}, err
}

func graphTopo(_ *Rank, v starlark.Value) (starlark.Value, error) {
	index, edges, err := v.(*Comm).c.GraphGet()
	return starlark.Tuple{numbers(index), numbers(edges)}, err
}

func graphNeighbors(_ *Rank, v starlark.Value) (starlark.Value, error) {
	c := v.(*Comm).c
	list, err := c.GraphNeighbors(c.Rank())
	return numbers(list), err
}

func graphDegree(r *Rank, v starlark.Value) (starlark.Value, error) {
	list, err := graphNeighbors(r, v)
	if err != nil {
		return nil, err
	}
	return starlark.MakeInt(list.(*starlark.List).Len()), nil
}

func neighborsOf(c *engine.Comm, rank int) (int, error) {
	list, err := c.GraphNeighbors(rank)
	return len(list), err
}

// graph reads the arguments index and edges. As in mpi4py, index may begin with an additional 0, as in
// sparse matrices: graph drops a first 0 when the last entry is the number of edges.
func (c *call) graph() (index, edges []int, err error) {
	if index, err = c.integers(0); err != nil {
		return nil, nil, err
	}
	if edges, err = c.integers(1); err != nil {
		return nil, nil, err
	}
	if n := len(index); n > 0 && index[0] == 0 && index[n-1] == len(edges) {
		index = index[1:]
	}
	return index, edges, nil
}

func commCreateGraph(c *call) (starlark.Value, error) {
	index, edges, err := c.graph()
	if err != nil {
		return nil, err
	}
	reorder, err := c.flag(2)
	if err != nil {
		return nil, err
	}
	return c.wrapped(c.on().CreateGraph(index, edges, reorder))
}

func commGraphMap(c *call) (starlark.Value, error) {
	index, edges, err := c.graph()
	if err != nil {
		return nil, err
	}
	return number(c.on().GraphMap(index, edges))
}

// distGraphClass has the attributes that a distributed graph topology adds to a communicator.
var distGraphClass = newClass("Distgraphcomm", isTopo(engine.TopoDistGraph), append(neighborAttributes(),
	method("Get_dist_neighbors_count", "", engine.CallDistGraphNeighbors,
		"(edges in, edges out, whether there are weights) of this process", distDegrees),
	method("Get_dist_neighbors", "", engine.CallDistGraphNeighbors,
		"(sources, destinations, None or (weights in, weights out)) of this process", distNeighbors),
)...)

func distDegrees(c *call) (starlark.Value, error) {
	n, err := c.on().DistGraphNeighbors()
	return starlark.Tuple{starlark.MakeInt(len(n.Sources)), starlark.MakeInt(len(n.Destinations)),
		starlark.Bool(n.SourceWeights != nil)}, err
}

func distNeighbors(c *call) (starlark.Value, error) {
	n, err := c.on().DistGraphNeighbors()
	if err != nil {
		return nil, err
	}
	weights := starlark.Value(starlark.None)
	if n.SourceWeights != nil {
		weights = starlark.Tuple{numbers(n.SourceWeights), numbers(n.DestWeights)}
	}
	return starlark.Tuple{numbers(n.Sources), numbers(n.Destinations), weights}, nil
}

func commCreateAdjacent(c *call) (starlark.Value, error) {
	var sources, destinations, from, to edges
	var info *engine.Info
	var reorder bool
	if err := c.read(0, &sources, &destinations, &from, &to, &info, &reorder); err != nil {
		return nil, err
	}
	return c.wrapped(c.on().CreateDistGraphAdjacent(sources, from, destinations, to, info, reorder))
}

func commCreateDistGraph(c *call) (starlark.Value, error) {
	var sources, degrees, destinations []int
	var weights edges
	var info *engine.Info
	var reorder bool
	if err := c.read(0, &sources, &degrees, &destinations, &weights, &info, &reorder); err != nil {
		return nil, err
	}
	return c.wrapped(c.on().CreateDistGraph(sources, degrees, destinations, weights, info, reorder))
}

// edges is a list of neighbors, for which None stands for an empty one, or a list of weights: None and UNWEIGHTED are nil,
// WEIGHTS_EMPTY an empty list.
type edges []int

func (c *call) edges(i int) (edges, error) {
	if c.args[i] == starlark.None {
		return nil, nil
	}
	n, isInt := c.args[i].(starlark.Int)
	if !isInt || !strings.HasSuffix(c.fn.params[i].name, "weights") {
		return c.integers(i)
	}
	switch v, _ := n.Int64(); v {
	case unweighted:
		return nil, nil
	case weightsEmpty:
		return []int{}, nil
	}
	return nil, c.wrong(i, "a list of integers, None, MPI.UNWEIGHTED or MPI.WEIGHTS_EMPTY")
}

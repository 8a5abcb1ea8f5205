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

// hasTopo reports whether a value is a communicator with a virtual topology.
func hasTopo(v starlark.Value) bool {
	c, ok := v.(*Comm)
	return ok && c.topoClass() != nil
}

// topologyMade tells which virtual topology a constructor makes.
var topologyMade = map[engine.Call]engine.TopoType{engine.CallCartCreate: engine.TopoCart, engine.CallCartSub: engine.TopoCart,
	engine.CallGraphCreate: engine.TopoGraph, engine.CallDistGraphCreate: engine.TopoDistGraph,
	engine.CallDistGraphCreateAdjacent: engine.TopoDistGraph}

// element makes a property of element i of the tuple that get returns.
func element(get getter, i int) getter {
	return func(r *Rank, v starlark.Value) (starlark.Value, error) {
		tuple, err := get(r, v)
		if err != nil {
			return nil, err
		}
		return tuple.(starlark.Tuple)[i], nil
	}
}

// numbers makes a Starlark list of integers.
func numbers(list []int) *starlark.List { return starlark.NewList(numbersTuple(list)) }

// topoRows are the attributes of every intracommunicator that concern virtual topologies.
var topoRows = map[string]any{
	"topology":                   gives((*engine.Comm).TopoTest),
	"is_topo":                    gives(isTopology),
	"Create_cart":                commCreateCart,
	"Create_graph":               of3(createGraph),
	"Create_dist_graph_adjacent": commCreateAdjacent,
	"Create_dist_graph":          commCreateDistGraph,
	"Cart_map":                   commCartMap,
	"Graph_map":                  of2(mapGraph),
}

func isTopology(c *engine.Comm) (bool, error) {
	t, err := c.TopoTest()
	return t != engine.TopoNone, err
}

// The constants for weights are integers, as in mpi4py.
const (
	unweighted   = 2
	weightsEmpty = 3
)

// neighborAttributes makes the attributes of every communicator with a virtual topology: mpi4py's Topocomm.
func neighborAttributes() []*attribute {
	edges, degrees := gives(both((*engine.Comm).Neighbors)), gives(neighborDegrees)
	return append(collectMethods(true), rows("Topocomm", map[string]any{
		"degrees": degrees, "indegree": element(degrees, 0), "outdegree": element(degrees, 1),
		"inoutedges": edges, "inedges": element(edges, 0), "outedges": element(edges, 1),
		"neighbor_allgather": of1((*engine.Comm).NeighborAllgather),
		"neighbor_alltoall":  of1((*engine.Comm).NeighborAlltoall),
	})...)
}

func neighborDegrees(c *engine.Comm) (tuple, error) {
	sources, destinations, err := c.Neighbors()
	return tuple{len(sources), len(destinations)}, err
}

// topoClass has the attributes that every virtual topology adds to a communicator.
var topoClass = newClass("Topocomm", hasTopo, neighborAttributes())

// cartClass has the attributes that a Cartesian topology adds to a communicator.
var cartClass = newClass("Cartcomm", isTopo(engine.TopoCart), neighborAttributes(), rows("Cartcomm", map[string]any{
	"dim":           gives(cartDim),
	"topo":          gives(cartTopo),
	"dims":          element(gives(cartTopo), 0),
	"periods":       element(gives(cartTopo), 1),
	"coords":        element(gives(cartTopo), 2),
	"Get_coords":    of1((*engine.Comm).CartCoords),
	"Get_cart_rank": of1((*engine.Comm).CartRank),
	"Shift":         of2(cartShift),
	"Sub":           of1((*engine.Comm).CartSub),
}))

func cartDim(c *engine.Comm) (int, error) {
	dims, _, _, err := c.CartGet()
	return len(dims), err
}

func cartTopo(c *engine.Comm) (tuple, error) {
	dims, periods, coords, err := c.CartGet()
	flags := make([]int, len(periods))
	for i, p := range periods {
		flags[i] = int(asWhole(p))
	}
	return tuple{dims, flags, coords}, err
}

func cartShift(c *engine.Comm, direction, disp int) (tuple, error) {
	source, dest, err := c.CartShift(direction, disp)
	return tuple{source, dest}, err
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
		if err = c.read(1, &periods); err != nil {
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
	made, err := c.on().CreateCart(dims, periods, reorder)
	return ended(c, made, err)
}

func commCartMap(c *call) (starlark.Value, error) {
	dims, periods, _, err := c.grid()
	if err != nil {
		return nil, err
	}
	rank, err := c.on().CartMap(dims, periods)
	return ended(c, rank, err)
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
var graphClass = newClass("Graphcomm", isTopo(engine.TopoGraph), neighborAttributes(), rows("Graphcomm", map[string]any{
	"dims":                gives(graphDims),
	"nnodes":              element(gives(graphDims), 0),
	"nedges":              element(gives(graphDims), 1),
	"topo":                gives(both((*engine.Comm).GraphGet)),
	"index":               element(gives(both((*engine.Comm).GraphGet)), 0),
	"edges":               element(gives(both((*engine.Comm).GraphGet)), 1),
	"nneighbors":          gives(func(c *engine.Comm) (int, error) { return neighborsOf(c, c.Rank()) }),
	"neighbors":           gives(func(c *engine.Comm) ([]int, error) { return c.GraphNeighbors(c.Rank()) }),
	"Get_neighbors_count": of1(neighborsOf),
	"Get_neighbors":       of1((*engine.Comm).GraphNeighbors),
}))

func graphDims(c *engine.Comm) (tuple, error) {
	index, edges, err := c.GraphGet()
	return tuple{len(index), len(edges)}, err
}

func neighborsOf(c *engine.Comm, rank int) (int, error) {
	list, err := c.GraphNeighbors(rank)
	return len(list), err
}

// nodes returns the index of a graph as MPI has it. As in mpi4py, a program may write an additional 0 first, as in
// sparse matrices: nodes drops a first 0 when the last entry is the number of edges.
func nodes(index, edges []int) []int {
	if n := len(index); n > 0 && index[0] == 0 && index[n-1] == len(edges) {
		return index[1:]
	}
	return index
}

func createGraph(c *engine.Comm, index, edges []int, reorder bool) (*engine.Comm, error) {
	return c.CreateGraph(nodes(index, edges), edges, reorder)
}

func mapGraph(c *engine.Comm, index, edges []int) (int, error) {
	return c.GraphMap(nodes(index, edges), edges)
}

// distGraphClass has the attributes that a distributed graph topology adds to a communicator.
var distGraphClass = newClass("Distgraphcomm", isTopo(engine.TopoDistGraph), neighborAttributes(), rows("Distgraphcomm", map[string]any{
	"Get_dist_neighbors_count": of0(distDegrees),
	"Get_dist_neighbors":       of0(distNeighbors),
}))

func distDegrees(c *engine.Comm) (tuple, error) {
	n, err := c.DistGraphNeighbors()
	return tuple{len(n.Sources), len(n.Destinations), n.SourceWeights != nil}, err
}

func distNeighbors(c *engine.Comm) (tuple, error) {
	n, err := c.DistGraphNeighbors()
	var weights any = starlark.None
	if n.SourceWeights != nil {
		weights = tuple{n.SourceWeights, n.DestWeights}
	}
	return tuple{n.Sources, n.Destinations, weights}, err
}

func commCreateAdjacent(c *call) (starlark.Value, error) {
	var sources, destinations, from, to edges
	var info *engine.Info
	var reorder bool
	if err := c.read(0, &sources, &destinations, &from, &to, &info, &reorder); err != nil {
		return nil, err
	}
	made, err := c.on().CreateDistGraphAdjacent(sources, from, destinations, to, info, reorder)
	return ended(c, made, err)
}

func commCreateDistGraph(c *call) (starlark.Value, error) {
	var sources, degrees, destinations []int
	var weights edges
	var info *engine.Info
	var reorder bool
	if err := c.read(0, &sources, &degrees, &destinations, &weights, &info, &reorder); err != nil {
		return nil, err
	}
	made, err := c.on().CreateDistGraph(sources, degrees, destinations, weights, info, reorder)
	return ended(c, made, err)
}

// edges is a list of neighbors or of weights. Of neighbors, None stands for an empty list. Of weights, None and
// UNWEIGHTED are nil, and WEIGHTS_EMPTY is an empty list.
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

package program

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
)

// graphClass is what communicators with a graph topology can do besides what all can.
var graphClass = newClass("Graphcomm", isTopo(engine.TopoGraph),
	property("dims", engine.CallGraphGet, "(number of nodes, number of edges)", graphDims),
	property("nnodes", engine.CallGraphGet, "number of nodes", element(graphDims, 0)),
	property("nedges", engine.CallGraphGet, "number of edges", element(graphDims, 1)),
	property("topo", engine.CallGraphGet, "(index, edges)", graphTopo),
	property("index", engine.CallGraphGet, "neighbors of nodes 0 to i", element(graphTopo, 0)),
	property("edges", engine.CallGraphGet, "neighbors of all nodes in order", element(graphTopo, 1)),
	property("nneighbors", engine.CallGraphNeighbors, "number of neighbors of this process", graphDegree),
	property("neighbors", engine.CallGraphNeighbors, "neighbors of this process", graphNeighbors),
	method("Get_dims", "", engine.CallGraphGet, "(number of nodes, number of edges)", calling(graphDims)),
	method("Get_topo", "", engine.CallGraphGet, "(index, edges)", calling(graphTopo)),
	method("Get_neighbors_count", "rank", engine.CallGraphNeighbors,
		"number of neighbors of a process", graphGetDegree),
	method("Get_neighbors", "rank", engine.CallGraphNeighbors,
		"neighbors of a process", graphGetNeighbors),
)

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
	me, err := c.Rank()
	if err != nil {
		return nil, err
	}
	list, err := c.GraphNeighbors(me)
	return numbers(list), err
}

func graphDegree(r *Rank, v starlark.Value) (starlark.Value, error) {
	list, err := graphNeighbors(r, v)
	if err != nil {
		return nil, err
	}
	return starlark.MakeInt(list.(*starlark.List).Len()), nil
}

func graphGetNeighbors(c *call) (starlark.Value, error) {
	list, err := c.neighborsOf()
	return numbers(list), err
}

func graphGetDegree(c *call) (starlark.Value, error) {
	list, err := c.neighborsOf()
	return number(len(list), err)
}

func (c *call) neighborsOf() ([]int, error) {
	rank, err := c.int(0)
	if err != nil {
		return nil, err
	}
	return c.on().GraphNeighbors(rank)
}

// graph reads the arguments index and edges. As in mpi4py, index may begin with an entry more, a 0,
// which is how sparse matrices are written: it counts as such when the last entry is the number of
// edges.
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
	made, err := c.on().CreateGraph(index, edges, reorder)
	return c.wrappedAs(engine.TopoGraph, made, err)
}

func commGraphMap(c *call) (starlark.Value, error) {
	index, edges, err := c.graph()
	if err != nil {
		return nil, err
	}
	return number(c.on().GraphMap(index, edges))
}

package program

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
)

// distGraphClass is what communicators with a distributed graph topology can do besides what all
// can.
var distGraphClass = newClass("Distgraphcomm", isTopo(engine.TopoDistGraph),
	method("Get_dist_neighbors_count", "", engine.CallDistGraphNeighbors,
		"(edges in, edges out, whether there are weights) of this process", distDegrees),
	method("Get_dist_neighbors", "", engine.CallDistGraphNeighbors,
		"(sources, destinations, None or (weights in, weights out)) of this process", distNeighbors),
)

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
	lists, err := fourLists(c.listOrNone, c.listOrNone, c.weights, c.weights)
	if err != nil {
		return nil, err
	}
	info, reorder, err := c.guidance()
	if err != nil {
		return nil, err
	}
	made, err := c.on().CreateDistGraphAdjacent(lists[0], lists[2], lists[1], lists[3], info, reorder)
	return c.wrappedAs(engine.TopoDistGraph, made, err)
}

func commCreateDistGraph(c *call) (starlark.Value, error) {
	lists, err := fourLists(c.integers, c.integers, c.integers, c.weights)
	if err != nil {
		return nil, err
	}
	info, reorder, err := c.guidance()
	if err != nil {
		return nil, err
	}
	made, err := c.on().CreateDistGraph(lists[0], lists[1], lists[2], lists[3], info, reorder)
	return c.wrappedAs(engine.TopoDistGraph, made, err)
}

// fourLists reads the first four arguments of the constructors of distributed graphs, each its way.
func fourLists(read ...func(i int) ([]int, error)) (lists [4][]int, err error) {
	for i := range lists {
		if lists[i], err = read[i](i); err != nil {
			return lists, err
		}
	}
	return lists, nil
}

// guidance reads the arguments info and reorder of the constructors of distributed graphs.
func (c *call) guidance() (info *engine.Info, reorder bool, err error) {
	if info, err = c.info(4); err != nil {
		return nil, false, err
	}
	reorder, err = c.flag(5)
	return info, reorder, err
}

// weights reads a list of weights; nil for None and UNWEIGHTED, an empty list for WEIGHTS_EMPTY.
func (c *call) weights(i int) ([]int, error) {
	if c.args[i] == starlark.None {
		return nil, nil
	}
	n, isInt := c.args[i].(starlark.Int)
	if !isInt {
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

// listOrNone reads a list of integers, for which None stands when it is empty.
func (c *call) listOrNone(i int) ([]int, error) {
	if c.args[i] == starlark.None {
		return nil, nil
	}
	return c.integers(i)
}

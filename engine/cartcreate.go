package engine

import (
	"fmt"
	"slices"
)

// CreateCart makes a communicator with a Cartesian topology (MPI_Cart_create, §8.5.1). dims are the
// processes in each dimension; periods says which dimensions are rings, nil that none is. The first
// processes of c get the grid, in their order; those that it has no room for get nil. reorder is
// accepted as the standard has it, and ranks are never reordered. All processes must pass the same:
// else MPI_ERR_ARG. A dimension below 1: MPI_ERR_DIMS; a grid larger than c's group: MPI_ERR_ARG;
// both on every process.
func (c *Comm) CreateCart(dims []int, periods []bool, reorder bool) (*Comm, error) {
	if err := c.needIntra(CallCartCreate); err != nil {
		return nil, err
	}
	if periods == nil {
		periods = make([]bool, len(dims))
	}
	if err := c.checkPeriods(CallCartCreate, dims, periods); err != nil {
		return nil, err
	}
	return c.constructTopology(CallCartCreate, reorder, topologyArgs{lists: []argList{{name: "dims", values: dims}, logicals("periods", periods)}})
}

func (c *Comm) checkPeriods(call Call, dims []int, periods []bool) error {
	if len(periods) == len(dims) {
		return nil
	}
	return c.fail(ErrArg, call, "periods needs one entry per dimension",
		fmt.Sprintf("%d for %d dimensions", len(periods), len(dims)))
}

// checkDims holds the dimensions of a grid against the size of the group. The class is Success when
// they are all right.
func checkDims(dims []int, size int) (class Class, text string) {
	if i := slices.IndexFunc(dims, func(d int) bool { return d < 1 }); i >= 0 {
		return ErrDims, fmt.Sprintf("dims must be positive, but dims[%d] is %d; MPI_Dims_create chooses sizes where dims is 0", i, dims[i])
	}
	if volume(dims, size) > size {
		return ErrArg, fmt.Sprintf("the grid must not be larger than the group: dims %s make more than its %d processes", argList{values: dims}, size)
	}
	return Success, ""
}

func (op *operation) finishCartCreate(w *World) {
	lists := op.topologyArgs(0).lists
	dims := slices.Clone(lists[0].values)
	if class, text := checkDims(dims, len(op.a)); class != Success {
		op.err = op.wrong(class, text)
		return
	}
	g := &grid{dims: dims, periods: make([]bool, len(dims))}
	for i, v := range lists[1].values {
		g.periods[i] = v != 0
	}
	op.makeFirst(w, volume(dims, len(op.a)), g)
}

// CartSub partitions a grid into lower-dimensional ones (MPI_Cart_sub, §8.5.7): each keeps the
// dimensions for which remain is true, and holds the processes whose other coordinates are equal,
// in their order. All processes must pass the same remain, one entry per dimension: else
// MPI_ERR_ARG. No Cartesian topology: MPI_ERR_TOPOLOGY.
func (c *Comm) CartSub(remain []bool) (*Comm, error) {
	g, err := virtualOf[*grid](c, CallCartSub)
	if err != nil {
		return nil, err
	}
	if len(remain) != len(g.dims) {
		return nil, c.fail(ErrArg, CallCartSub, "remain_dims needs one entry per dimension",
			fmt.Sprintf("%d for %d dimensions", len(remain), len(g.dims)))
	}
	return c.constructTopology(CallCartSub, false, topologyArgs{lists: []argList{logicals("remain_dims", remain)}})
}

func (op *operation) finishCartSub(w *World) {
	g := op.core.virtual.(*grid)
	remain := op.topologyArgs(0).lists[0].values
	kept := &grid{dims: []int{}, periods: []bool{}}
	for i, keep := range remain {
		if keep != 0 {
			kept.dims, kept.periods = append(kept.dims, g.dims[i]), append(kept.periods, g.periods[i])
		}
	}
	// Row-major order of the whole grid is row-major order within each part: the ties of equal keys.
	color, key := make([]int32, len(op.a)), make([]int32, len(op.a))
	for r := range color {
		for i, at := range g.coords(r) {
			if remain[i] == 0 {
				color[r] = color[r]*int32(g.dims[i]) + int32(at)
			}
		}
	}
	w.make(op, op.partition(w, color, key))
	op.attach(kept)
}

// CartMap is the rank that the caller would have in such a grid (MPI_Cart_map, §8.5.8): its own, as
// ranks are never reordered, or Undefined when the grid has no room for it. It is local.
func (c *Comm) CartMap(dims []int, periods []bool) (int, error) {
	if err := c.needIntra(CallCartMap); err != nil {
		return Undefined, err
	}
	if periods != nil {
		if err := c.checkPeriods(CallCartMap, dims, periods); err != nil {
			return Undefined, err
		}
	}
	size := len(c.core.group.members)
	if class, text := checkDims(dims, size); class != Success {
		return Undefined, c.fail(class, CallCartMap, text, "")
	}
	return c.placed(volume(dims, size)), nil
}

// placed is the caller's rank when it is one of the first n processes, else Undefined.
func (c *Comm) placed(n int) int {
	if int(c.rank) < n {
		return int(c.rank)
	}
	return Undefined
}

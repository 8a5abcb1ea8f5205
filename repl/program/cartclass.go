package program

import (
	"fmt"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// cartClass is what communicators with a Cartesian topology can do besides what all can.
var cartClass = newClass("Cartcomm", isTopo(engine.TopoCart),
	property("dim", engine.CallCartGet, "number of dimensions", cartDim),
	property("ndim", engine.CallCartGet, "number of dimensions", cartDim),
	property("topo", engine.CallCartGet, "(dims, periods, coords)", cartTopo),
	property("dims", engine.CallCartGet, "processes in each dimension", element(cartTopo, 0)),
	property("periods", engine.CallCartGet, "1 for each dimension that is a ring, else 0", element(cartTopo, 1)),
	property("coords", engine.CallCartGet, "coordinates of this process", element(cartTopo, 2)),
	method("Get_dim", "", engine.CallCartGet, "number of dimensions", calling(cartDim)),
	method("Get_topo", "", engine.CallCartGet, "(dims, periods, coords)", calling(cartTopo)),
	method("Get_coords", "rank", engine.CallCartCoords, "coordinates of a process", cartCoords),
	method("Get_cart_rank", "coords", engine.CallCartRank,
		"rank at the coordinates, which wrap in periodic dimensions", cartRank),
	method("Shift", "direction, disp", engine.CallCartShift,
		"(source, dest) of a shift along a dimension; PROC_NULL beyond a border", cartShift),
	method("Sub", "remain_dims", engine.CallCartSub,
		"a communicator per subgrid of the dimensions that remain", cartSub),
)

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

func cartCoords(c *call) (starlark.Value, error) {
	rank, err := c.int(0)
	if err != nil {
		return nil, err
	}
	coords, err := c.on().CartCoords(rank)
	return numbers(coords), err
}

func cartRank(c *call) (starlark.Value, error) {
	coords, err := c.integers(0)
	if err != nil {
		return nil, err
	}
	return number(c.on().CartRank(coords))
}

func cartShift(c *call) (starlark.Value, error) {
	direction, disp, err := c.ints(0, 1)
	if err != nil {
		return nil, err
	}
	source, dest, err := c.on().CartShift(direction, disp)
	return starlark.Tuple{starlark.MakeInt(source), starlark.MakeInt(dest)}, err
}

func cartSub(c *call) (starlark.Value, error) {
	remain, err := c.flags(0)
	if err != nil {
		return nil, err
	}
	made, err := c.on().CartSub(remain)
	return c.wrappedAs(engine.TopoCart, made, err)
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
	made, err := c.on().CreateCart(dims, periods, reorder)
	return c.wrappedAs(engine.TopoCart, made, err)
}

func commCartMap(c *call) (starlark.Value, error) {
	dims, periods, _, err := c.grid()
	if err != nil {
		return nil, err
	}
	return number(c.on().CartMap(dims, periods))
}

// computeDims takes the sizes that are fixed, or how many dimensions there are.
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

package engine

import "fmt"

// grid is a Cartesian topology: its processes are the points of a grid in row-major order (§8.2),
// the last coordinate running fastest. Without dimensions it has one point.
type grid struct {
	dims    []int  // processes in each dimension, all positive
	periods []bool // whether a dimension is a ring
}

func (*grid) topoType() TopoType { return TopoCart }

// volume is the number of points, or a number above limit when there are more.
func volume(dims []int, limit int) int {
	points := int64(1)
	for _, d := range dims {
		if points *= int64(d); points > int64(limit) {
			return limit + 1
		}
	}
	return int(points)
}

// coords are the coordinates of a point.
func (g *grid) coords(rank int) []int {
	at := make([]int, len(g.dims))
	for i := len(g.dims) - 1; i >= 0; i-- {
		at[i], rank = rank%g.dims[i], rank/g.dims[i]
	}
	return at
}

// rank is the point at the given coordinates. Where a dimension is periodic they wrap; ok is false
// when they are outside of another one, outside.
func (g *grid) rank(coords []int) (rank, outside int, ok bool) {
	for i, d := range g.dims {
		at := coords[i]
		if g.periods[i] {
			at = (at%d + d) % d
		}
		if at < 0 || at >= d {
			return 0, i, false
		}
		rank = rank*d + at
	}
	return rank, 0, true
}

// CartGet gives the Cartesian topology of c: processes and periodicity in each dimension, and the
// caller's coordinates (MPI_Cartdim_get and MPI_Cart_get, §8.5.5). Another topology, or none:
// MPI_ERR_TOPOLOGY, as from all that follow.
func (c *Comm) CartGet() (dims []int, periods []bool, coords []int, err error) {
	g, err := virtualOf[*grid](c, CallCartGet)
	if err != nil {
		return nil, nil, nil, err
	}
	return append([]int{}, g.dims...), append([]bool{}, g.periods...), g.coords(int(c.rank)), nil
}

// CartRank is the rank of the process at the given coordinates (MPI_Cart_rank, §8.5.5). In a
// periodic dimension coordinates wrap round; out of range in another one, or not one per
// dimension: MPI_ERR_ARG.
func (c *Comm) CartRank(coords []int) (int, error) {
	g, err := virtualOf[*grid](c, CallCartRank)
	if err != nil {
		return 0, err
	}
	passed := "coords " + argList{values: coords}.String()
	if len(coords) != len(g.dims) {
		return 0, c.fail(ErrArg, CallCartRank, fmt.Sprintf("one coordinate per dimension is needed, %d in all", len(g.dims)), passed)
	}
	rank, i, ok := g.rank(coords)
	if !ok {
		return 0, c.fail(ErrArg, CallCartRank, fmt.Sprintf("dimension %d is not periodic, so its coordinate must be 0 to %d", i, g.dims[i]-1), passed)
	}
	return rank, nil
}

// CartCoords are the coordinates of a process (MPI_Cart_coords, §8.5.5). A rank that c does not
// have: MPI_ERR_RANK.
func (c *Comm) CartCoords(rank int) ([]int, error) {
	g, err := virtualOf[*grid](c, CallCartCoords)
	if err != nil {
		return nil, err
	}
	if err := c.checkNode(CallCartCoords, rank, len(c.core.group.members)); err != nil {
		return nil, err
	}
	return g.coords(rank), nil
}

// CartShift gives the neighbors at distance disp along a dimension: the process to receive from and
// the one to send to, ProcNull beyond the border of a dimension that is not periodic
// (MPI_Cart_shift, §8.5.6). direction is a dimension, from 0: else MPI_ERR_DIMS, so always on a grid
// without dimensions.
func (c *Comm) CartShift(direction, disp int) (source, dest int, err error) {
	g, err := virtualOf[*grid](c, CallCartShift)
	if err != nil {
		return 0, 0, err
	}
	if direction < 0 || direction >= len(g.dims) {
		text := "a grid without dimensions cannot be shifted"
		if n := len(g.dims); n > 0 {
			text = fmt.Sprintf("the direction must be a dimension of the grid, 0 to %d", n-1)
		}
		return 0, 0, c.fail(ErrDims, CallCartShift, text, fmt.Sprintf("direction %d", direction))
	}
	if !fitsInt(disp) {
		return 0, 0, c.fail(ErrArg, CallCartShift, "disp is a C int of 32 bits", fmt.Sprintf("disp %d", disp))
	}
	return g.shifted(int(c.rank), direction, -int64(disp)), g.shifted(int(c.rank), direction, int64(disp)), nil
}

// shifted is the point at distance disp from a point, or ProcNull.
func (g *grid) shifted(rank, dimension int, disp int64) int {
	at := g.coords(rank)
	d := int64(g.dims[dimension])
	to := int64(at[dimension]) + disp
	if g.periods[dimension] {
		to = (to%d + d) % d
	}
	if to < 0 || to >= d {
		return ProcNull
	}
	at[dimension] = int(to)
	moved, _, _ := g.rank(at)
	return moved
}

package engine

import "slices"

// grid is a Cartesian topology: its processes are the points of a grid in row-major order (§8.2): the last
// coordinate runs fastest. A grid without dimensions has one point.
type grid struct {
	dims    []int  // processes in each dimension, all positive
	periods []bool // whether a dimension is a ring
}

func (*grid) topoType() TopoType { return TopoCart }

// volume returns the number of points of a grid with these dims, or limit+1 when there are more than limit.
func volume(dims []int, limit int) int {
	points := int64(1)
	for _, d := range dims {
		if points *= int64(d); points > int64(limit) {
			return limit + 1
		}
	}
	return int(points)
}

// coords returns the coordinates of the point with this rank.
func (g *grid) coords(rank int) []int {
	at := make([]int, len(g.dims))
	for i := len(g.dims) - 1; i >= 0; i-- {
		at[i], rank = rank%g.dims[i], rank/g.dims[i]
	}
	return at
}

// rank returns the rank of the point at the given coordinates. In a periodic dimension coordinates wrap around; ok
// is false when a coordinate is out of range in another dimension, whose index is outside.
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

// CartGet returns the Cartesian topology of c: processes and periodicity in each dimension, and the caller's
// coordinates (MPI_Cartdim_get and MPI_Cart_get, §8.5.5). CartGet, CartRank, CartCoords, CartShift and CartSub raise
// MPI_ERR_TOPOLOGY when c has no Cartesian topology.
func (c *Comm) CartGet() (dims []int, periods []bool, coords []int, err error) {
	g, err := virtualOf[*grid](c, CallCartGet)
	if err != nil {
		return nil, nil, nil, err
	}
	return append([]int{}, g.dims...), append([]bool{}, g.periods...), g.coords(int(c.rank)), nil
}

// CartRank returns the rank of the process at the given coordinates (MPI_Cart_rank, §8.5.5). In a periodic
// dimension coordinates wrap around. A coordinate out of range in another dimension, or a number of coordinates
// other than the number of dimensions: MPI_ERR_ARG.
func (c *Comm) CartRank(coords []int) (int, error) {
	g, err := virtualOf[*grid](c, CallCartRank)
	if err != nil {
		return 0, err
	}
	if len(coords) != len(g.dims) {
		return 0, c.fail(MistakeCoordCount.In(CallCartRank, len(g.dims)).passing("coords %s", argList{values: coords}))
	}
	rank, i, ok := g.rank(coords)
	if !ok {
		return 0, c.fail(MistakeCoordRange.In(CallCartRank, i, g.dims[i]-1).passing("coords %s", argList{values: coords}))
	}
	return rank, nil
}

// CartCoords returns the coordinates of the process with this rank (MPI_Cart_coords, §8.5.5). A rank that c does
// not have: MPI_ERR_RANK.
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

// CartShift returns the neighbors at distance disp along a dimension: the process to receive from and the process to
// send to, ProcNull beyond the border of a dimension that is not periodic (MPI_Cart_shift, §8.5.6). direction numbers
// the dimensions from 0; another number raises MPI_ERR_DIMS.
func (c *Comm) CartShift(direction, disp int) (source, dest int, err error) {
	g, err := virtualOf[*grid](c, CallCartShift)
	if err != nil {
		return 0, 0, err
	}
	if direction < 0 || direction >= len(g.dims) {
		e := MistakeDirection.In(CallCartShift, len(g.dims)-1).passingInt("direction", direction)
		if len(g.dims) == 0 {
			e = e.saying("a grid without dimensions cannot be shifted")
		}
		return 0, 0, c.fail(e)
	}
	if !fitsInt(disp) {
		return 0, 0, c.fail(MistakeNotCInt.In(CallCartShift, "disp must be a C int").passingInt("disp", disp))
	}
	return g.shifted(int(c.rank), direction, -int64(disp)), g.shifted(int(c.rank), direction, int64(disp)), nil
}

// shifted returns the rank of the point at distance disp from a point, or ProcNull beyond a border.
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

// CreateCart makes a communicator with a Cartesian topology (MPI_Cart_create, §8.5.1). dims has the number of
// processes in each dimension; periods tells which dimensions are rings, nil that none is. The first processes of
// c get the grid, in their order; processes that the grid has no room for get nil. reorder is accepted as in the
// standard, but ranks are never reordered. All processes must pass the same arguments: else MPI_ERR_ARG. A
// dimension below 1: MPI_ERR_DIMS; a grid larger than c's group: MPI_ERR_ARG; both on every process.
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
	return c.fail(MistakeEntryPerDimension.In(call, "periods").passing("%d for %d dimensions", len(periods), len(dims)))
}

// checkDims returns an error unless all dimensions of a grid are positive and a group of this size can fill the
// grid.
func checkDims(call Call, dims []int, size int) *Error {
	if i := slices.IndexFunc(dims, func(d int) bool { return d < 1 }); i >= 0 {
		return MistakeDimsNotPositive.In(call, i, dims[i])
	}
	if volume(dims, size) > size {
		return MistakeGridTooLarge.In(call, argList{values: dims}, size)
	}
	return nil
}

func (op *operation) finishCartCreate(w *World) {
	lists := op.topologyArgs(0).lists
	dims := slices.Clone(lists[0].values)
	if e := checkDims(op.call, dims, len(op.a)); e != nil {
		op.err = e.on(op.core)
		return
	}
	g := &grid{dims: dims, periods: make([]bool, len(dims))}
	for i, v := range lists[1].values {
		g.periods[i] = v != 0
	}
	op.makeFirst(w, volume(dims, len(op.a)), g)
}

// CartSub partitions a grid into lower-dimensional grids (MPI_Cart_sub, §8.5.7): each of them keeps the dimensions
// for which remain is true, and holds the processes whose coordinates in the other dimensions are equal, in their
// order. All processes must pass the same remain, with an entry for each dimension: else MPI_ERR_ARG. No Cartesian
// topology: MPI_ERR_TOPOLOGY.
func (c *Comm) CartSub(remain []bool) (*Comm, error) {
	g, err := virtualOf[*grid](c, CallCartSub)
	if err != nil {
		return nil, err
	}
	if len(remain) != len(g.dims) {
		return nil, c.fail(MistakeEntryPerDimension.In(CallCartSub, "remain_dims").passing("%d for %d dimensions", len(remain), len(g.dims)))
	}
	return c.constructTopology(CallCartSub, false, topologyArgs{lists: []argList{logicals("remain_dims", remain)}})
}

func (op *operation) finishCartSub(w *World) {
	g := op.core.info.virtual.(*grid)
	remain := op.topologyArgs(0).lists[0].values
	kept := &grid{dims: []int{}, periods: []bool{}}
	for i, keep := range remain {
		if keep != 0 {
			kept.dims, kept.periods = append(kept.dims, g.dims[i]), append(kept.periods, g.periods[i])
		}
	}
	// Equal keys keep the rank order of the whole grid, which is row-major order within each part, too.
	color, key := make([]int32, len(op.a)), make([]int32, len(op.a))
	for r := range color {
		for i, at := range g.coords(r) {
			if remain[i] == 0 {
				color[r] = color[r]*int32(g.dims[i]) + int32(at)
			}
		}
	}
	op.partition(w, color, key)
	op.attach(kept)
}

// CartMap returns the rank that the caller would have in a grid with these dims (MPI_Cart_map, §8.5.8): the caller's
// rank in c, since ranks are never reordered, or Undefined when the grid has no room for the caller. It is local.
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
	if e := checkDims(CallCartMap, dims, size); e != nil {
		return Undefined, c.fail(e)
	}
	return c.placed(volume(dims, size)), nil
}

// placed returns the caller's rank when the caller is among the first n processes, else Undefined.
func (c *Comm) placed(n int) int {
	if int(c.rank) < n {
		return int(c.rank)
	}
	return Undefined
}

// DimsCreate balances nnodes processes over the dimensions of a grid (MPI_Dims_create, §8.5.2): it replaces the zeros
// in dims by sizes in non-increasing order, such that all entries multiply to nnodes. The new sizes are as close to
// each other as possible: the difference of the largest and the smallest is minimal, and of several such choices the
// first sizes are as small as possible. A negative entry, nnodes below 1, or nnodes that is no multiple of the product
// of the positive entries: MPI_ERR_DIMS.
func DimsCreate(nnodes int, dims []int) ([]int, error) {
	if nnodes < 1 || !fitsInt(nnodes) {
		return nil, MistakeNodeCount.In(CallDimsCreate, nnodes)
	}
	rest, free := nnodes, 0
	for i, d := range dims {
		switch {
		case d < 0:
			return nil, MistakeDimsNegative.In(CallDimsCreate, i, d)
		case d == 0:
			free++
		case rest%d != 0:
			return nil, MistakeDimsProduct.In(CallDimsCreate, argList{values: dims}, nnodes)
		default:
			rest /= d
		}
	}
	if free == 0 && rest != 1 {
		return nil, MistakeDimsProduct.In(CallDimsCreate).saying("dims %s leaves no size to choose and does not multiply to nnodes, %d", argList{values: dims}, nnodes)
	}
	out := slices.Clone(dims)
	chosen := balanced(rest, free)
	for i, d := range out {
		if d == 0 {
			out[i], chosen = chosen[0], chosen[1:]
		}
	}
	return out, nil
}

// balancer looks for the factorization of a number into len(trial) factors whose largest and smallest factor differ
// least. It chooses factors from the largest to the smallest, and drops a choice as soon as the factors must differ by
// more than those of the best factorization so far.
type balancer struct {
	divisors []int
	trial    []int
	best     []int // nil: none yet
}

// balanced returns k factors of n that are as close to each other as possible, the largest first.
func balanced(n, k int) []int {
	if k == 0 {
		return nil
	}
	b := &balancer{divisors: divisorsOf(n), trial: make([]int, k)}
	b.search(n, 0)
	return b.best
}

func divisorsOf(n int) []int {
	var low, high []int
	for d := 1; d <= n/d; d++ {
		if n%d == 0 {
			low = append(low, d)
			if d != n/d {
				high = append(high, n/d)
			}
		}
	}
	slices.Reverse(high)
	return append(low, high...)
}

// search tries all factors from number i on, whose product is n.
func (b *balancer) search(n, i int) {
	left := len(b.trial) - i
	if n == 1 {
		copy(b.trial[i:], slices.Repeat([]int{1}, left))
		b.keepBetter()
		return
	}
	if left == 0 {
		return
	}
	for _, f := range b.divisors {
		if i > 0 && f > b.trial[i-1] {
			return
		}
		if n%f != 0 || power(f, left, n) < int64(n) {
			continue // another factor would have to be larger
		}
		b.trial[i] = f
		if least := b.trial[0] - b.difference(); least > 1 && (f < least || power(least, left-1, n/f) > int64(n/f)) {
			if i == 0 {
				return // a larger first factor leaves even less for the last
			}
			continue
		}
		b.search(n/f, i+1)
	}
}

// difference returns the largest factor minus the smallest one in the best factorization so far; before there is a
// factorization, the number to factor.
func (b *balancer) difference() int {
	if b.best == nil {
		return b.divisors[len(b.divisors)-1]
	}
	return b.best[0] - b.best[len(b.best)-1]
}

// keepBetter keeps the trial when its factors differ less than those of the best factorization. The first of equally
// good ones stays, because the search tries small factors first.
func (b *balancer) keepBetter() {
	if b.best == nil || b.trial[0]-b.trial[len(b.trial)-1] < b.difference() {
		b.best = append(b.best[:0], b.trial...)
	}
}

// power returns f^k, or some number above limit when f^k is above it; limit fits a C int.
func power(f, k, limit int) int64 {
	p := int64(1)
	for range k {
		if p *= int64(f); p > int64(limit) || f == 1 {
			break
		}
	}
	return p
}

package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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

// String returns the C name: "MPI_CART".
func (t TopoType) String() string { return topoNames[t].constant }

// virtual is a virtual topology (§8.2). The processes of a communicator and of its duplicates share the value, which
// never changes.
type virtual interface{ topoType() TopoType }

// TopoTest returns the type of c's virtual topology, or TopoNone (MPI_Topo_test, §8.5.5).
func (c *Comm) TopoTest() (TopoType, error) {
	if err := c.Check(CallTopoTest); err != nil {
		return TopoNone, err
	}
	return c.core.info.Topo(), nil
}

// Topo returns the type of c's virtual topology for display, also when c is not made yet.
func (c *Comm) Topo() TopoType {
	if k := c.shape(); k != nil {
		return k.info.Topo()
	}
	return TopoNone
}

// Topo returns the type of the communicator's virtual topology.
func (k *CommInfo) Topo() TopoType {
	if k.virtual == nil {
		return TopoNone
	}
	return k.virtual.topoType()
}

// Grid returns the Cartesian topology of the communicator and the coordinates of one of its ranks; dims is nil without
// a Cartesian topology.
func (k *CommInfo) Grid(rank int) (dims []int, periods []bool, coords []int) {
	g, ok := k.virtual.(*grid)
	if !ok {
		return nil, nil, nil
	}
	return append([]int{}, g.dims...), slices.Clone(g.periods), g.coords(rank)
}

// virtualOf returns c's virtual topology if it has type V; else it raises MPI_ERR_TOPOLOGY.
func virtualOf[V virtual](c *Comm, call Call) (v V, err error) {
	if err := c.Check(call); err != nil {
		return v, err
	}
	if found, ok := c.core.info.virtual.(V); ok {
		return found, nil
	}
	return v, c.fail(MistakeTopologyType.In(call, topoNames[v.topoType()].noun, topoNames[c.core.info.Topo()].noun))
}

// checkNode raises MPI_ERR_RANK unless rank is one of the nodes 0 to n-1 of c's topology.
func (c *Comm) checkNode(call Call, rank, n int) error {
	if rank >= 0 && rank < n {
		return nil
	}
	return c.fail(MistakeTopologyRank.In(call, n-1).passingInt("rank", rank))
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

// makeFirst makes a communicator of the first n processes, in their order, with topology v; the other processes get
// MPI_COMM_NULL. reorder = true changes nothing: it allows an implementation to reorder ranks (§8.5.1), and the engine
// never does.
func (op *operation) makeFirst(w *World, n int, v virtual) {
	part, newRank := op.grouping()
	for r := range n {
		part[r], newRank[r] = 0, int32(r)
	}
	switch {
	case n == len(part):
		w.make(op, []*Group{op.core.group}, nil)
	case n > 0:
		w.make(op, []*Group{{members: op.core.all[:n:n]}}, nil)
	}
	op.attach(v)
}

// attach gives the communicators that op made the virtual topology v.
func (op *operation) attach(v virtual) {
	for _, k := range op.made {
		k.info.virtual = v
	}
}

// topologyArgs has the arguments of a topology constructor, except reorder, which is in operation.a.
type topologyArgs struct {
	lists    []argList
	info     string // the hints, as a text that is equal for equal hints
	weighted bool   // of a distributed graph
}

// argList is an array argument. An array of logicals has 0 and 1.
type argList struct {
	name       string
	values     []int
	logical    bool
	unweighted bool // the argument is MPI_UNWEIGHTED
}

func logicals(name string, values []bool) argList {
	l := argList{name: name, values: make([]int, len(values)), logical: true}
	for i, v := range values {
		l.values[i] = int(flag(v))
	}
	return l
}

// weightList makes an array argument of weights; nil is MPI_UNWEIGHTED.
func weightList(name string, values []int) argList {
	return argList{name: name, values: values, unweighted: values == nil}
}

// weight returns the weight of edge i.
func (l argList) weight(i int) int {
	if l.unweighted {
		return unweighted
	}
	return l.values[i]
}

func flag(v bool) int32 {
	if v {
		return 1
	}
	return 0
}

// maxListed is how many entries of an array a message or the trace shows.
const maxListed = 12

// String returns "(2,3)", "(true,false)" or "MPI_UNWEIGHTED". It cuts long arrays.
func (l argList) String() string {
	if l.unweighted {
		return "MPI_UNWEIGHTED"
	}
	var parts []string
	for i, v := range l.values {
		if i == maxListed {
			parts = append(parts, fmt.Sprintf("... %d in all", len(l.values)))
			break
		}
		parts = append(parts, l.entry(v))
	}
	return "(" + strings.Join(parts, ",") + ")"
}

func (l argList) entry(v int) string {
	if l.logical {
		return strconv.FormatBool(v != 0)
	}
	return strconv.Itoa(v)
}

// constructTopology makes the collective call of a topology constructor. Arguments are compared when the contributions
// meet, so that differing arguments are an error on every process.
func (c *Comm) constructTopology(call Call, reorder bool, args topologyArgs) (*Comm, error) {
	return c.construct(call, flag(reorder), 0, &args)
}

func (op *operation) topologyArgs(r int) *topologyArgs { return op.x[r].(*topologyArgs) }

// agreeOnTopology returns an error when the arguments of the processes differ (§8.4). Only the edges of a distributed
// graph may differ.
func (op *operation) agreeOnTopology() *Error {
	first := op.topologyArgs(0)
	for r := range op.x {
		mine := op.topologyArgs(r)
		switch {
		case op.a[r] != op.a[0]:
			return op.differ("reorder", op.reorderText)
		case mine.info != first.info:
			return op.differ("info", func(r int) string { return op.topologyArgs(r).info })
		case mine.weighted != first.weighted:
			return op.wrong(MistakeWeightsDiffer, op.sides(func(r int) string { return [...]string{"MPI_UNWEIGHTED", "weights"}[flag(op.topologyArgs(r).weighted)] }))
		case op.call == CallDistGraphCreate || op.call == CallDistGraphCreateAdjacent:
			continue
		}
		for i, l := range mine.lists {
			if !slices.Equal(l.values, first.lists[i].values) {
				return op.listsDiffer(i, r)
			}
		}
	}
	return nil
}

func (op *operation) differ(name string, what func(r int) string) *Error {
	return op.wrong(MistakeTopologiesDiffer, name, op.sides(what))
}

// listsDiffer returns the error that process r passed another list i than process 0. The message has the whole lists
// when they are short, otherwise their lengths or the first entry that differs.
func (op *operation) listsDiffer(i, r int) *Error {
	list := func(r int) argList { return op.topologyArgs(r).lists[i] }
	a, b := list(0), list(r)
	switch {
	case len(a.values) <= maxListed && len(b.values) <= maxListed:
		return op.differ(a.name, func(r int) string { return list(r).String() })
	case len(a.values) != len(b.values):
		return op.differ(a.name, func(r int) string { return fmt.Sprintf("%d entries", len(list(r).values)) })
	}
	at := 0
	for a.values[at] == b.values[at] {
		at++
	}
	return op.differ(a.name, func(r int) string {
		if l := list(r); at < len(l.values) {
			return fmt.Sprintf("%s as entry %d", l.entry(l.values[at]), at)
		}
		return fmt.Sprintf("only %d entries", len(list(r).values))
	})
}

// topologyColumns returns the arguments for the trace, without weights when all processes passed MPI_UNWEIGHTED, and
// without reorder when all passed false.
func (op *operation) topologyColumns(order []int32) []Column {
	var columns []Column
	for i, l := range op.topologyArgs(0).lists {
		if !slices.ContainsFunc(op.x, func(x any) bool { return !x.(*topologyArgs).lists[i].unweighted }) {
			continue
		}
		columns = append(columns, op.texts(l.name, order, func(r int) string { return op.topologyArgs(r).lists[i].String() }))
	}
	if slices.Contains(op.a, 1) {
		columns = append(columns, op.texts("reorder", order, op.reorderText))
	}
	return columns
}

func (op *operation) reorderText(r int) string { return strconv.FormatBool(op.a[r] != 0) }

// hintsText writes the pairs of an info object sorted by key: equal hints give equal texts.
func hintsText(info *Info) string {
	if info == nil || len(info.list) == 0 {
		return "no hints"
	}
	return info.joined(" ")
}

// neighborhood is a virtual topology for neighborhood collectives (§8.6): it has the sources and the destinations of
// each process, in order; ProcNull stands for no process.
type neighborhood interface {
	sources(rank int) []int
	destinations(rank int) []int

	// slot returns which destination of source number i is rank; -1 when that source does not have rank as a
	// destination.
	slot(rank, i int) int
}

// In a grid the neighbors are, for each dimension, the process below and the process above (§8.6). A message sent up
// arrives from below, also where both neighbors are the same process.

func (g *grid) sources(rank int) []int {
	list := make([]int, 0, 2*len(g.dims))
	for i := range g.dims {
		list = append(list, g.shifted(rank, i, -1), g.shifted(rank, i, 1))
	}
	return list
}

func (g *grid) destinations(rank int) []int { return g.sources(rank) }
func (g *grid) slot(_, i int) int           { return i ^ 1 }

func (g *graph) sources(rank int) []int {
	first := 0
	if rank > 0 {
		first = g.index[rank-1]
	}
	return g.edges[first:g.index[rank]]
}

func (g *graph) destinations(rank int) []int { return g.sources(rank) }
func (g *graph) slot(rank, i int) int        { return slotOf(g, rank, i) }

func (g *distGraph) sources(rank int) []int {
	list, _ := g.in.of(int32(rank))
	return list
}

func (g *distGraph) destinations(rank int) []int {
	list, _ := g.out.of(int32(rank))
	return list
}

func (g *distGraph) slot(rank, i int) int { return slotOf(g, rank, i) }

// slotOf is slot for graphs. The n-th edge between two processes at one of them belongs to the n-th edge at the other.
func slotOf(g neighborhood, rank, i int) int {
	in := g.sources(rank)
	n := 0
	for _, s := range in[:i] {
		if s == in[i] {
			n++
		}
	}
	for k, d := range g.destinations(in[i]) {
		if d != rank {
			continue
		}
		if n == 0 {
			return k
		}
		n--
	}
	return -1
}

// Neighbors returns the sources and destinations of the caller in c's virtual topology, ProcNull beyond the border of a
// grid (§8.6). Without a topology: MPI_ERR_TOPOLOGY.
func (c *Comm) Neighbors() (sources, destinations []int, err error) {
	g, err := c.neighborhood(CallTopoTest)
	if err != nil {
		return nil, nil, err
	}
	return slices.Clone(g.sources(int(c.rank))), slices.Clone(g.destinations(int(c.rank))), nil
}

func (c *Comm) neighborhood(call Call) (neighborhood, error) {
	if err := c.Check(call); err != nil {
		return nil, err
	}
	if c.core.info.virtual == nil {
		return nil, c.fail(MistakeNoTopology.In(call))
	}
	return c.core.info.virtual.(neighborhood), nil
}

// Degrees returns how many sources and destinations the caller of a neighborhood collective has.
func (c *Comm) Degrees(call Call) (in, out int, err error) {
	g, err := c.neighborhood(call)
	if err != nil {
		return 0, 0, err
	}
	return len(g.sources(int(c.rank))), len(g.destinations(int(c.rank))), nil
}

// Neighborly reports whether the call is a neighborhood collective, in any form.
func (c Call) Neighborly() bool {
	return c.Plain() == CallNeighborAllgather || c.Plain() == CallNeighborAlltoall
}

// NeighborAllgather sends value to all destinations, and returns the values of the sources, in their order; nil for
// ProcNull (MPI_Neighbor_allgather, §8.6.1).
func (c *Comm) NeighborAllgather(value any) ([]any, error) {
	return listed(c.Collect(CallNeighborAllgather, Data{Value: value}))
}

// NeighborAlltoall sends values[i] to destination i, and returns the values that the sources sent, in their order; nil
// for ProcNull (MPI_Neighbor_alltoall, §8.6.2). Each process must pass one value for each destination: else MPI_ERR_ARG
// on all processes.
func (c *Comm) NeighborAlltoall(values []any) ([]any, error) {
	return listed(c.Collect(CallNeighborAlltoall, Data{Value: values}))
}

// fromSources lists the values that the sources sent; nil for ProcNull.
func (c *Comm) fromSources(from func(i, source int) any) []any {
	sources := c.core.info.virtual.(neighborhood).sources(int(c.rank))
	list := make([]any, len(sources))
	for i, s := range sources {
		if s != ProcNull {
			list[i] = from(i, s)
		}
	}
	return list
}

// checkNeighbors sets the error of a neighborhood collective when a graph has an edge with one end only, or a list does
// not have one value for each destination.
func (op *operation) checkNeighbors() {
	g := op.core.info.virtual.(neighborhood)
	for slot := range op.values {
		if n, values := len(g.destinations(slot)), op.values[slot]; op.call.Plain() == CallNeighborAlltoall && len(values.([]any)) != n {
			op.err = op.wrong(MistakeNeighborCount, op.who(slot, slot), n, len(values.([]any)))
			return
		}
		if op.err = op.oneSided(g, slot); op.err != nil {
			return
		}
	}
}

// who writes "rank 3", with the world rank in parentheses when it differs.
func (op *operation) who(rank, slot int) string {
	if world := op.core.all[slot]; int(world) != rank {
		return fmt.Sprintf("rank %d (world rank %d)", rank, world)
	}
	return fmt.Sprintf("rank %d", rank)
}

// oneSided returns an error when one of two processes of a graph has the other as a neighbor more often than the other
// way round. Only MPI_Graph_create makes such graphs.
func (op *operation) oneSided(g neighborhood, rank int) *Error {
	if op.core.info.Topo() != TopoGraph {
		return nil
	}
	in := g.sources(rank)
	for _, s := range in {
		mine, theirs := count(in, s), count(g.destinations(s), rank)
		if mine != theirs {
			return op.wrong(MistakeNeighborOneSided, rank, s, times(mine), s, rank, times(theirs))
		}
	}
	return nil
}

func count(list []int, v int) int {
	n := 0
	for _, w := range list {
		if w == v {
			n++
		}
	}
	return n
}

func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

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

// String is the C name: "MPI_CART".
func (t TopoType) String() string { return topoNames[t].constant }

// virtual is a virtual topology (§8.2). The processes of a communicator, and of its duplicates,
// share one value, which nobody changes.
type virtual interface{ topoType() TopoType }

// topoType is the type of k's virtual topology.
func (k *core) topoType() TopoType {
	if k.virtual == nil {
		return TopoNone
	}
	return k.virtual.topoType()
}

// TopoTest is the type of c's virtual topology, or TopoNone (MPI_Topo_test, §8.5.5).
func (c *Comm) TopoTest() (TopoType, error) {
	if err := c.Check(CallTopoTest); err != nil {
		return TopoNone, err
	}
	return c.core.topoType(), nil
}

// Topo is the type of c's virtual topology for display, also of one that is still being made.
func (c *Comm) Topo() TopoType {
	if k := c.shape(); k != nil {
		return k.topoType()
	}
	return TopoNone
}

// Topo is the type of the communicator's virtual topology.
func (k *CommInfo) Topo() TopoType {
	if k.virtual == nil {
		return TopoNone
	}
	return k.virtual.topoType()
}

// Grid gives the Cartesian topology of the communicator, and the coordinates of one of its ranks; dims is nil without one.
func (k *CommInfo) Grid(rank int) (dims []int, periods []bool, coords []int) {
	g, ok := k.virtual.(*grid)
	if !ok {
		return nil, nil, nil
	}
	return append([]int{}, g.dims...), slices.Clone(g.periods), g.coords(rank)
}

// virtualOf is c's virtual topology, which must be of type V: else MPI_ERR_TOPOLOGY.
func virtualOf[V virtual](c *Comm, call Call) (v V, err error) {
	if err := c.Check(call); err != nil {
		return v, err
	}
	if found, ok := c.core.virtual.(V); ok {
		return found, nil
	}
	return v, c.fail(MistakeTopologyType.In(call, topoNames[v.topoType()].noun, topoNames[c.core.topoType()].noun))
}

// checkNode raises MPI_ERR_RANK when rank is none of the nodes 0 to n-1 of c's topology.
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

// makeFirst makes a communicator of the first n processes, in their order, with topology v; the
// others get MPI_COMM_NULL. That is also what reorder = true gives: it allows an implementation to
// reorder (§8.5.1), and this one never does.
func (op *operation) makeFirst(w *World, n int, v virtual) {
	part, newRank := op.grouping()
	for r := range n {
		part[r], newRank[r] = 0, int32(r)
	}
	switch {
	case n == len(part):
		w.make(op, []newcomm{alone(op.core.group)})
	case n > 0:
		w.make(op, []newcomm{alone(&Group{members: op.members()[:n:n]})})
	}
	op.attach(v)
}

// attach gives the communicators that op made, if any, the virtual topology v.
func (op *operation) attach(v virtual) {
	for _, k := range op.made {
		k.virtual, k.info.virtual = v, v
	}
}

// topologyArgs is what one process passes to a topology constructor, apart from reorder, which is
// operation.a.
type topologyArgs struct {
	lists    []argList
	info     string // the hints, as a text that is equal for equal hints
	weighted bool   // of a distributed graph
}

// argList is one array argument. A logical one holds 0 and 1.
type argList struct {
	name       string
	values     []int
	logical    bool
	unweighted bool // weights that are MPI_UNWEIGHTED
}

func logicals(name string, values []bool) argList {
	l := argList{name: name, values: make([]int, len(values)), logical: true}
	for i, v := range values {
		l.values[i] = int(flag(v))
	}
	return l
}

// weightList is an array of weights; nil is MPI_UNWEIGHTED.
func weightList(name string, values []int) argList {
	return argList{name: name, values: values, unweighted: values == nil}
}

// weight is the weight of an edge.
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

// maxListed bounds how much of an array a message or the trace shows.
const maxListed = 12

// String is "(2,3)", "(true,false)" or "MPI_UNWEIGHTED". Long ones are cut.
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

// constructTopology makes the collective call of a topology constructor. Equal arguments are
// checked when the contributions meet, so that wrong ones are diagnosed on every process.
func (c *Comm) constructTopology(call Call, reorder bool, args topologyArgs) (*Comm, error) {
	d, _, err := c.construct(call, flag(reorder), 0, &args)
	return d, err
}

func (op *operation) topologyArgs(r int) *topologyArgs { return op.x[r].(*topologyArgs) }

// agreeOnTopology holds the arguments of all processes against each other (§8.4): all must pass the
// same, only the edges of a distributed graph are each process' own.
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

// listsDiffer names the sides for list i, in which process r differs from process 0: by the whole
// list while it is short, otherwise by its length or the first entry that differs.
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

// topologyColumns are the arguments for the trace, without weights and reorder where these have
// their usual values everywhere.
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

// hintsText is the pairs of an info object by key, equal for equal hints.
func hintsText(info *Info) string {
	if info == nil || len(info.list) == 0 {
		return "no hints"
	}
	var parts []string
	for _, p := range info.sorted() {
		parts = append(parts, fmt.Sprintf("%s=%q", p.key, p.value))
	}
	return strings.Join(parts, " ")
}

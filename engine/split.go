package engine

import (
	"fmt"
	"math"
)

// Split partitions the group of c by color and ranks each part by (key, rank in c) (MPI_Comm_split, §7.4.2). A process
// that passes Undefined as color gets nil. color must be nonnegative or Undefined, and color and key must fit MPI's int
// (32 bits): else MPI_ERR_ARG on the process that passed it, which then takes no part. On an intercommunicator, the
// processes of both sides with the same color form a new intercommunicator; processes whose color only one side has get
// nil.
func (c *Comm) Split(color, key int) (*Comm, error) {
	if err := c.Check(CallSplit); err != nil {
		return nil, err
	}
	if err := c.lacksInter(CallSplit); err != nil {
		return nil, err
	}
	if color < 0 && color != Undefined {
		return nil, c.fail(MistakeNegativeColor.In(CallSplit).passingInt("color", color))
	}
	if !fitsInt(color) || !fitsInt(key) {
		return nil, c.fail(MistakeNotCInt.In(CallSplit, "color and key must be C ints").passing("color %d, key %d", color, key))
	}
	return c.construct(CallSplit, int32(color), int32(key), nil)
}

func fitsInt(v int) bool { return v >= math.MinInt32 && v <= math.MaxInt32 }

// partition makes a communicator of the processes with each color, in ascending order of color, with ranks by (key, old
// rank). On an intercommunicator, each side is ordered by itself, and a color makes a communicator only if both sides
// have it.
func (op *operation) partition(w *World, color, key []int32) {
	op.grouping()
	n := len(op.core.group.members)
	lefts, colors := op.partitionSide(w, color, key, 0, n)
	var rights []*Group
	if op.core.remote != nil {
		var others []int32
		rights, others = op.partitionSide(w, color, key, n, len(color))
		lefts, rights = op.pairSides(lefts, rights, colors, others)
	}
	w.make(op, lefts, rights)
}

// partitionSide partitions the slots from first up to end. It fills the columns part and newRank, and returns the parts
// in ascending order of color, and their colors.
//
// All parts share one table of world ranks: sorting by (color, key, old rank) puts them into the table one after the
// other, each in its rank order. The sort must be stable, since the standard breaks ties by the old rank; a radix sort
// that starts in rank order is stable.
func (op *operation) partitionSide(w *World, color, key []int32, first, end int) (parts []*Group, colors []int32) {
	sorted := w.sorter.sort(color[first:end], key[first:end])
	part, newRank, members := op.part[first:end], op.newRank[first:end], op.core.all[first:end]
	table := make([]int32, len(sorted))
	begin := 0
	for i, t := range sorted {
		c := int32(t.order >> 32)
		if i > 0 && c != colors[len(colors)-1] {
			parts = append(parts, &Group{members: table[begin:i:i]})
			begin = i
		}
		if i == begin {
			colors = append(colors, c)
		}
		table[i] = members[t.rank]
		part[t.rank], newRank[t.rank] = int32(len(parts)), int32(i-begin)
	}
	if len(sorted) > 0 {
		parts = append(parts, &Group{members: table[begin:]})
	}
	return parts, colors
}

// pairSides returns the parts of the two sides that have the same color. Processes of other parts get no communicator.
func (op *operation) pairSides(left, right []*Group, colors, others []int32) (lefts, rights []*Group) {
	toLeft, toRight := filled(len(left), -1), filled(len(right), -1)
	for i, j := 0, 0; i < len(left) && j < len(right); {
		switch {
		case colors[i] < others[j]:
			i++
		case colors[i] > others[j]:
			j++
		default:
			toLeft[i], toRight[j] = int32(len(lefts)), int32(len(lefts))
			lefts, rights = append(lefts, left[i]), append(rights, right[j])
			i, j = i+1, j+1
		}
	}
	n := len(op.core.group.members)
	for slot, p := range op.part {
		switch {
		case p < 0:
		case slot < n:
			op.part[slot] = toLeft[p]
		default:
			op.part[slot] = toRight[p]
		}
	}
	return lefts, rights
}

// triple is (color, key, rank) with color and key packed so that unsigned order is MPI's order: colors are not negative.
type triple struct {
	order uint64
	rank  int32
}

// sorter is the scratch space of the radix sort, kept between calls.
type sorter struct{ a, b []triple }

// sort returns the triples of all ranks whose color is not Undefined, in ascending order of color, then key, then rank.
// The result is valid until the next call. It sorts by those digits only that are not the same in all triples.
func (s *sorter) sort(color, key []int32) []triple {
	if n := len(color); cap(s.a) < n {
		s.a, s.b = make([]triple, n), make([]triple, n)
	}
	from, sorted, last, differing := s.a[:0], true, uint64(0), uint64(0)
	for i, c := range color {
		if c == Undefined {
			continue
		}
		order := uint64(c)<<32 | uint64(uint32(key[i])^(1<<31))
		from = append(from, triple{order, int32(i)})
		sorted = sorted && last <= order
		last, differing = order, differing|(order^from[0].order)
	}
	if sorted {
		return from
	}
	to := s.b[:len(from)]
	for shift := 0; shift < 64; shift += 8 {
		if differing>>shift&0xff != 0 {
			radixPass(from, to, shift)
			from, to = to, from
		}
	}
	return from
}

func radixPass(from, to []triple, shift int) {
	var next [257]int32
	for _, t := range from {
		next[t.order>>shift&0xff+1]++
	}
	for d := 1; d < 256; d++ {
		next[d] += next[d-1]
	}
	for _, t := range from {
		d := t.order >> shift & 0xff
		to[next[d]] = t
		next[d]++
	}
}

// SplitType is the split_type argument of MPI_Comm_split_type, or Undefined.
type SplitType int

// The split types (§7.4.2).
const (
	TypeShared SplitType = iota + 1
	TypeHWUnguided
	TypeHWGuided
	TypeResourceGuided
	TypeHWSubdomain // of the proposal of 2019: TypeHWGuided with KeyHWDomainType
)

var splitTypeNames = map[SplitType]string{
	TypeShared: "MPI_COMM_TYPE_SHARED", TypeHWUnguided: "MPI_COMM_TYPE_HW_UNGUIDED",
	TypeHWGuided: "MPI_COMM_TYPE_HW_GUIDED", TypeResourceGuided: "MPI_COMM_TYPE_RESOURCE_GUIDED",
	TypeHWSubdomain: "MPI_COMM_TYPE_HW_SUBDOMAIN", Undefined: "MPI_UNDEFINED",
}

// SplitTypes lists the split types of a version of the standard, without MPI_UNDEFINED.
func SplitTypes(std Std) []SplitType {
	var list []SplitType
	for t := TypeShared; t <= TypeHWSubdomain; t++ {
		if t.Since() <= std {
			list = append(list, t)
		}
	}
	return list
}

// String returns the C name: "MPI_COMM_TYPE_SHARED".
func (t SplitType) String() string {
	if n, ok := splitTypeNames[t]; ok {
		return n
	}
	return fmt.Sprintf("split type %d", int(t))
}

// Since returns the first version of the standard that has the split type.
func (t SplitType) Since() Std {
	switch t {
	case TypeHWGuided, TypeHWUnguided:
		return 40
	case TypeResourceGuided:
		return 41
	case TypeHWSubdomain:
		return Draft2019
	}
	return CallSplitType.Since()
}

// SplitType partitions the group of c by what the processes have in common, and ranks each part by (key, rank in c)
// (MPI_Comm_split_type, §7.4.2). All processes must pass the same type, or Undefined for no communicator. Guided types
// take the resource from info, which all processes must set alike; TypeHWUnguided sets the resource's name in info on
// the members of a new communicator. A process gets nil when it is not restricted to a single instance of the resource,
// when the resource is not known, or when info names none. MPI_ERR_ARG: types or hardware resources differ, processes
// set different keys, or a process sets both keys for TypeResourceGuided. If c derives from a session,
// TypeResourceGuided also splits by a process set, which mpi_pset_name names; only members of the set must name it
// alike.
func (c *Comm) SplitType(t SplitType, key int, info *Info) (*Comm, error) {
	x, err := c.splitTypeArgument(t, key, info) // apart, so that it leaves the stack before the process waits
	if err != nil {
		return nil, err
	}
	d, err := c.construct(CallSplitType, int32(t), int32(key), x)
	if d != nil && info != nil {
		d.informed(t, info)
	}
	return d, err
}

// informed gives the new communicator the hints of info, and after an unguided split sets in info the resource that was
// found.
func (c *Comm) informed(t SplitType, info *Info) {
	if h := info.hints(); h != nil {
		c.extras().info = h
	}
	if t == TypeHWUnguided {
		info.set(KeyHWResourceType, c.core.info.Resource)
	}
}

// splitTypeArgument checks the arguments of SplitType, and returns what the process contributes besides type and key.
func (c *Comm) splitTypeArgument(t SplitType, key int, info *Info) (x any, err error) {
	if err := c.Check(CallSplitType); err != nil {
		return nil, err
	}
	if _, ok := splitTypeNames[t]; !ok {
		return nil, c.fail(MistakeSplitType.In(CallSplitType).passingInt("split_type", int(t)))
	}
	if std := c.p.w.std; t.Since() > std {
		return nil, c.fail(MistakeSplitTypeStd.In(CallSplitType).saying("%s", std.Lacks(t.String(), t.Since())))
	}
	if !fitsInt(key) {
		return nil, c.fail(MistakeNotCInt.In(CallSplitType, "key must be a C int").passingInt("key", key))
	}
	if err := c.checkInfo(CallSplitType, info); err != nil {
		return nil, err
	}
	g, ok := guideOf(t, info)
	if !ok {
		return nil, c.fail(MistakeTwoResources.In(CallSplitType))
	}
	if g == (guide{}) && (t != TypeHWUnguided || info == nil) {
		return nil, nil
	}
	info.asked = g
	return &info.asked, nil
}

func (op *operation) finishSplitType(w *World) {
	var t agreed
	if t, op.err = op.agreeOn(); op.err != nil {
		return
	}
	if t.kind == TypeResourceGuided && !t.hardware() {
		op.finishPsetSplit(w)
		return
	}
	color, resource := op.hardwareColors(w, t)
	op.partition(w, color, op.b)
	for _, k := range op.made {
		if resource >= 0 {
			k.info.Resource, k.info.Instance = w.topology.Resources()[resource].URI, int(color[op.core.slotOf(k.all[0])])
		}
	}
}

// agreed has the split type and the guide that all processes of a split_type call passed.
type agreed struct {
	kind SplitType
	guide
}

// agreeOn returns the split type and guide that all processes passed, except those that passed MPI_UNDEFINED; when
// types or hardware guides differ, it returns an error that names the sides.
func (op *operation) agreeOn() (agreed, *Error) {
	all := agreed{kind: Undefined}
	first := -1
	for r := range op.a {
		if op.a[r] == Undefined {
			continue
		}
		mine := agreed{SplitType(op.a[r]), op.guide(r)}
		if first < 0 {
			all, first = mine, r
			continue
		}
		if mine.kind != all.kind {
			return all, op.wrong(MistakeSplitTypesDiffer, op.sides(func(r int) string { return SplitType(op.a[r]).String() }))
		}
		// Only the members of a process set must agree on its name: see finishPsetSplit.
		if mine.guide != all.guide && (mine.hardware() || all.hardware()) {
			return all, op.wrong(MistakeResourcesDiffer, op.sides(func(r int) string { return op.guide(r).String() }))
		}
	}
	return all, nil
}

// The info keys and the value that the standard reserves for split_type, and the key of the proposal
// of 2019.
const (
	KeyHWResourceType = "mpi_hw_resource_type"
	KeyHWDomainType   = "mpi_hw_domain_type"
	KeyPsetName       = "mpi_pset_name"
	ValueSharedMemory = "mpi_shared_memory"
)

// checkInfo raises MPI_ERR_INFO when the info argument of a call on c, which may be nil, was freed.
func (c *Comm) checkInfo(call Call, info *Info) error {
	if info == nil || !info.freed {
		return nil
	}
	return c.fail(MistakeInfoFreed.In(call))
}

// guide is the key of a process's info argument that guides the split, with its value. At most one key may be there.
type guide struct{ key, value string }

// hardware reports whether the guide names a hardware resource.
func (g guide) hardware() bool { return g.key == KeyHWResourceType || g.key == KeyHWDomainType }

func (g guide) String() string {
	if g.key == "" {
		return "no resource"
	}
	return fmt.Sprintf("%s=%q", g.key, g.value)
}

// guideOf reads the keys that the split type uses. ok is false when info has both keys.
func guideOf(t SplitType, info *Info) (g guide, ok bool) {
	switch {
	case info == nil:
		return guide{}, true
	case t == TypeHWSubdomain:
		if v, ok := info.get(KeyHWDomainType); ok {
			return guide{KeyHWDomainType, v}, true
		}
		return guide{}, true
	case t != TypeHWGuided && t != TypeResourceGuided:
		return guide{}, true
	}
	hw, hasHW := info.get(KeyHWResourceType)
	pset, hasPset := info.get(KeyPsetName)
	switch {
	case t == TypeResourceGuided && hasHW && hasPset:
		return guide{}, false
	case hasHW:
		return guide{KeyHWResourceType, hw}, true
	case hasPset && t == TypeResourceGuided:
		return guide{KeyPsetName, pset}, true
	}
	return guide{}, true
}

// guide returns the guide of the process in slot r.
func (op *operation) guide(r int) guide {
	if op.x == nil || op.x[r] == nil {
		return guide{}
	}
	return *op.x[r].(*guide)
}

// hints returns the pairs of the info argument that become hints of the new communicator: all but the keys that guide
// the split; nil when there are none.
func (i *Info) hints() *Info {
	if i == nil {
		return nil
	}
	var h *Info
	for _, p := range i.list {
		if p.key == KeyHWResourceType || p.key == KeyPsetName || p.key == KeyHWDomainType {
			continue
		}
		if h == nil {
			h = NewInfo()
		}
		h.list = append(h.list, p)
	}
	return h
}

// finishPsetSplit carries out MPI_COMM_TYPE_RESOURCE_GUIDED by mpi_pset_name (§7.4.2). Each process names a set, and
// the members of a set that name it form a communicator. Processes may name different sets in one call, but all
// processes of the communicator that are members of a named set must pass the same key and value. A set is valid in the
// session from which the communicator derives. A process gets MPI_COMM_NULL without a session, for an unknown set, and
// for a set of which it is no member.
func (op *operation) finishPsetSplit(w *World) {
	color := filled(len(op.a), Undefined)
	if op.core.sessions != nil {
		named := op.namedPsets(w)
		if op.err = op.agreeOnPsets(w, named); op.err != nil {
			return
		}
		op.psetColors(w, named, color)
	}
	op.partition(w, color, op.b)
	for _, k := range op.made {
		k.info.Pset = psetSelf
		if set := int(color[op.core.slotOf(k.all[0])]); set < len(w.psets) {
			k.info.Pset = w.psets[set].Name
		}
	}
}

// noPset stands for a process that names no known set, takesNoPart for a process that passed MPI_UNDEFINED, which
// agrees with all.
const (
	noPset      = -1
	takesNoPart = -2
)

// namedPsets returns the index of the set that each process names, or noPset or takesNoPart.
func (op *operation) namedPsets(w *World) []int {
	byName := map[string]int{}
	named := make([]int, len(op.a))
	for r := range named {
		g := op.guide(r)
		i, ok := byName[g.value]
		switch {
		case op.a[r] == Undefined:
			i = takesNoPart
		case g.key != KeyPsetName:
			i = noPset
		case !ok:
			i = w.findPset(g.value)
			byName[g.value] = i
		}
		named[r] = i
	}
	return named
}

// agreeOnPsets compares the keys and values that the members of each named set passed. If they differ, its error names
// who passed what.
func (op *operation) agreeOnPsets(w *World, named []int) *Error {
	checked := map[int]bool{}
	for _, i := range named {
		if i < 0 || checked[i] || w.psets[i].group == nil {
			continue
		}
		checked[i] = true
		if !op.agreesOnPset(w, i, named) {
			return op.clashingPsets(w, i, named)
		}
	}
	return nil
}

// agreesOnPset reports whether all members of set i that take part passed the same key and value.
func (op *operation) agreesOnPset(w *World, i int, named []int) bool {
	first := -1
	for _, m := range w.psets[i].group.members {
		r := op.core.slotOf(m)
		if r == Undefined || named[r] == takesNoPart {
			continue
		}
		if first < 0 {
			first = r
		}
		if named[r] != named[first] || named[r] == noPset && op.guide(r) != op.guide(first) {
			return false
		}
	}
	return true
}

// clashingPsets returns the error that the members of set i passed different keys or values.
func (op *operation) clashingPsets(w *World, i int, named []int) *Error {
	members := make([]bool, len(named))
	for r, m := range op.core.all {
		members[r] = w.psets[i].has(m) && named[r] != takesNoPart
	}
	return op.wrong(MistakePsetsDiffer, w.psets[i].Name, op.sidesOf(func(r int) bool { return members[r] }, func(r int) string { return op.guide(r).String() }))
}

// psetColors colors the processes that are members of the set that they name by its index. In mpi://SELF, another set
// in every process, each process gets a color of its own above these indexes.
func (op *operation) psetColors(w *World, named []int, color []int32) {
	for r, i := range named {
		switch {
		case i < 0 || !w.psets[i].has(op.core.all[r]):
		case w.psets[i].group == nil:
			color[r] = int32(len(w.psets) + r)
		default:
			color[r] = int32(i)
		}
	}
}

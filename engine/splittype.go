package engine

import "fmt"

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

// SplitTypes lists the split types of a version of the standard, MPI_UNDEFINED apart.
func SplitTypes(std Std) []SplitType {
	var list []SplitType
	for t := TypeShared; t <= TypeHWSubdomain; t++ {
		if t.Since() <= std {
			list = append(list, t)
		}
	}
	return list
}

// String is the C name: "MPI_COMM_TYPE_SHARED".
func (t SplitType) String() string {
	if n, ok := splitTypeNames[t]; ok {
		return n
	}
	return fmt.Sprintf("split type %d", int(t))
}

// Since is the first version of the standard that has the split type.
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

// SplitType partitions the group of c by what the processes have in common, and ranks each part by
// (key, rank in c) (MPI_Comm_split_type, §7.4.2). All processes must pass the same type, or
// Undefined for no communicator; guided types take the resource from info, which all must set
// alike, and TypeHWUnguided sets the resource's name in info on the members of a new communicator.
// nil means that the process is not restricted to one instance of the resource, that the resource
// is not known, or that info does not name one. Differing types or hardware resources, one key here
// and the other there, and both keys for TypeResourceGuided: MPI_ERR_ARG. A process set, named by
// mpi_pset_name for TypeResourceGuided, gives a communicator of its members in c if c derives from a
// session; only these must name it alike.
func (c *Comm) SplitType(t SplitType, key int, info *Info) (*Comm, error) {
	if err := c.check(CallSplitType); err != nil {
		return nil, err
	}
	if _, ok := splitTypeNames[t]; !ok {
		return nil, c.fail(ErrArg, CallSplitType, "split_type must be MPI_COMM_TYPE_SHARED, _HW_GUIDED, _RESOURCE_GUIDED, _HW_UNGUIDED or MPI_UNDEFINED", fmt.Sprintf("split_type %d", int(t)))
	}
	if std := c.p.w.std; t.Since() > std {
		return nil, c.fail(ErrArg, CallSplitType, std.Lacks(t.String(), t.Since()), "")
	}
	if !fitsInt(key) {
		return nil, c.fail(ErrArg, CallSplitType, "key is a C int of 32 bits", fmt.Sprintf("key %d", key))
	}
	if err := c.checkInfo(CallSplitType, info); err != nil {
		return nil, err
	}
	g, text := guideOf(t, info)
	if text != "" {
		return nil, c.fail(ErrArg, CallSplitType, text, "")
	}
	var x any
	if g != (guide{}) || t == TypeHWUnguided && info != nil {
		info.asked = g
		x = &info.asked
	}
	d, _, err := c.construct(CallSplitType, int32(t), int32(key), x)
	if err != nil || d == nil {
		return nil, err
	}
	if h := info.hints(); h != nil {
		d.extras().info = h
	}
	if r := d.core.info.Resource; t == TypeHWUnguided && info != nil {
		info.set(KeyHWResourceType, r)
	}
	return d, nil
}

func (op *operation) finishSplitType(w *World) {
	t, text := op.agreeOn()
	if text != "" {
		op.err = op.wrong(ErrArg, text)
		return
	}
	if t.kind == TypeResourceGuided && !t.hardware() {
		op.finishPsetSplit(w)
		return
	}
	color, resource := op.hardwareColors(w, t)
	parts := op.partition(w, color, op.b)
	for i := range parts {
		if resource < 0 {
			break
		}
		r := w.topology.Resources()[resource]
		parts[i].resource = r.URI
		first := op.core.slotOf(parts[i].group.members[0])
		parts[i].instance = color[first]
	}
	w.make(op, parts)
}

// agreed is what all processes of a split_type call asked for.
type agreed struct {
	kind SplitType
	guide
}

// agreeOn finds the split type and guide that all processes passed, those with MPI_UNDEFINED
// apart; text names the sides when they differ.
func (op *operation) agreeOn() (agreed, string) {
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
			return all, "all processes must pass the same split_type, or MPI_UNDEFINED: " + op.sides(func(r int) string { return SplitType(op.a[r]).String() })
		}
		// Only the members of a process set must agree on its name: see finishPsetSplit.
		if mine.guide != all.guide && (mine.hardware() || all.hardware()) {
			return all, "all processes must give the same info key and value: " + op.sides(func(r int) string { return op.guide(r).String() })
		}
	}
	return all, ""
}

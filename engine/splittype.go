package engine

import (
	"fmt"
	"strings"
)

// SplitType is the split_type argument of MPI_Comm_split_type, or Undefined.
type SplitType int

// The split types (§7.4.2).
const (
	TypeShared SplitType = iota + 1
	TypeHWUnguided
	TypeHWGuided
	TypeResourceGuided
)

var splitTypeNames = map[SplitType]string{
	TypeShared: "MPI_COMM_TYPE_SHARED", TypeHWUnguided: "MPI_COMM_TYPE_HW_UNGUIDED",
	TypeHWGuided: "MPI_COMM_TYPE_HW_GUIDED", TypeResourceGuided: "MPI_COMM_TYPE_RESOURCE_GUIDED",
	Undefined: "MPI_UNDEFINED",
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
	}
	return CallSplitType.Since()
}

// The info keys and the value that the standard reserves for split_type.
const (
	KeyHWResourceType = "mpi_hw_resource_type"
	KeyPsetName       = "mpi_pset_name"
	ValueSharedMemory = "mpi_shared_memory"
)

// SplitType partitions the group of c by what the processes have in common, and ranks each part by
// (key, rank in c) (MPI_Comm_split_type, §7.4.2). All processes must pass the same type, or
// Undefined for no communicator; guided types take the resource from info, which all must set
// alike, and TypeHWUnguided sets the resource's name in info on the members of a new communicator.
// nil means that the process is not restricted to one instance of the resource, that the resource
// is not known, or that info does not name one. Differing types or hardware resources, one key here
// and the other there, and both keys for TypeResourceGuided: MPI_ERR_ARG.
func (c *Comm) SplitType(t SplitType, key int, info *Info) (*Comm, error) {
	if err := c.check(CallSplitType); err != nil {
		return nil, err
	}
	if _, ok := splitTypeNames[t]; !ok {
		return nil, c.fail(ErrArg, CallSplitType, "split_type must be MPI_COMM_TYPE_SHARED, _HW_GUIDED, _RESOURCE_GUIDED, _HW_UNGUIDED or MPI_UNDEFINED", fmt.Sprintf("split_type %d", int(t)))
	}
	if std := c.p.w.std; t.Since() > std {
		return nil, c.fail(ErrArg, CallSplitType, fmt.Sprintf("%s does not exist in MPI-%s (it came with MPI-%s)", t, std, t.Since()), "")
	}
	if !fitsInt(key) {
		return nil, c.fail(ErrArg, CallSplitType, "key is a C int of 32 bits", fmt.Sprintf("key %d", key))
	}
	if info != nil && info.freed {
		return nil, c.fail(ErrInfo, CallSplitType, "the info object was freed before", "")
	}
	g, text := guideOf(t, info)
	if text != "" {
		return nil, c.fail(ErrArg, CallSplitType, text, "")
	}
	var x any
	if g != (guide{}) {
		info.asked = g
		x = &info.asked
	}
	d, op, err := c.construct(CallSplitType, int32(t), int32(key), x)
	if err != nil || d == nil {
		return nil, err
	}
	if r := op.made[op.part[c.rank]].info.Resource; t == TypeHWUnguided && info != nil {
		info.set(KeyHWResourceType, r)
	}
	return d, nil
}

// guide is what the info argument of one process asks for: at most one of the two keys.
type guide struct{ key, value string }

func (g guide) String() string {
	if g.key == "" {
		return "no resource"
	}
	return fmt.Sprintf("%s=%q", g.key, g.value)
}

// guideOf reads the keys that the split type looks at. text says what is erroneous.
func guideOf(t SplitType, info *Info) (g guide, text string) {
	if info == nil || (t != TypeHWGuided && t != TypeResourceGuided) {
		return guide{}, ""
	}
	hw, hasHW := info.get(KeyHWResourceType)
	pset, hasPset := info.get(KeyPsetName)
	switch {
	case t == TypeResourceGuided && hasHW && hasPset:
		return guide{}, "only one of the info keys mpi_hw_resource_type and mpi_pset_name may be used in one call: delete one of them"
	case hasHW:
		return guide{KeyHWResourceType, hw}, ""
	case hasPset && t == TypeResourceGuided:
		return guide{KeyPsetName, pset}, ""
	}
	return guide{}, ""
}

func (op *operation) finishSplitType(w *World) {
	t, text := op.agreeOn()
	if text != "" {
		op.err = &Error{Class: ErrArg, Call: CallSplitType, Comm: op.core.info.ID, Text: text, Rule: CallSplitType.Rule()}
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
		first := op.core.group.rankOf(parts[i].group.members[0])
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
		// Only the members of a process set must agree on its name, and none is valid here.
		hardware := mine.key == KeyHWResourceType || all.key == KeyHWResourceType
		if mine.guide != all.guide && hardware {
			return all, "all processes must give the same info key and value: " + op.sides(func(r int) string { return op.guide(r).String() })
		}
	}
	return all, ""
}

func (op *operation) guide(r int) guide {
	if op.x == nil || op.x[r] == nil {
		return guide{}
	}
	return *op.x[r].(*guide)
}

// sides says who passed what: "ranks 0-3 pass A; rank 4 passes B". Processes that passed
// MPI_UNDEFINED agree with all and are left out.
func (op *operation) sides(what func(r int) string) string {
	who := map[string][]int32{}
	var order []string
	for r, m := range op.core.group.members {
		if op.call == CallSplitType && op.a[r] == Undefined {
			continue
		}
		v := what(r)
		if who[v] == nil {
			order = append(order, v)
		}
		who[v] = append(who[v], m)
	}
	var parts []string
	for i, v := range order {
		if i == maxSides {
			parts = append(parts, fmt.Sprintf("and %d more", len(order)-i))
			break
		}
		verb := "pass"
		if len(who[v]) == 1 {
			verb = "passes"
		}
		parts = append(parts, fmt.Sprintf("%s %s %s", RanksOf(who[v]...).Noun(), verb, v))
	}
	return strings.Join(parts, "; ")
}

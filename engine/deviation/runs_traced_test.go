package deviation

import (
	"testing"

	"commsplit/engine"
)

// keyed is a call about attributes of communicator 2.
func keyed(call engine.Call, keyval int32) engine.Step {
	return engine.Step{Call: call, Comm: 2, Args: []engine.Column{{Name: "comm_keyval",
		Ints: []int32{keyval, keyval, keyval, keyval}}}}
}

func making(call engine.Call, on int, made ...int) engine.Step {
	return engine.Step{Call: call, Comm: on, Made: made}
}

func comm(id int, op engine.Call) *engine.CommInfo {
	return &engine.CommInfo{ID: id, Context: id - 1, Op: op, Group: []int32{0, 1, 2, 3}}
}

// setInOrder caches four attributes on communicator 2 in the order 2, 0, 3, 1 of their keyvals, as in
// the programs that showed the libraries' orders.
func setInOrder(more ...engine.Step) func(testing.TB) outcome {
	steps := []engine.Step{making(engine.CallSplit, 0, 2)}
	for _, k := range []int32{2, 0, 3, 1} {
		steps = append(steps, keyed(engine.CallSetAttr, k))
	}
	return traced([]*engine.CommInfo{comm(2, engine.CallSplit), comm(3, engine.CallDup)}, append(steps,
		more...)...)
}

// tracedRuns are calls about attributes, topologies and sessions, given as their traces and errors.
var tracedRuns = map[string]scenario{
	"copies of attributes": {
		setInOrder(making(engine.CallDup, 2, 3)), []string{"copy-order"}, []string{"copy-order"}},
	"copies of one attribute": {
		traced([]*engine.CommInfo{comm(2, engine.CallSplit), comm(3, engine.CallDup)},
			making(engine.CallSplit, 0, 2), keyed(engine.CallSetAttr, 7), making(engine.CallDup, 2, 3)),
		nil, nil},
	"attributes of a freed communicator": {setInOrder(making(engine.CallFree, 2)), nil, nil},
	"attributes of a freed duplicate": {
		setInOrder(making(engine.CallDup, 2, 3), making(engine.CallFree, 3)),
		[]string{"copy-order"}, []string{"copy-order", "delete-order"}},
	"an attribute set again": {
		setInOrder(keyed(engine.CallSetAttr, 2), making(engine.CallFree, 2)),
		[]string{"delete-order"}, nil},
	"attributes that were deleted": {
		setInOrder(keyed(engine.CallDeleteAttr, 2), keyed(engine.CallDeleteAttr, 3),
			keyed(engine.CallDeleteAttr, 1),
			making(engine.CallDup, 2, 3)), nil, nil},
	"create_group with attributes": {
		setInOrder(making(engine.CallCreateGroup, 2, 3)), nil, []string{"create-group-attributes"}},
	"create with attributes": {setInOrder(making(engine.CallCreate, 2, 3)), nil, nil},
	"create_group of a topology": {
		traced([]*engine.CommInfo{comm(2, engine.CallCartCreate), comm(3, engine.CallDup), comm(4,
			engine.CallCreateGroup)},
			making(engine.CallCartCreate, 0, 2), making(engine.CallDup, 2, 3),
			making(engine.CallCreateGroup, 3, 4)),
		nil, []string{"create-group-topology"}},
	"create of a topology": {
		traced([]*engine.CommInfo{comm(2, engine.CallCartCreate), comm(3, engine.CallCreate)},
			making(engine.CallCartCreate, 0, 2), making(engine.CallCreate, 2, 3)), nil, nil},
	"the proposal of 2019": {
		traced(nil, making(engine.CallHWSubdomainNames, 0)), []string{"hwsubdomain"},
		[]string{"hwsubdomain"}},

	"from a group, alone": {
		func(t testing.TB) outcome {
			o := traced([]*engine.CommInfo{comm(2, engine.CallCreateFromGroup)},
				making(engine.CallCreateFromGroup, -1, 2))(t)
			o.snapshot.Size = 1
			return o
		}, nil, []string{"from-group-singleton"}},
	"from a group": {
		traced([]*engine.CommInfo{comm(2, engine.CallCreateFromGroup)}, making(engine.CallCreateFromGroup,
			-1, 2)), nil, nil},
	"from groups, an empty one": {
		traced(nil, making(engine.CallIntercommCreateFromGroups, -1)),
		[]string{"from-groups-empty"}, []string{"from-groups-empty"}},
	"from groups": {
		traced([]*engine.CommInfo{comm(2, engine.CallIntercommCreateFromGroups)},
			making(engine.CallIntercommCreateFromGroups, -1, 2)),
		nil, nil},
	"from no group": {
		raised(engine.Error{Class: engine.ErrGroup, Call: engine.CallCreateFromGroup,
			Text: "the group is MPI_GROUP_NULL"}),
		nil, []string{"from-group-null"}},
	"from groups that clash": {
		raised(engine.Error{Class: engine.ErrGroup, Call: engine.CallCreateFromGroup,
			Text: "all members must pass that group"}), nil, nil},
	"no error handler": {
		raised(engine.Error{Class: engine.ErrErrhandler, Call: engine.CallCreateFromGroup}),
		[]string{"from-group-errhandler"}, []string{"from-group-errhandler"}},
	"a long stringtag": {
		raised(engine.Error{Class: engine.ErrArg, Call: engine.CallCreateFromGroup,
			Text: "a stringtag has at most 255 characters"}),
		[]string{"stringtag-length"}, []string{"stringtag-length"}},
	"a leader that does not exist": {
		raised(engine.Error{Class: engine.ErrRank, Call: engine.CallIntercommCreateFromGroups}),
		[]string{"from-groups-leader"}, []string{"from-groups-leader"}},
	"groups of two sessions": {
		raised(engine.Error{Class: engine.ErrSession, Call: engine.CallIntercommCreateFromGroups}),
		[]string{"sessions-mixed"}, []string{"sessions-mixed"}},
	"a process set of the user": {
		traced(nil, engine.Step{Call: engine.CallGroupFromPset, Comm: -1,
			Args: []engine.Column{{Name: "pset_name", Texts: []string{"app://ocean", "app://ocean",
				"app://ocean", "app://ocean"}}}}),
		[]string{"psets"}, nil},
	"a process set of the standard": {
		traced(nil, engine.Step{Call: engine.CallGroupFromPset, Comm: -1,
			Args: []engine.Column{{Name: "pset_name", Texts: []string{"mpi://WORLD", "mpi://WORLD",
				"mpi://SELF", "mpi://SELF"}}}}),
		nil, nil},
	"how many process sets": {
		traced(nil, making(engine.CallSessionNumPsets, -1)), nil, []string{"num-psets"}},
}

package deviation

import (
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// hardwareRuns are runs with hardware splits, each with the rows that it shows.
var hardwareRuns = map[string]scenario{
	"a name that both know, no difference": {
		guided(bound("pack:2 core:2", "0,1,2,3", 4), "socket"), nil, nil},
	"a name with a URI": {
		guided(plain(), "hwloc://Core"), []string{"resource-name"}, []string{"resource-name"}},
	"a name that nobody knows": {guided(plain(), "sofa"), nil, nil},
	"a name of MPICH alone": {
		guided(bound("pack:2 core:2", "0,1,2,3", 4), "cpu"), []string{"resource-word"}, nil},
	"the beginning of a name": {guided(plain(), "corexyz"), nil, []string{"resource-word"}},
	"all in one package":      {guided(plain(), "socket"), []string{"guided-node-share"}, nil},
	"a node without a name": {
		guided(unbound("pack:2 core:2", 4), "machine"), []string{"guided-node-share"},
		[]string{"resource-name"}},
	"one rank is not bound": {
		guided(bound("pack:1 core:4", "0,0,1,0-3", 4), "core"), []string{"guided-bucket"},
		[]string{"guided-unbound"}},
	"bindings span": {
		guided(bound("pack:1 core:5", "0,1,0-1,2-3", 4), "core"), []string{"guided-bucket"},
		[]string{"guided-other", "guided-overlap"}},
	"nobody is bound": {guided(unbound("pack:2 core:2", 4), "core"), nil, []string{"guided-unbound"}},
	"a level that is not there": {
		guided(bound("pack:2 core:2", "0,1,2,3", 4), "l3cache"), nil, []string{"guided-absent"}},
	"a level above the node": {
		guided(place{topology: "cluster:2 machine:2 core:1", ranks: 4}, "cluster"),
		[]string{"resource-name"}, []string{"guided-coarse"}},
	"unbound beside a package": {
		guided(bound("pack:1 core:4", "0-3,0,1,2", 4), "socket"), []string{"guided-node-share"},
		[]string{"guided-other", "guided-unbound"}},
	"shared memory": {splits(plain(), engine.TypeShared, "", ""), []string{"shared-alone"}, nil},
	"shared memory, ranks alone": {
		splits(place{topology: "machine:4 core:1", ranks: 4}, engine.TypeShared, "", ""), nil, nil},
	"unguided, the same communicators": {
		splits(bound("pack:2 core:2", "0,1,2,3", 4), engine.TypeHWUnguided, "", ""),
		[]string{"unguided-name"}, []string{"unguided-name"}},
	"unguided, without an info object that could tell": {
		callsAt(bound("pack:2 core:2", "0,1,2,3", 4), 0, func(p *engine.Process) { p.World().SplitType(engine.TypeHWUnguided, 0, nil) }), nil, nil},
	"unguided, by a cache": {
		splits(bound("pack:1 l3:2 core:2", "0,1,2,3", 4), engine.TypeHWUnguided, "", ""),
		[]string{"unguided"}, []string{"unguided-name"}},
	"unguided, nobody bound": {
		splits(unbound("pack:2 core:2", 4), engine.TypeHWUnguided, "", ""), nil, []string{"unguided"}},
	"unguided, nothing to split": {
		splits(bound("pack:2 core:2", "0", 1), engine.TypeHWUnguided, "", ""), nil, nil},
	"resource guided": {
		splits(bound("pack:2 core:2", "0,1,2,3", 4), engine.TypeResourceGuided, engine.KeyHWResourceType,
			"socket"),
		nil, []string{"resource-guided"}},
	"the resources of a process": {
		calls(func(p *engine.Process) { p.HWResourceInfo() }), []string{"hw-info"}, []string{"hw-info"}},
	"one does not take part, the others name what is not known": {
		callsAt(plain(), 0, func(p *engine.Process) {
			kind := engine.TypeHWGuided
			if p.Rank() == 1 {
				kind = engine.Undefined
			}
			p.World().SplitType(kind, 0, asking(engine.KeyHWResourceType, "sofa"))
		}), nil, []string{"undefined-hang"}},
	"one does not take part, the others name what is known": {
		callsAt(plain(), 0, func(p *engine.Process) {
			kind := engine.TypeHWGuided
			if p.Rank() == 1 {
				kind = engine.Undefined
			}
			p.World().SplitType(kind, 0, asking(engine.KeyHWResourceType, "core"))
		}), nil, nil},
	"memory of a special kind": {
		func(t testing.TB) outcome {
			return runOn(t, highBandwidth(), place{ranks: 4}, 0, func(p *engine.Process) error {
				_, err := p.World().SplitType(engine.TypeHWGuided, 0, asking(engine.KeyHWResourceType,
					"numanode"))
				return err
			})
		}, []string{"guided-other"}, nil},
	"a process set": {processSet(2), []string{"pset"}, []string{"pset", "resource-guided"}},
	"a process set that is not there": {
		splits(plain(), engine.TypeResourceGuided, engine.KeyPsetName, "app://none"), nil,
		[]string{"resource-guided"}},
}

// processSet returns a run with a split by a process set that has some of the ranks.
func processSet(made int) func(testing.TB) outcome {
	return func(t testing.TB) outcome {
		o := splits(plain(), engine.TypeResourceGuided, engine.KeyPsetName, "app://ocean")(t)
		s := *o.snapshot
		s.Comms = append(s.Comms[:len(s.Comms):len(s.Comms)], &engine.CommInfo{ID: made, Group: []int32{0,
			1}})
		s.Steps = append([]engine.Step(nil), s.Steps...)
		s.Steps[0].Made = []int{made}
		o.snapshot = &s
		return o
	}
}

// highBandwidth makes a machine of two packages whose only memory is of a special kind.
func highBandwidth() *hw.Topology {
	host := &hw.Object{Type: hw.Machine, CPUSet: hw.SetRange(0, 3), NodeSet: hw.SetRange(0, 1)}
	for i := range 2 {
		set := hw.SetRange(2*i, 2*i+1)
		node := &hw.Object{Type: hw.NUMANode, Subtype: "HBM", OSIndex: i, CPUSet: set, NodeSet: hw.SetOf(i)}
		p := &hw.Object{Type: hw.Package, OSIndex: i, CPUSet: set, NodeSet: node.NodeSet,
			Memory: []*hw.Object{node}}
		for pu := 2 * i; pu < 2*i+2; pu++ {
			p.Children = append(p.Children, &hw.Object{Type: hw.PU, OSIndex: pu, CPUSet: hw.SetOf(pu),
				NodeSet: node.NodeSet})
		}
		host.Children = append(host.Children, p)
	}
	return hw.New("two packages", host)
}

// constructorRuns are runs that make communicators of groups and colors.
var constructorRuns = map[string]scenario{
	"negative colors everywhere": {
		calls(func(p *engine.Process) { p.World().Split(-1-p.Rank()%2, 0) }), []string{"negative-color"},
		nil},
	"a negative color on one rank": {
		calls(func(p *engine.Process) {
			color := 0
			if p.Rank() == 3 {
				color = -5
			}
			p.World().Split(color, 0)
		}), []string{"deadlock", "negative-color"}, []string{"deadlock", "negative-color"}},
	"a color that is not a C int": {
		calls(func(p *engine.Process) {
			color := 1 << 20
			color <<= 20 // in two steps, for compilers where an int has 32 bits
			p.World().Split(color, 0)
		}), nil, nil},
	"a group beyond the communicator": {
		calls(func(p *engine.Process) {
			half, _ := p.World().Split(p.Rank()/2, 0)
			if p.Rank() < 2 {
				half.Create(group(p, 1, 2))
			}
		}), []string{"create-not-subset"}, []string{"create-not-subset"}},
	"groups that overlap": {
		calls(func(p *engine.Process) { p.World().Create(group(p, 1, 2, 3-p.Rank()/2*3)) }),
		[]string{"create-groups-clash"}, []string{"create-groups-clash"}},
	"disjoint groups": {
		calls(func(p *engine.Process) { p.World().Create(group(p, p.Rank()/2*2, p.Rank()/2*2+1)) }), nil,
		nil},
	"disjoint groups in MPI-1.1": {
		callsAt(plain(), 11, func(p *engine.Process) {
			p.World().Create(group(p, p.Rank()/2*2,
				p.Rank()/2*2+1))
		}),
		[]string{"create-std-1.1"}, []string{"create-std-1.1"}},
	"create_group of no group": {
		calls(func(p *engine.Process) { p.World().CreateGroup(nil, 0) }), nil,
		[]string{"create-group-null"}},
	"create_group beyond the communicator": {
		calls(func(p *engine.Process) {
			half, _ := p.World().Split(p.Rank()/2, 0)
			half.CreateGroup(group(p, 0, 1, 2, 3), 0)
		}), []string{"create-group-not-subset"}, []string{"create-group-not-subset"}},
	"create_group of groups that clash": {
		calls(func(p *engine.Process) {
			if p.Rank() < 2 {
				p.World().CreateGroup(group(p, p.Rank(), 1-p.Rank()), 0)
			}
		}), []string{"create-group-clash"}, []string{"create-group-clash"}},
	"a tag that MPICH does not have": {
		calls(func(p *engine.Process) { p.World().CreateGroup(group(p, 0, 1, 2, 3), 1<<28) }),
		[]string{"tag-ub"}, nil},
	"the largest tag of MPICH": {
		calls(func(p *engine.Process) { p.World().CreateGroup(group(p, 0, 1, 2, 3), 1<<28-1) }), nil, nil},
	"a tag out of range": {
		calls(func(p *engine.Process) { p.World().CreateGroup(group(p, 0), -1) }), nil, nil},
	"an error handler of its own": {
		calls(func(p *engine.Process) {
			p.World().SetErrhandler(engine.ErrorsReturn)
			p.World().Split(0, 0)
			p.World().Create(group(p, 0, 1))
		}), []string{"errhandler-lost"}, nil},
	"an error handler that is fatal": {
		calls(func(p *engine.Process) {
			p.World().SetErrhandler(engine.ErrorsAreFatal)
			p.World().Create(group(p, 0, 1))
		}), nil, nil},
	"an inherited error handler": {
		calls(func(p *engine.Process) {
			p.World().SetErrhandler(engine.ErrorsReturn)
			c, _ := p.World().Dup()
			c.CreateGroup(group(p, 0, 1, 2, 3), 0)
		}), []string{"errhandler-lost"}, nil},
	"more communicators than MPICH has": {
		callsAt(place{topology: "core:1", ranks: 1}, 0, func(p *engine.Process) {
			for range 2047 {
				p.World().Dup()
			}
		}), []string{"context-limit"}, nil},
	"as many communicators as MPICH has": {
		callsAt(place{topology: "core:1", ranks: 1}, 0, func(p *engine.Process) {
			for range 2046 {
				p.World().Dup()
			}
		}), nil, nil},
	"too many communicators": {
		raised(engine.MistakeCommLimit.In(engine.CallDup, 4, "rank 0 has none left")),
		nil, []string{"context-class"}},
	"a deadlock": {
		calls(func(p *engine.Process) {
			if p.Rank() == 0 {
				p.World().Barrier()
			}
		}), []string{"deadlock"}, []string{"deadlock"}},
	"a freed communicator": {
		calls(func(p *engine.Process) {
			c, _ := p.World().Dup()
			c.Free()
			c.Barrier()
		}), nil, []string{"freed-handle"}},
	"no communicator": {
		calls(func(p *engine.Process) {
			var c *engine.Comm
			c.Barrier()
		}), nil, nil},
}

// interRuns are runs with intercommunicators.
var interRuns = map[string]scenario{
	"create_group on an intercommunicator": {
		calls(func(p *engine.Process) { halves(p).CreateGroup(group(p, 0, 1), 0) }), nil,
		[]string{"create-group-inter"}},
	"a split that leaves out the first process of a group": {
		calls(func(p *engine.Process) { halves(p).Split([]int{engine.Undefined, 0, 0, 0}[p.Rank()], 0) }),
		[]string{"inter-split-first"}, nil},
	"a split that leaves out another process": {
		calls(func(p *engine.Process) { halves(p).Split([]int{0, engine.Undefined, 0, 0}[p.Rank()], 0) }), nil, nil},
	"create in another order": {
		calls(func(p *engine.Process) {
			first := p.Rank() / 2 * 2
			halves(p).Create(group(p, first+1, first))
		}), nil, []string{"create-inter-order"}},
	"create in the same order": {
		calls(func(p *engine.Process) {
			first := p.Rank() / 2 * 2
			halves(p).Create(group(p, first, first+1))
		}), nil, nil},
	"a local leader that does not exist": {
		calls(func(p *engine.Process) {
			half, _ := p.World().Split(p.Rank()/2, 0)
			half.CreateIntercomm(9, p.World(), 0, 0)
		}), nil, []string{"leader"}},
	"a negative tag": {
		callsAt(place{topology: "core:2", ranks: 2}, 0, func(p *engine.Process) {
			p.Self().CreateIntercomm(0, p.World(), 1-p.Rank(), -5)
		}), nil, []string{"intercomm-tag"}},
	"groups that overlap": {
		calls(func(p *engine.Process) { p.World().CreateIntercomm(0, p.World(), 1, 0) }),
		[]string{"groups-overlap"}, []string{"groups-overlap"}},
	"no peer": {
		callsAt(place{topology: "core:1", ranks: 1}, 0,
			func(p *engine.Process) { p.Self().CreateIntercomm(0, nil, 0, 0) }),
		nil, nil},
	"merge, high equal": {
		calls(func(p *engine.Process) { halves(p).Merge(true) }), nil, []string{"merge-equal-high"}},
	"merge, high different": {calls(func(p *engine.Process) { halves(p).Merge(p.Rank() > 1) }), nil, nil},
	"merge, high different in a group": {
		calls(func(p *engine.Process) { halves(p).Merge(p.Rank() > 0) }),
		[]string{"merge-high-differs"}, []string{"merge-high-differs"}},
	"merge of an intracommunicator": {
		calls(func(p *engine.Process) { p.World().Merge(true) }), []string{"merge-intra"}, nil},
	"the remote size of an intracommunicator": {
		calls(func(p *engine.Process) { p.World().RemoteSize() }), []string{"remote-size-intra"},
		[]string{"remote-size-intra"}},
	"the remote group of an intracommunicator": {
		calls(func(p *engine.Process) { p.World().RemoteGroup() }), []string{"remote-group-intra"}, nil},
	"the remote size of a freed communicator": {
		calls(func(p *engine.Process) {
			c, _ := p.World().Dup()
			c.Free()
			c.RemoteSize()
		}), nil, []string{"freed-handle"}},
	"split by type": {
		calls(func(p *engine.Process) { halves(p).SplitType(engine.TypeShared, 0, nil) }), nil,
		[]string{"split-type-inter"}},
}

// errorRuns are runs with errors of the remaining calls.
var errorRuns = map[string]scenario{
	"ranks named twice": {
		failing(func(p *engine.Process, g *engine.Group) error {
			_, err := g.Incl([]int{0, 1,
				1})
			return err
		}),
		[]string{"duplicate-ranks"}, []string{"duplicate-ranks"}},
	"a rank that is not there": {
		failing(func(p *engine.Process, g *engine.Group) error {
			_,
				err := g.Incl([]int{9})
			return err
		}), nil, nil},
	"a stride of 0": {
		failing(func(p *engine.Process, g *engine.Group) error {
			_, err := g.RangeIncl([]engine.RankRange{{First: 0, Last: 3}})
			return err
		}), nil, []string{"range-class"}},
	"a range that is too long": {
		failing(func(p *engine.Process, g *engine.Group) error {
			_, err := g.RangeExcl([]engine.RankRange{{First: 0, Last: 9, Stride: 1}})
			return err
		}), []string{"range-class"}, nil},
	"split types that differ": {
		calls(func(p *engine.Process) { p.World().SplitType(engine.SplitType(1+p.Rank()/2), 0, nil) }),
		[]string{"split-type-differs"}, nil},
	"a split type that does not exist": {
		calls(func(p *engine.Process) { p.World().SplitType(12345, 0, nil) }), nil, nil},
	"resources that differ, both known": {naming("core", "socket"), []string{"resource-differs"}, nil},
	"resources that differ, one not known": {
		naming("core", "hwloc://Core"), []string{"resource-differs"}, []string{"resource-differs"}},
	"resources that differ in letters only": {
		naming("core", "Core"), []string{"resource-differs"}, []string{"resource-differs"}},
	"a freed info object": {
		calls(func(p *engine.Process) {
			info := asking(engine.KeyHWResourceType, "core")
			info.Free()
			p.World().SplitType(engine.TypeHWGuided, 0, info)
		}), []string{"freed-info"}, nil},
	"both info keys": {
		calls(func(p *engine.Process) {
			info := asking(engine.KeyHWResourceType, "core")
			info.Set(engine.KeyPsetName, "mpi://WORLD")
			p.World().SplitType(engine.TypeResourceGuided, 0, info)
		}), []string{"both-keys"}, []string{"both-keys"}},
	"mistakes of other classes": {
		calls(func(p *engine.Process) {
			w := p.World()
			w.CreateCart([]int{0, 2}, nil, false)
			w.CartMap([]int{-1}, nil)
			grid, _ := w.CreateCart([]int{4}, nil, false)
			grid.CartShift(1, 1)
			grid.CartCoords(4)
			_, err := engine.DimsCreate(0, []int{0})
			p.Raise(err.(*engine.Error))
			w.CreateGraph([]int{2, 1}, []int{1, 0}, false)
			w.CreateGraph([]int{1}, []int{9}, false)
			w.CreateDistGraph([]int{9}, []int{1}, []int{0}, nil, nil, false)
			w.CreateDistGraphAdjacent([]int{9}, nil, nil, nil, nil, false)
			w.CreateDistGraph([]int{0}, []int{-1}, nil, nil, nil, false)
			w.CreateDistGraph([]int{0}, []int{1}, []int{0}, []int{-3}, nil, false)
			w.Disconnect()
			w.SetInfo(nil)
			w.SetErrhandler(nil)
			g, _ := w.Group()
			_, err = g.TranslateRanks([]int{99}, g)
			p.Raise(err.(*engine.Error))
			w.NeighborAllgather(0)
		}),
		[]string{"cart-dims", "degrees", "direction-class", "disconnect-world", "edge-rank", "edge-rank-adjacent", "errhandler-class",
			"info-class", "node-count", "weights"},
		[]string{"cart-dims", "cart-map", "cart-rank", "direction-class", "edge-rank", "edge-rank-adjacent", "errhandler-class",
			"graph-index", "graph-neighbor", "no-topology", "translate-rank"}},
	"hints": {
		calls(func(p *engine.Process) { p.World().Hints() }), []string{"hints"}, []string{"hints"}},
}

// failing lets every rank make a mistake with the group of the world without catching the error.
func failing(mistake func(*engine.Process, *engine.Group) error) func(testing.TB) outcome {
	return func(t testing.TB) outcome {
		return run(t, plain(), 0, func(p *engine.Process) error {
			g, err := p.World().Group()
			if err != nil {
				return err
			}
			return mistake(p, g)
		})
	}
}

// naming lets rank 0 ask for one resource and the others for another.
func naming(first, others string) func(testing.TB) outcome {
	return calls(func(p *engine.Process) {
		name := others
		if p.Rank() == 0 {
			name = first
		}
		p.World().SplitType(engine.TypeHWGuided, 0, asking(engine.KeyHWResourceType, name))
	})
}

// keyed returns a step that is a call about attributes of communicator 2.
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

// setInOrder returns a run that caches four attributes on communicator 2 in the order 2, 0, 3, 1 of
// their keyvals, as in the programs that showed the libraries' orders.
func setInOrder(more ...engine.Step) func(testing.TB) outcome {
	steps := []engine.Step{making(engine.CallSplit, 0, 2)}
	for _, k := range []int32{2, 0, 3, 1} {
		steps = append(steps, keyed(engine.CallSetAttr, k))
	}
	return traced([]*engine.CommInfo{comm(2, engine.CallSplit), comm(3, engine.CallDup)}, append(steps,
		more...)...)
}

// tracedRuns are runs with calls about attributes, topologies and sessions, given as their traces and
// errors.
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
	"cart_sub without a dimension": {gridLeaving(false, false), []string{"cart-sub-nothing"}, nil},
	"cart_sub with one":            {gridLeaving(true, false), nil, nil},
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
		raised(engine.MistakeGroupNull.In(engine.CallCreateFromGroup)),
		nil, []string{"from-group-null"}},
	"from groups that clash": {
		raised(engine.MistakeGroupsClash.In(engine.CallCreateFromGroup, "rank 0 passes {0,1}", "rank 1 passes {1,0}")), nil, nil},
	"no error handler": {
		raised(engine.MistakeErrhandlerNull.In(engine.CallCreateFromGroup)),
		[]string{"from-group-errhandler"}, []string{"from-group-errhandler"}},
	"a long stringtag": {
		raised(engine.MistakeStringtag.In(engine.CallCreateFromGroup, 255)),
		[]string{"stringtag-length"}, []string{"stringtag-length"}},
	"a leader that does not exist": {
		raised(engine.MistakeRemoteLeader.In(engine.CallIntercommCreateFromGroups, 1)),
		[]string{"from-groups-leader"}, []string{"from-groups-leader"}},
	"groups of two sessions": {
		raised(engine.MistakeSessionsMixed.In(engine.CallIntercommCreateFromGroups, "the local group", "session 1", "the remote group", "session 2")),
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

// gridLeaving returns a run with MPI_Cart_sub of a 2 x 2 grid.
func gridLeaving(remain ...bool) func(testing.TB) outcome {
	return calls(func(p *engine.Process) {
		grid, err := p.World().CreateCart([]int{2, 2}, []bool{false, false}, false)
		if err == nil {
			grid.CartSub(remain) //nolint:errcheck // what it gives is in the trace
		}
	})
}

package deviation

import (
	"testing"

	"commsplit/engine"
	"commsplit/hw"
)

// hardwareRuns are the hardware splits, each with the rows that it shows.
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

// processSet is a split by a process set that has some of the ranks.
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

// highBandwidth is a machine of two packages whose only memory is of a special kind.
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

// constructorRuns are communicators made of groups and colors.
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
	"a color that is no C int": {
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
		raised(engine.Error{Class: engine.ErrOther, Call: engine.CallDup,
			Text: "too many communicators: no context id is free"}),
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

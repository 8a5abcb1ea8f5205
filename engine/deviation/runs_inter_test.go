package deviation

import (
	"testing"

	"commsplit/engine"
)

// interRuns are intercommunicators.
var interRuns = map[string]scenario{
	"create_group on an intercommunicator": {
		calls(func(p *engine.Process) { halves(p).CreateGroup(group(p, 0, 1), 0) }), nil,
		[]string{"create-group-inter"}},
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

// errorRuns are errors of the remaining calls.
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
	"hints": {
		calls(func(p *engine.Process) { p.World().Hints() }), []string{"hints"}, []string{"hints"}},
}

// failing lets every rank make a mistake with the group of the world, and not catch it.
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

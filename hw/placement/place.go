// Package placement decides where ranks run, in mpirun's words and with its results:
// mapping gives each process an object of the hardware, binding gives it PUs inside or
// around that object, and ranking gives it its number. The model is Open MPI 4.1's
// round-robin and ppr mappers, on the hosts of one topology; a host has one slot for
// each of its CPUs, which are its cores unless hardware threads are asked for.
//
// Where mpirun refuses more processes than slots unless told to oversubscribe, ranks
// wrap round here: an explorer may put 4096 ranks on 64 cores. The package has no
// support for several applications, device distances and sequential files.
package placement

import (
	"cmp"
	"fmt"

	"codeberg.org/commsplit/commsplit/hw"
)

// MaxRanks is the largest number of ranks that can be placed.
const MaxRanks = 1 << 24

// Plan is a policy for a number of ranks on a topology, after its words were read.
type Plan struct {
	Size int // the number of ranks

	topology *hw.Topology
	mapping
	ranking
	binding

	plain []*hw.Object // ranks take them in turn, instead of all these: nobody asked for anything
	asRun bool         // place ranks where the ranks of the topology's job ran, instead of all these
	list  string       // the list of a Policy, instead of all these
	lines []entry      // the lines of a rankfile by rank, instead of all these
	file  string       // the rankfile's name
	srun  *srunPlan
}

// New reads a policy. n is the number of ranks, or 0 for as many as the policy makes by
// itself: one per CPU, N per object with ppr:N:OBJECT, as many as fit with pe=N, one for
// each line of a rankfile, or the ranks of a job.
//
// It returns an error for n outside 0..MaxRanks, an unknown or ambiguous word or
// modifier, a level that the topology lacks, contradictory words, and more ranks than
// ppr, a rankfile, a job or :nooversubscribe have room for. The error wraps a
// *fs.PathError where a rankfile cannot be read.
func New(t *hw.Topology, n int, p Policy) (*Plan, error) {
	if err := checkSize(n); err != nil {
		return nil, err
	}
	plain, asRun := p == Policy{}, AsRun(t, p)
	var err error
	if !plain {
		if p, err = p.inOwnWords(t); err == nil {
			err = p.check()
		}
		if err != nil {
			return nil, err
		}
	}
	plan := &Plan{Size: n, topology: t, list: p.List}
	cpus := t.Objects(hw.Core)
	if len(cpus) == 0 {
		cpus = t.Objects(hw.PU)
	}
	if len(cpus) == 0 {
		return nil, fmt.Errorf("cannot place ranks: the topology has no PUs")
	}
	switch {
	case asRun:
		err = plan.followJob()
	case plain:
		plan.plain, plan.Size = cpus, cmp.Or(n, len(cpus))
	case p.List != "":
		plan.Size = cmp.Or(n, len(cpus))
	case p.Rankfile != "":
		err = plan.readRankfile(p.Rankfile)
	case p.Srun != Srun{}:
		err = plan.readSrun(p.Srun)
	default:
		err = plan.understand(p)
	}
	if err != nil {
		return nil, err
	}
	return plan, checkSize(plan.Size)
}

func checkSize(n int) error {
	switch {
	case n < 0:
		return fmt.Errorf("number of ranks is %d: want at least 1", n)
	case n > MaxRanks:
		return fmt.Errorf("number of ranks is %d: want at most %d", n, MaxRanks)
	}
	return nil
}

// understand reads the words for mapping, binding and ranking.
func (plan *Plan) understand(p Policy) error {
	if err := plan.readMapping(plan.topology, p.MapBy); err != nil {
		return err
	}
	if p.Slots != "" {
		if err := plan.readSlots(plan.topology, p.Slots); err != nil {
			return err
		}
	}
	if err := plan.readBinding(plan.topology, &plan.mapping, p.BindTo); err != nil {
		return err
	}
	if p.RankBy != "" {
		if err := plan.readRanking(plan.topology, &plan.mapping, p.RankBy); err != nil {
			return err
		}
	}
	plan.findRoom(plan.topology)
	if plan.Size == 0 {
		plan.Size = plan.natural()
	}
	return plan.checkRoom(plan.topology, plan.Size)
}

// Place returns the binding of each rank. Ranks with the same binding share one Binding.
//
// It returns an error where a rank is mapped to hardware that has nothing to bind to,
// for a list with PUs that do not exist, and, if the policy asks for the binding
// explicitly, for more processes than CPUs on an object.
func (plan *Plan) Place() ([]*hw.Binding, error) {
	switch {
	case plan.asRun:
		return plan.topology.Ranks[:plan.Size], nil
	case plan.plain != nil:
		return plan.placeInTurn()
	case plan.list != "":
		return placeList(plan.topology, plan.Size, plan.list)
	case plan.lines != nil:
		return plan.placeLines()
	case plan.srun != nil:
		return plan.srun.place()
	}
	objects := plan.deal(plan.Size)
	bound, err := plan.bind(plan.topology, &plan.mapping, objects)
	if err != nil {
		return nil, err
	}
	if plan.given != nil {
		plan.giveDevices(bound)
	}
	if plan.how == asMapped {
		return bound, nil
	}
	return plan.rank(plan.topology, &plan.mapping, objects, bound)
}

// placeInTurn places a rank on each core in turn, and begins again after the last core, as mpirun does without flags
// of placement. Where there are no cores, it takes PUs.
func (plan *Plan) placeInTurn() ([]*hw.Binding, error) {
	cpus := plan.plain
	bindings, ranks := make([]hw.Binding, len(cpus)), make([]*hw.Binding, plan.Size)
	for i := range ranks {
		k := i % len(cpus)
		if ranks[i] = &bindings[k]; k < i {
			continue
		}
		if cpus[k].CPUSet.Empty() {
			return nil, cannotBind(cpus[0], cpus[k])
		}
		ranks[i].Host, ranks[i].CPUSet = plan.topology.HostIndex(cpus[k]), cpus[k].CPUSet
	}
	return ranks, nil
}

// Place calls New and Plan.Place.
func Place(t *hw.Topology, n int, p Policy) ([]*hw.Binding, error) {
	if n < 1 {
		return nil, fmt.Errorf("number of ranks is %d: want at least 1", n)
	}
	plan, err := New(t, n, p)
	if err != nil {
		return nil, err
	}
	return plan.Place()
}

// Default returns the number of ranks that a policy makes by itself.
func Default(t *hw.Topology, p Policy) (int, error) {
	plan, err := New(t, 0, p)
	if err != nil {
		return 0, err
	}
	return plan.Size, nil
}

// coresOrPUs returns the type of which each object takes one rank: cores, or PUs where the
// hardware has no cores.
func coresOrPUs(t *hw.Topology) hw.Type {
	if len(t.Objects(hw.Core)) > 0 {
		return hw.Core
	}
	return hw.PU
}

// AsRun reports whether a policy leaves ranks where they ran: on the hardware of a job,
// with an empty policy.
func AsRun(t *hw.Topology, p Policy) bool { return t != nil && t.Ranks != nil && p == Policy{} }

// followJob takes over the ranks of the job, or the first size ranks.
func (plan *Plan) followJob() error {
	switch most := len(plan.topology.Ranks); {
	case plan.Size > most:
		return fmt.Errorf("-n %d: %s has %d ranks: leave out -n, or say where ranks run, as with --map-by core",
			plan.Size, plan.topology.Name, most)
	case plan.Size == 0:
		plan.Size = most
	}
	plan.asRun = true
	return nil
}

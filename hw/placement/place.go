// Package placement decides where ranks run, in mpirun's words and with its
// results: mapping gives each process an object of the hardware, binding the
// PUs inside or around that object, ranking its number. Open MPI 4.1's
// round-robin and ppr mappers are the model, on the hosts of one topology; a
// host has one slot for each of its CPUs, which are its cores unless hardware
// threads are asked for.
//
// Where mpirun refuses more processes than slots unless told to oversubscribe,
// ranks wrap round here: an explorer may put 4096 ranks on 64 cores. Several
// applications, device distances and sequential files are not part of it.
package placement

import (
	"fmt"

	"commsplit/hw"
)

// MaxRanks is the largest number of ranks that can be placed.
const MaxRanks = 1 << 24

// Plan is a policy that was understood, for a number of ranks on a topology.
type Plan struct {
	topology *hw.Topology
	size     int

	mapping
	ranking
	binding

	asRun bool    // where the ranks of the topology's job ran, instead of all these
	list  string  // of a Policy, instead of all these
	lines []entry // of a rankfile, likewise: by rank
	file  string  // its name
	srun  *srunPlan
}

// New understands a policy. n is the number of ranks, or 0 for as many as the
// policy makes by itself: one per CPU, N per object with ppr:N:OBJECT, as many
// as fit with pe=N, one for each line of a rankfile, and those of a job.
//
// Errors: n outside of 0..MaxRanks, an unknown or ambiguous word or modifier,
// a level that the topology lacks, words that contradict each other, more
// ranks than ppr, a rankfile, a job or :nooversubscribe have room for; and *fs.PathError
// wrapped where a rankfile cannot be read.
func New(t *hw.Topology, n int, p Policy) (*Plan, error) {
	if err := checkSize(n); err != nil {
		return nil, err
	}
	asRun := AsRun(t, p)
	p, err := p.inOwnWords(t)
	if err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	plan := &Plan{topology: t, size: n, list: p.List}
	cpus := coresOrPUs(t)
	if cpus == nil {
		return nil, fmt.Errorf("cannot place ranks: the topology has no PUs")
	}
	switch {
	case p.List != "":
		if n == 0 {
			plan.size = len(cpus.Instances)
		}
	case p.Rankfile != "":
		err = plan.readRankfile(p.Rankfile)
	case p.Srun != Srun{}:
		err = plan.readSrun(p.Srun)
	case asRun:
		err = plan.followJob()
	default:
		err = plan.understand(p)
	}
	if err != nil {
		return nil, err
	}
	return plan, checkSize(plan.size)
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
	if err := plan.readBinding(plan.topology, &plan.mapping, p.BindTo); err != nil {
		return err
	}
	if err := plan.readRanking(plan.topology, &plan.mapping, p.RankBy); err != nil {
		return err
	}
	plan.findRoom(plan.topology)
	if plan.size == 0 {
		plan.size = plan.natural()
	}
	return plan.checkRoom(plan.topology, plan.size)
}

// Size is the number of ranks.
func (plan *Plan) Size() int { return plan.size }

// Place gives each rank its binding. Ranks with the same binding share one
// Binding.
//
// Errors: hardware that has nothing to bind to where a rank is mapped, a list
// that names PUs that do not exist, and, where binding was asked for in so many
// words, more processes than CPUs on an object.
func (plan *Plan) Place() ([]*hw.Binding, error) {
	switch {
	case plan.asRun:
		return plan.topology.Ranks[:plan.size], nil
	case plan.list != "":
		return placeList(plan.topology, plan.size, plan.list)
	case plan.lines != nil:
		return plan.placeLines()
	case plan.srun != nil:
		return plan.srun.place()
	}
	objects := plan.deal(plan.size)
	bound, err := plan.bind(plan.topology, &plan.mapping, objects)
	if err != nil {
		return nil, err
	}
	return plan.rank(plan.topology, &plan.mapping, objects, bound)
}

// Place is New and Plan.Place in one.
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

// Default is the number of ranks that a policy makes by itself.
func Default(t *hw.Topology, p Policy) (int, error) {
	plan, err := New(t, 0, p)
	if err != nil {
		return 0, err
	}
	return plan.size, nil
}

// coresOrPUs are what a rank each fits on: cores, or PUs where the hardware
// has no cores; nil when it has neither.
func coresOrPUs(t *hw.Topology) *hw.Resource {
	if r := t.ResourceOf(hw.Core); r != nil {
		return r
	}
	return t.ResourceOf(hw.PU)
}

// AsRun reports whether a policy leaves ranks where they ran: on the hardware of a job, when it says nothing.
func AsRun(t *hw.Topology, p Policy) bool { return t != nil && t.Ranks != nil && p == Policy{} }

// followJob takes over the ranks of the job, or the first of them.
func (plan *Plan) followJob() error {
	switch most := len(plan.topology.Ranks); {
	case plan.size > most:
		return fmt.Errorf("-n %d: %s has %d ranks: leave out -n, or say where ranks run, as with --map-by core",
			plan.size, plan.topology.Name, most)
	case plan.size == 0:
		plan.size = most
	}
	plan.asRun = true
	return nil
}

package reason

import (
	"cmp"
	"fmt"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
)

// Stage is a phase of a collective call.
type Stage int

// The stages, in order. Each call has the stages that it needs.
const (
	Contribute Stage = iota // every process passes its arguments
	Lead                    // the leaders of two groups find each other
	Divide                  // the contributions go into buckets
	Sort                    // each bucket is sorted by (key, old rank)
	Agree                   // the processes agree on a context id, or give one back
	Reply                   // every process gets its communicator
)

// String returns the name of the stage.
func (s Stage) String() string {
	return [...]string{"contributions", "leaders", "buckets", "sort", "context id", "replies"}[s]
}

// Phases is a collective call taken apart, worked out from the arguments and from the communicators that were alive.
type Phases struct {
	Step    *engine.Step
	Stages  []Stage
	Leaders []Leader    // in Lead: of the left group, of the right group
	Buckets []Bucket    // the buckets that make communicators come first
	Context []Agreement // in Agree: one, or one for each group of intercommunicators
	Replies []Answer    // by row of the step
}

// Bucket is a set of contributions that belong together.
type Bucket struct {
	Name  string // "color 1", "hwloc://NUMANode L#0"
	Ranks engine.Ranks
	Right engine.Ranks // ranks of the right group of an intercommunicator
	Sides []*Order     // one, of an intercommunicator two; sorted when the call has the stage Sort
	Makes bool         // the bucket makes a communicator
	rows  [2][]int     // by side, in the order of the new communicator
}

// Leader is the local leader of a group when an intercommunicator is made.
type Leader struct {
	World  int // rank in the world
	Rank   int // rank in its group: local_leader
	Remote int // remote_leader, which matters only at the leader
}

// Answer is the result of a call on one process.
type Answer struct {
	World, Comm int // Comm -1: MPI_COMM_NULL, or nothing
	Rank, Size  int // in the process' group of Comm
}

// Of takes step number k of the trace apart. It returns an error for a local call, which has no phases.
func Of(s *engine.Snapshot, k int) (*Phases, error) {
	st := &s.Steps[k-1]
	if !st.Call.Collective() {
		return nil, fmt.Errorf("step %d, %s, is a local call, so it has no phases", k, st.Call)
	}
	c := newCall(s, st)
	p := &Phases{Step: st, Stages: []Stage{Contribute}}
	if st.Err != nil {
		p.Stages = append(p.Stages, Reply)
		return p, nil
	}
	p.Buckets = c.buckets()
	p.Context = c.agree(p.Buckets)
	p.Replies = c.replies(p.Buckets)
	switch st.Call {
	case engine.CallSplit, engine.CallSplitType:
		p.Stages = append(p.Stages, Divide, Sort)
	case engine.CallCreate:
		p.Stages = append(p.Stages, Divide)
	case engine.CallIntercommCreate, engine.CallIntercommCreateFromGroups:
		p.Leaders = c.leaders()
		p.Stages = append(p.Stages, Lead)
	}
	if len(p.Context) > 0 {
		p.Stages = append(p.Stages, Agree)
	}
	p.Stages = append(p.Stages, Reply)
	return p, nil
}

// leaders returns the local leaders of the two groups of a new intercommunicator. All processes of a group pass the
// same leader (§7.6.2).
func (c *call) leaders() []Leader {
	info := c.s.Comm(c.step.Made[0])
	list := make([]Leader, 2)
	for side, group := range [][]int32{info.Group, info.Remote} {
		row := c.row(int(group[0]))
		at := c.ints("local_leader")[row]
		list[side] = Leader{World: int(group[at]), Rank: int(at), Remote: int(c.ints("remote_leader")[row])}
	}
	return list
}

// replies numbers the new communicators in the order of their buckets, and returns the answer to each process.
func (c *call) replies(buckets []Bucket) []Answer {
	list := make([]Answer, len(c.world))
	for row, w := range c.world {
		list[row] = Answer{World: int(w), Comm: -1}
	}
	id := c.nextID()
	for i := range buckets {
		if !buckets[i].Makes {
			continue
		}
		for _, rows := range buckets[i].rows {
			for rank, row := range rows {
				list[row].Comm, list[row].Rank, list[row].Size = id, rank, len(rows)
			}
		}
		id++
	}
	return list
}

// nextID returns the id of the next communicator. Ids are consecutive; 0 is MPI_COMM_WORLD and 1 MPI_COMM_SELF.
func (c *call) nextID() int {
	next := 2
	for _, info := range c.s.Comms {
		if info.Step < c.step.Number {
			next = max(next, info.ID+1)
		}
	}
	return next
}

// buckets divides the contributions as the call defines it. Buckets that make communicators are in the order of the
// communicators' ids.
func (c *call) buckets() []Bucket {
	switch c.step.Call {
	case engine.CallSplit:
		color := c.ints("color")
		return c.byColor(color, func(v int32) string { return fmt.Sprintf("color %d", v) }, "color MPI_UNDEFINED")
	case engine.CallSplitType:
		return c.byInstance()
	}
	return c.byResult()
}

// byColor makes a bucket of each color, in ascending order, and one of MPI_UNDEFINED. On an intercommunicator a bucket
// makes a communicator only when both sides have the color.
func (c *call) byColor(color []int32, name func(int32) string, none string) []Bucket {
	sides := map[int32]*[2][]int{}
	var colors []int32
	for row, v := range color {
		if sides[v] == nil {
			sides[v] = &[2][]int{}
			colors = append(colors, v)
		}
		k := sideOf(c.right[row])
		sides[v][k] = append(sides[v][k], row)
	}
	last := func(v int32) int { // MPI_UNDEFINED, a negative number, comes last
		if v == engine.Undefined {
			return 1
		}
		return 0
	}
	slices.SortFunc(colors, func(a, b int32) int { return cmp.Or(last(a)-last(b), cmp.Compare(a, b)) })
	var list []Bucket
	for _, v := range colors {
		b := c.bucket(sides[v][0], sides[v][1])
		b.Name = none
		if v != engine.Undefined {
			b.Name = name(v)
			b.Makes = !c.inter() || len(sides[v][0]) > 0 && len(sides[v][1]) > 0
		}
		list = append(list, b)
	}
	return list
}

// bucket makes a bucket of the rows of the two sides, sorted.
func (c *call) bucket(left, right []int) Bucket {
	b := Bucket{Ranks: c.ranks(left), Right: c.ranks(right)}
	for k, rows := range [][]int{left, right} {
		if k == 1 && !c.inter() {
			break
		}
		b.rows[k] = c.sorted(rows)
		b.Sides = append(b.Sides, c.order(rows, -1))
	}
	return b
}

// byInstance makes a bucket of each instance of the hardware resource by which the call splits. For splits by process
// sets it goes by the communicators made, since the snapshot does not have the sets.
func (c *call) byInstance() []Bucket {
	h := c.byHardware()
	if h.chosen < 0 {
		return c.bySet()
	}
	color := c.filled(engine.Undefined)
	for row, w := range c.world {
		if k := h.instance(h.chosen, int(w)); k >= 0 && c.text("split_type", row) != "MPI_UNDEFINED" {
			color[row] = int32(k)
		}
	}
	r := h.resource()
	return c.byColor(color, func(v int32) string {
		return fmt.Sprintf("%s L#%d", r.URI, r.Instances[v].LogicalIndex)
	}, "no single instance")
}

// bySet makes a bucket of each process set of which a communicator was made.
func (c *call) bySet() []Bucket {
	color := c.filled(engine.Undefined)
	set := map[int32]string{}
	for row, k := range c.part {
		if k >= 0 {
			color[row] = k
			_, _, set[k] = c.guide(row)
		}
	}
	return c.byColor(color, func(v int32) string { return set[v] }, "no resource")
}

func (c *call) filled(v int32) []int32 { return slices.Repeat([]int32{v}, len(c.world)) }

// byResult makes a bucket of each communicator that the call made, and one of the processes that got none, for calls
// that take the groups themselves.
func (c *call) byResult() []Bucket {
	var list []Bucket
	for _, id := range c.step.Made {
		info := c.s.Comm(id)
		b := Bucket{Makes: true}
		c.each(info, func(row, _ int, right bool) {
			b.rows[sideOf(right)] = append(b.rows[sideOf(right)], row)
		})
		b.Ranks, b.Right = c.ranks(b.rows[0]), c.ranks(b.rows[1])
		if len(b.rows[0]) > 0 {
			b.Name = "group " + cmp.Or(c.text("group", b.rows[0][0]), "of all")
		}
		list = append(list, b)
	}
	var none []int
	for row, k := range c.part {
		if k < 0 {
			none = append(none, row)
		}
	}
	if len(none) > 0 && len(list) > 0 {
		list = append(list, Bucket{Name: "in no group passed", Ranks: c.ranks(none)})
	}
	return list
}

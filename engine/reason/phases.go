package reason

import (
	"fmt"

	"commsplit/engine"
)

// Stage is what happens in one phase of a collective call.
type Stage int

// The stages, in order. A call has those that it needs.
const (
	Contribute Stage = iota // every process sends what it passed, shard by shard
	Divide                  // the contributions go into buckets
	Sort                    // each bucket is sorted by (key, old rank)
	Agree                   // the processes agree on a context id, or give one back
	Reply                   // every process gets its communicator
)

// String is the name of the stage.
func (s Stage) String() string {
	return [...]string{"contributions", "buckets", "sort", "context id", "replies"}[s]
}

// ShardSize is how many neighboring ranks send their contributions over one channel.
const ShardSize = 64

// Phases is a collective call taken apart. Everything in it is worked out from what the processes
// passed and from the communicators that were alive.
type Phases struct {
	Step    *engine.Step
	Stages  []Stage
	Shards  []Shard
	Buckets []Bucket    // those that make communicators first
	Context []Agreement // of Agree: one, or one for each group of intercommunicators
	Replies []Answer    // by row of the step
}

// Shard is the ranks of one shard that contribute.
type Shard struct {
	Number int
	Rows   []int // of the step
	Ranks  engine.Ranks
}

// Bucket is the contributions that belong together.
type Bucket struct {
	Name  string // "color 1", "hwloc://NUMANode L#0"
	Ranks engine.Ranks
	Right engine.Ranks // of the right group of an intercommunicator
	Sides []*Order     // one, or two of an intercommunicator; sorted when the call has the stage Sort
	Makes bool         // a communicator comes of it
	rows  [2][]int     // in the order of the new communicator
}

// Answer is what a process gets.
type Answer struct {
	World, Comm int // Comm -1: MPI_COMM_NULL, or nothing
	Rank, Size  int // in its own group of Comm
}

// Of takes step number k of the trace apart. It fails for a step that is not collective: nothing
// meets there.
func Of(s *engine.Snapshot, k int) (*Phases, error) {
	st := &s.Steps[k-1]
	if !st.Call.Collective() {
		return nil, fmt.Errorf("step %d, %s, is local: nothing meets, so it has no phases", k, st.Call)
	}
	c := newCall(s, st)
	p := &Phases{Step: st, Stages: []Stage{Contribute}, Shards: c.shards()}
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
	}
	if len(p.Context) > 0 {
		p.Stages = append(p.Stages, Agree)
	}
	p.Stages = append(p.Stages, Reply)
	return p, nil
}

// shards groups the contributions by the shard that carries them.
func (c *call) shards() []Shard {
	var list []Shard
	for row, w := range c.world {
		k := int(w) / ShardSize
		if len(list) == 0 || list[len(list)-1].Number != k {
			list = append(list, Shard{Number: k})
		}
		last := &list[len(list)-1]
		last.Rows = append(last.Rows, row)
		last.Ranks.Append(w)
	}
	return list
}

// replies numbers the communicators in the order of their buckets and tells each process its own.
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

// nextID is the number that the next communicator gets: they are counted, 0 being MPI_COMM_WORLD
// and 1 MPI_COMM_SELF.
func (c *call) nextID() int {
	next := 2
	for _, info := range c.s.Comms {
		if info.Step < c.step.Number {
			next = max(next, info.ID+1)
		}
	}
	return next
}

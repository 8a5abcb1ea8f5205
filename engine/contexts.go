package engine

import (
	"fmt"
	"math"
	"math/bits"
)

// contexts is the supply of context ids. Each process knows which ids its communicators use; the processes
// of a new communicator take the lowest id that is free on all of them, as in MPICH, which all-reduces
// masks of free ids. Disjoint communicators that one call makes share an id.
type contexts struct {
	size  int
	limit int        // number of ids
	used  [][]uint64 // used[w][rank]: ids 64w to 64w+63 that rank uses
}

// MaxContexts is the largest number of context ids, and the number when the configuration has none: ids
// have 16 bits.
const MaxContexts = 1 << 16

// selfContext stands for the context of MPI_COMM_SELF, which is not taken from the supply.
const selfContext = -1

func (c *contexts) init(size, limit int) {
	c.size, c.limit = size, limit
	c.used = [][]uint64{make([]uint64, size)}
	for i := range c.used[0] {
		c.used[0][i] = 1 // MPI_COMM_WORLD
	}
}

// agree takes the lowest id that is free on every process of the groups; ok is false when there is none.
func (c *contexts) agree(groups []*Group) (id int, ok bool) {
	for w := 0; w*64 < c.limit; w++ {
		if w == len(c.used) {
			c.used = append(c.used, make([]uint64, c.size))
		}
		column := c.used[w]
		k := bits.TrailingZeros64(^taken(column, groups))
		if k == 64 {
			continue
		}
		if w*64+k >= c.limit {
			break
		}
		bit := uint64(1) << k
		for _, g := range groups {
			for _, m := range g.members {
				column[m] |= bit
			}
		}
		return w*64 + k, true
	}
	return 0, false
}

// taken returns the ids of a column, as bits, that some process of the groups uses; it stops looking when
// all are used.
func taken(column []uint64, groups []*Group) (ids uint64) {
	for _, g := range groups {
		for _, m := range g.members {
			if ids |= column[m]; ids == math.MaxUint64 {
				return ids
			}
		}
	}
	return ids
}

// free gives id back on the processes of a communicator; selfContext is not in the supply and stays.
func (c *contexts) free(members []int32, id int) {
	if id == selfContext {
		return
	}
	column, bit := c.used[id/64], uint64(1)<<(id%64)
	for _, m := range members {
		column[m] &^= bit
	}
}

// inUse returns the number of ids that a process uses.
func (c *contexts) inUse(rank int32) int {
	n := 0
	for _, column := range c.used {
		n += bits.OnesCount64(column[rank])
	}
	return n
}

// agreeOnContext takes a context id for the groups, or returns an error that tells why it cannot: a
// process has no id left, or no free id is free on all processes.
func (w *World) agreeOnContext(op *operation, groups []*Group) (int, *Error) {
	id, ok := w.contexts.agree(groups)
	if ok {
		return id, nil
	}
	var full []int32
	for _, g := range groups {
		for _, m := range g.members {
			if w.contexts.inUse(m) >= w.contexts.limit {
				full = append(full, m)
			}
		}
	}
	why := "each process has free ids, but no id is free on all processes"
	if who := RanksOf(full...); len(full) > 0 {
		why = fmt.Sprintf("%s %s none left", who.Noun(), plural(who, "has", "have"))
	}
	return 0, op.wrong(MistakeCommLimit, w.contexts.limit, why)
}

package engine

import "math/bits"

// contexts is the supply of context ids. Each process knows which ids its communicators use; the
// processes of a new communicator take the lowest id that is free on all of them, as MPICH does
// with an all-reduce of free masks. Disjoint communicators that one call makes share their id.
type contexts struct {
	size int
	used [][]uint64 // used[w][rank]: ids 64w to 64w+63 that rank uses
}

// maxContexts is how many context ids there are.
const maxContexts = 1 << 16

// selfContext stands for the context of MPI_COMM_SELF, which is not taken from the supply.
const selfContext = -1

func (c *contexts) init(size int) {
	c.size = size
	c.used = [][]uint64{make([]uint64, size)}
	for i := range c.used[0] {
		c.used[0][i] = 1 // MPI_COMM_WORLD
	}
}

// agree takes the lowest id that is free on every process of the parts.
func (c *contexts) agree(parts []slice) (id int, ok bool) {
	for w := 0; w < maxContexts/64; w++ {
		if w == len(c.used) {
			c.used = append(c.used, make([]uint64, c.size))
		}
		column := c.used[w]
		var taken uint64
		for _, p := range parts {
			for _, m := range p.group.members {
				taken |= column[m]
			}
		}
		if taken == ^uint64(0) {
			continue
		}
		bit := uint64(1) << bits.TrailingZeros64(^taken)
		for _, p := range parts {
			for _, m := range p.group.members {
				column[m] |= bit
			}
		}
		return w*64 + bits.TrailingZeros64(bit), true
	}
	return 0, false
}

// free gives id back on the processes of a communicator.
func (c *contexts) free(members []int32, id int) {
	if id == selfContext {
		return
	}
	column, bit := c.used[id/64], uint64(1)<<(id%64)
	for _, m := range members {
		column[m] &^= bit
	}
}

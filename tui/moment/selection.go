package moment

import (
	"math/bits"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// Selection is the ranks, the communicators, or the hardware object that a person chose. The zero value is empty.
type Selection struct {
	Ranks  engine.Ranks // world ranks
	Comms  []int        // ids of communicators
	Object *hw.Object
}

// Rank returns the selected rank when a single rank is selected; -1 otherwise.
func (s Selection) Rank() int {
	if s.Ranks.Len() == 1 {
		return s.Ranks.First()
	}
	return -1
}

// Comm returns the selected communicator when a single communicator is selected; -1 otherwise.
func (s Selection) Comm() int {
	if len(s.Comms) == 1 {
		return s.Comms[0]
	}
	return -1
}

// Empty reports whether nothing is selected.
func (s Selection) Empty() bool {
	return len(s.Ranks) == 0 && len(s.Comms) == 0 && s.Object == nil
}

// Lit is the ranks that a selection lights in all panes: a bit for each rank, in the order of the hardware, and
// how many bits are set before each word. It is made again for each selection; a few ranks among very many cost
// little.
type Lit struct {
	at     []int32  // Ground.At; nil: nothing is selected
	bits   []uint64 // by index in Ground.Order
	before []int32  // by word of bits: how many bits are set in the words before; one more for the total
	first  int      // the lowest lit world rank
}

const wordBits = 64

// Lit returns the ranks of a selection: the selected ranks, the members of the communicators, or the ranks
// restricted to the object.
func (m *Moment) Lit(s Selection) *Lit {
	l := &Lit{first: -1}
	if s.Empty() {
		return l
	}
	words := (m.Size() + wordBits - 1) / wordBits
	l.at, l.bits, l.before = m.Ground.At, make([]uint64, words), make([]int32, words+1)
	for r := range s.Ranks.All {
		l.add(r)
	}
	for _, id := range s.Comms {
		c := m.View.Snapshot.Comm(id)
		if c == nil {
			continue
		}
		for _, group := range [][]int32{c.Group, c.Remote} {
			for _, r := range group {
				l.add(int(r))
			}
		}
	}
	if s.Object != nil && m.Ground.Topology != nil {
		for _, r := range m.Ground.within(s.Object) {
			l.add(int(r))
		}
	}
	for i, w := range l.bits {
		l.before[i+1] = l.before[i] + int32(bits.OnesCount64(w))
	}
	return l
}

func (l *Lit) add(rank int) {
	if rank >= len(l.at) {
		return
	}
	at := l.at[rank]
	l.bits[at/wordBits] |= 1 << (at % wordBits)
	if l.first < 0 || rank < l.first {
		l.first = rank
	}
}

// Has reports whether a rank is selected.
func (l *Lit) Has(rank int) bool {
	return l.at != nil && l.bits[l.at[rank]/wordBits]>>(l.at[rank]%wordBits)&1 != 0
}

// Len returns how many ranks are selected.
func (l *Lit) Len() int {
	if l.at == nil {
		return 0
	}
	return int(l.before[len(l.bits)])
}

// Count returns how many ranks of a span are selected.
func (l *Lit) Count(s Span) int {
	if l.at == nil {
		return 0
	}
	return l.upTo(s.Hi) - l.upTo(s.Lo)
}

// Members returns how many members of a communicator are selected.
func (l *Lit) Members(c *engine.CommInfo) int {
	n := 0
	for _, group := range [][]int32{c.Group, c.Remote} {
		for _, r := range group {
			if l.Has(int(r)) {
				n++
			}
		}
	}
	return n
}

// upTo counts the selected ranks before an index in Ground.Order.
func (l *Lit) upTo(at int32) int {
	n := int(l.before[at/wordBits])
	if part := at % wordBits; part > 0 {
		n += bits.OnesCount64(l.bits[at/wordBits] & (1<<part - 1))
	}
	return n
}

// Ranks returns the selected ranks.
func (l *Lit) Ranks() engine.Ranks {
	var list engine.Ranks
	for r := range l.at {
		if l.Has(r) {
			list.Append(int32(r))
		}
	}
	return list
}

// First returns the lowest selected rank; -1 for none.
func (l *Lit) First() int {
	if l.Len() == 0 {
		return -1
	}
	return l.first
}

package scene

import (
	"commsplit/engine"
	"commsplit/hw"
)

// Selection is the ranks, the communicators, or the object of the hardware that a person chose. The zero
// value is empty.
type Selection struct {
	Ranks  engine.Ranks // world ranks
	Comms  []int        // ids of communicators
	Object *hw.Object
}

// Rank is the selected rank when a single rank is selected; -1 otherwise.
func (s Selection) Rank() int {
	if s.Ranks.Len() == 1 {
		return s.Ranks.First()
	}
	return -1
}

// Comm is the selected communicator when a single communicator is selected; -1 otherwise.
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

// Lit is the ranks that a selection lights up, wherever they are shown.
type Lit struct {
	in     []bool  // by world rank; nil: none
	before []int32 // by index in Ground.Order: lit ones before it
	n      int
}

// Lit finds the ranks of a selection: themselves, the members of communicators, or those that are
// restricted to an object.
func (m *Moment) Lit(s Selection) *Lit {
	l := &Lit{}
	if s.Empty() {
		return l
	}
	l.in = make([]bool, m.Size())
	for r := range s.Ranks.All {
		l.in[r] = r < m.Size()
	}
	for _, id := range s.Comms {
		c := m.View.Snapshot.Comm(id)
		if c == nil {
			continue
		}
		for _, r := range c.Group {
			l.in[r] = true
		}
		for _, r := range c.Remote {
			l.in[r] = true
		}
	}
	if s.Object != nil && m.Ground.Topology != nil {
		for _, r := range m.Ground.within(s.Object) {
			l.in[r] = true
		}
	}
	l.before = make([]int32, m.Size()+1)
	for i, r := range m.Ground.Order {
		l.before[i+1] = l.before[i]
		if l.in[r] {
			l.before[i+1]++
		}
	}
	l.n = int(l.before[m.Size()])
	return l
}

// Has reports whether a rank is lit.
func (l *Lit) Has(rank int) bool { return l.in != nil && l.in[rank] }

// Len is how many ranks are lit.
func (l *Lit) Len() int { return l.n }

// Count is how many ranks of a span are lit.
func (l *Lit) Count(s Span) int {
	if l.in == nil {
		return 0
	}
	return int(l.before[s.Hi] - l.before[s.Lo])
}

// Any reports whether one of some ranks is lit.
func (l *Lit) Any(ranks engine.Ranks) bool {
	for r := range ranks.All {
		if l.Has(r) {
			return true
		}
	}
	return false
}

// Ranks are the lit ranks.
func (l *Lit) Ranks() engine.Ranks {
	var list engine.Ranks
	for r, in := range l.in {
		if in {
			list.Append(int32(r))
		}
	}
	return list
}

// First is the lowest lit rank; -1 for none.
func (l *Lit) First() int {
	for r, in := range l.in {
		if in {
			return r
		}
	}
	return -1
}

package engine

// marks is a set of ranks of a group while it is filled: a flag for each rank of the group when it may
// be a good part of it, which is much faster, otherwise only the ranks that are in it.
type marks struct {
	flags  []bool
	sparse map[int]bool
}

// newMarks makes an empty set for at most so many ranks of a group of the given size.
func newMarks(most, size int) marks {
	const sparseness = 64 // a map's entry costs more than this many flags
	if most < size/sparseness {
		return marks{sparse: make(map[int]bool, most)}
	}
	return marks{flags: make([]bool, size)}
}

// mark adds a rank, and reports whether it was there before.
func (m marks) mark(r int) bool {
	there := m.has(r)
	if m.flags != nil {
		m.flags[r] = true
	} else {
		m.sparse[r] = true
	}
	return there
}

func (m marks) has(r int) bool {
	if m.flags != nil {
		return m.flags[r]
	}
	return m.sparse[r]
}

package recording

import (
	"cmp"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
)

// deduce finds the members of communicators that a trace does not tell, by the rules of the standard. Where the
// library may choose (the order of a topology with reorder, or of a merge of equals), deduce assumes the order of the
// old ranks. Where the rules need an argument of a process without a record, the members stay unknown.
func (a *assembly) deduce(m *meeting) {
	if a.Trace == "" {
		return
	}
	for _, c := range m.callers {
		r := &c.stream.p.calls[c.call].result
		if r.kind != gotComm || r.size > 0 {
			continue
		}
		left, right := a.groups(m, c)
		at := slices.Index(left, c.rank)
		if at < 0 {
			left, right = right, left
			at = slices.Index(left, c.rank)
		}
		if at < 0 || slices.Contains(left, -1) || slices.Contains(right, -1) {
			continue // nobody led it: it is not followed
		}
		r.size, r.rank, r.leader, r.remote = int32(len(left)), int32(at), left[0], int32(len(right))
		if len(right) > 0 {
			r.remoteLeader = right[0]
		}
	}
}

// groups returns the groups of the communicator that a call gave a caller; nil where they are unknown.
func (a *assembly) groups(m *meeting, c caller) (left, right []int32) {
	k, p := &c.stream.p.calls[c.call], m.parent
	switch m.op.call {
	case engine.CallDup:
		return p.members, p.remote
	case engine.CallCreate:
		left, _ = c.stream.p.passed(k, "group")
		return left, nil
	case engine.CallSplit:
		return m.bucket(k, p.members), m.bucket(k, p.remote)
	case engine.CallCartCreate:
		n := 1
		for _, d := range k.numbers("dims") {
			n = min(n*max(int(d), 0), len(p.members)+1)
		}
		return p.members[:min(n, len(p.members))], nil
	case engine.CallGraphCreate:
		return p.members[:min(len(k.numbers("index")), len(p.members))], nil
	case engine.CallCartSub:
		return p.slice(c.rank, k.numbers("remain")), nil
	case engine.CallIntercommCreate:
		if m.other == nil {
			return nil, nil
		}
		return p.members, m.other.members
	case engine.CallMerge:
		if p.remote == nil {
			return nil, nil
		}
		high := func(group []int32) bool {
			for _, o := range m.callers {
				if n, _ := o.stream.p.calls[o.call].number("high"); o.rank == group[0] {
					return n != 0
				}
			}
			return false
		}
		left, right = p.members, p.remote
		if high(left) && !high(right) || high(left) == high(right) && right[0] < left[0] {
			left, right = right, left
		}
		return slices.Concat(left, right), nil
	}
	return nil, nil
}

// bucket returns the members of a group that pass the same color as a call of MPI_Comm_split, ordered by key and old
// rank.
func (m *meeting) bucket(k *call, group []int32) []int32 {
	color, _ := k.number("color")
	if len(m.absent) > 0 {
		return nil
	}
	var list []int32
	keys := map[int32]int32{}
	for _, o := range m.callers {
		of := &o.stream.p.calls[o.call]
		if n, _ := of.number("color"); n == color {
			keys[o.rank], _ = of.number("key")
		}
	}
	for _, w := range group {
		if _, in := keys[w]; in {
			list = append(list, w)
		}
	}
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
	return list
}

// slice returns the processes in the same part of a grid as a member, where the dimensions in remain are kept.
func (k *comm) slice(member int32, remain []int32) (list []int32) {
	if len(remain) != len(k.dims) {
		return nil
	}
	part := func(w int32) (coordinates int32) {
		at := int32(slices.Index(k.members, w))
		for i := len(k.dims) - 1; i >= 0; i-- {
			if remain[i] == 0 {
				coordinates = coordinates*k.dims[i] + at%k.dims[i]
			}
			at /= k.dims[i]
		}
		return coordinates
	}
	for _, w := range k.members {
		if part(w) == part(member) {
			list = append(list, w)
		}
	}
	return list
}

// numbers returns an argument that is a list; nil for others.
func (c *call) numbers(name string) []int32 {
	text, _ := c.arg(name)
	items, _ := list(text)
	return items
}

// shape notes the dimensions of new grids, which the parts of grids need.
func (m *meeting) shape() {
	k := m.callers[0].stream.p.calls[m.callers[0].call]
	var dims []int32
	switch m.op.call {
	case engine.CallCartCreate:
		dims = k.numbers("dims")
	case engine.CallCartSub:
		for i, keep := range k.numbers("remain") {
			if keep != 0 && m.parent != nil && i < len(m.parent.dims) {
				dims = append(dims, m.parent.dims[i])
			}
		}
	}
	if slices.ContainsFunc(dims, func(d int32) bool { return d < 1 }) {
		return
	}
	for _, c := range m.children {
		c.dims = dims
	}
}

package engine

import "math"

// Split partitions the group of c by color and ranks each part by (key, rank in c)
// (MPI_Comm_split, §7.4.2). A process that passes Undefined as color gets nil. color must be
// nonnegative or Undefined, and both must fit MPI's int (32 bits): else MPI_ERR_ARG on the process
// that passed it, which then takes no part. Of an intercommunicator, the processes of both sides
// with the same color form a new one; a color that only one side has gives nil.
func (c *Comm) Split(color, key int) (*Comm, error) {
	if err := c.Check(CallSplit); err != nil {
		return nil, err
	}
	if err := c.lacksInter(CallSplit); err != nil {
		return nil, err
	}
	if color < 0 && color != Undefined {
		return nil, c.fail(MistakeNegativeColor.In(CallSplit).passingInt("color", color))
	}
	if !fitsInt(color) || !fitsInt(key) {
		return nil, c.fail(MistakeNotCInt.In(CallSplit, "color and key are C ints").passing("color %d, key %d", color, key))
	}
	d, _, err := c.construct(CallSplit, int32(color), int32(key), nil)
	return d, err
}

func fitsInt(v int) bool { return v >= math.MinInt32 && v <= math.MaxInt32 }

func (op *operation) finishSplit(w *World) {
	w.make(op, op.partition(w, op.a, op.b))
}

// partition groups the processes by color and orders each group by (key, old rank). It fills the
// columns part and newRank and returns the parts in ascending order of color. Of an intercommunicator,
// each side is ordered by itself, and a color makes a communicator only when both sides have it.
func (op *operation) partition(w *World, color, key []int32) []newcomm {
	op.grouping()
	left, colors := op.partitionSide(w, color, key, 0, len(op.core.group.members))
	if op.core.remote == nil {
		return left
	}
	right, others := op.partitionSide(w, color, key, len(op.core.group.members), len(color))
	return op.pairSides(left, right, colors, others)
}

// partitionSide partitions the slots from first up to end. It returns the parts in ascending order
// of color, and their colors.
//
// All parts share one table of world ranks: sorting (color, key, old rank) lays the parts out one
// after the other, each in its rank order. The sort must be stable in the old rank, which the
// standard uses to break ties; a radix sort that starts in rank order is.
func (op *operation) partitionSide(w *World, color, key []int32, first, end int) (parts []newcomm, colors []uint32) {
	sorted := w.sorter.sort(color[first:end], key[first:end])
	part, newRank, members := op.part[first:end], op.newRank[first:end], op.members()[first:end]
	table := make([]int32, len(sorted))
	begin := 0
	for i, t := range sorted {
		table[i] = members[t.rank]
		if i+1 == len(sorted) || sorted[i+1].color() != t.color() {
			parts = append(parts, alone(&Group{members: table[begin : i+1 : i+1]}))
			colors = append(colors, t.color())
			for j := begin; j <= i; j++ {
				r := sorted[j].rank
				part[r], newRank[r] = int32(len(parts)-1), int32(j-begin)
			}
			begin = i + 1
		}
	}
	return parts, colors
}

// pairSides joins the parts of the two sides that have the same color, and takes the processes of
// the others out.
func (op *operation) pairSides(left, right []newcomm, colors, others []uint32) []newcomm {
	var parts []newcomm
	toLeft, toRight := filled(len(left), -1), filled(len(right), -1)
	for i, j := 0, 0; i < len(left) && j < len(right); {
		switch {
		case colors[i] < others[j]:
			i++
		case colors[i] > others[j]:
			j++
		default:
			toLeft[i], toRight[j] = int32(len(parts)), int32(len(parts))
			parts = append(parts, between(left[i].group, right[j].group))
			i, j = i+1, j+1
		}
	}
	n := len(op.core.group.members)
	for slot, p := range op.part {
		switch {
		case p < 0:
		case slot < n:
			op.part[slot] = toLeft[p]
		default:
			op.part[slot] = toRight[p]
		}
	}
	return parts
}

// triple is (color, key, rank) with color and key packed so that unsigned order is MPI's order.
type triple struct {
	order uint64
	rank  int32
}

func (t triple) color() uint32 { return uint32(t.order >> 32) }

// sorter is the scratch space of the radix sort, kept between calls.
type sorter struct {
	a, b []triple
}

// sort returns the triples of all ranks whose color is not Undefined, in ascending order of color,
// then key, then rank. The result is valid until the next call.
func (s *sorter) sort(color, key []int32) []triple {
	if cap(s.a) < len(color) {
		s.a, s.b = make([]triple, len(color)), make([]triple, len(color))
	}
	from := s.a[:0]
	var differ uint64
	for i, c := range color {
		if c == Undefined {
			continue
		}
		t := triple{uint64(uint32(c))<<32 | uint64(uint32(key[i])^1<<31), int32(i)}
		from = append(from, t)
		differ |= t.order ^ from[0].order
	}
	to := s.b[:len(from)]
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue // all have the same digit
		}
		radixPass(from, to, shift)
		from, to = to, from
	}
	return from
}

func radixPass(from, to []triple, shift int) {
	var next [257]int
	for _, t := range from {
		next[t.order>>shift&0xff+1]++
	}
	for d := 1; d < 256; d++ {
		next[d] += next[d-1]
	}
	for _, t := range from {
		d := t.order >> shift & 0xff
		to[next[d]] = t
		next[d]++
	}
}

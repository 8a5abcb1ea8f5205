package engine

import (
	"math"
	"math/bits"
)

// Split partitions the group of c by color and ranks each part by (key, rank in c) (MPI_Comm_split,
// §7.4.2). A process that passes Undefined as color gets nil. color must be nonnegative or Undefined,
// and color and key must fit MPI's int (32 bits): else MPI_ERR_ARG on the process that passed it,
// which then takes no part. On an intercommunicator, the processes of both sides with the same color
// form a new intercommunicator; a color that only one side has gives nil.
func (c *Comm) Split(color, key int) (*Comm, error) {
	if err := c.checkSplit(color, key); err != nil {
		return nil, err
	}
	op, err := c.call(CallSplit, int32(color), int32(key), nil)
	if err != nil {
		return nil, err
	}
	return c.take(op), nil
}

func (c *Comm) checkSplit(color, key int) error {
	if err := c.Check(CallSplit); err != nil {
		return err
	}
	if err := c.lacksInter(CallSplit); err != nil {
		return err
	}
	if color < 0 && color != Undefined {
		return c.fail(MistakeNegativeColor.In(CallSplit).passingInt("color", color))
	}
	if !fitsInt(color) || !fitsInt(key) {
		return c.fail(MistakeNotCInt.In(CallSplit, "color and key must be C ints").passing("color %d, key %d", color, key))
	}
	return nil
}

func fitsInt(v int) bool { return v >= math.MinInt32 && v <= math.MaxInt32 }

func (op *operation) finishSplit(w *World) {
	w.make(op, op.partition(w, op.a, op.b))
}

// partition groups the processes by color and orders each group by (key, old rank). It fills the
// columns part and newRank and returns the parts in ascending order of color. On an intercommunicator,
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

// partitionSide partitions the slots from first up to end. It returns the parts in ascending order of
// color, and their colors.
//
// All parts share one table of world ranks: sorting by (color, key, old rank) puts the parts into the
// table one after the other, each in its rank order. The sort must be stable in the old rank, which
// the standard uses to break ties; a radix sort that starts in rank order is stable.
func (op *operation) partitionSide(w *World, color, key []int32, first, end int) (parts []newcomm, colors []int32) {
	sorted := w.sorter.sort(color[first:end], key[first:end])
	part, newRank, members := op.part[first:end], op.newRank[first:end], op.members()[first:end]
	table := make([]int32, len(sorted))
	begin := 0
	for i, t := range sorted {
		c := w.sorter.color(t)
		if i > 0 && c != colors[len(colors)-1] {
			parts = append(parts, alone(&Group{members: table[begin:i:i]}))
			begin = i
		}
		if i == begin {
			colors = append(colors, c)
		}
		table[i] = members[t.rank]
		part[t.rank], newRank[t.rank] = int32(len(parts)), int32(i-begin)
	}
	if len(sorted) > 0 {
		parts = append(parts, alone(&Group{members: table[begin:]}))
	}
	return parts, colors
}

// pairSides joins the parts of the two sides that have the same color. Processes of other parts get no
// communicator.
func (op *operation) pairSides(left, right []newcomm, colors, others []int32) []newcomm {
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

// sorter is the scratch space of the radix sort, kept between calls.
type sorter struct {
	a, b    []triple
	lowest  int64 // the lowest color of the latest sort
	keyBits int   // bits of order that the keys of the latest sort take
}

func (s *sorter) color(t triple) int32 { return int32(s.lowest + int64(t.order>>s.keyBits)) }

// sort returns the triples of all ranks whose color is not Undefined, in ascending order of color,
// then key, then rank. The result is valid until the next call. Colors and keys are counted from the
// lowest color and the lowest key, so that most calls have few digits to sort by.
func (s *sorter) sort(color, key []int32) []triple {
	n := len(color)
	if cap(s.a) < n {
		s.a, s.b = make([]triple, n), make([]triple, n)
	}
	colors, keys := survey(color, key)
	s.lowest, s.keyBits = int64(colors.low), keys.bits()
	from, sorted, last := s.a[:0], true, uint64(0)
	for i := range n {
		if color[i] == Undefined {
			continue
		}
		order := uint64(int64(color[i])-s.lowest)<<s.keyBits | uint64(int64(key[i])-int64(keys.low))
		from = append(from, triple{order, int32(i)})
		sorted = sorted && last <= order
		last = order
	}
	if sorted {
		return from
	}
	to := s.b[:len(from)]
	for shift := 0; shift < colors.bits()+s.keyBits; shift += 8 {
		radixPass(from, to, shift)
		from, to = to, from
	}
	return from
}

// survey returns the lowest and the highest color, and the same for keys, of the ranks whose color is
// not Undefined.
func survey(color, key []int32) (colors, keys extremes) {
	colors, keys = extremes{math.MaxInt32, math.MinInt32}, extremes{math.MaxInt32, math.MinInt32}
	for i, c := range color {
		if c != Undefined {
			colors.add(c)
			keys.add(key[i])
		}
	}
	return colors, keys
}

// extremes are the lowest and the highest of some numbers.
type extremes struct{ low, high int32 }

func (e *extremes) add(v int32) { e.low, e.high = min(e.low, v), max(e.high, v) }

// bits returns how many bits the numbers take when they are counted from the lowest number.
func (e extremes) bits() int { return bits.Len64(uint64(max(int64(e.high)-int64(e.low), 0))) }

func radixPass(from, to []triple, shift int) {
	var next [257]int32
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

package hw

import (
	"cmp"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// MaxIndex is the largest os index a Set accepts. It bounds what a hostile
// list such as "0-4294967295" can make us allocate.
const MaxIndex = 1 << 22

// Set is a set of os indexes: PUs (a cpuset) or NUMA nodes (a nodeset). The
// zero value is the empty set. Methods that return a Set never share storage
// with their operands, so a Set that is no longer modified is immutable.
type Set struct {
	off   int      // words before words[0], all zero: a single PU of a large machine is one word
	words []uint64 // from word off on
}

// SetOf returns the set that holds the given indexes.
func SetOf(indexes ...int) Set {
	var s Set
	for _, i := range indexes {
		s.Add(i)
	}
	return s
}

// SetRange returns {lo, ..., hi}; it is empty when hi < lo.
func SetRange(lo, hi int) Set {
	var s Set
	if hi < lo {
		return s
	}
	s.Add(lo)
	s.Add(hi)
	for w := range s.words {
		s.words[w] = ^uint64(0)
	}
	s.words[0] &= ^uint64(0) << (lo % 64)
	s.words[len(s.words)-1] &= ^uint64(0) >> (63 - hi%64)
	return s
}

// Add inserts index i, which must lie in 0..MaxIndex.
func (s *Set) Add(i int) {
	if i < 0 || i > MaxIndex {
		panic(fmt.Sprintf("hw: set index %d out of range", i))
	}
	w := i / 64
	switch {
	case len(s.words) == 0:
		s.off, s.words = w, []uint64{0}
	case w < s.off:
		s.words = append(make([]uint64, s.off-w), s.words...)
		s.off = w
	case w >= s.end():
		s.words = append(s.words, make([]uint64, w-s.end()+1)...)
	}
	s.words[w-s.off] |= 1 << (i % 64)
}

// end returns the index of the first word after the last word held.
func (s Set) end() int { return s.off + len(s.words) }

// word returns word w, counted from index 0.
func (s Set) word(w int) uint64 {
	if w < s.off || w >= s.end() {
		return 0
	}
	return s.words[w-s.off]
}

// combine applies f word by word from lo up to but not including hi.
func combine(s, t Set, lo, hi int, f func(a, b uint64) uint64) Set {
	if hi <= lo {
		return Set{}
	}
	r := Set{lo, make([]uint64, hi-lo)}
	for w := lo; w < hi; w++ {
		r.words[w-lo] = f(s.word(w), t.word(w))
	}
	return r
}

// Has reports whether i is in the set.
func (s Set) Has(i int) bool { return i >= 0 && s.word(i/64)&(1<<(i%64)) != 0 }

// Clone returns a copy that can be modified on its own.
func (s Set) Clone() Set { return Set{s.off, append([]uint64(nil), s.words...)} }

// Union returns s ∪ t.
func (s Set) Union(t Set) Set {
	switch {
	case len(s.words) == 0:
		return t.Clone()
	case len(t.words) == 0:
		return s.Clone()
	}
	lo, hi := min(s.off, t.off), max(s.end(), t.end())
	return combine(s, t, lo, hi, func(a, b uint64) uint64 { return a | b })
}

// Intersect returns s ∩ t.
func (s Set) Intersect(t Set) Set {
	lo, hi := max(s.off, t.off), min(s.end(), t.end())
	return combine(s, t, lo, hi, func(a, b uint64) uint64 { return a & b })
}

// Minus returns s \ t.
func (s Set) Minus(t Set) Set {
	return combine(s, t, s.off, s.end(), func(a, b uint64) uint64 { return a &^ b })
}

// Intersects reports whether s ∩ t is not empty.
func (s Set) Intersects(t Set) bool {
	for w := max(s.off, t.off); w < min(s.end(), t.end()); w++ {
		if s.word(w)&t.word(w) != 0 {
			return true
		}
	}
	return false
}

// SubsetOf reports whether s ⊆ t.
func (s Set) SubsetOf(t Set) bool {
	for i, w := range s.words {
		if w&^t.word(s.off+i) != 0 {
			return false
		}
	}
	return true
}

// Equal reports whether s and t hold the same indexes.
func (s Set) Equal(t Set) bool { return s.SubsetOf(t) && t.SubsetOf(s) }

// Empty reports whether the set holds nothing.
func (s Set) Empty() bool {
	for _, w := range s.words {
		if w != 0 {
			return false
		}
	}
	return true
}

// Len returns the number of indexes in the set.
func (s Set) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Next returns the smallest index that is at least i, or -1.
func (s Set) Next(i int) int {
	i = max(i, s.off*64)
	for w := i / 64; w < s.end(); w++ {
		word := s.word(w)
		if w == i/64 {
			word &= ^uint64(0) << (i % 64)
		}
		if word != 0 {
			return w*64 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

// First returns the smallest index, or -1 when the set is empty.
func (s Set) First() int { return s.Next(0) }

// Merge adds t to the set in place.
func (s *Set) Merge(t Set) {
	if t.off >= s.off && t.end() <= s.end() {
		for i, w := range t.words {
			s.words[t.off-s.off+i] |= w
		}
		return
	}
	*s = s.Union(t)
}

// Last returns the largest index, or -1 when the set is empty.
func (s Set) Last() int {
	for w := s.end() - 1; w >= s.off; w-- {
		if word := s.word(w); word != 0 {
			return w*64 + 63 - bits.LeadingZeros64(word)
		}
	}
	return -1
}

// CompareFirst orders sets by their smallest index, empty ones last.
func CompareFirst(s, t Set) int {
	return cmp.Compare(uint(s.First()), uint(t.First())) // the -1 of an empty set is the largest number
}

// Indexes lists the set in ascending order.
func (s Set) Indexes() []int {
	r := make([]int, 0, s.Len())
	for i := s.First(); i >= 0; i = s.Next(i + 1) {
		r = append(r, i)
	}
	return r
}

// String returns the set in the Linux list format: "0-3,8"; "" for the empty
// set.
func (s Set) String() string {
	var b strings.Builder
	for i := s.First(); i >= 0; {
		j := i
		for s.Has(j + 1) {
			j++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(i))
		if j > i {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(j))
		}
		i = s.Next(j + 1)
	}
	return b.String()
}

// ParseList reads the Linux list format, with the strides that the kernel
// allows: "0-3,8", "0-31:2/4". It skips blanks around pieces; "" is the empty
// set.
func ParseList(text string) (Set, error) { return ParseListUpTo(text, MaxIndex) }

// ParseListUpTo reads a list whose indexes must not exceed last, which bounds
// the work that a hostile list makes.
func ParseListUpTo(text string, last int) (Set, error) {
	var s Set
	if strings.TrimSpace(text) == "" {
		return s, nil
	}
	for _, piece := range strings.Split(text, ",") {
		if err := s.addPiece(strings.TrimSpace(piece), last); err != nil {
			return Set{}, fmt.Errorf("cpu list %q: %w", strings.TrimSpace(text), err)
		}
	}
	return s, nil
}

// addPiece adds one piece of a list: "a", "a-b" or "a-b:used/group".
func (s *Set) addPiece(piece string, last int) error {
	span, stride, strided := strings.Cut(piece, ":")
	used, group := 1, 1
	if strided {
		u, g, ok := strings.Cut(stride, "/")
		var errU, errG error
		used, errU = strconv.Atoi(u)
		group, errG = strconv.Atoi(g)
		if !ok || errU != nil || errG != nil || used < 1 || group < used {
			return fmt.Errorf("stride %q is not USED/GROUP", stride)
		}
	}
	a, b, ranged := strings.Cut(span, "-")
	lo, err := parseIndex(a, last)
	if err != nil {
		return err
	}
	hi := lo
	if ranged {
		if hi, err = parseIndex(b, last); err != nil {
			return err
		}
		if hi < lo {
			return fmt.Errorf("range %q runs backwards", span)
		}
	}
	if used == group {
		s.Merge(SetRange(lo, hi))
		return nil
	}
	for i := lo; ; i += group {
		s.Merge(SetRange(i, i+min(used-1, hi-i)))
		if group > hi-i {
			return nil
		}
	}
}

func parseIndex(text string, last int) (int, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is not an index", text)
	}
	if n > uint64(last) {
		return 0, fmt.Errorf("index %d is above the limit of %d", n, last)
	}
	return int(n), nil
}

// ParsePUs reads PUs of a host: "3", "0-1", "0-1,8" or, the same, "0-1+8". It
// returns an error for text that is not a PU or range, and for PUs that the host
// does not have.
func ParsePUs(text string, host *Object) (Set, error) {
	var set Set
	for _, piece := range strings.Split(strings.ReplaceAll(text, ",", "+"), "+") {
		piece = strings.TrimSpace(piece)
		lo, hi, err := ParseRange(piece, "PU")
		if err != nil {
			return Set{}, err
		}
		for pu := lo; pu <= hi; pu++ {
			if !host.CPUSet.Has(pu) {
				return Set{}, noPU(piece, host, pu)
			}
			set.Add(pu)
		}
	}
	return set, nil
}

// ParseRange reads "3" or "0-3"; noun names the numbers in messages.
func ParseRange(text, noun string) (lo, hi int, err error) {
	a, b, ranged := strings.Cut(text, "-")
	if !ranged {
		b = a
	}
	lo, errA := strconv.Atoi(strings.TrimSpace(a))
	hi, errB := strconv.Atoi(strings.TrimSpace(b))
	switch {
	case errA != nil || errB != nil || lo < 0 || hi < 0:
		return 0, -1, fmt.Errorf("%q is neither a %s nor a range such as 0-3", text, noun)
	case hi < lo:
		return 0, -1, fmt.Errorf("range %q runs backwards", text)
	}
	return lo, hi, nil
}

// CheckPUs returns an error when set holds PUs that the host o does not have.
func (o *Object) CheckPUs(set Set) error {
	if missing := set.Minus(o.CPUSet); !missing.Empty() {
		return noPU(set.String(), o, missing.First())
	}
	return nil
}

// noPU returns the error for a PU of a host that no rank can run on, with the
// reason.
func noPU(piece string, host *Object, pu int) error {
	why := "has no"
	if d := host.Details; d != nil && d.Offline.Has(pu) {
		why = "has switched off"
	} else if d != nil && d.Disallowed.Has(pu) {
		why = "does not let us use"
	}
	return fmt.Errorf("%q: %s %s PU %d; it has %s", piece, host.Name, why, pu, host.CPUSet)
}

// Hex writes the set as hwloc does: groups of 32 bits, the last group for indexes 0 to 31. An inner group of zeros is
// empty.
func (s Set) Hex() string {
	if s.Empty() {
		return "0x0"
	}
	groups := s.groups()
	var b strings.Builder
	for i, g := range groups {
		if i > 0 {
			b.WriteByte(',')
		}
		switch {
		case g != 0:
			fmt.Fprintf(&b, "0x%08x", g)
		case i == len(groups)-1:
			b.WriteString("0x0")
		}
	}
	return b.String()
}

// Taskset writes the set as taskset takes it, as one hexadecimal number: "0xf0".
func (s Set) Taskset() string {
	if s.Empty() {
		return "0x0"
	}
	var b strings.Builder
	for i, g := range s.groups() {
		if i == 0 {
			fmt.Fprintf(&b, "0x%x", g)
		} else {
			fmt.Fprintf(&b, "%08x", g)
		}
	}
	return b.String()
}

// groups cuts the bits of a set that is not empty into words of 32, the word of the largest indexes first.
func (s Set) groups() []uint32 {
	groups := make([]uint32, s.Last()/32+1)
	for i := s.First(); i >= 0; i = s.Next(i + 1) {
		groups[len(groups)-1-i/32] |= 1 << (i % 32)
	}
	return groups
}

// ParseHex reads hwloc's format, groups of 32 bits, where a group of zeros may be empty: "0x00006000,,0x1". A single group
// may have more bits, as taskset writes it. No index may be above last.
func ParseHex(text string, last int) (Set, error) {
	var s Set
	if text == "" {
		return s, fmt.Errorf("it is empty: want a set such as 0x0000000f")
	}
	groups := strings.Split(text, ",")
	if len(groups) == 1 {
		groups = cutDigits(text)
	}
	for i, group := range groups {
		digits := strings.TrimPrefix(group, "0x")
		if group == "" {
			digits = "0"
		}
		word, err := strconv.ParseUint(digits, 16, 32)
		if err != nil {
			return Set{}, fmt.Errorf("%q in %q is not a hexadecimal group of 32 bits", Clip(group), Clip(text))
		}
		base := 32 * (len(groups) - 1 - i)
		if word != 0 && base+bits.Len64(word)-1 > last {
			return Set{}, fmt.Errorf("index %d is above the limit of %d", base+bits.Len64(word)-1, last)
		}
		for ; word != 0; word &= word - 1 {
			s.Add(base + bits.TrailingZeros64(word))
		}
	}
	return s, nil
}

// cutDigits cuts a number into groups of eight digits from its end on.
func cutDigits(text string) (groups []string) {
	digits := strings.TrimPrefix(text, "0x")
	if len(digits) <= 8 {
		return []string{text}
	}
	first := len(digits) % 8
	if first > 0 {
		groups = append(groups, digits[:first])
	}
	for ; first < len(digits); first += 8 {
		groups = append(groups, digits[first:first+8])
	}
	return groups
}

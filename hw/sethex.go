package hw

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Hex is the set as hwloc writes it: groups of 32 bits, the last for indexes 0 to 31. Zeros inside are empty.
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

// Taskset is the set as taskset takes it, one hexadecimal number: "0xf0".
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

// ParseHex reads hwloc's format, groups of 32 bits of which those of zeros may be empty: "0x00006000,,0x1"; a single group
// may have more bits, as taskset's have. Indexes end at last.
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

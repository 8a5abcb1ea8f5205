package hw

import (
	"fmt"
	"strconv"
	"strings"
)

// String is the Linux list format: "0-3,8"; the empty set is "".
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
// allows: "0-3,8", "0-31:2/4". Blanks around pieces are skipped; "" is empty.
func ParseList(text string) (Set, error) { return ParseListUpTo(text, MaxIndex) }

// ParseListUpTo reads a list whose indexes end at last, which bounds the work
// that a hostile one makes.
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

// addPiece adds one "a", "a-b" or "a-b:used/group" of a list.
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

package hostlist

import (
	"fmt"
	"strconv"
	"strings"
)

// Fold writes names as Expand reads them, in their order: those that count up behind one beginning are one,
// "cn[01-04,07]". Names that Expand would not read stay as they are.
func Fold(names []string) string {
	var parts []string
	for i := 0; i < len(names); {
		stem, _, width := numbered(names[i])
		j := i
		for j < len(names) && width > 0 {
			s, _, w := numbered(names[j])
			if s != stem || w != width {
				break
			}
			j++
		}
		if j <= i+1 {
			parts = append(parts, names[i])
			i++
			continue
		}
		parts = append(parts, stem+"["+ranges(names[i:j], width)+"]")
		i = j
	}
	return strings.Join(parts, ",")
}

// numbered cuts a name into its beginning and the number at its end, of so many digits; 0 where there is none. Numbers
// without a leading 0 have the width 1, whatever they are.
func numbered(name string) (stem string, n, width int) {
	stem = strings.TrimRight(name, "0123456789")
	digits := name[len(stem):]
	n, err := strconv.Atoi(digits)
	if err != nil || len(digits) > maxDigits || strings.ContainsFunc(stem, func(c rune) bool { return !nameRune(c) }) {
		return name, 0, 0
	}
	if digits[0] == '0' && len(digits) > 1 {
		return stem, n, len(digits)
	}
	return stem, n, 1
}

// ranges are the numbers of names that have one beginning.
func ranges(names []string, width int) string {
	var parts []string
	for i := 0; i < len(names); {
		_, first, _ := numbered(names[i])
		last, j := first, i+1
		for ; j < len(names); j++ {
			if _, n, _ := numbered(names[j]); n != last+1 {
				break
			}
			last++
		}
		text := fmt.Sprintf("%0*d", width, first)
		if last > first {
			text += fmt.Sprintf("-%0*d", width, last)
		}
		parts = append(parts, text)
		i = j
	}
	return strings.Join(parts, ",")
}

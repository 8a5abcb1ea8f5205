// Package hostlist expands lists of host names as Slurm writes them: "cn[01-04,7]" is cn01, cn02,
// cn03, cn04, cn7. Names are joined by commas, a name may have several pairs of brackets (the last
// varies fastest), and numbers keep the width of a lower bound that starts with 0.
//
// Fold writes such lists. It knows no steps or suffixed ranges.
package hostlist

import (
	"fmt"
	"strconv"
	"strings"
)

// Error says what is wrong with a list, and where.
type Error struct {
	Offset  int // in bytes
	Message string
}

func (e *Error) Error() string { return e.Message }

// Bytes reports whether all of text may stand in a list of names.
func Bytes(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool {
		return !nameRune(c) && c != '[' && c != ']' && c != ','
	})
}

func nameRune(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '-' || c == '_' || c == '.'
}

// maxDigits bounds the numbers of a range.
const maxDigits = 9

// Expand lists the names of text. More than most names, or the same name twice, are an error; errors
// are of type *Error.
func Expand(text string, most int) ([]string, error) {
	l := &list{text: text, most: most, seen: map[string]bool{}}
	for {
		if err := l.name(); err != nil {
			return nil, err
		}
		if l.pos == len(text) {
			return l.names, nil
		}
		l.pos++ // the comma
	}
}

// list is the state of reading a text.
type list struct {
	text  string
	pos   int
	most  int
	names []string
	seen  map[string]bool
}

func (l *list) errorAt(offset int, format string, args ...any) error {
	return &Error{offset, fmt.Sprintf(format, args...)}
}

// name reads one name with its brackets, up to a comma or the end.
func (l *list) name() error {
	start, names := l.pos, []string{""}
	for l.pos < len(l.text) && l.text[l.pos] != ',' {
		at := l.pos
		parts := []string{l.letters()}
		if l.pos == at {
			if l.text[at] != '[' {
				return l.errorAt(at, "a host name is made of letters, digits, '.', '-' and '_'")
			}
			var err error
			if parts, err = l.brackets((l.most - len(l.names)) / len(names)); err != nil {
				return err
			}
		}
		names = combine(names, parts)
	}
	if l.pos == start {
		return l.errorAt(start, "missing host name")
	}
	for _, n := range names {
		if l.seen[n] {
			return l.errorAt(start, "host name %s is given twice", n)
		}
		if l.seen[n] = true; len(l.seen) > l.most {
			return l.tooMany(start)
		}
	}
	l.names = append(l.names, names...)
	return nil
}

func (l *list) tooMany(at int) error {
	return l.errorAt(at, "more than %d host names", l.most)
}

// letters reads the part of a name before the next bracket, comma or end.
func (l *list) letters() string {
	start := l.pos
	for l.pos < len(l.text) && nameRune(rune(l.text[l.pos])) {
		l.pos++
	}
	return l.text[start:l.pos]
}

// combine returns each name followed by each part.
func combine(names, parts []string) []string {
	r := make([]string, 0, len(names)*len(parts))
	for _, n := range names {
		for _, p := range parts {
			r = append(r, n+p)
		}
	}
	return r
}

// brackets reads "[01-04,7]"; more than most numbers are an error.
func (l *list) brackets(most int) ([]string, error) {
	open := l.pos
	n := strings.IndexByte(l.text[open:], ']')
	if n < 0 {
		return nil, l.errorAt(open, "missing ']' in host names")
	}
	l.pos = open + n + 1
	var parts []string
	at := open + 1
	for _, piece := range strings.Split(l.text[at:open+n], ",") {
		lo, hi, err := l.bounds(at, piece)
		if err != nil {
			return nil, err
		}
		if hi-lo >= most-len(parts) {
			return nil, l.tooMany(at)
		}
		first, _, _ := strings.Cut(piece, "-")
		for i := lo; i <= hi; i++ {
			parts = append(parts, fmt.Sprintf("%0*d", len(first), i))
		}
		at += len(piece) + 1
	}
	return parts, nil
}

// bounds reads "7" or "01-04" at offset at.
func (l *list) bounds(at int, piece string) (lo, hi int, err error) {
	first, last, ranged := strings.Cut(piece, "-")
	if !ranged {
		last = first
	}
	for _, s := range []string{first, last} {
		if s == "" || len(s) > maxDigits || strings.Trim(s, "0123456789") != "" {
			return 0, 0, l.errorAt(at,
				"want a number or a range such as 01-04 in brackets, of at most %d digits", maxDigits)
		}
	}
	lo, _ = strconv.Atoi(first)
	hi, _ = strconv.Atoi(last)
	if hi < lo {
		return 0, 0, l.errorAt(at, "range %s runs backwards", piece)
	}
	return lo, hi, nil
}

// Fold writes names in their order as Expand reads them: "cn[01-04,07]" for names with the same
// beginning and increasing numbers. Names that Expand would not read stay as they are.
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

// numbered cuts a name into its beginning and the number at its end. width is the number of digits of a number with a
// leading 0, 1 for other numbers, and 0 where the name has no number.
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

// ranges writes the numbers at the ends of names with the same beginning.
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

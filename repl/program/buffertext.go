package program

import (
	"math"
	"strconv"
	"strings"
)

// How numpy prints arrays.
const (
	lineWidth = 75   // of a line
	mostAll   = 1000 // elements that are all shown
	edgeItems = 3    // shown at each end of a longer array
	digits    = 8    // behind the point, at most
)

// text is the array as numpy prints it: all elements equally wide, and of long arrays the ends.
func (b *Buffer) text() string {
	short := b.Count() > mostAll
	return b.rows("", short, b.formatter(short))
}

// shownAt lists the indices of n elements that are shown; -1 stands for the dots.
func shownAt(n int, short bool) []int {
	var list []int
	for i := range n {
		switch {
		case !short || n <= 2*edgeItems || i < edgeItems || i >= n-edgeItems:
			list = append(list, i)
		case i == edgeItems:
			list = append(list, -1)
		}
	}
	return list
}

// rows writes an array that stands behind indent.
func (b *Buffer) rows(indent string, short bool, format func(cell) string) string {
	if len(b.shape) == 0 {
		return format(b.cells[b.offset])
	}
	if len(b.shape) == 1 {
		return b.line(indent+" ", short, format)
	}
	var s strings.Builder
	s.WriteString("[")
	for k, i := range shownAt(b.shape[0], short) {
		if k > 0 {
			s.WriteString(strings.Repeat("\n", len(b.shape)-1) + indent + " ")
		}
		if i < 0 {
			s.WriteString("...")
			continue
		}
		s.WriteString(b.row(i).(*Buffer).rows(indent+" ", short, format))
	}
	return s.String() + "]"
}

// line writes the elements of one direction, in lines of which all but the first begin with indent.
func (b *Buffer) line(indent string, short bool, format func(cell) string) string {
	var s strings.Builder
	s.WriteString("[")
	width := len(indent)
	for k, i := range shownAt(b.shape[0], short) {
		word := "..."
		if i >= 0 {
			word = format(b.cells[b.at(i)])
		}
		if k > 0 {
			if width+1+len(word) > lineWidth-len(indent) {
				s.WriteString("\n" + indent)
				width = len(indent)
			} else {
				s.WriteString(" ")
				width++
			}
		}
		s.WriteString(word)
		width += len(word)
	}
	return s.String() + "]"
}

// shownCells are the elements that are shown.
func (b *Buffer) shownCells(short bool) []cell {
	if len(b.shape) == 0 {
		return []cell{b.cells[b.offset]}
	}
	var list []cell
	for _, i := range shownAt(b.shape[0], short) {
		switch {
		case i < 0:
		case len(b.shape) == 1:
			list = append(list, b.cells[b.at(i)])
		default:
			list = append(list, b.row(i).(*Buffer).shownCells(short)...)
		}
	}
	return list
}

// formatter writes elements so that all are equally wide.
func (b *Buffer) formatter(short bool) func(cell) string {
	shown := b.shownCells(short)
	if b.elem.IsFloat() {
		return floatFormatter(b.elem, shown)
	}
	write := func(c cell) string {
		if b.elem == Bool {
			return map[bool]string{true: "True", false: "False"}[c != 0]
		}
		return b.elem.value(c).String()
	}
	width := 0
	for _, c := range shown {
		width = max(width, len(write(c)))
	}
	return func(c cell) string { return padLeft(write(c), width) }
}

func padLeft(s string, width int) string { return strings.Repeat(" ", max(width-len(s), 0)) + s }

// floatFormatter writes floats: with as many digits as tell them apart, eight behind the point at most, and points below each
// other; with exponents where the numbers are very large, small or different.
func floatFormatter(e Elem, shown []cell) func(cell) string {
	bits, verb := 8*e.Bytes(), byte('f')
	least, most := math.Inf(1), 0.0
	for _, c := range shown {
		if f := math.Abs(e.float(c)); f != 0 && !special(f) {
			least, most = min(least, f), max(most, f)
		}
	}
	if most >= 1e8 || most > 0 && (least < 1e-4 || most/least > 1000) {
		verb = 'e'
	}
	left, right, words := 0, 0, 0
	for _, c := range shown {
		if f := e.float(c); special(f) {
			words = max(words, len(floatText(f)))
		} else {
			l, r, _ := cutFloat(f, verb, bits)
			left, right = max(left, len(l)), max(right, len(r))
		}
	}
	_, _, exponent := cutFloat(most, verb, bits)
	behind := 1 + right + len(exponent)
	left = max(left, words-behind)
	fill := map[byte]string{'e': "0", 'f': " "}[verb]
	return func(c cell) string {
		f := e.float(c)
		if special(f) {
			return padLeft(floatText(f), left+behind)
		}
		l, r, exponent := cutFloat(f, verb, bits)
		return padLeft(l, left) + "." + r + strings.Repeat(fill, right-len(r)) + exponent
	}
}

// special reports whether a float is infinite, or no number.
func special(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }

// cutFloat is a float in front of the point, behind it, and its exponent ("e+10"), which only the verb e writes.
func cutFloat(f float64, verb byte, bits int) (left, right, exponent string) {
	cut := func(precision int) {
		text := strconv.FormatFloat(f, verb, precision, bits)
		if i := strings.IndexByte(text, 'e'); i >= 0 {
			text, exponent = text[:i], text[i:]
		}
		left, right, _ = strings.Cut(text, ".")
	}
	if cut(-1); len(right) > digits {
		if cut(digits); verb == 'f' {
			right = strings.TrimRight(right, "0")
		}
	}
	return left, right, exponent
}

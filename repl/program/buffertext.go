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
	bits := 64
	if e == Float32 {
		bits = 32
	}
	least, most := math.Inf(1), 0.0
	for _, c := range shown {
		if f := math.Abs(e.float(c)); f != 0 && !math.IsInf(f, 0) && !math.IsNaN(f) {
			least, most = min(least, f), max(most, f)
		}
	}
	exponent := most >= 1e8 || most > 0 && (least < 1e-4 || most/least > 1000)
	parts := func(f float64) (left, right string) {
		if exponent {
			return scientific(f, bits)
		}
		return fixed(f, bits)
	}
	left, right, special := 0, 0, 0
	for _, c := range shown {
		f := e.float(c)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			special = max(special, len(floatText(f)))
			continue
		}
		l, r := parts(f)
		left, right = max(left, len(l)), max(right, len(r))
	}
	behind := 1 + right
	if exponent {
		behind += len(exponentOf(most, bits))
	}
	left = max(left, special-behind)
	return func(c cell) string {
		f := e.float(c)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return padLeft(floatText(f), left+behind)
		}
		l, r := parts(f)
		if exponent {
			return padLeft(l, left) + "." + r + strings.Repeat("0", right-len(r)) + exponentOf(f, bits)
		}
		return padLeft(l, left) + "." + r + strings.Repeat(" ", right-len(r))
	}
}

// fixed is a float in front of the point and behind it.
func fixed(f float64, bits int) (left, right string) {
	text := strconv.FormatFloat(f, 'f', -1, bits)
	if _, behind, _ := strings.Cut(text, "."); len(behind) > digits {
		text = strings.TrimRight(strconv.FormatFloat(f, 'f', digits, bits), "0")
	}
	left, right, _ = strings.Cut(text, ".")
	return left, right
}

// scientific is the mantissa of a float in front of the point and behind it.
func scientific(f float64, bits int) (left, right string) {
	text := strconv.FormatFloat(f, 'e', -1, bits)
	mantissa, _, _ := strings.Cut(text, "e")
	if _, behind, _ := strings.Cut(mantissa, "."); len(behind) > digits {
		mantissa, _, _ = strings.Cut(strconv.FormatFloat(f, 'e', digits, bits), "e")
	}
	left, right, _ = strings.Cut(mantissa, ".")
	return left, right
}

func exponentOf(f float64, bits int) string {
	text := strconv.FormatFloat(f, 'e', -1, bits)
	if _, behind, _ := strings.Cut(text, "."); len(behind) > digits {
		text = strconv.FormatFloat(f, 'e', digits, bits)
	}
	return text[strings.IndexByte(text, 'e'):]
}

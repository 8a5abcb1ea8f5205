package machine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// Print and write of Fortran: lists as gfortran spaces them, and formats.

// printed is a value to print, with its kind.
type printed struct {
	slot
	kind syntax.Kind
}

// items compiles a list of values to print, arrays entry by entry.
func (c *compiler) items(args []syntax.Expr) func(*frame, *[]printed) {
	var list []func(*frame, *[]printed)
	for _, a := range args {
		if l, ok := a.(*syntax.Implied); ok {
			inner := c.items(l.X)
			h := c.hidden(voidPtr)
			turn := c.each(l, func(f *frame) { inner(f, h.at(f).v.(*[]printed)) })
			list = append(list, func(f *frame, to *[]printed) {
				h.at(f).v = to
				turn(f)
			})
			continue
		}
		x := c.expr(a)
		if t := x.t; t.kind == syntax.Handle && !t.isStatus() {
			x = c.convert(x, intType, a.At())
		}
		if x.t.class() == refs || x.t.class() == none || x.t.kind == syntax.Handle {
			panic(syntax.Wrong(a.At(), "this cannot be printed: it is %s", described(x.t)))
		}
		list = append(list, func(f *frame, to *[]printed) { *to = append(*to, printed{x.value(f), x.t.kind}) })
	}
	return func(f *frame, to *[]printed) {
		for _, x := range list {
			x(f, to)
		}
	}
}

// listing compiles print * to a line of text.
func listing(c *compiler, e *syntax.Call) expr {
	items := c.items(e.Args)
	return expr{t: textType, v: func(f *frame) any {
		var list []printed
		items(f, &list)
		var b strings.Builder
		texts := false // a text stands before
		for i, x := range list {
			if x.kind == syntax.Text {
				if !texts || i == 0 {
					b.WriteByte(' ')
				}
				b.WriteString(x.v.(string))
				texts = true
				continue
			}
			texts = false
			b.WriteString(" " + x.listed())
		}
		return b.String()
	}}
}

func right(s string, width int) string { return strings.Repeat(" ", max(width-len(s), 0)) + s }

// listed returns the value as gfortran writes it in a list.
func (x printed) listed() string {
	switch {
	case x.kind == syntax.Logical:
		return map[bool]string{true: "T", false: "F"}[x.i != 0]
	case x.kind == syntax.Float:
		return listedReal(x.f, 16, 9, 2)
	case x.kind == syntax.Double:
		return listedReal(x.f, 25, 17, 3)
	}
	width := map[syntax.Kind]int{syntax.Char: 4, syntax.Short: 6, syntax.Long: 20}[x.kind]
	if width == 0 {
		width = 11
	}
	return right(strconv.FormatInt(x.i, 10), width)
}

// listedReal writes a number with so many digits; numbers from 0.1 on have blanks in place of an exponent.
func listedReal(v float64, width, digits, exponent int) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return right(strings.TrimPrefix(strings.Replace(strconv.FormatFloat(v, 'f', -1, 64), "Inf", "Infinity", 1), "+"), width)
	}
	text := strconv.FormatFloat(v, 'E', digits-1, 64)
	mantissa, power, _ := strings.Cut(text, "E")
	n, _ := strconv.Atoi(power)
	switch {
	case v == 0 || n >= -1 && n < digits:
		after := digits - 1 - n
		if v == 0 {
			after = digits - 1
		}
		text = strconv.FormatFloat(v, 'f', after, 64)
		if after == 0 {
			text += "."
		}
		return right(text, width-exponent-2) + strings.Repeat(" ", exponent+2)
	}
	sign := "+"
	if n < 0 {
		sign, n = "-", -n
	}
	power = strconv.Itoa(n)
	return right(mantissa+"E"+sign+strings.Repeat("0", max(exponent-len(power), 0))+power, width)
}

// goingOn ends a text that is printed without the end of its line: the format had $.
const goingOn = 0

// edit is an item of a format, such as I4 or 2X.
type edit struct {
	letter       byte // I F E D S (for ES) G A L X / : $ or a quote for a text, ( for a group
	width, after int
	times        int
	text         string
	group        []edit
}

// formatting compiles print and write with a format.
func formatting(c *compiler, e *syntax.Call) expr {
	format, items := c.convert(c.expr(e.Args[0]), textType, e.Pos), c.items(e.Args[1:])
	return expr{t: textType, v: func(f *frame) any {
		var list []printed
		items(f, &list)
		s := strings.TrimSpace(format.v(f).(string))
		r := &formatReader{s: s, at: e.Pos}
		if r.next() != '(' {
			r.refuse()
		}
		return inFormat(r.group(), list, e.Pos)
	}}
}

type formatReader struct {
	s  string
	i  int
	at syntax.Pos
}

func (r *formatReader) refuse() {
	wrong(r.at, "the format %s is not supported here from character %d on", r.s, r.i)
}

func (r *formatReader) next() byte {
	for r.i < len(r.s) && (r.s[r.i] == ' ' || r.s[r.i] == ',') {
		r.i++
	}
	if r.i >= len(r.s) {
		wrong(r.at, "the format %s is not closed", r.s)
	}
	r.i++
	return r.s[r.i-1]
}

// number reads an integer; -1 for none.
func (r *formatReader) number() int {
	from := r.i
	for r.i < len(r.s) && '0' <= r.s[r.i] && r.s[r.i] <= '9' {
		r.i++
	}
	n, err := strconv.Atoi(r.s[from:r.i])
	if err != nil || n > 10_000 {
		return -1
	}
	return n
}

// group reads items of a format up to the closing bracket.
func (r *formatReader) group() (list []edit) {
	for {
		e := edit{letter: r.next(), width: -1, after: -1, times: 1}
		switch {
		case e.letter == '*':
			e.times, e.letter = 1_000_000, r.next()
		case '0' <= e.letter && e.letter <= '9':
			r.i--
			e.times, e.letter = r.number(), r.next()
		}
		if 'a' <= e.letter && e.letter <= 'z' {
			e.letter -= 'a' - 'A'
		}
		switch e.letter {
		case ')':
			return list
		case '(':
			e.group = r.group()
		case '\'', '"':
			e.text, e.letter = r.quoted(e.letter), '"'
		case 'X', '/', ':', '$':
		case 'I', 'F', 'A', 'L', 'E', 'D', 'G':
			r.widths(&e)
		default:
			r.refuse()
		}
		list = append(list, e)
	}
}

// quoted reads a text up to its closing quote. Two quotes in the text stand for one quote.
func (r *formatReader) quoted(quote byte) (text string) {
	for {
		n := strings.IndexByte(r.s[r.i:], quote)
		if n < 0 {
			r.refuse()
		}
		text += r.s[r.i : r.i+n]
		if r.i += n + 1; r.i >= len(r.s) || r.s[r.i] != quote {
			return text
		}
		text += string(quote)
		r.i++
	}
}

// widths reads what follows a letter: the S of ES, the width, and the digits behind a point.
func (r *formatReader) widths(e *edit) {
	letter := e.letter
	if r.i < len(r.s) && letter == 'E' && (r.s[r.i]|0x20 == 's' || r.s[r.i]|0x20 == 'n') {
		if e.letter = 'S'; r.s[r.i]|0x20 == 'n' {
			r.refuse()
		}
		r.i++
	}
	e.width = r.number()
	if r.i < len(r.s) && r.s[r.i] == '.' {
		r.i++
		e.after = r.number()
	}
	if e.width < 0 && letter != 'A' || strings.IndexByte("FED", letter) >= 0 && e.after < 0 || letter == 'G' && e.width > 0 {
		r.refuse()
	}
}

// inFormat writes values in a format, which begins again while values are left.
func inFormat(list []edit, items []printed, at syntax.Pos) string {
	w := &formatWriter{items: items, at: at}
	from := list
	for n := len(w.items); w.write(from) && len(w.items) > 0; n = len(w.items) {
		w.newline()
		from = list
		for i, e := range list { // from the last group on
			if e.letter == '(' {
				from = list[i:]
			}
		}
		if n == len(w.items) && n > 0 && w.Len() > 1<<20 {
			wrong(at, "the format has no conversion for a value")
		}
	}
	return w.String()
}

// formatWriter writes values in a format. items are the values that are left.
type formatWriter struct {
	strings.Builder
	items  []printed
	at     syntax.Pos
	blanks int // of X, which are written before something that follows
}

func (w *formatWriter) put(text string) {
	w.WriteString(strings.Repeat(" ", w.blanks) + text)
	w.blanks = 0
}

func (w *formatWriter) newline() {
	w.WriteByte('\n')
	w.blanks = 0
}

// write writes values in items of a format; false: an item needs a value, and none is left.
func (w *formatWriter) write(list []edit) bool {
	for _, e := range list {
		for range e.times {
			switch {
			case e.letter == '(':
				if !w.write(e.group) {
					return false
				}
			case e.letter == '"':
				w.put(e.text)
			case e.letter == 'X':
				w.blanks++
			case e.letter == '/':
				w.newline()
			case e.letter == '$': // the line goes on
				w.WriteByte(goingOn)
			case len(w.items) == 0:
				return false
			case e.letter != ':':
				w.put(e.edited(w.items[0], w.at))
				w.items = w.items[1:]
			}
		}
	}
	return true
}

// edited writes a value by an item of a format; asterisks where the value is too long.
func (e edit) edited(x printed, at syntax.Pos) string {
	number := x.kind != syntax.Text && x.kind != syntax.Logical
	s := ""
	switch {
	case e.letter == 'A' && x.kind == syntax.Text:
		s = x.v.(string)
		if e.width >= 0 {
			s = right(s[:min(len(s), e.width)], e.width)
		}
		return s
	case e.letter == 'G' && x.kind == syntax.Text:
		return x.v.(string)
	case e.letter == 'G':
		return strings.TrimSpace(x.listed())
	case e.letter == 'L' && x.kind == syntax.Logical:
		return right(map[bool]string{true: "T", false: "F"}[x.i != 0], e.width)
	case e.letter == 'I' && number && !isReal(x.kind):
		s = strconv.FormatInt(x.i, 10)
		if digits := strings.TrimPrefix(s, "-"); len(digits) < e.after {
			s = s[:len(s)-len(digits)] + strings.Repeat("0", e.after-len(digits)) + digits
		}
	case e.letter == 'F' && isReal(x.kind):
		s = strconv.FormatFloat(x.f, 'f', e.after, 64)
		if e.after == 0 {
			s += "."
		}
		if short := strings.Replace(s, "0.", ".", 1); (strings.HasPrefix(s, "0.") || strings.HasPrefix(s, "-0.")) && (len(s) > e.width) {
			s = short
		}
	case (e.letter == 'E' || e.letter == 'D') && isReal(x.kind) && e.after > 0:
		mantissa, power, _ := strings.Cut(strconv.FormatFloat(math.Abs(x.f), 'E', e.after-1, 64), "E")
		n, _ := strconv.Atoi(power)
		if n++; x.f == 0 {
			n = 0
		}
		s = fmt.Sprintf("0.%s%c%+03d", strings.Replace(mantissa, ".", "", 1), e.letter, n)
		if len(s) >= e.width && (len(s) > e.width || x.f < 0) {
			s = s[1:]
		}
		if math.Signbit(x.f) {
			s = "-" + s
		}
	case e.letter == 'S' && isReal(x.kind):
		s = strconv.FormatFloat(x.f, 'E', e.after, 64)
	default:
		wrong(at, "%c in the format cannot print %s", e.letter, kindNames[x.kind])
	}
	if e.width == 0 {
		return s
	}
	if len(s) > e.width {
		return strings.Repeat("*", e.width)
	}
	return right(s, e.width)
}

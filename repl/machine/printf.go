package machine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// printing is printf, or fprintf to stdout and stderr.
func printing(k int) func(*compiler, *syntax.Call) expr {
	return func(c *compiler, e *syntax.Call) expr {
		if len(e.Args) <= k {
			panic(syntax.Wrong(e.Pos, "the format is missing"))
		}
		if k == 1 {
			if x := c.expr(e.Args[0]); x.t.name != "FILE" {
				panic(syntax.Wrong(e.Args[0].At(), "fprintf can print only to stdout and stderr here"))
			}
		}
		text := c.formatted(e, k)
		return expr{t: intType, i: func(f *frame) int64 {
			s := text(f)
			f.print(s)
			return int64(len(s))
		}}
	}
}

// sprinting is sprintf and snprintf.
func sprinting(k int) func(*compiler, *syntax.Call) expr {
	return func(c *compiler, e *syntax.Call) expr {
		if len(e.Args) <= k {
			panic(syntax.Wrong(e.Pos, "the format is missing"))
		}
		to := c.convert(c.expr(e.Args[0]), charPtr, e.Pos)
		most := number(longType, math.MaxInt64)
		if k == 2 {
			most = c.convert(c.expr(e.Args[1]), longType, e.Pos)
		}
		text := c.formatted(e, k)
		return expr{t: intType, i: func(f *frame) int64 {
			s := text(f)
			if n := most.i(f); n > 0 {
				to.p(f).store(e.Pos, first(s, n-1))
			}
			return int64(len(s))
		}}
	}
}

// formatted is the text of a format and the arguments behind it.
func (c *compiler) formatted(e *syntax.Call, k int) func(*frame) string {
	format := c.convert(c.expr(e.Args[k]), charPtr, e.Args[k].At())
	var args []expr
	for _, a := range e.Args[k+1:] {
		x := c.expr(a)
		if x.t.class() == none || x.t.class() == values {
			panic(syntax.Wrong(a.At(), "printf prints numbers and strings, not %s", described(x.t)))
		}
		args = append(args, x)
	}
	if s, ok := e.Args[k].(*syntax.String); ok {
		c.checkFormat(e, s, args)
		words := cutFormat(s.Value)
		return func(f *frame) string { return written(f, e.Pos, words, args) }
	}
	return func(f *frame) string { return written(f, e.Pos, cutFormat(format.p(f).text(e.Pos)), args) }
}

// conversion is a piece of a format: text, or what an argument becomes.
type conversion struct {
	text             string // before it
	flags            string
	width, precision int // -1: none, -2: an argument
	verb             byte
	size             string
}

// cutFormat takes a format apart.
func cutFormat(s string) []conversion {
	var list []conversion
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 || i == len(s)-1 {
			return append(list, conversion{text: s})
		}
		k := conversion{text: s[:i], width: -1, precision: -1}
		s = s[i+1:]
		for s != "" && strings.IndexByte("-+ #0", s[0]) >= 0 {
			k.flags, s = k.flags+s[:1], s[1:]
		}
		k.width, s = digits(s)
		if strings.HasPrefix(s, ".") {
			if k.precision, s = digits(s[1:]); k.precision == -1 {
				k.precision = 0
			}
		}
		for s != "" && strings.IndexByte("hlLzjtq", s[0]) >= 0 {
			k.size, s = k.size+s[:1], s[1:]
		}
		if s != "" {
			k.verb, s = s[0], s[1:]
		}
		list = append(list, k)
	}
}

func digits(s string) (int, string) {
	if strings.HasPrefix(s, "*") {
		return -2, s[1:]
	}
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == 0 {
		return -1, s
	}
	v, _ := strconv.Atoi(s[:n])
	return min(v, 1<<16), s[n:]
}

// checkFormat compares a format that is written out with the types of its arguments, as compilers warn.
func (c *compiler) checkFormat(e *syntax.Call, s *syntax.String, args []expr) {
	k := 0
	next := func() *expr {
		k++
		if k > len(args) {
			panic(syntax.Wrong(e.Pos, "the format has more conversions than there are arguments: %d", len(args)))
		}
		return &args[k-1]
	}
	for _, w := range cutFormat(s.Value) {
		if w.verb == 0 || w.verb == '%' {
			continue
		}
		if w.width == -2 {
			next()
		}
		if w.precision == -2 {
			next()
		}
		a := next()
		want := ints
		switch {
		case strings.IndexByte("fFeEgGaA", w.verb) >= 0:
			want = reals
		case w.verb == 's' || w.verb == 'p':
			want = refs
		case strings.IndexByte("diuxXoc", w.verb) < 0:
			panic(syntax.Wrong(s.Pos, "%%%c is not a conversion of printf", w.verb))
		}
		if a.t.class() != want {
			panic(syntax.Wrong(e.Args[len(e.Args)-len(args)+k-1].At(), "%%%c prints %s, not %s", w.verb,
				map[class]string{ints: "an integer", reals: "a floating-point number", refs: "a text"}[want], described(a.t)))
		}
	}
}

// written writes a format with its arguments.
func written(f *frame, at syntax.Pos, words []conversion, args []expr) string {
	var b strings.Builder
	k := 0
	next := func() expr {
		if k++; k > len(args) {
			wrong(at, "the format has more conversions than there are arguments")
		}
		return args[k-1]
	}
	for _, w := range words {
		b.WriteString(w.text)
		switch w.verb {
		case 0:
			continue
		case '%':
			b.WriteByte('%')
			continue
		}
		if w.width == -2 {
			if w.width = int(next().i(f)); w.width < 0 {
				w.flags, w.width = w.flags+"-", -w.width
			}
		}
		if w.precision == -2 {
			w.precision = int(next().i(f))
		}
		b.WriteString(w.write(f, at, next()))
	}
	return b.String()
}

// write writes an argument.
func (w conversion) write(f *frame, at syntax.Pos, x expr) string {
	text := ""
	zeros := strings.Contains(w.flags, "0") && !strings.Contains(w.flags, "-")
	switch w.verb {
	case 's':
		text, zeros = x.p(f).text(at), false
		if w.precision >= 0 {
			text = first(text, int64(w.precision))
		}
	case 'c':
		text, zeros = string([]byte{byte(x.i(f))}), false
	case 'p':
		r := x.p(f)
		text, zeros = "(nil)", false
		if r.m != nil {
			text = fmt.Sprintf("0x%x", uint64(0x7f0000000000)+uint64(r.off)*8)
		}
	case 'd', 'i', 'u', 'x', 'X', 'o':
		text = w.integer(x.i(f))
		zeros = zeros && w.precision < 0
	default:
		v := x.f(f)
		text = w.real(v)
		zeros = zeros && !math.IsInf(v, 0) && !math.IsNaN(v)
	}
	n := w.width - len(text)
	switch {
	case n <= 0:
		return text
	case strings.Contains(w.flags, "-"):
		return text + strings.Repeat(" ", n)
	case zeros:
		signs := 0
		if text != "" && strings.IndexByte("+- ", text[0]) >= 0 {
			signs = 1
		}
		return text[:signs] + strings.Repeat("0", n) + text[signs:]
	}
	return strings.Repeat(" ", n) + text
}

func (w conversion) integer(n int64) string {
	long := strings.ContainsAny(w.size, "lzjt")
	text, sign := "", ""
	switch w.verb {
	case 'd', 'i':
		if !long {
			n = int64(int32(n))
		}
		text = strconv.FormatUint(uint64(max(n, -n)), 10)
		switch {
		case n < 0:
			sign = "-"
		case strings.Contains(w.flags, "+"):
			sign = "+"
		case strings.Contains(w.flags, " "):
			sign = " "
		}
	default:
		u := uint64(n)
		if !long {
			u = uint64(uint32(n))
		}
		text = strconv.FormatUint(u, map[byte]int{'u': 10, 'x': 16, 'X': 16, 'o': 8}[w.verb])
		if w.verb == 'X' {
			text = strings.ToUpper(text)
		}
		if strings.Contains(w.flags, "#") && u != 0 {
			sign = map[byte]string{'x': "0x", 'X': "0X", 'o': "0"}[w.verb]
		}
	}
	if n := w.precision - len(text); n > 0 {
		text = strings.Repeat("0", n) + text
	}
	return sign + text
}

func (w conversion) real(v float64) string {
	precision := w.precision
	if precision < 0 {
		precision = 6
	}
	text := ""
	lower := w.verb | 0x20
	switch a := math.Abs(v); {
	case math.IsNaN(v):
		text = "nan"
	case math.IsInf(v, 0):
		text = "inf"
	case lower == 'g':
		text = program.General(a, precision, strings.Contains(w.flags, "#"))
	default:
		text = strconv.FormatFloat(a, lower, precision, 64)
	}
	if w.verb != lower {
		text = strings.ToUpper(text)
	}
	switch {
	case math.Signbit(v) && !math.IsNaN(v):
		return "-" + text
	case strings.Contains(w.flags, "+"):
		return "+" + text
	case strings.Contains(w.flags, " "):
		return " " + text
	}
	return text
}

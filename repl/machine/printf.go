package machine

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// printing compiles printf, and fprintf to stdout and stderr. The format is argument k.
func printing(k int) compiled {
	return func(c *compiler, e *syntax.Call) expr {
		if k == 1 && len(e.Args) > 1 && c.expr(e.Args[0]).t.name != "FILE" {
			panic(syntax.Wrong(e.Args[0].At(), "fprintf can print only to stdout and stderr here"))
		}
		text := c.formatted(e, k)
		return expr{t: intType, i: func(f *frame) int64 {
			s := text(f)
			f.print(s)
			return int64(len(s))
		}}
	}
}

// sprinting compiles sprintf and snprintf. The format is argument k.
func sprinting(k int) compiled {
	return func(c *compiler, e *syntax.Call) expr {
		text := c.formatted(e, k)
		to := c.convert(c.expr(e.Args[0]), charPtr, e.Pos)
		most := number(longType, math.MaxInt64)
		if k == 2 {
			most = c.convert(c.expr(e.Args[1]), longType, e.Pos)
		}
		return expr{t: intType, i: func(f *frame) int64 {
			s := text(f)
			if n := most.i(f); n > 0 {
				to.p(f).store(e.Pos, first(s, n-1))
			}
			return int64(len(s))
		}}
	}
}

// formatted compiles the format, which is argument k, and the arguments behind it to a text.
func (c *compiler) formatted(e *syntax.Call, k int) func(*frame) string {
	if len(e.Args) <= k {
		panic(syntax.Wrong(e.Pos, "the format is missing"))
	}
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
		words := cutFormat(s.Value)
		if !spread(words, args) {
			panic(syntax.Wrong(e.Pos, "the format has more conversions than there are arguments: %d", len(args)))
		}
		checkFormat(words, s.Pos, e.Args[k+1:])
		return func(f *frame) string { return written(f, e.Pos, words) }
	}
	return func(f *frame) string {
		words := cutFormat(format.p(f).text(e.Pos))
		if !spread(words, args) {
			wrong(e.Pos, "the format has more conversions than there are arguments")
		}
		return written(f, e.Pos, words)
	}
}

// conversion is a conversion of a format, with the text before it.
type conversion struct {
	text             string // before it
	flags            string
	width, precision int // -1: none, -2: an argument
	verb             byte
	size             string

	wide, exact, arg *expr // the arguments
	number           int   // of arg
}

// conversions matches a conversion: flags, width, precision, size, verb.
var conversions = regexp.MustCompile(`(?s)%([-+ #0]*)(\*|\d*)(\.(?:\*|\d*))?([hlLzjtq]*)(.?)`)

// cutFormat cuts a format into conversions. A % at its end is text.
func cutFormat(s string) (list []conversion) {
	for {
		text, _, _ := strings.Cut(s, "%")
		m := conversions.FindStringSubmatch(s)
		if m == nil || m[0] == "%" {
			return append(list, conversion{text: s})
		}
		k := conversion{text: text, flags: m[1], width: digits(m[2]), precision: -1, size: m[4]}
		if exact, is := strings.CutPrefix(m[3], "."); is {
			if k.precision = digits(exact); exact == "" {
				k.precision = 0
			}
		}
		s = s[len(text)+len(m[0])-len(m[5]):]
		if s != "" {
			k.verb, s = s[0], s[1:]
		}
		list = append(list, k)
	}
}

// digits reads the width or precision of a conversion: -1 for none, -2 for *, which takes it from an argument.
func digits(s string) int {
	switch s {
	case "":
		return -1
	case "*":
		return -2
	}
	n, _ := strconv.Atoi(s)
	return min(n, 1<<16)
}

// spread gives conversions their arguments; false where there are too few.
func spread(words []conversion, args []expr) bool {
	k := 0
	next := func(to **expr) {
		if k < len(args) {
			*to = &args[k]
		}
		k++
	}
	for i := range words {
		w := &words[i]
		if w.verb == 0 || w.verb == '%' {
			continue
		}
		if w.width == -2 {
			next(&w.wide)
		}
		if w.precision == -2 {
			next(&w.exact)
		}
		w.number = k
		next(&w.arg)
	}
	return k <= len(args)
}

// checkFormat compares a literal format with the types of its arguments, as compilers do for warnings.
func checkFormat(words []conversion, at syntax.Pos, args []syntax.Expr) {
	for _, w := range words {
		if w.arg == nil {
			continue
		}
		want := ints
		switch {
		case strings.IndexByte("fFeEgG", w.verb) >= 0:
			want = reals
		case w.verb == 's' || w.verb == 'p':
			want = refs
		case strings.IndexByte("diuxXoc", w.verb) < 0:
			panic(syntax.Wrong(at, "%%%c is not a conversion of printf", w.verb))
		}
		if w.arg.t.class() != want {
			panic(syntax.Wrong(args[w.number].At(), "%%%c prints %s, not %s", w.verb,
				map[class]string{ints: "an integer", reals: "a floating-point number", refs: "a text"}[want], described(w.arg.t)))
		}
	}
}

// written writes a format with its arguments.
func written(f *frame, at syntax.Pos, words []conversion) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.text)
		switch w.verb {
		case 0:
			continue
		case '%':
			b.WriteByte('%')
			continue
		}
		if w.wide != nil {
			if w.width = int(w.wide.i(f)); w.width < 0 {
				w.flags, w.width = w.flags+"-", -w.width
			}
		}
		if w.exact != nil {
			w.precision = int(w.exact.i(f))
		}
		b.WriteString(w.write(f, at))
	}
	return b.String()
}

// write writes the argument of the conversion.
func (w conversion) write(f *frame, at syntax.Pos) string {
	text := ""
	switch w.verb {
	case 's':
		text = w.arg.p(f).text(at)
		if w.precision >= 0 {
			text = first(text, int64(w.precision))
		}
	case 'c':
		text = string([]byte{byte(w.arg.i(f))})
	case 'p':
		text = "(nil)"
		if r := w.arg.p(f); r.m != nil {
			text = fmt.Sprintf("0x%x", uint64(0x7f0000000000)+uint64(r.off)*8)
		}
	case 'd', 'i', 'u', 'x', 'X', 'o':
		n := w.arg.i(f)
		if !strings.ContainsAny(w.size, "lzjt") {
			n = wrap(map[bool]syntax.Kind{true: syntax.Int, false: syntax.UInt}[w.verb == 'd' || w.verb == 'i'], n)
		}
		return program.Number(w.flags, w.width, w.precision, w.verb, n, 0)
	default:
		return program.Number(w.flags, w.width, w.precision, w.verb, 0, w.arg.f(f))
	}
	if n := max(w.width-len(text), 0); strings.Contains(w.flags, "-") {
		return text + strings.Repeat(" ", n)
	}
	return right(text, w.width)
}

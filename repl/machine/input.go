package machine

import (
	"regexp"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// Input: scanf and what reads characters in C, and read in Fortran, from standard input or from a text.

// reader is text that a program reads from its beginning on.
type reader struct {
	text string
	more func() string // returns what follows text; "" at the end. nil: nothing follows

	// Of a statement read of Fortran:
	status int64 // what iostat gets
	kept   bool  // the program has iostat: the end of the input is no error
}

// standard returns standard input.
func (f *frame) standard(at syntax.Pos) *reader {
	if f.input == nil {
		f.input = &reader{}
	}
	f.input.more = func() string {
		part, err := f.r.ReadInput(f.flush)
		if err != nil {
			if stopped := f.r.Turn(0); stopped != nil {
				panic(failed{stopped})
			}
			wrong(at, "%s", err)
		}
		return part
	}
	return f.input
}

// peek returns the next character, which is left; -1 at the end.
func (r *reader) peek() int {
	if r.text == "" && r.more != nil {
		r.text = r.more()
	}
	if r.text == "" {
		return -1
	}
	return int(r.text[0])
}

// take reads characters as long as they are of a kind, at most so many.
func (r *reader) take(most int, is func(c byte) bool) string {
	var b strings.Builder
	for c := r.peek(); c >= 0 && b.Len() < most && is(byte(c)); c = r.peek() {
		b.WriteByte(byte(c))
		r.text = r.text[1:]
	}
	return b.String()
}

const unlimited = 1 << 26

func blank(c byte) bool { return strings.IndexByte(" \t\n\r\v\f", c) >= 0 }

func (r *reader) blanks() { r.take(unlimited, blank) }

// scanned matches what a format of scanf begins with: blanks, a conversion, or another character.
var scanned = regexp.MustCompile(`(?s)^(?:(\s+)|%(\*?)(\d*)([hlLqjzt]*)(\[\^?\]?[^\]]*\]|.)|(.))`)

// scan is a conversion of scanf, or text that the input must have.
type scan struct {
	literal string // " ": blanks
	width   int
	verb    byte
	set     string // of [
	to      *place // where a number goes; nil: nowhere
	text    expr   // where characters go
}

// scanning compiles scanf; fscanf and sscanf, whose first argument is where they read.
func scanning(k int) compiled {
	return func(c *compiler, e *syntax.Call) expr {
		format, literal := e.Args[min(k, len(e.Args)-1)].(*syntax.String)
		if !literal {
			panic(syntax.Beyond(e.Pos, "a format of scanf that is not a text in quotes is not supported here"))
		}
		from := func(f *frame) *reader { return f.standard(e.Pos) }
		if k == 1 {
			x := c.expr(e.Args[0])
			switch {
			case x.t.kind == syntax.Handle && x.t.name == "stdin":
			case x.t.class() == refs:
				from = func(f *frame) *reader { return &reader{text: x.p(f).text(e.Pos)} }
			default:
				panic(syntax.Beyond(e.Pos, "fscanf can read only from stdin here"))
			}
		}
		list := c.conversionsOfScan(format, e.Args[k+1:], e.Pos)
		return expr{t: intType, i: func(f *frame) int64 { return f.scan(from(f), list, e.Pos) }}
	}
}

// conversionsOfScan reads a format, and finds out where the conversions store what they read.
func (c *compiler) conversionsOfScan(format *syntax.String, args []syntax.Expr, at syntax.Pos) (list []scan) {
	for s := format.Value; s != ""; {
		m := scanned.FindStringSubmatch(s)
		s = s[len(m[0]):]
		one := scan{literal: m[6], width: unlimited}
		switch {
		case m[1] != "":
			one.literal = " "
		case m[5] == "%":
			one.literal = "%"
		case m[5] != "":
			one.verb, one.set = m[5][0], m[5]
			if n, err := strconv.Atoi(m[3]); err == nil {
				one.width = n
			} else if one.verb == 'c' {
				one.width = 1
			}
			if m[2] != "" {
				break
			}
			if len(args) == 0 {
				panic(syntax.Wrong(at, "the format has more conversions than there are arguments"))
			}
			one.stores(c, m[4], args[0])
			args = args[1:]
		}
		list = append(list, one)
	}
	return list
}

// stores notes where a conversion of a size stores what it reads.
func (s *scan) stores(c *compiler, size string, a syntax.Expr) {
	var want *typ
	switch k := strings.IndexByte("diuxXofeEgGsc[", s.verb); {
	case k < 0:
		panic(syntax.Wrong(a.At(), "%%%c is not a conversion of scanf", s.verb))
	case k < 6:
		want = map[string]*typ{"": intType, "h": {kind: syntax.Short}, "hh": charType}[size]
		if want == nil {
			want = longType
		}
	case k < 11:
		want = map[bool]*typ{true: doubleType, false: floatType}[size == "l"]
	default:
		want = charType
	}
	x := c.expr(a)
	if x.t.class() != refs || x.t.elem.base().class() != want.class() || x.t.elem.base().size() != want.size() {
		panic(syntax.Wrong(a.At(), "%%%s%c needs the address of a variable of type %s, not %s", size, s.verb, want, described(x.t)))
	}
	if want == charType && s.verb != 'd' {
		s.text = x
		return
	}
	to := c.pointed(x, number(longType, 0), a.At())
	s.to = &to
}

// scan carries conversions out, and returns how many values it has stored; -1 if the input ends before the first one.
func (f *frame) scan(r *reader, list []scan, at syntax.Pos) (n int64) {
	for _, s := range list {
		if s.verb != 'c' && s.verb != '[' && s.literal == "" || s.literal == " " || s.literal == "%" {
			r.blanks()
		}
		if s.literal == " " {
			continue
		}
		if r.peek() < 0 && n == 0 {
			return -1
		}
		if s.literal != "" {
			if r.take(1, func(c byte) bool { return c == s.literal[0] }) == "" {
				return n
			}
			continue
		}
		before := byte(0)
		text := r.take(s.width, func(c byte) bool {
			is := s.takes(c) && (before == 0 || strings.IndexByte("+-", c) < 0 || strings.IndexByte("sc[", s.verb) >= 0 || before|0x20 == 'e')
			before = c
			return is
		})
		v, ok := s.value(text)
		switch {
		case !ok:
			return n
		case s.to != nil:
			s.to.set(f, v)
			n++
		case s.text.t != nil && s.verb == 'c':
			s.text.p(f).as(charType, at).fill(at, text, int64(len(text)))
			n++
		case s.text.t != nil:
			s.text.p(f).store(at, text)
			n++
		}
	}
	return n
}

// takes reports whether a character may belong to what the conversion reads.
func (s *scan) takes(c byte) bool {
	switch s.verb {
	case 'c':
		return true
	case 's':
		return !blank(c)
	case '[':
		set, not := strings.CutPrefix(s.set[1:len(s.set)-1], "^")
		in := strings.IndexByte(set, c) >= 0
		for i := 1; i+1 < len(set); i++ {
			in = in || set[i] == '-' && set[i-1] <= c && c <= set[i+1]
		}
		return in != not
	case 'd', 'u':
		return strings.IndexByte("+-0123456789", c) >= 0
	case 'i', 'x', 'X', 'o':
		return strings.IndexByte("+-0123456789abcdefABCDEFxX", c) >= 0
	}
	return strings.IndexByte("+-0123456789.eE", c) >= 0
}

// value returns what a conversion has read; false if it is none.
func (s *scan) value(text string) (v slot, ok bool) {
	switch s.verb {
	case 'c', 's', '[':
		return v, text != ""
	case 'f', 'e', 'E', 'g', 'G':
		v.f, ok = leadingReal(text), strings.ContainsAny(text, "0123456789")
		if s.to != nil {
			v.f = round(s.to.t.kind, v.f)
		}
		return v, ok
	}
	base := map[byte]int{'i': 0, 'x': 16, 'X': 16, 'o': 8}[s.verb]
	if s.verb == 'd' || s.verb == 'u' {
		base = 10
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(text, "+"), base, 64)
	if s.to != nil {
		n = wrap(s.to.t.kind, n)
	}
	return slot{i: n}, err == nil
}

// readCharacter compiles getchar, and getc and fgetc of stdin.
func readCharacter(c *compiler, e *syntax.Call) expr {
	c.wantStandard(e, len(e.Args)-1)
	return expr{t: intType, i: func(f *frame) int64 {
		r := f.standard(e.Pos)
		n := r.peek()
		if n >= 0 {
			r.text = r.text[1:]
		}
		return int64(n)
	}}
}

// readLine compiles fgets.
func readLine(c *compiler, e *syntax.Call) expr {
	a := c.args(e, "slx")
	c.wantStandard(e, 2)
	return expr{t: charPtr, p: func(f *frame) ref {
		r, to, most := f.standard(e.Pos), a[0].p(f), int(a[1].i(f))-1
		text := r.take(most, func(c byte) bool { return c != '\n' })
		if len(text) < most {
			text += r.take(1, func(c byte) bool { return c == '\n' })
		}
		if text == "" {
			return ref{}
		}
		return to.store(e.Pos, text)
	}}
}

// wantStandard refuses to read from anything but stdin, which is the k-th argument. k is -1 where no argument tells.
func (c *compiler) wantStandard(e *syntax.Call, k int) {
	if k >= 0 && c.expr(e.Args[k]).t.name != "stdin" {
		panic(syntax.Beyond(e.Pos, "%s can read only from stdin here", e.Fn.(*syntax.Ident).Name))
	}
}

// Fortran: a statement read calls %reads, then %item or %record for each variable, then %readdone.

// reads compiles the beginning of read: from a text, which is the second argument, or from standard input. The first
// argument tells whether the program has iostat.
func reads(c *compiler, e *syntax.Call) expr {
	args := c.valuesOf(e, 1, 2)
	return expr{t: voidType, do: func(f *frame) {
		f.reading = f.standard(e.Pos)
		if len(args) > 1 {
			f.reading = &reader{text: args[1].v(f).(string)}
		}
		f.reading.status, f.reading.kept = 0, args[0].i(f) != 0
	}}
}

// readItem compiles the next value of a list, of the type of the argument.
func readItem(c *compiler, e *syntax.Call) expr {
	t := c.expr(e.Args[0]).t
	return ofSlot(t, func(f *frame) slot {
		r := f.reading
		r.blanks()
		r.take(1, func(c byte) bool { return c == ',' })
		r.blanks()
		word := ""
		if c := r.peek(); c == '"' || c == '\'' {
			r.text = r.text[1:]
			word = r.take(unlimited, func(b byte) bool { return int(b) != c })
			r.take(1, func(byte) bool { return true })
		} else if word = r.take(unlimited, func(c byte) bool { return !blank(c) && c != ',' }); c < 0 {
			r.fails(e.Pos, -1, r.ended())
		}
		v, err := slot{v: word}, error(nil)
		switch {
		case t.kind == syntax.Text:
		case t.kind == syntax.Logical:
			v.i = syntax.Truth(strings.HasPrefix(strings.TrimPrefix(strings.ToLower(word), "."), "t"))
		case t.class() == ints:
			v.i, err = strconv.ParseInt(word, 10, 64)
		default:
			v.f, err = strconv.ParseFloat(strings.NewReplacer("d", "e", "D", "e").Replace(word), 64)
			v.f = round(t.kind, v.f)
		}
		if err != nil && r.status == 0 {
			r.fails(e.Pos, 1, "read: the input has "+strconv.Quote(word)+", where "+described(t)+" is expected")
		}
		return v
	})
}

// readRecord compiles the rest of the line, as format A reads it.
func readRecord(_ *compiler, e *syntax.Call) expr {
	return expr{t: textType, v: func(f *frame) any {
		if f.reading.peek() < 0 {
			f.reading.fails(e.Pos, -1, f.reading.ended())
		}
		return f.reading.take(unlimited, func(c byte) bool { return c != '\n' })
	}}
}

// readDone compiles the end of read, which leaves out the rest of the line. Its value is that of iostat.
func readDone(*compiler, *syntax.Call) expr {
	return expr{t: intType, i: func(f *frame) int64 {
		f.reading.take(unlimited, func(c byte) bool { return c != '\n' })
		f.reading.take(1, func(byte) bool { return true })
		return f.reading.status
	}}
}

// ended tells that nothing is left to read.
func (r *reader) ended() string {
	if r.more == nil {
		return "read: the text has no further value"
	}
	return "read: standard input is at its end: only rank 0 gets it"
}

// fails ends the program where read fails, or keeps what iostat gets.
func (r *reader) fails(at syntax.Pos, status int64, message string) {
	if !r.kept {
		wrong(at, "%s", message)
	}
	r.status = status
}

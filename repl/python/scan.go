// Package python reads the text of a Python program into Starlark's tree, each part at its place in the text, so that a
// program of a course runs as it is. What Starlark lacks becomes calls of functions that package program has under names
// that nobody can write: f-strings, powers, subscripts of several directions, in-place operators, raise, try. Imports of
// the few modules that there are become assignments. Classes, generators, with and the like are refused, as an [Error].
// The package knows neither values nor MPI.
package python

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// kind is what a token is.
type kind uint8

const (
	end kind = iota
	newline
	indent
	dedent
	name // also keywords
	number
	text // a string
	sign // an operator, a bracket, a comma
)

// token is a word of the text.
type token struct {
	kind   kind
	pos    syntax.Position
	raw    string // as it is written
	prefix string // of a string: its letters, in lower case
	value  any    // of a number: int64, *big.Int, float64; of a string, its text, of which an f-string is not unescaped
}

// what names a token in a message.
func (t token) what() string {
	switch t.kind {
	case end, newline:
		return lineEnd
	case indent, dedent:
		return "the indentation"
	case text:
		return "a string"
	}
	return t.raw
}

// Error is what the language does not have, or a mistake in the text.
type Error struct {
	Pos     syntax.Position
	Message string
	Beyond  bool // it is right Python, which is not in the language
}

func (e *Error) Error() string { return e.Pos.String() + ": " + e.Message }

// Options are how Starlark reads and runs the trees.
var Options = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}

// Parse reads the statements of a text whose first character stands at line, col of file. The error is an *Error.
func Parse(file, src string, line, col int) (f *syntax.File, err error) {
	defer catch(&err)
	p := (&scanner{rest: src, pos: syntax.MakePosition(&file, int32(line), int32(col))}).scan()
	f = &syntax.File{Path: file, Options: Options}
	for p.now.kind != end {
		f.Stmts = append(f.Stmts, p.statement()...)
	}
	return f, nil
}

// ParseExpr reads a text that is one expression, as Parse reads statements.
func ParseExpr(file, src string, line, col int) (e syntax.Expr, err error) {
	defer catch(&err)
	p := (&scanner{rest: src, pos: syntax.MakePosition(&file, int32(line), int32(col)), depth: 1}).scan()
	p.single = true
	e = p.tuple(p.test)
	if p.now.kind != end {
		p.unexpected(lineEnd)
	}
	return e, nil
}

func catch(err *error) {
	switch v := recover().(type) {
	case nil:
	case *Error:
		*err = v
	default:
		panic(v)
	}
}

// scanner cuts the text into tokens.
type scanner struct {
	rest    string
	pos     syntax.Position // of rest
	depth   int             // of brackets; an expression begins with 1, as it has no lines
	indents []int32         // of the blocks around the line, 0 first
	list    []token
}

// fail ends the reading.
func fail(pos syntax.Position, format string, args ...any) {
	panic(&Error{Pos: pos, Message: fmt.Sprintf(format, args...)})
}

// beyond ends the reading at right Python that the language does not have.
func beyond(pos syntax.Position, message string) { panic(&Error{pos, message, true}) }

// skip returns the next n bytes and goes behind them. Only a string may hold a newline.
func (s *scanner) skip(n int) string {
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	if i := strings.LastIndexByte(taken, '\n'); i >= 0 {
		s.pos.Line += int32(strings.Count(taken, "\n"))
		s.pos.Col = 1 + int32(utf8.RuneCountInString(taken[i+1:]))
	} else {
		s.pos.Col += int32(utf8.RuneCountInString(taken))
	}
	return taken
}

// add adds a token without text, at the present place.
func (s *scanner) add(k kind) { s.list = append(s.list, token{kind: k, pos: s.pos}) }

// scan cuts all of the text, and returns a parser of the tokens.
func (s *scanner) scan() *parser {
	lines := s.depth == 0
	s.indents = []int32{0}
	for begins := lines; ; { // whether the next token is the first one of a line
		line := s.rest
		s.blanks()
		switch {
		case s.rest == "":
			if lines {
				if !begins {
					s.add(newline)
				}
				for range s.indents[1:] {
					s.add(dedent)
				}
			}
			s.list = append(s.list, token{kind: end, pos: s.pos})
			return &parser{list: s.list, now: s.list[0]}
		case s.rest[0] == '\n':
			if s.depth == 0 && !begins {
				s.add(newline)
				begins = true
			}
			s.skip(1)
		default:
			if begins {
				s.indentation(line)
				begins = false
			}
			s.list = append(s.list, s.token())
		}
	}
}

// blanks skips blanks, comments and joined lines.
func (s *scanner) blanks() {
	for s.rest != "" {
		switch c := s.rest[0]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			s.skip(1)
		case c == '#':
			n := strings.IndexByte(s.rest, '\n')
			if n < 0 {
				n = len(s.rest)
			}
			s.skip(n)
		case strings.HasPrefix(s.rest, "\\\n"):
			s.skip(2)
		case strings.HasPrefix(s.rest, "\\\r\n"):
			s.skip(3)
		default:
			return
		}
	}
}

// indentation compares the blanks in front of a line with those of the lines above.
func (s *scanner) indentation(line string) {
	width := int32(0)
	for _, c := range line[:len(line)-len(strings.TrimLeft(line, " \t\f"))] {
		if c == '\t' {
			width += 8 - width%8
		} else {
			width++
		}
	}
	last := len(s.indents) - 1
	if width > s.indents[last] {
		s.indents = append(s.indents, width)
		s.add(indent)
	}
	for ; width < s.indents[last]; last-- {
		if width > s.indents[last-1] {
			fail(s.pos, "unindent does not match any outer indentation level")
		}
		s.indents = s.indents[:last]
		s.add(dedent)
	}
}

// signs are the operators, longest first.
var signs = []string{"**=", "//=", "<<=", ">>=", "...", "!=", "==", "<=", ">=", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", ":=",
	"**", "//", "<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^", "~", "<", ">", "=", "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "@"}

// token cuts one token. The operators not in and is not are one token each.
func (s *scanner) token() token {
	pos := s.pos
	r, _ := utf8.DecodeRuneInString(s.rest)
	switch {
	case r == '_' || unicode.IsLetter(r):
		n := strings.IndexFunc(s.rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if n < 0 {
			n = len(s.rest)
		}
		if n <= 2 && n < len(s.rest) && (s.rest[n] == '"' || s.rest[n] == '\'') {
			if prefix := strings.ToLower(s.rest[:n]); strings.Trim(prefix, "rbuf") == "" {
				return s.stringToken(pos, prefix)
			}
		}
		word := s.skip(n)
		if last := len(s.list) - 1; last >= 0 && comparisons[s.list[last].raw+" "+word] != 0 {
			word, pos = s.list[last].raw+" "+word, s.list[last].pos
			s.list = s.list[:last]
			return token{kind: sign, pos: pos, raw: word}
		}
		return token{kind: name, pos: pos, raw: word}
	case unicode.IsDigit(r) || r == '.' && len(s.rest) > 1 && s.rest[1] >= '0' && s.rest[1] <= '9':
		return s.number(pos)
	case r == '"' || r == '\'':
		return s.stringToken(pos, "")
	}
	for _, op := range signs {
		if strings.HasPrefix(s.rest, op) {
			switch op {
			case "(", "[", "{":
				s.depth++
			case ")", "]", "}":
				s.depth = max(s.depth-1, 0)
			}
			return token{kind: sign, pos: pos, raw: s.skip(len(op))}
		}
	}
	panic(unknown(pos, r))
}

// unknown makes the error about a character with which no token begins.
func unknown(pos syntax.Position, r rune) *Error {
	text := fmt.Sprintf("the character %q has no meaning here", r)
	switch i := strings.IndexRune(pasted, r); {
	case ofC[string(r)] != "":
		text = fmt.Sprintf("%c is C: write %s", r, ofC[string(r)])
	case unicode.IsSpace(r) || unicode.Is(unicode.Cf, r):
		text = fmt.Sprintf("an invisible character (%U) was pasted here: replace it with a blank", r)
	case i >= 0:
		text = fmt.Sprintf("%c (%U) is not the character on the keyboard: type %c", r, r, keyboard[utf8.RuneCountInString(pasted[:i])])
	}
	return &Error{Pos: pos, Message: text}
}

// pasted has characters that word processors and pages write, in the order of those of a keyboard that were meant.
const (
	pasted   = "“”„‘’‚−–—％，（）＝"
	keyboard = `"""'''---%,()=`
)

// numberForm is the form of a number, with the parts of a float behind the point and of its exponent.
var numberForm = regexp.MustCompile(`^(?:0[xXoObB][0-9a-fA-F_]*|[0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9][0-9_]*)?)`)

// number cuts a number.
func (s *scanner) number(pos syntax.Position) token {
	form := numberForm.FindStringSubmatch(s.rest)
	if rest := s.rest[len(form[0]):]; rest != "" && (rest[0] == 'j' || rest[0] == 'J') {
		beyond(pos, "complex numbers are not supported")
	}
	t := token{kind: number, pos: pos, raw: s.skip(len(form[0]))}
	plain := strings.ReplaceAll(t.raw, "_", "")
	if form[1]+form[2] != "" {
		f, err := strconv.ParseFloat(plain, 64)
		if err != nil {
			fail(pos, "invalid float literal")
		}
		t.value = f
	} else {
		if len(plain) > 1 && plain[0] == '0' && strings.Trim(plain, "0") != "" && plain[1] >= '0' && plain[1] <= '9' {
			fail(pos, "invalid int literal: an octal number begins with 0o")
		}
		v, ok := new(big.Int).SetString(plain, 0)
		switch {
		case !ok:
			fail(pos, "invalid int literal")
		case v.IsInt64():
			t.value = v.Int64()
		default:
			t.value = v
		}
	}
	return t
}

// stringToken cuts a string behind its prefix.
func (s *scanner) stringToken(pos syntax.Position, prefix string) token {
	whole := s.rest
	s.skip(len(prefix))
	quote := s.rest[:1]
	if strings.HasPrefix(s.rest, quote+quote+quote) {
		quote = s.rest[:3]
	}
	n := len(quote)
	for {
		switch {
		case n >= len(s.rest) || len(quote) == 1 && s.rest[n] == '\n':
			fail(pos, "unexpected %s in string", map[bool]string{true: "EOF", false: "newline"}[n >= len(s.rest)])
		case s.rest[n] == '\\' && n+1 < len(s.rest):
			n += 2
			continue
		case strings.HasPrefix(s.rest[n:], quote):
			inner := s.rest[len(quote):n]
			s.skip(n + len(quote))
			t := token{kind: text, pos: pos, raw: whole[:len(prefix)+n+len(quote)], prefix: prefix, value: inner}
			if !strings.Contains(prefix, "f") {
				t.value = unescape(pos, inner, prefix)
			}
			return t
		}
		n++
	}
}

// unescape replaces the escapes of a string, as its prefix says.
func unescape(pos syntax.Position, inner, prefix string) string {
	if strings.Contains(prefix, "r") || !strings.Contains(inner, "\\") {
		return inner
	}
	simple := map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'v': "\v", '\n': ""}
	var b strings.Builder
	for i := 0; i < len(inner); i++ {
		if inner[i] != '\\' || i+1 == len(inner) {
			b.WriteByte(inner[i])
			continue
		}
		i++
		c := inner[i]
		width := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		switch r, ok := simple[c]; {
		case ok:
			b.WriteString(r)
		case width > 0:
			n, err := strconv.ParseUint(inner[min(i+1, len(inner)):min(i+1+width, len(inner))], 16, 32)
			if err != nil {
				fail(pos, "invalid escape sequence \\%c", c)
			}
			i += width
			if c == 'x' && strings.Contains(prefix, "b") {
				b.WriteByte(byte(n))
			} else {
				b.WriteRune(rune(n))
			}
		case c >= '0' && c <= '7':
			n, digits := 0, 0
			for ; digits < 3 && i < len(inner) && inner[i] >= '0' && inner[i] <= '7'; digits++ {
				n = n*8 + int(inner[i]-'0')
				i++
			}
			i--
			if strings.Contains(prefix, "b") {
				b.WriteByte(byte(n))
			} else {
				b.WriteRune(rune(n))
			}
		default:
			fail(pos, "invalid escape sequence \\%c", c)
		}
	}
	return b.String()
}

// Package syntax reads C and Fortran, whole programs as courses about MPI have them, and lines of a session, into
// one tree for both languages. It resolves no names and checks no types, and it carries nothing out. What it
// refuses, such as a structure or a file, is an Error at its place.
package syntax

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Pos is a place in the text, from 1.
type Pos struct{ Line, Col int }

// Error is a mistake, or something that is not supported, and its place.
type Error struct {
	Pos
	Message string
	Call    string // whose arguments it is among; "" for none
	Beyond  bool   // it is right in the language, and more than is carried out here
	Ended   bool   // the text ends too early: it may go on
}

func (e *Error) Error() string { return e.Message }

// Wrong returns an error about a mistake in the text.
func Wrong(at Pos, format string, args ...any) *Error {
	return &Error{Pos: at, Message: fmt.Sprintf(format, args...)}
}

// Beyond returns an error about something that the language has and that is not supported here.
func Beyond(at Pos, format string, args ...any) *Error {
	return &Error{Pos: at, Message: fmt.Sprintf(format, args...), Beyond: true}
}

// Catch calls read, and returns the error of its panic.
func Catch(read func()) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *Error:
			err = v
		default:
			panic(v)
		}
	}()
	read()
	return nil
}

type kind uint8

const (
	end kind = iota
	name
	number
	text   // in double quotes; in Fortran in any quotes
	char   // in single quotes, in C
	sign   // an operator or bracket
	break_ // the end of a statement's line, in Fortran
)

// token is a word of the text.
type token struct {
	kind kind
	text string
	Pos
	hidden string // for a macro's word: names that are not to be expanded in it again
	spaced bool   // a blank stands before it
}

func (t token) is(text string) bool { return t.kind == sign && t.text == text }

// ends reports whether the word stands behind the last one of a line.
func (t token) ends() bool { return t.kind == break_ || t.kind == end }

// signsOfC and signsOfFortran list the signs of several characters, the longest first.
var (
	signsOfC = []string{"<<=", ">>=", "...", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "->", "++", "--", "+=", "-=", "*=", "/=",
		"%=", "&=", "|=", "^=", "##"}
	signsOfFortran = []string{"(/", "/)", "::", "=>", "==", "/=", "<=", ">=", "**", "//"}
	words          = []string{".and.", ".or.", ".not.", ".true.", ".false.", ".eqv.", ".neqv.", ".eq.", ".ne.", ".lt.", ".le.", ".gt.", ".ge."}
)

// scanner cuts a text into words.
type scanner struct {
	src     string
	at      int
	line    int
	begin   int // where the line begins
	fortran bool
}

func (s *scanner) pos() Pos { return Pos{s.line, s.at - s.begin + 1} }

func (s *scanner) newline() { s.at++; s.line++; s.begin = s.at }

// next returns the next word. The end of a line is a word in Fortran, and in the preprocessor's lines of C.
func (s *scanner) next(lines bool) (token, error) {
	before := s.at
	for s.at < len(s.src) {
		rest := s.src[s.at:]
		switch {
		case rest[0] == '\n' && lines:
			t := token{kind: break_, Pos: s.pos()}
			s.newline()
			return t, nil
		case rest[0] == '\n':
			s.newline()
		case unicode.IsSpace(rune(rest[0])):
			s.at++
		case !s.fortran && (strings.HasPrefix(rest, "\\\n") || strings.HasPrefix(rest, "\\\r\n")):
			s.at += strings.IndexByte(rest, '\n')
			s.newline()
		case !s.fortran && strings.HasPrefix(rest, "//"), s.fortran && rest[0] == '!':
			for s.at < len(s.src) && s.src[s.at] != '\n' {
				s.at++
			}
		case !s.fortran && strings.HasPrefix(rest, "/*"):
			from := s.pos()
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return token{}, Wrong(from, "the comment is not closed")
			}
			for stop := s.at + n + 4; s.at < stop; {
				if s.src[s.at] == '\n' {
					s.newline()
				} else {
					s.at++
				}
			}
		default:
			t, err := s.word()
			t.spaced = s.at-len(t.text) > before && before > 0 && t.Pos.Col > 1
			return t, err
		}
	}
	return token{kind: end, Pos: s.pos()}, nil
}

func isName(b byte) bool {
	return b == '_' || b < 0x80 && (unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b)))
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// word reads the word that begins here.
func (s *scanner) word() (token, error) {
	t := token{Pos: s.pos()}
	rest := s.src[s.at:]
	n := 1
	switch c := rest[0]; {
	case c == '"' || c == '\'':
		t.kind = text
		if c == '\'' && !s.fortran {
			t.kind = char
		}
		value, used, ok := s.quoted(rest)
		if !ok {
			return t, Wrong(t.Pos, "the text is not closed")
		}
		for at := s.at; at < s.at+used; at++ {
			if s.src[at] == '\n' {
				s.line, s.begin = s.line+1, at+1
			}
		}
		s.at += used
		t.text = value
		return t, nil
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
		t.kind, n = number, s.numberEnd(rest)
	case isName(c):
		t.kind = name
		for n < len(rest) && isName(rest[n]) {
			n++
		}
	default:
		t.kind = sign
		n = s.signEnd(rest)
	}
	t.text = rest[:n]
	if t.kind == sign && s.fortran {
		t.text = strings.ToLower(t.text)
	}
	s.at += n
	return t, nil
}

// signEnd returns the length of the sign at the beginning of a text.
func (s *scanner) signEnd(rest string) int {
	list := signsOfC
	if s.fortran {
		list = signsOfFortran
		for _, w := range words {
			if len(rest) >= len(w) && strings.EqualFold(rest[:len(w)], w) {
				return len(w)
			}
		}
	}
	for _, w := range list {
		if strings.HasPrefix(rest, w) && !(w == "(/" && strings.HasPrefix(rest, "(/=")) {
			return len(w)
		}
	}
	return 1
}

var (
	numberOfC       = regexp.MustCompile(`^(0[xX]\w*|([0-9.uUlLfF]|[eE][-+]?[0-9])+)`)
	numberOfFortran = regexp.MustCompile(`^([0-9.]|[eEdD][-+]?[0-9])+(_\w*)?`) // 1.0_real64
)

// numberEnd returns the length of the number at the beginning of a text.
func (s *scanner) numberEnd(rest string) int {
	if !s.fortran {
		return len(numberOfC.FindString(rest))
	}
	found := numberOfFortran.FindString(rest)
	for n := range found {
		if found[n] == '.' && s.signEnd(rest[n:]) > 1 { // 1.eq.2
			return n
		}
	}
	return len(found)
}

// quoted returns the value of the text in quotes, and how many bytes it takes.
func (s *scanner) quoted(rest string) (value string, used int, ok bool) {
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == rest[0] && s.fortran && i+1 < len(rest) && rest[i+1] == c:
			b.WriteByte(c)
			i++
		case c == rest[0]:
			return b.String(), i + 1, true
		case c == '&' && s.fortran && strings.HasPrefix(strings.TrimLeft(rest[i+1:], " \t\r"), "\n"):
			i += 1 + strings.IndexByte(rest[i+1:], '\n')
			if n := len(rest) - len(strings.TrimLeft(rest[i+1:], " \t")); n < len(rest) && rest[n] == '&' {
				i = n // what is left of & does not count
			}
		case c == '\n':
			return "", 0, false
		case c == '\\' && !s.fortran && i+1 < len(rest):
			r, n := escape(rest[i+1:])
			b.WriteString(r)
			i += n
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, false
}

// escape returns what the text behind a backslash of C stands for, and how many bytes that text has.
func escape(rest string) (string, int) {
	const from, to = `ntr0abfv\'"?`, "\n\t\r\x00\a\b\f\v\\'\"?"
	begin, base, digits := 0, 8, "01234567"
	if rest[0] == 'x' {
		begin, base, digits = 1, 16, "0123456789abcdefABCDEF"
	}
	n := begin
	for n < min(len(rest), 3) && strings.IndexByte(digits, rest[n]) >= 0 {
		n++
	}
	if n > 0 {
		v, _ := strconv.ParseUint(rest[begin:n], base, 16) // no digits: 0
		return string([]byte{byte(v)}), n
	}
	if i := strings.IndexByte(from, rest[0]); i >= 0 {
		return to[i : i+1], 1
	}
	return rest[:1], 1
}

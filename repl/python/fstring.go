package python

import (
	"strings"

	"go.starlark.net/syntax"
)

// strings reads strings that stand side by side, and joins them.
func (p *parser) strings() syntax.Expr {
	first := p.now
	var parts []syntax.Expr
	whole, raw := "", ""
	formatted, bytes := false, false
	for p.now.kind == text {
		t := p.next()
		raw += t.raw
		bytes = strings.Contains(t.prefix, "b")
		if !strings.Contains(t.prefix, "f") {
			whole += t.value.(string)
			parts = append(parts, StringAt(t.pos, t.value.(string)))
			continue
		}
		formatted = true
		parts = append(parts, p.fstring(t, t.value.(string), fstringStart(t))...)
	}
	switch {
	case formatted:
		return Call(first.pos, Text, parts...)
	case bytes:
		return &syntax.Literal{Token: syntax.BYTES, TokenPos: first.pos, Raw: raw, Value: whole}
	}
	return &syntax.Literal{Token: syntax.STRING, TokenPos: first.pos, Raw: raw, Value: whole}
}

// fstringStart returns where the text of an f-string begins.
func fstringStart(t token) syntax.Position {
	inner := t.value.(string)
	before := (len(t.raw) - len(inner) - len(t.prefix)) / 2
	at := t.pos
	at.Col += int32(len(t.prefix) + before)
	return at
}

// fstring takes an f-string apart. at is where inner begins.
func (p *parser) fstring(t token, inner string, at syntax.Position) []syntax.Expr {
	s := &scanner{rest: inner, pos: at}
	var parts []syntax.Expr
	literal := ""
	flush := func() {
		if literal != "" {
			parts = append(parts, StringAt(t.pos, unescape(t.pos, literal, t.prefix)))
			literal = ""
		}
	}
	for s.rest != "" {
		switch c := s.rest[0]; {
		case strings.HasPrefix(s.rest, "{{") || strings.HasPrefix(s.rest, "}}"):
			literal += s.skip(2)[:1]
		case c == '}':
			fail(s.pos, "f-string: single '}' is not allowed")
		case c == '{':
			flush()
			s.skip(1)
			parts = append(parts, p.replacement(s, t)...)
		case c == '\\' && len(s.rest) > 1:
			literal += s.skip(2)
		default:
			literal += s.skip(1)
		}
	}
	flush()
	return parts
}

// replacement reads what stands in braces in an f-string: an expression, !r, and :spec.
func (p *parser) replacement(s *scanner, t token) []syntax.Expr {
	pos := s.pos
	body := s.rest[:fieldLength(s.rest, pos)]
	var parts []syntax.Expr
	text, conversion := body, ""
	if trimmed := strings.TrimRight(body, " "); strings.HasSuffix(trimmed, "=") && len(trimmed) > 1 && strings.IndexByte("=<>!", trimmed[len(trimmed)-2]) < 0 {
		parts = append(parts, StringAt(pos, body))
		text, conversion = trimmed[:len(trimmed)-1], "r"
	}
	if strings.TrimSpace(text) == "" {
		fail(pos, "f-string: an expression is expected in the braces")
	}
	inner := (&scanner{rest: text, pos: s.pos, depth: 1}).scan()
	inner.globals = p.globals
	x := inner.tuple(inner.test)
	if inner.now.kind != end {
		inner.unexpected("}")
	}
	s.skip(len(body))
	if s.rest[0] == '!' {
		if len(s.rest) < 2 || strings.IndexByte("rsa", s.rest[1]) < 0 {
			fail(s.pos, "f-string: a conversion is !r, !s or !a")
		}
		conversion = s.skip(2)[1:]
	}
	var spec syntax.Expr = StringAt(pos, "")
	if strings.HasPrefix(s.rest, ":") {
		s.skip(1)
		spec = p.specification(s, t)
	}
	if !strings.HasPrefix(s.rest, "}") {
		fail(s.pos, "f-string: expecting '}'")
	}
	s.skip(1)
	return append(parts, Call(pos, Format, x, StringAt(pos, conversion), spec))
}

// fieldLength returns the length of the expression in a field of an f-string, which ends before a brace, a colon or an
// exclamation mark.
func fieldLength(text string, pos syntax.Position) int {
	depth, quote := 0, byte(0)
	for n := range len(text) {
		switch c := text[n]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case depth > 0 && strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && (c == '}' || c == ':' || c == '!' && !strings.HasPrefix(text[n:], "!=")):
			return n
		}
	}
	fail(pos, "f-string: expecting '}'")
	return 0
}

// specification reads the format of a field, in which fields may stand, too.
func (p *parser) specification(s *scanner, t token) syntax.Expr {
	n, depth := 0, 0
	for n < len(s.rest) && (depth > 0 || s.rest[n] != '}') {
		switch s.rest[n] {
		case '{':
			depth++
		case '}':
			depth--
		}
		n++
	}
	at := s.pos
	text := s.skip(n)
	if strings.Contains(text, "{") {
		return Call(at, Text, p.fstring(t, text, at)...)
	}
	return StringAt(at, text)
}

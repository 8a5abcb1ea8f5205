package syntax

import (
	"slices"
	"strings"
)

// macro is what #define gives a name.
type macro struct {
	params []string // nil: the name stands alone
	body   []token
}

// preprocessor reads the words of a C file: it carries out #define, #if and the like, and leaves #include of the
// system's headers out.
type preprocessor struct {
	scanner
	macros map[string]*macro
	out    []token
	depth  []bool
}

// preprocess gives the words of a C file, macros replaced.
func preprocess(src string) ([]token, error) {
	p := &preprocessor{scanner: scanner{src: src, line: 1}, macros: map[string]*macro{}}
	begins := true
	line := 0
	for {
		t, err := p.next(false)
		if err != nil {
			return nil, err
		}
		begins, line = t.line() != line, t.line()
		switch {
		case t.kind == end:
			if len(p.depth) > 0 {
				return nil, Wrong(t.Pos, "#endif is missing")
			}
			return append(p.out, t), nil
		case begins && t.is("#"):
			if err := p.directive(t); err != nil {
				return nil, err
			}
			line = 0
		case slices.Contains(p.depth, false):
		default:
			p.out = append(p.out, t)
			if err := p.expandLast(); err != nil {
				return nil, err
			}
		}
	}
}

func (t token) line() int { return t.Pos.Line }

// expandLast replaces the word that came last where it is a macro. The arguments of a macro come from the text.
func (p *preprocessor) expandLast() error {
	t := p.out[len(p.out)-1]
	m := p.macros[t.text]
	if t.kind != name || m == nil {
		return nil
	}
	p.out = p.out[:len(p.out)-1]
	if m.params == nil {
		return p.append(p.replace(t, m, nil))
	}
	back := p.scanner
	open, err := p.next(false)
	if err != nil || !open.is("(") {
		p.scanner = back
		p.out = append(p.out, t)
		return err
	}
	args, err := collect(func() (token, error) { return p.next(false) })
	if err != nil {
		return err
	}
	if len(args) != len(m.params) && !(len(m.params) == 0 && len(args) == 1 && len(args[0]) == 0) {
		return Wrong(t.Pos, "%s takes %d arguments, not %d", t.text, len(m.params), len(args))
	}
	return p.append(p.replace(t, m, args))
}

// collect reads the arguments of a macro up to its closing bracket.
func collect(next func() (token, error)) ([][]token, error) {
	args, depth := [][]token{nil}, 0
	for {
		t, err := next()
		switch {
		case err != nil:
			return nil, err
		case t.kind == end:
			return nil, Wrong(t.Pos, ") is missing")
		case t.is(")") && depth == 0:
			return args, nil
		case t.is("(") || t.is("["):
			depth++
		case t.is(")") || t.is("]"):
			depth--
		}
		if t.is(",") && depth == 0 {
			args = append(args, nil)
			continue
		}
		args[len(args)-1] = append(args[len(args)-1], t)
	}
}

// replace gives the words of a macro, at the place of its name.
func (p *preprocessor) replace(at token, m *macro, args [][]token) []token {
	var list []token
	for i, t := range m.body {
		k := slices.Index(m.params, t.text)
		switch {
		case t.kind == name && k >= 0:
			for _, a := range args[k] {
				a.Pos = at.Pos
				list = append(list, a)
			}
		case t.is("#") && i+1 < len(m.body) && slices.Contains(m.params, m.body[i+1].text):
			var words []string
			for _, a := range args[slices.Index(m.params, m.body[i+1].text)] {
				words = append(words, a.text)
			}
			list = append(list, token{kind: text, text: strings.Join(words, " "), Pos: at.Pos})
		case i > 0 && m.body[i-1].is("#") && k >= 0:
		default:
			t.Pos = at.Pos
			list = append(list, t)
		}
	}
	for i := range list {
		list[i].hidden += " " + at.text + " "
	}
	return list
}

// append adds words that a macro gave, whose macros are replaced, too.
func (p *preprocessor) append(list []token) error {
	for i := 0; i < len(list); i++ {
		t := list[i]
		m := p.macros[t.text]
		if t.kind != name || m == nil || strings.Contains(t.hidden, " "+t.text+" ") {
			p.out = append(p.out, t)
			continue
		}
		var args [][]token
		if m.params != nil {
			if i+1 >= len(list) || !list[i+1].is("(") {
				p.out = append(p.out, t)
				continue
			}
			k := i + 2
			var err error
			args, err = collect(func() (token, error) {
				if k >= len(list) {
					return token{kind: end, Pos: t.Pos}, nil
				}
				k++
				return list[k-1], nil
			})
			if err != nil {
				return err
			}
			i = k - 1
		}
		if err := p.append(p.replace(t, m, args)); err != nil {
			return err
		}
	}
	return nil
}

// rest reads the words up to the end of the line.
func (p *preprocessor) rest() ([]token, error) {
	var list []token
	for {
		t, err := p.next(true)
		if err != nil || t.kind == end || t.kind == break_ {
			return list, err
		}
		list = append(list, t)
	}
}

// directive carries out a line that begins with #.
func (p *preprocessor) directive(at token) error {
	from := p.at
	words, err := p.rest()
	if err != nil || len(words) == 0 {
		return err
	}
	holds := !slices.Contains(p.depth, false)
	what, words := words[0].text, words[1:]
	switch what {
	case "ifdef", "ifndef":
		if len(words) == 0 {
			return Wrong(at.Pos, "#%s wants a name", what)
		}
		p.depth = append(p.depth, (p.macros[words[0].text] != nil) == (what == "ifdef"))
	case "if":
		if len(words) != 1 || words[0].kind != number {
			return Beyond(at.Pos, "#if is read with 0, 1 and as #ifdef")
		}
		p.depth = append(p.depth, words[0].text != "0")
	case "else", "endif":
		n := len(p.depth) - 1
		if n < 0 {
			return Wrong(at.Pos, "#%s stands behind no #if", what)
		}
		p.depth[n] = !p.depth[n]
		if what == "endif" {
			p.depth = p.depth[:n]
		}
	default:
		if holds {
			return p.command(at, what, words, p.src[from:p.at])
		}
	}
	return nil
}

// command carries out #define, #undef and #include.
func (p *preprocessor) command(at token, what string, words []token, line string) error {
	switch what {
	case "include":
		if i := strings.IndexByte(line, '"'); i >= 0 {
			if file := strings.Trim(strings.TrimSpace(line[i:]), `"`); file != "mpi.h" {
				return Beyond(at.Pos, "%s is a file of one's own: one file is read", file)
			}
		}
	case "undef":
		if len(words) > 0 {
			delete(p.macros, words[0].text)
		}
	case "define":
		if len(words) == 0 || words[0].kind != name {
			return Wrong(at.Pos, "#define wants a name")
		}
		m := &macro{body: words[1:]}
		if len(words) > 1 && words[1].is("(") && !words[1].spaced {
			m.params = []string{}
			k := 2
			for ; k < len(words) && !words[k].is(")"); k++ {
				if words[k].kind == name {
					m.params = append(m.params, words[k].text)
				}
			}
			m.body = words[min(k+1, len(words)):]
		}
		p.macros[words[0].text] = m
	case "error":
		return Wrong(at.Pos, "#error")
	}
	return nil
}

package syntax

import (
	"slices"
	"strings"
)

// What Fortran 77 has and Fortran 90 keeps: fixed form, types by first letters, parameter and data statements, and loops
// that end at a label.

// Free returns a text of Fortran in fixed form as one in free form, with the same lines.
func Free(src string) string {
	lines := strings.Split(src, "\n")
	last := -1 // the line that may go on
	for i, l := range lines {
		l = strings.TrimRight(l, "\r")
		if !strings.Contains(l, "\t") {
			l = l[:min(len(l), 72)]
		}
		switch {
		case strings.TrimSpace(l) == "" || l[0] == '#' || strings.TrimSpace(l)[0] == '!':
		case strings.IndexByte("cC*dD", l[0]) >= 0:
			l = "!" + l[1:]
		case last >= 0 && len(l) > 5 && strings.TrimSpace(l[:5]) == "" && strings.IndexByte(" 0\t", l[5]) < 0 && l[0] != '\t':
			lines[last] = uncommented(lines[last]) + " &"
			l, last = "      "+l[6:], i
		default:
			last = i
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}

// uncommented returns a line without a comment at its end.
func uncommented(line string) string {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote == 0 && c == '!':
			return line[:i]
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return line
}

// implicitly reads implicit none, or types of names by their first letters.
func (p *fortran) implicitly() {
	p.next()
	p.letters = map[byte]*Type{}
	if p.word("none") {
		return
	}
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyz") {
		p.letters[c] = byLetter(c)
	}
	for {
		t := p.typeOfLetters()
		p.want("(")
		for !p.accept(")") {
			from := p.name().text
			to := from
			if p.accept("-") {
				to = p.name().text
			}
			for c := from[0]; c <= to[0]; c++ {
				p.letters[c] = t
			}
			p.accept(",")
		}
		if !p.accept(",") {
			return
		}
	}
}

// typeOfLetters reads a type, behind which stand letters in brackets.
func (p *fortran) typeOfLetters() *Type {
	if n := p.ahead(1); n.is("(") && p.ahead(2).kind == name && len(p.ahead(2).text) == 1 { // integer (i-n)
		t := p.next()
		switch t.text {
		case "integer":
			return &Type{Kind: Int}
		case "real":
			return &Type{Kind: Float}
		case "logical":
			return &Type{Kind: Logical}
		}
		panic(Beyond(t.Pos, "implicit %s is not supported here", t.text))
	}
	return p.typeOf()
}

// byLetter returns the type of a name that nothing declares.
func byLetter(c byte) *Type {
	if 'i' <= c && c <= 'n' {
		return &Type{Kind: Int}
	}
	return &Type{Kind: Float}
}

// undeclared declares a variable by the first letter of its name; nil: the unit or its host has implicit none, or MPI
// has the name.
func (p *fortran) undeclared(t token) *entity {
	of := byLetter(t.text[0])
	for s := p.scope; s != nil; s = s.host {
		if s.letters != nil {
			if of = s.letters[t.text[0]]; of == nil {
				return nil
			}
			break
		}
	}
	if p.lines || strings.HasPrefix(t.text, "mpi_") || p.dummys[t.text] != nil {
		return nil
	}
	e := &entity{name: t.text, t: of}
	p.vars[t.text] = e
	if !slices.Contains(p.params, t.text) {
		p.decls = append(p.decls, &Var{Pos: t.Pos, Name: t.text, Type: of})
	} else {
		e.dummy = true
	}
	return e
}

// given returns the declaration of a variable, which a statement behind it goes on with.
func (p *fortran) given(n token) (*entity, *Var) {
	e := p.vars[n.text]
	if e == nil {
		e = p.undeclared(n)
	}
	for _, v := range p.decls {
		if e != nil && v.Name == n.text {
			return e, v
		}
	}
	panic(Wrong(n.Pos, "%s is not declared", n.text))
}

// constants reads parameter (a = 1, b = 2).
func (p *fortran) constants() {
	p.next()
	p.want("(")
	for {
		e, v := p.given(p.name())
		e.constant, v.Constant = true, true
		p.want("=")
		p.initialize(e, v)
		if !p.accept(",") {
			p.want(")")
			return
		}
	}
}

// data reads data a /1, 2/, b /3*0/.
func (p *fortran) data() {
	p.next()
	for {
		n := p.name()
		e, v := p.given(n)
		p.want("/")
		l := &List{Pos: n.Pos}
		for !p.accept("/") {
			x, times := p.constantOf(), int64(1)
			if c, ok := x.(*Number); ok && p.accept("*") {
				times, x = c.Int, p.constantOf()
			}
			for range times {
				l.Items = append(l.Items, x)
			}
			p.accept(",")
		}
		switch {
		case e.dims == nil && len(l.Items) == 1 && e.t.Kind != Text:
			v.Init = l.Items[0]
		case e.dims != nil && e.t.Kind != Text:
			v.Init = l
		default:
			panic(Beyond(n.Pos, "data of a character variable is not supported here"))
		}
		v.Static = p.unit.Name != "main"
		if p.accept(","); p.peek().kind != name {
			return
		}
	}
}

func (p *fortran) constantOf() Expr {
	if t := p.peek(); p.accept("-") {
		return &Unary{t.Pos, "-", p.primary()}
	}
	return p.primary()
}

// labelled reads the statement behind a label. The loops that end there are then closed.
func (p *fortran) labelled() (s Stmt) {
	t := p.next()
	if n := p.peek(); n.text == "format" {
		for p.peek().kind != break_ && p.peek().kind != end {
			p.i++
		}
		return nil
	}
	s = p.statement()
	if slices.Contains(p.open, t.text) {
		p.closed = t.text
	}
	return s
}

// upTo reads the statements of a loop that ends at a label. Several loops may end at the same label.
func (p *fortran) upTo(label token) Stmt {
	p.open = append(p.open, label.text)
	p.ends()
	b := p.body()
	if p.closed != label.text {
		panic(Wrong(label.Pos, "no statement behind the loop has the label %s", label.text))
	}
	if p.open = p.open[:len(p.open)-1]; !slices.Contains(p.open, label.text) {
		p.closed = ""
	}
	return b
}

// format returns the text of the format with a label.
func (p *fortran) format(label token) Expr {
	for i, t := range p.list {
		if t.kind == number && t.text == label.text && (i == 0 || p.list[i-1].kind == break_) && p.ahead(i+1-p.i).text == "format" {
			lines := strings.Split(p.src, "\n")
			from, to := p.list[i+2].Pos, p.list[i+2].Pos
			for _, w := range p.list[i+2:] {
				if w.kind == break_ || w.kind == end {
					break
				}
				to = w.Pos
			}
			var b strings.Builder
			for k := from.Line; k <= to.Line; k++ {
				l := uncommented(lines[k-1])
				if k == from.Line {
					l = l[from.Col-1:]
				}
				b.WriteString(strings.Trim(strings.TrimSpace(l), "&"))
			}
			return &String{from, b.String()}
		}
	}
	panic(Wrong(label.Pos, "no format has the label %s", label.text))
}

package syntax

import (
	"fmt"
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
			before, open := uncommented(lines[last])
			if open { // a text goes on
				lines[last], l = before+strings.Repeat(" ", max(72-len(before), 0))+l[6:], ""
				break
			}
			lines[last] = before + " &"
			l, last = "      "+l[6:], i
		default:
			last = i
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}

// uncommented returns a line without a comment at its end, and whether a text is open there.
func uncommented(line string) (before string, open bool) {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote == 0 && c == '!':
			return line[:i], false
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return line, quote != 0
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
		t := p.typeOf()
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
	if p.lines || p.external[t.text] || strings.HasPrefix(t.text, "mpi_") || p.dummys[t.text] != nil {
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

// inCommon is a variable that a statement common names: the k-th one of a block.
type inCommon struct {
	token
	block string
	k     int
}

// inCommons reads common /block/ a, b(10).
func (p *fortran) inCommons() {
	p.next()
	c := inCommon{}
	for {
		if p.accept("//") {
			c.block = ""
		} else if p.accept("/") {
			c.block = p.name().text
			p.want("/")
		}
		for _, before := range p.commons { // the block goes on
			if before.block == c.block {
				c.k = before.k + 1
			}
		}
		c.token = p.name()
		p.commons = append(p.commons, c)
		if p.peek().is("(") {
			dims := p.extents()
			e, v := p.given(c.token)
			if e.dims = dims; slices.ContainsFunc(dims, func(d extent) bool { return d.n == nil }) {
				panic(Wrong(c.Pos, "how many entries %s has is missing", c.text))
			}
			v.Type = &Type{Kind: Array, Elem: e.t, Len: e.length(p)}
		}
		if p.accept(","); p.peek().kind != name && !p.peek().is("/") && !p.peek().is("//") {
			return
		}
	}
}

// share makes the variables in common global ones, which all units with the same block have. The k-th variable of a block must
// have one type in all units.
func (p *fortran) share() {
	for _, c := range p.commons {
		e, v := p.given(c.token)
		p.decls = slices.DeleteFunc(p.decls, func(d *Var) bool { return d == v })
		at := fmt.Sprintf("/%s/ %d", c.block, c.k)
		old := p.shared[at]
		if old == nil {
			v.Name += " in common /" + c.block + "/"
			p.shared[at] = v
			p.common = append(p.common, v)
			old = v
		}
		if old.Type.Kind != v.Type.Kind || v.Type.Kind == Array && old.Type.Elem.Kind != v.Type.Elem.Kind || v.Init != nil && old != v {
			panic(Beyond(c.Pos, "common with other types or values in another procedure is not supported here"))
		}
		e.name = old.Name
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
				if times > 1<<20 {
					panic(Wrong(n.Pos, "data gives %s too many values: %d", n.text, times))
				}
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

// defines reads the definition of a function that is one expression; false: there is none. The function is a macro, as in C,
// whose arguments and whole have brackets.
func (p *fortran) defines() bool {
	e := p.find(p.peek().text)
	if p.lines || e != nil && (e.dims != nil || e.t.Kind == Text) || !p.ahead(1).is("(") {
		return false
	}
	m, k := &macro{params: []string{}}, 2
	for ; p.ahead(k).kind == name; k += 2 {
		if m.params = append(m.params, p.ahead(k).text); !p.ahead(k + 1).is(",") {
			k++
			break
		}
	}
	if !p.ahead(k).is(")") || !p.ahead(k+1).is("=") {
		return false
	}
	f := p.name()
	p.i += k + 1
	open, closing := token{kind: sign, text: "("}, token{kind: sign, text: ")"}
	m.body = append(m.body, open)
	for t := p.peek(); !t.ends(); t = p.peek() {
		if p.next(); t.kind == name && slices.Contains(m.params, t.text) {
			m.body = append(m.body, open, t, closing)
		} else {
			m.body = append(m.body, t)
		}
	}
	m.body = append(m.body, closing)
	if p.inline == nil {
		p.inline = map[string]*macro{}
	}
	p.inline[f.text] = m
	return true
}

// inlined replaces the call of a function that is one expression, whose name has been read, by that expression; false: the
// name has another meaning.
func (p *fortran) inlined(t token) bool {
	words := preprocessor{macros: p.inline, given: p.list[p.i:], made: &p.inlinedWords}
	is, err := words.expand(t)
	if err != nil {
		panic(err)
	}
	if !is {
		return false
	}
	p.i--
	p.list = append(p.list[:p.i], words.given...)
	return true
}

// labelled reads the statement behind a label. The loops that end there are then closed.
func (p *fortran) labelled() (s Stmt) {
	t := p.next()
	if n := p.peek(); n.text == "format" {
		p.skip()
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
				if w.ends() {
					break
				}
				to = w.Pos
			}
			var b strings.Builder
			for k := from.Line; k <= to.Line; k++ {
				l, _ := uncommented(lines[k-1])
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

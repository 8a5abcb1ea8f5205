package syntax

import "strings"

// Lines reads statements of a session, which stand in no function and whose names other lines may declare. The last
// statement of C needs no semicolon. Trees of Fortran stay as the text has them: no argument becomes an address, and
// a(2) is a Call even where it is an entry of an array.
func Lines(src string, ofFortran bool) (list []Stmt, err error) {
	if ofFortran {
		words, err := wordsOfFortran(src)
		if err != nil {
			return nil, err
		}
		p := newFortran(src, words)
		p.lines, p.scope = true, &scope{vars: map[string]*entity{}, unit: &Func{}}
		err = Catch(func() { list = p.session() })
		return list, err
	}
	words, err := preprocess(src)
	if err != nil {
		return nil, err
	}
	p := &parser{list: words, types: typesOfC(), program: &Program{}, lines: true}
	err = Catch(func() {
		for p.peek().kind != end {
			list = append(list, p.statement())
		}
	})
	return list, err
}

// session reads the statements and declarations of lines.
func (p *fortran) session() (list []Stmt) {
	for p.blank(); p.peek().kind != end; p.blank() {
		at := p.peek().Pos
		if p.declaration() {
			list = append(list, &Declare{at, p.decls})
			p.decls = nil
			continue
		}
		if s := p.statement(); s != nil {
			list = append(list, s)
		}
		p.ends()
	}
	return list
}

// Typing finds the last call in a text that may be unfinished, among the procedures that known accepts, and the
// argument in which the text ends: -1 where it ends behind the call. The name is "" where there is no call.
func Typing(src string, ofFortran bool, known func(string) bool) (call string, argument int) {
	s := &scanner{src: src, line: 1, fortran: ofFortran}
	depth, inside := 0, 0
	argument = -1
	for before, t := (token{}), (token{}); ; before = t {
		var err error
		switch t, err = s.next(false); {
		case err != nil, t.kind == end: // in a text that is not closed yet, too
			return call, argument
		case t.is("(") && before.kind == name && known(before.text):
			depth++
			call, argument, inside = before.text, 0, depth
		case t.is("(") || t.is("[") || t.is("{") || t.is("(/"):
			depth++
		case t.kind == sign && strings.ContainsAny(t.text, ")]}"):
			if depth--; depth < inside {
				argument = -1
			}
		case t.is(",") && depth == inside && argument >= 0:
			argument++
		}
	}
}

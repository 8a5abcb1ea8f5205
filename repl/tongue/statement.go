package tongue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// reader translates statements of C or Fortran to a program.
type reader struct {
	source  string
	fortran bool
	known   Scope // of the lines before
	sets    Scope // of this line so far
	out     []string
	lines   []int // of the text, for each line of out
	now     int   // the line of the statement that is translated
	indent  int
	next    []func() // what comes before the next turn of each loop around the statement
	inner   []string // variables that the block declares; nil outside of blocks
	command *Command // what the last call means
}

// wrong refuses the text at a place.
func wrong(at syntax.Pos, format string, args ...any) { panic(syntax.Wrong(at, format, args...)) }

// beyond refuses what only whole programs may have.
func (r *reader) beyond(at syntax.Pos, what string) {
	wrong(at, "%s is not allowed here: %s", what, r.understood())
}

func (r *reader) understood() string {
	if r.fortran {
		return understoodFortran
	}
	return understoodC
}

// word returns the word at a place, as it is written.
func (r *reader) word(at syntax.Pos) string {
	lines := strings.Split(r.source, "\n")
	rest := lines[at.Line-1][at.Col-1:]
	if w := leading(rest, func(b byte) bool { return b == '.' || isNameByte(b) }); w != "" {
		return w
	}
	n := 1
	if len(rest) > 1 && slices.Contains([]string{"++", "--", "->", "+=", "-=", "*=", "/=", "%="}, rest[:2]) {
		n = 2
	}
	return rest[:min(n, len(rest))]
}

// leading returns the beginning of a text, as far as of accepts its bytes.
func leading(text string, of func(byte) bool) string {
	n := 0
	for n < len(text) && of(text[n]) {
		n++
	}
	return text[:n]
}

func isNameByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// line translates the statements of a line. One call alone may be a command.
func (r *reader) line(list []syntax.Stmt) {
	list = slices.DeleteFunc(list, func(s syntax.Stmt) bool {
		b, ok := s.(*syntax.Block)
		return ok && len(b.List) == 0
	})
	for _, s := range list {
		r.statement(s)
	}
	if len(list) != 1 {
		r.command = nil // several statements are a program
	}
	if len(r.out) == 0 {
		r.write("pass")
	}
}

// write writes a line of the program.
func (r *reader) write(format string, args ...any) {
	r.out = append(r.out, strings.Repeat("    ", r.indent)+fmt.Sprintf(format, args...))
	r.lines = append(r.lines, r.now)
}

func (r *reader) statement(s syntax.Stmt) {
	r.now = s.At().Line - 1
	switch s := s.(type) {
	case *syntax.Block:
		r.scoped(func() {
			for _, inner := range s.List {
				r.statement(inner)
			}
		})
	case *syntax.Declare:
		for _, v := range s.Vars {
			r.declare(v)
		}
	case *syntax.Do:
		r.do(s.X)
	case *syntax.If:
		r.write("if %s:", r.expression(s.Cond).conditional())
		r.block(s.Then, func() {})
		if s.Else != nil {
			r.write("else:")
			r.block(s.Else, func() {})
		}
	case *syntax.Loop:
		r.loop(s)
	case *syntax.Count:
		r.count(s)
	case *syntax.Jump:
		r.jump(s)
	default:
		r.beyond(s.At(), r.word(s.At()))
	}
}

// block translates a statement inside another one. Variables that it sets may be negative behind it, as it may not be
// carried out. behind writes what follows the statement inside the block.
func (r *reader) block(s syntax.Stmt, behind func()) {
	r.indent++
	n := len(r.out)
	r.scoped(func() { r.statement(s) })
	if behind(); len(r.out) == n {
		r.write("pass")
	}
	r.indent--
	r.mayBeNegative(s)
}

// scoped calls f for a part with its own variables; behind it, they are forgotten.
func (r *reader) scoped(f func()) {
	outside := r.inner
	r.inner = []string{}
	f()
	for _, name := range r.inner {
		delete(r.sets, name)
	}
	r.inner, r.command = outside, nil
}

// loop translates while, for and do-while of C, and do while of Fortran.
func (r *reader) loop(s *syntax.Loop) {
	if s.Init != nil {
		r.statement(s.Init)
	}
	r.mayBeNegative(s)
	holds, post := "True", func() {}
	switch {
	case s.After:
		post = func() {
			r.write("if not (%s):", r.expression(s.Cond).text)
			r.write("    break")
		}
	case s.Cond != nil:
		holds = r.expression(s.Cond).conditional()
	}
	if s.Post != nil {
		post = func() { r.do(s.Post) }
	}
	r.write("while %s:", holds)
	r.turns(s.Body, post)
}

// turns translates the body of a loop. post comes behind each turn.
func (r *reader) turns(body syntax.Stmt, post func()) {
	r.next = append(r.next, post)
	r.block(body, post)
	r.next = r.next[:len(r.next)-1]
}

// count translates do of Fortran. The body must not set the loop's limits and variable.
func (r *reader) count(s *syntax.Count) {
	r.do(&syntax.Assign{Pos: s.Pos, X: s.Var, Y: s.Low})
	for _, e := range []syntax.Expr{s.Var, s.High, s.Step} {
		syntax.Walk(e, func(x syntax.Expr) bool {
			if id, ok := x.(*syntax.Ident); ok && slices.Contains(assignedIn(s.Body), id.Name) {
				wrong(s.Pos, "the loop sets its own variable %s", id.Name)
			}
			return true
		})
	}
	until := "<="
	step := r.expression(s.Step)
	switch {
	case step.text[0] == '-':
		until = ">="
	case !step.whole:
		wrong(s.Step.At(), "the step of a loop is a number here")
	}
	r.mayBeNegative(s)
	name := r.expression(s.Var).text
	r.write("while %s %s %s:", name, until, r.expression(s.High).in(bitOr))
	r.turns(s.Body, func() { r.write("%s = %s + %s", name, name, step.text) })
}

// jump translates break, continue, exit and cycle.
func (r *reader) jump(s *syntax.Jump) {
	if len(r.next) == 0 || s.Label != "" {
		r.beyond(s.Pos, r.word(s.Pos))
	}
	if !s.Next {
		r.write("break")
		return
	}
	r.next[len(r.next)-1]()
	r.write("continue")
}

// mayBeNegative notes that the variables which a statement sets may be negative.
func (r *reader) mayBeNegative(s syntax.Stmt) {
	for _, name := range assignedIn(s) {
		name = mangled(name)
		v := r.variable(name)
		v.whole = false
		r.sets[name] = v
	}
}

// assignedIn lists the variables that a statement may set, without those that it only counts up.
func assignedIn(s syntax.Stmt) (names []string) {
	add := func(e syntax.Expr) {
		if id := syntax.Root(e); id != nil {
			names = append(names, id.Name)
		}
	}
	syntax.Walk(&syntax.Block{List: []syntax.Stmt{s}}, func(e syntax.Expr) bool {
		switch e := e.(type) {
		case *syntax.Assign:
			add(e.X)
		case *syntax.Step:
			if e.By < 0 {
				add(e.X)
			}
		case *syntax.Call:
			for _, i := range setBy(e) {
				if i < len(e.Args) {
					add(e.Args[i])
				}
			}
		}
		return true
	})
	return names
}

// setBy lists the arguments that a call sets, by index.
func setBy(x *syntax.Call) []int {
	if id, ok := x.Fn.(*syntax.Ident); ok {
		if c := Find(id.Name, true); c != nil {
			return results(c)
		}
	}
	return nil
}

// do translates an expression that is a statement.
func (r *reader) do(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Assign:
		y := e.Y
		if e.Op != "" {
			y = &syntax.Binary{Pos: e.Pos, Op: e.Op, X: e.X, Y: e.Y}
		}
		r.assign(e.X, y)
	case *syntax.Step:
		op := map[bool]string{true: "+", false: "-"}[e.By > 0]
		r.assign(e.X, &syntax.Binary{Pos: e.Pos, Op: op, X: e.X, Y: &syntax.Number{Pos: e.Pos, Type: &syntax.Type{Kind: syntax.Int}, Int: 1}})
	case *syntax.Binary:
		if e.Op != "," {
			r.beyond(e.Pos, e.Op)
		}
		r.do(e.X)
		r.do(e.Y)
	case *syntax.Call:
		if id, ok := e.Fn.(*syntax.Ident); ok && id.Name == "printf" && !r.fortran {
			r.printf(e)
			return
		}
		r.call(e, "")
	default:
		r.beyond(e.At(), r.word(e.At()))
	}
}

// printf translates printf. print has the same conversions.
func (r *reader) printf(c *syntax.Call) {
	var format *syntax.String
	if len(c.Args) > 0 {
		format, _ = c.Args[0].(*syntax.String)
	}
	if format == nil {
		wrong(c.Pos, "the format of printf is a text in quotes here")
	}
	text, whole := strings.CutSuffix(format.Value, "\n")
	shown := strconv.Quote(text)
	var args []string
	for _, a := range c.Args[1:] {
		args = append(args, r.expression(a).number().text)
	}
	if list := strings.Join(args, ", "); len(args) > 0 || strings.Contains(text, "%") {
		shown += " % (" + list + map[bool]string{true: ",)", false: ")"}[len(args) == 1]
	}
	if !whole {
		shown += `, end=""`
	}
	r.write("print(%s)", shown)
}

package program

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/repl/python"
)

// Uses returns those of the names that a program uses; all of them if the program cannot be parsed.
func Uses(text string, names []string) []string {
	f, err := resolved(text)
	if err != nil {
		return names
	}
	used := map[string]bool{}
	for id := range freeIdents(f) {
		used[id.Name] = true
	}
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !used[n] })
}

// UsedAt returns where a program first uses a predeclared name: line and column, from 1; 0 if it does not use the name.
func UsedAt(text, name string) (line, col int) {
	f, err := resolved(text)
	if err != nil {
		return 0, 0
	}
	for id := range freeIdents(f) {
		if id.Name == name {
			return int(id.NamePos.Line), int(id.NamePos.Col)
		}
	}
	return 0, 0
}

// parsed returns the syntax tree of a program.
func parsed(text string) (*syntax.File, error) { return python.Parse("", text, 1, 1) }

// resolved parses a program and resolves its names.
func resolved(text string) (*syntax.File, error) {
	f, err := parsed(text)
	if err == nil {
		err = resolve.File(f, func(string) bool { return true }, starlark.Universe.Has)
	}
	return f, err
}

// Span is a piece of a text: bytes From up to but not including To.
type Span struct{ From, To int }

// Literals finds the calls of a function on a line (from 1) of a program, and returns the span of the argument that
// each call passes for a parameter, by name or at an index. An argument that is not a literal, because the program
// computes it, has a span of length 0. The text must compile.
func Literals(text string, line int, function, param string, index int) []Span {
	f, err := parsed(text)
	if err != nil {
		return nil
	}
	var list []Span
	syntax.Walk(f, func(n syntax.Node) bool {
		c, ok := n.(*syntax.CallExpr)
		if !ok || int(c.Lparen.Line) != line {
			return true
		}
		if id, ok := c.Fn.(*syntax.Ident); !ok || id.Name != function {
			return true
		}
		span := Span{}
		if e := argument(c, param, index); e != nil && isLiteral(e) {
			from, to := e.Span()
			span = Span{offset(text, from), offset(text, to)}
		}
		list = append(list, span)
		return true
	})
	return list
}

// argument returns the argument that a call passes for a parameter; nil for none.
func argument(c *syntax.CallExpr, param string, index int) syntax.Expr {
	for i, a := range c.Args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			if id, ok := b.X.(*syntax.Ident); ok && id.Name == param {
				return b.Y
			}
		} else if i == index {
			return a
		}
	}
	return nil
}

// isLiteral reports whether an expression is a literal, or a list or tuple of literals; MPI.ERR_ARG is a literal here.
func isLiteral(e syntax.Expr) bool {
	only := true
	syntax.Walk(e, func(n syntax.Node) bool {
		if !only {
			return false
		}
		switch n := n.(type) {
		case nil, *syntax.Literal, *syntax.ParenExpr, *syntax.ListExpr, *syntax.TupleExpr:
		case *syntax.Ident:
			only = n.Name == "True" || n.Name == "False" || n.Name == "None"
		case *syntax.UnaryExpr:
			only = n.Op == syntax.MINUS
		case *syntax.DotExpr:
			id, ok := n.X.(*syntax.Ident)
			only = ok && id.Name == "MPI"
			return false
		default:
			only = false
		}
		return only
	})
	return only
}

// IsLiteral reports whether the text of an expression is a literal, or a list or tuple of literals.
func IsLiteral(text string) bool {
	e, err := python.ParseExpr("", text, 1, 1)
	return err == nil && isLiteral(e)
}

// offset returns the byte of a text at a position, whose columns count characters.
func offset(text string, at syntax.Position) int {
	from := 0
	for range at.Line - 1 {
		from += strings.IndexByte(text[from:], '\n') + 1
	}
	for i := range text[from:] {
		if at.Col--; at.Col == 0 {
			return from + i
		}
	}
	return len(text)
}

// Note is a statement that narrates a constant text.
type Note struct {
	Text  string
	Line  int // where it begins, from 1
	Lines int // how many lines it has
}

// Notes returns the notes of a program that are not inside other statements; nil if the program cannot be parsed.
func Notes(text string) []Note {
	f, err := parsed(text)
	if err != nil {
		return nil
	}
	var list []Note
	for _, stmt := range f.Stmts {
		if said, ok := noted(stmt); ok {
			start, end := stmt.Span()
			list = append(list, Note{said, int(start.Line), int(end.Line-start.Line) + 1})
		}
	}
	return list
}

// noted returns the text of a statement that calls note with a literal; ok is false for other statements.
func noted(stmt syntax.Stmt) (text string, ok bool) {
	expr, ok := stmt.(*syntax.ExprStmt)
	if !ok {
		return "", false
	}
	call, ok := expr.X.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", false
	}
	name, isName := call.Fn.(*syntax.Ident)
	literal, isLiteral := call.Args[0].(*syntax.Literal)
	if !isName || !isLiteral || name.Name != "note" {
		return "", false
	}
	text, ok = literal.Value.(string)
	return text, ok
}

// importLine matches the import lines that let a program also run under a real MPI.
var importLine = regexp.MustCompile(`^from\s+(mpi4py|commsplit)\s+import\s+([\w*][\w*, \t]*)(#.*)?$`)

// imports reports whether a line is an import line with only known names.
func imports(line string) bool {
	m := importLine.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	known := append([]string{"*"}, python.Importable...)
	if m[1] == "mpi4py" {
		known = []string{"MPI"}
	}
	for name := range strings.SplitSeq(m[2], ",") {
		if !slices.Contains(known, strings.TrimSpace(name)) {
			return false
		}
	}
	return true
}

// WithoutImports returns a program without its import lines, for use inside a program that has its own.
func WithoutImports(text string) string {
	lines := strings.Split(text, "\n")
	for _, i := range slices.Backward(importLines(lines)) {
		lines = slices.Delete(lines, i, i+1)
	}
	return strings.Join(lines, "\n")
}

// importLines returns the indexes of the accepted import lines at the top of a program, before which only
// comments, blank lines and a docstring may stand.
func importLines(lines []string) []int {
	var list []int
	quote := "" // the quotes that end the docstring around the line; "": none
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case quote != "":
			if strings.Contains(line, quote) {
				quote = ""
			}
		case trimmed == "" || trimmed[0] == '#':
		case imports(strings.TrimRight(line, "\r")):
			list = append(list, i)
		case strings.HasPrefix(line, `"""`), strings.HasPrefix(line, "'''"):
			if !strings.Contains(line[3:], line[:3]) {
				quote = line[:3]
			}
		default:
			return list
		}
	}
	return list
}

// TextOf returns the value of an expression that is one literal text; ok is false for any other expression.
func TextOf(expr string) (text string, ok bool) {
	e, err := python.ParseExpr("", expr, 1, 1)
	if err != nil {
		return "", false
	}
	l, ok := e.(*syntax.Literal)
	if !ok {
		return "", false
	}
	text, ok = l.Value.(string)
	return text, ok
}

// signatures lists the parameters of each method of MPI's classes, by its name.
var signatures = sync.OnceValue(func() map[string][]string {
	list := map[string][]string{}
	for _, d := range Docs() {
		name := d.Name[strings.LastIndexByte(d.Name, '.')+1:]
		if params := strings.Trim(d.Signature, "()"); params != "" && list[name] == nil {
			list[name] = strings.Split(params, ", ")
		}
	}
	return list
})

// ParametersOf returns the parameters of a method of MPI's classes, with their defaults: "color=0".
func ParametersOf(method string) []string { return signatures()[method] }

package program

import (
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Span is a piece of a text: bytes From up to but not including To.
type Span struct{ From, To int }

// Literals finds, in a program, the calls of a function of that name that are written on a line (from
// 1), and what each passes for a parameter: by name, or else at an index. An argument that is no
// literal, because the program makes it, has a span of no length. The text must compile.
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

// argument is what a call passes for a parameter; nil for nothing.
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

// isLiteral reports whether an expression says its value itself; MPI.ERR_ARG does, too.
func isLiteral(e syntax.Expr) bool {
	all := func(list []syntax.Expr) bool {
		for _, x := range list {
			if !isLiteral(x) {
				return false
			}
		}
		return true
	}
	switch e := e.(type) {
	case *syntax.Literal:
		return true
	case *syntax.Ident:
		return e.Name == "True" || e.Name == "False" || e.Name == "None"
	case *syntax.DotExpr:
		id, ok := e.X.(*syntax.Ident)
		return ok && id.Name == "MPI"
	case *syntax.ParenExpr:
		return isLiteral(e.X)
	case *syntax.UnaryExpr:
		return e.Op == syntax.MINUS && isLiteral(e.X)
	case *syntax.ListExpr:
		return all(e.List)
	case *syntax.TupleExpr:
		return all(e.List)
	}
	return false
}

// IsLiteral reports whether the text of an expression says its value itself.
func IsLiteral(text string) bool {
	e, err := options.ParseExpr("", text, 0)
	return err == nil && isLiteral(e)
}

// offset is where a position, whose columns count characters, is in the bytes of a text.
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

// literal is a value as a program writes it, "" when none writes it.
func literal(v starlark.Value) string {
	if text := Repr(v); IsLiteral(text) {
		return text
	}
	return ""
}

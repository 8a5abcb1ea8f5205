package program

import "go.starlark.net/syntax"

// Note is a statement that narrates a constant text.
type Note struct {
	Text  string
	Line  int // where it begins, from 1
	Lines int // that it is written on
}

// Notes finds the notes of a program that are not inside of other statements; none if it cannot be read.
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

// noted is the text of a statement that is a call of note with a literal.
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

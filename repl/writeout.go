package repl

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// writeOut replaces the names that only commands have by what programs write. Attributes and the
// names of keyword arguments are not meant, nor those that a variable hides.
func writeOut(expr, comm string, hidden []string) string {
	parsed, err := syntax.LegacyFileOptions().ParseExpr("", expr, 0)
	if err != nil {
		return expr
	}
	other := map[*syntax.Ident]bool{}
	var found []*syntax.Ident
	syntax.Walk(parsed, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr:
			other[n.Name] = true
		case *syntax.CallExpr:
			for _, a := range n.Args {
				if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
					other[b.X.(*syntax.Ident)] = true
				}
			}
		case *syntax.Ident:
			if !other[n] && !slices.Contains(hidden, n.Name) && longName(n.Name, comm) != "" {
				found = append(found, n)
			}
		}
		return true
	})
	slices.SortFunc(found, func(a, b *syntax.Ident) int {
		return cmp.Or(cmp.Compare(a.NamePos.Line, b.NamePos.Line), cmp.Compare(a.NamePos.Col, b.NamePos.Col))
	})
	lines := strings.Split(expr, "\n")
	for _, id := range slices.Backward(found) {
		line := []rune(lines[id.NamePos.Line-1])
		at := int(id.NamePos.Col) - 1
		end := at + utf8.RuneCountInString(id.Name)
		lines[id.NamePos.Line-1] = string(line[:at]) + longName(id.Name, comm) + string(line[end:])
	}
	return strings.Join(lines, "\n")
}

// longName is what a program writes for a name that only commands have; "" for other names.
func longName(name, comm string) string {
	switch name {
	case "rank", "size", "remote_size":
		return comm + "." + name
	case "UNDEFINED":
		return "MPI.UNDEFINED"
	}
	if constants[name] != nil {
		return "MPI.COMM_TYPE_" + name
	}
	if slices.Contains(rankNames, name) {
		return "here." + name
	}
	return ""
}

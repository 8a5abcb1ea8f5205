package syntax

import "slices"

// Walk calls f for a statement or expression and what is in it, outer parts first. Where f returns false, Walk leaves
// out the parts inside.
func Walk(n Node, f func(Node) bool) {
	if n == nil || !f(n) {
		return
	}
	for _, inner := range parts(n) {
		Walk(inner, f)
	}
}

// parts lists the statements and expressions that a statement or expression consists of. Those that are missing are nil.
func parts(n Node) (list []Node) {
	switch n := n.(type) {
	case *Block:
		return n.List
	case *Declare:
		for _, v := range n.Vars {
			list = append(list, v.Init)
		}
		return list
	case *Do:
		return []Node{n.X}
	case *If:
		return []Node{n.Cond, n.Then, n.Else}
	case *Loop:
		return []Node{n.Init, n.Cond, n.Post, n.Body}
	case *Count:
		return []Node{n.Var, n.Low, n.High, n.Step, n.Body}
	case *Switch:
		list = []Node{n.X}
		for _, c := range n.Cases {
			list = slices.Concat(list, c.Values, c.Body)
		}
		return list
	case *Return:
		return []Node{n.X}
	}
	return operands(n)
}

// operands lists the expressions that an expression consists of.
func operands(e Expr) []Expr {
	switch e := e.(type) {
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *Assign:
		return []Expr{e.X, e.Y}
	case *Step:
		return []Expr{e.X}
	case *Cond:
		return []Expr{e.If, e.Yes, e.No}
	case *Call:
		return append([]Expr{e.Fn}, e.Args...)
	case *Index:
		return []Expr{e.X, e.I}
	case *Range:
		return []Expr{e.Low, e.High, e.Step}
	case *Cast:
		return []Expr{e.X}
	case *Sizeof:
		return []Expr{e.X}
	case *Member:
		return []Expr{e.X}
	case *List:
		return e.Items
	case *Implied:
		return e.X
	}
	return nil
}

// Root returns the variable of a place, or the function that an expression calls; nil for none.
func Root(e Expr) *Ident {
	switch e := e.(type) {
	case *Ident:
		return e
	case *Unary:
		return Root(e.X)
	case *Index:
		return Root(e.X)
	case *Call:
		return Root(e.Fn)
	}
	return nil
}

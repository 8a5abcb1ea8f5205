package syntax

// Walk calls f for the expressions in a statement or expression, outer ones first. Where f returns false, Walk leaves
// out the expressions inside.
func Walk(n any, f func(Expr) bool) {
	w := walker{f}
	switch n := n.(type) {
	case *Block:
		w.stmt(n)
	case Expr:
		w.expr(n)
	}
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

type walker struct{ f func(Expr) bool }

func (w walker) exprs(list ...Expr) {
	for _, e := range list {
		w.expr(e)
	}
}

func (w walker) stmts(list []Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w walker) stmt(s Stmt) {
	switch s := s.(type) {
	case *Block:
		w.stmts(s.List)
	case *Declare:
		for _, v := range s.Vars {
			w.expr(v.Init)
		}
	case *Do:
		w.expr(s.X)
	case *If:
		w.expr(s.Cond)
		w.stmt(s.Then)
		w.stmt(s.Else)
	case *Loop:
		w.stmt(s.Init)
		w.exprs(s.Cond, s.Post)
		w.stmt(s.Body)
	case *Count:
		w.exprs(s.Var, s.Low, s.High, s.Step)
		w.stmt(s.Body)
	case *Switch:
		w.expr(s.X)
		for _, c := range s.Cases {
			w.exprs(c.Values...)
			w.stmts(c.Body)
		}
	case *Return:
		w.expr(s.X)
	}
}

func (w walker) expr(e Expr) {
	if e == nil || !w.f(e) {
		return
	}
	switch e := e.(type) {
	case *Unary:
		w.expr(e.X)
	case *Binary:
		w.exprs(e.X, e.Y)
	case *Assign:
		w.exprs(e.X, e.Y)
	case *Step:
		w.expr(e.X)
	case *Cond:
		w.exprs(e.If, e.Yes, e.No)
	case *Call:
		w.expr(e.Fn)
		w.exprs(e.Args...)
	case *Index:
		w.exprs(e.X, e.I)
	case *Range:
		w.exprs(e.Low, e.High, e.Step)
	case *Cast:
		w.expr(e.X)
	case *Sizeof:
		w.expr(e.X)
	case *Member:
		w.expr(e.X)
	case *List:
		w.exprs(e.Items...)
	case *Implied:
		w.exprs(e.X...)
	}
}

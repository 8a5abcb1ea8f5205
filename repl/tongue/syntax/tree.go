package syntax

import "slices"

// Program is a file of C or Fortran.
type Program struct {
	Fortran bool
	Funcs   []*Func
	Globals []*Var
}

// Func is a function, or a subroutine of Fortran. The main program of Fortran is the function main.
type Func struct {
	Pos
	Name   string
	Result *Type // nil: of a subroutine
	Params []*Var
	Body   *Block // nil: it is only declared
}

// Kind is a kind of type.
type Kind uint8

// The kinds, those of integers and numbers in the order of their ranks.
const (
	Void Kind = iota
	Logical
	Char
	UChar
	Short
	UShort
	Int
	UInt
	Long
	ULong
	Float
	Double
	Handle // of MPI, or a datatype, operation, status
	Pointer
	Array
	Function
	Text   // of Fortran
	Record // a structure
)

// Type is a type.
type Type struct {
	Kind Kind
	Name string // of a Handle: "MPI_Comm"; of a Record: its tag
	Elem *Type  // of a Pointer or Array
	Len  Expr   // of an Array of C; nil: the initial value, or the caller, decides. Of a Text; nil: the caller decides
	// In lines of Fortran, the Len of an Array is a Range, where the declaration tells both bounds.
	Fields []*Var // of a Record; nil: it is only named
}

// Var is a variable or a parameter.
type Var struct {
	Pos
	Name     string
	Type     *Type
	Init     Expr
	Static   bool
	Constant bool
}

// Node is a part of the tree, with its place.
type Node interface{ At() Pos }

// Expr is an expression.
type Expr = Node

// The expressions.
type (
	// Ident is a name.
	Ident struct {
		Pos
		Name string
	}
	// Number is a literal number or character, or .true. and .false..
	Number struct {
		Pos
		Type *Type
		Int  int64
		Real float64
	}
	// String is a literal text.
	String struct {
		Pos
		Value string
	}
	// Unary is Op X: - + ! ~ & *.
	Unary struct {
		Pos
		Op string
		X  Expr
	}
	// Binary is X Op Y, also && || and the comma. Fortran's operators have C's names, but **.
	Binary struct {
		Pos
		Op   string
		X, Y Expr
	}
	// Assign is X = Y, or X Op= Y.
	Assign struct {
		Pos
		Op   string // "" or "+"
		X, Y Expr
	}
	// Step is ++X, X++, --X, X--.
	Step struct {
		Pos
		By   int64
		Post bool
		X    Expr
	}
	// Cond is If ? Yes : No.
	Cond struct {
		Pos
		If, Yes, No Expr
	}
	// Call is Fn(Args); in lines of Fortran also an entry of an array.
	Call struct {
		Pos
		Fn     Expr
		Args   []Expr
		Begins []Pos // of the arguments
		End    Pos   // of the bracket that closes
	}
	// Index is X[I].
	Index struct {
		Pos
		X, I Expr
	}
	// Range is low:high of a case of Fortran, where each may be nil, or of a declaration.
	Range struct {
		Pos
		Low, High, Step Expr
	}
	// Cast is (Type) X.
	Cast struct {
		Pos
		Type *Type
		X    Expr
	}
	// Sizeof is sizeof(Type), or of an expression, or offsetof(Type, Field).
	Sizeof struct {
		Pos
		Type  *Type
		X     Expr
		Field string
	}
	// Member is X.Name or X->Name.
	Member struct {
		Pos
		X    Expr
		Name string
	}
	// List is {a, b} or {.x = a}, or [a, b] of Fortran.
	List struct {
		Pos
		Items []Expr
		Names []string // of the fields that get the items; nil: in their order
	}
	// Implied is (X, Var = Low, High, Step) in a list of Fortran.
	Implied struct {
		Pos
		X         []Expr
		Var       *Ident
		Low, High Expr
		Step      Expr
	}
)

// At returns the place itself.
func (p Pos) At() Pos { return p }

// Stmt is a statement.
type Stmt = Node

// The statements.
type (
	// Block is {List}. A declaration of several variables is not a block.
	Block struct {
		Pos
		List []Stmt
	}
	// Declare declares variables.
	Declare struct {
		Pos
		Vars []*Var
	}
	// Do is an expression for its effect.
	Do struct {
		Pos
		X Expr
	}
	// If is if (Cond) Then else Else.
	If struct {
		Pos
		Cond       Expr
		Then, Else Stmt
	}
	// Loop is for, while and do-while of C, and do, do while of Fortran.
	Loop struct {
		Pos
		Label string
		Init  Stmt
		Cond  Expr // nil: it goes on
		Post  Expr
		Body  Stmt
		After bool // the condition stands behind the body
	}
	// Count is Fortran's do Var = Low, High, Step.
	Count struct {
		Pos
		Label           string
		Var             Expr
		Low, High, Step Expr
		Body            Stmt
	}
	// Switch is switch of C, and select case of Fortran.
	Switch struct {
		Pos
		X     Expr
		Cases []Case
		Falls bool // a case goes on into the next one
	}
	// Jump is break, continue, exit and cycle.
	Jump struct {
		Pos
		Label string
		Next  bool // of the loop, the next turn
	}
	// Return ends a function.
	Return struct {
		Pos
		X Expr
	}
)

// Case is a case of a switch.
type Case struct {
	Pos
	Values []Expr // with Ranges; none: default
	Body   []Stmt
}

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

// Integers has the operators whose result is an integer of the type of their operands.
var Integers = map[string]func(a, b int64) int64{
	"+": func(a, b int64) int64 { return a + b }, "-": func(a, b int64) int64 { return a - b },
	"*": func(a, b int64) int64 { return a * b }, "/": func(a, b int64) int64 { return a / b },
	"%": func(a, b int64) int64 { return a % b }, "<<": func(a, b int64) int64 { return a << (b & 63) },
	">>": func(a, b int64) int64 { return a >> (b & 63) }, "|": func(a, b int64) int64 { return a | b },
	"&": func(a, b int64) int64 { return a & b }, "^": func(a, b int64) int64 { return a ^ b },
}

// tests has the operators whose result is true or false.
var tests = map[string]func(a, b int64) bool{
	"==": func(a, b int64) bool { return a == b }, "!=": func(a, b int64) bool { return a != b },
	"<": func(a, b int64) bool { return a < b }, "<=": func(a, b int64) bool { return a <= b },
	">": func(a, b int64) bool { return a > b }, ">=": func(a, b int64) bool { return a >= b },
	"&&": func(a, b int64) bool { return a != 0 && b != 0 }, "||": func(a, b int64) bool { return a != 0 || b != 0 },
}

// Constant returns the value of an expression of known integers; false for another expression. leaf returns the value
// of an expression that is neither a number nor an operator.
func Constant(e Expr, leaf func(Expr) (int64, bool)) (int64, bool) {
	switch e := e.(type) {
	case *Number:
		return e.Int, e.Type.Kind != Float && e.Type.Kind != Double
	case *Unary:
		n, ok := Constant(e.X, leaf)
		return map[string]int64{"-": -n, "+": n, "~": ^n, "!": Truth(n == 0)}[e.Op], ok && e.Op != "&" && e.Op != "*"
	case *Cond:
		if n, ok := Constant(e.If, leaf); !ok || n == 0 {
			no, too := Constant(e.No, leaf)
			return no, ok && too
		}
		return Constant(e.Yes, leaf)
	case *Binary:
		a, known := Constant(e.X, leaf)
		b, too := Constant(e.Y, leaf)
		if !known || !too || (e.Op == "/" || e.Op == "%") && b == 0 {
			return 0, false
		}
		if f := Integers[e.Op]; f != nil {
			return f(a, b), true
		}
		if f := tests[e.Op]; f != nil {
			return Truth(f(a, b)), true
		}
		return 0, false
	}
	return leaf(e)
}

// Truth returns 1 for true, and 0 for false.
func Truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

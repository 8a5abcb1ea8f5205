package syntax

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

package tongue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// value is a translated expression: as a program writes it, or as C or Fortran do.
type value struct {
	text   string
	level  int     // how tightly its operator binds; atom for a name or number
	truth  bool    // it is True or False
	whole  bool    // it is a number that cannot be negative
	real   bool    // it is a number that may have a fraction
	listed bool    // it is a list that is written out
	length int     // of such a list
	array  string  // the variable, where the expression is one that is declared as an array
	items  []value // of a list that is written out
	kind   string  // its type in C, where it is said
}

const (
	ternary = iota + 1
	disjunction
	conjunction
	negation
	comparing
	bitOr
	bitXor
	bitAnd
	shift
	sum
	product
	sign
	atom
)

// in returns the expression as an operand of an operator that binds so tightly.
func (v value) in(level int) string {
	if v.level < level {
		return "(" + v.text + ")"
	}
	return v.text
}

// number returns the expression as a number, as C takes it: what is true counts as 1.
func (v value) number() value {
	if v.truth {
		return value{text: "int(" + v.text + ")", level: atom, whole: true}
	}
	return v
}

// condition returns the test whether the expression is not zero.
func (v value) condition() value {
	if v.truth {
		return v
	}
	return value{text: v.in(bitOr) + " != 0", level: comparing, truth: true}
}

// levels tells how tightly operators bind in a program, where comparisons bind less tightly than operators of bits.
var levels = map[string]int{"||": disjunction, "&&": conjunction, "|": bitOr, "^": bitXor, "&": bitAnd, "==": comparing, "!=": comparing,
	"<": comparing, "<=": comparing, ">": comparing, ">=": comparing, "<<": shift, ">>": shift, "+": sum, "-": sum, "*": product,
	"/": product, "%": product}

// expression translates an expression.
func (r *reader) expression(e syntax.Expr) value {
	switch e := e.(type) {
	case *syntax.Number:
		return r.number(e)
	case *syntax.String:
		return value{text: strconv.Quote(e.Value), level: atom}
	case *syntax.Unary:
		return r.unary(e)
	case *syntax.Binary:
		level, ok := levels[e.Op]
		if !ok {
			wrong(e.Pos, "%s is not expected here", e.Op)
		}
		a, b := r.expression(e.X), r.expression(e.Y)
		if r.fortran && (a.array != "" || b.array != "") {
			wrong(e.Pos, "%s of whole arrays is not supported: write it for each entry", e.Op)
		}
		return combined(level, e.Op, a, b)
	case *syntax.Cond:
		return chosen(r.expression(e.If), r.expression(e.Yes), r.expression(e.No))
	case *syntax.List:
		return r.list(e)
	case *syntax.Cast:
		return r.cast(e)
	case *syntax.Call:
		if id, ok := e.Fn.(*syntax.Ident); ok && !(r.fortran && r.variable(mangled(id.Name)).Dims > 0) {
			return r.function(e, id.Name)
		}
		return r.read(e)
	case *syntax.Ident:
		return r.named(e)
	case *syntax.Index:
		return r.read(e)
	case *syntax.Assign:
		wrong(e.Pos, "%s= in an expression is not read: to compare is ==, and to assign is a statement of its own", e.Op)
	case *syntax.Step:
		op := map[bool]string{true: "++", false: "--"}[e.By > 0]
		wrong(e.Pos, "%s in an expression is not read: it is a statement of its own", op)
	}
	wrong(e.At(), "%s is not expected here", r.word(e.At()))
	return value{}
}

// read translates a variable or an entry of an array whose value is used.
func (r *reader) read(e syntax.Expr) value {
	v, _ := r.place(e, "")
	return v
}

func (r *reader) number(e *syntax.Number) value {
	switch e.Type.Kind {
	case syntax.Logical:
		return value{text: map[int64]string{0: "False", 1: "True"}[e.Int], level: atom, truth: true}
	case syntax.Float, syntax.Double:
		text := strconv.FormatFloat(e.Real, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return value{text: text, level: atom, real: true}
	}
	return value{text: strconv.FormatInt(e.Int, 10), level: atom, whole: true}
}

func (r *reader) unary(e *syntax.Unary) value {
	if e.Op == "&" || e.Op == "*" {
		wrong(e.Pos, "%s is allowed only before a name that gets a result", e.Op)
	}
	v := r.expression(e.X)
	switch e.Op {
	case "-":
		v = v.number()
		return value{text: "-" + v.in(sign), level: sign, real: v.real}
	case "!":
		return value{text: "not " + v.in(negation), level: negation, truth: true}
	case "~":
		return value{text: "~" + v.number().in(sign), level: sign}
	}
	return v
}

// combined returns an operator between two expressions.
func combined(level int, op string, a, b value) value {
	v := value{level: level}
	switch level {
	case disjunction, conjunction:
		word := map[int]string{disjunction: " or ", conjunction: " and "}[level]
		v.text, v.truth = a.condition().in(level)+word+b.condition().in(level+1), true
		return v
	case comparing:
		if !a.truth || !b.truth {
			a, b = a.number(), b.number()
		}
		v.text, v.truth = a.in(bitOr)+" "+op+" "+b.in(bitOr), true
		return v
	}
	a, b = a.number(), b.number()
	v.whole, v.real = a.whole && b.whole && op != "-", a.real || b.real
	switch {
	case op == "+" && a.array != "":
		return value{text: a.array + "[" + b.text + ":]", level: atom}
	case op == "/" && !v.real:
		return quotient(a, b)
	case op == "%":
		return remainder(a, b)
	}
	v.text = a.in(level) + " " + op + " " + b.in(level+1)
	return v
}

// chosen returns "yes if cond else no".
func chosen(cond, yes, no value) value {
	if yes.truth != no.truth {
		yes, no = yes.number(), no.number()
	}
	text := yes.in(disjunction) + " if " + cond.conditional() + " else " + no.in(ternary)
	return value{text: text, level: ternary, truth: yes.truth, whole: yes.whole && no.whole, real: yes.real || no.real}
}

// conditional returns the expression as a condition behind "if", which may be a number.
func (v value) conditional() string { return v.in(disjunction) }

// quotient returns C's division of integers, which drops the fraction. Python's rounds down, which is the same where
// nothing is negative.
func quotient(a, b value) value {
	if a.whole && b.whole {
		return value{text: a.in(product) + " // " + b.in(sign), level: product, whole: true}
	}
	return value{text: "int(" + a.in(product) + " / " + b.in(sign) + ")", level: atom}
}

// remainder returns C's %, and Fortran's mod, whose result has the sign of a. Python's % has the sign of b.
func remainder(a, b value) value {
	if a.whole && b.whole {
		return value{text: a.in(product) + " % " + b.in(sign), level: product, whole: true}
	}
	return value{text: a.in(sum) + " - " + quotient(a, b).in(product) + " * " + b.in(sign), level: sum}
}

// list translates a list that is written out.
func (r *reader) list(e *syntax.List) value {
	var items []value
	var texts []string
	for _, x := range e.Items {
		v := r.expression(x)
		items, texts = append(items, v), append(texts, v.text)
	}
	return value{text: "[" + strings.Join(texts, ", ") + "]", level: atom, listed: true, length: len(items), items: items}
}

// cast translates a list of C behind its type, (int[]){0, 2}, or a number as another type.
func (r *reader) cast(e *syntax.Cast) value {
	if l, ok := e.X.(*syntax.List); ok {
		return r.list(l)
	}
	v := r.expression(e.X)
	switch k := e.Type.Kind; {
	case k == syntax.Float || k == syntax.Double:
		v = v.number()
		v.real = true
		return v
	case k < syntax.Char || k > syntax.ULong:
		wrong(e.Pos, "only casts to numbers are supported, and lists such as (int[]){0, 2}")
	case v.real:
		return value{text: "int(" + v.text + ")", level: atom}
	}
	return v.number()
}

// named translates a name.
func (r *reader) named(e *syntax.Ident) value {
	name := e.Name
	if r.fortran && strings.HasPrefix(name, "mpi_") {
		name = strings.ToUpper(name)
	}
	text := constant(name)
	if strings.HasPrefix(name, "MPI_") || !r.fortran && text != name {
		return value{text: text, level: atom, truth: text == "True" || text == "False"}
	}
	return r.read(e)
}

// function translates mod, merge, reshape, min, max or abs of Fortran, and an entry of an array of Fortran that other
// lines declare. No function of C is known in an expression.
func (r *reader) function(e *syntax.Call, name string) value {
	if strings.HasPrefix(strings.ToUpper(name), "MPI_") {
		wrong(e.Pos, "write the call of %s on a line of its own: it returns its results through its arguments", r.word(e.Pos))
	}
	if !r.fortran {
		wrong(e.Pos, "the function %s is unknown", name)
	}
	known := map[string]int{"mod": 2, "merge": 3, "reshape": 2}
	if !slices.Contains([]string{"min", "max", "abs"}, name) && known[name] != len(e.Args) || len(e.Args) == 0 {
		if len(e.Args) == 0 {
			wrong(e.Pos, "the function %s is unknown", name)
		}
		return r.read(e)
	}
	var args []value
	var texts []string
	for _, a := range e.Args {
		v := r.expression(a)
		args, texts = append(args, v), append(texts, v.text)
	}
	switch name {
	case "mod":
		return remainder(args[0].number(), args[1].number())
	case "merge":
		return chosen(args[2], args[0], args[1])
	case "reshape": // columns of so many entries each
		return value{text: fmt.Sprintf("[%s[k_ * %[2]s[0]:(k_ + 1) * %[2]s[0]] for k_ in range(%[2]s[1])]", args[0].in(atom), args[1].text),
			level: atom, items: []value{}}
	}
	return value{text: name + "(" + strings.Join(texts, ", ") + ")", level: atom}
}

// constant returns a name of C's MPI as a program writes it. Names of functions for attributes become mpi4py's
// arguments.
func constant(name string) string {
	switch name {
	case "MPI_COMM_WORLD":
		return "world"
	case "MPI_COMM_DUP_FN":
		return "True"
	case "MPI_COMM_NULL_COPY_FN", "MPI_COMM_NULL_DELETE_FN", "NULL":
		return "None"
	case "true":
		return "True"
	case "false":
		return "False"
	}
	if rest, ok := strings.CutPrefix(name, "MPI_"); ok {
		return "MPI." + rest
	}
	return name
}

package tongue

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine/calls"
)

// matched is a call of the table, with the expressions for its parameters.
type matched struct {
	call *calls.Procedure
	args map[string]syntax.Expr
}

// call translates a call; targets get its results. It reports whether the function is one of MPI.
func (s *Speaker) call(targets []string, e *syntax.CallExpr) bool {
	if id, ok := e.Fn.(*syntax.Ident); ok && (id.Name == "int" || id.Name == "bool") {
		return false
	}
	m := s.match(e)
	if m == nil {
		noWords(e.Fn)
	}
	set := s.outputs(m.call, targets)
	args, sizes := s.passed(m, set)
	for i, p := range m.call.Params {
		if args[i] == "" {
			args[i] = s.filled(m.call, p, set[i], sizes)
		}
	}
	s.write(m.call.Name, args)
	return true
}

// noWords refuses a call of a function that has no translation.
func noWords(function syntax.Expr) {
	switch f := function.(type) {
	case *syntax.Ident:
		cannot("the function %s has no translation", f.Name)
	case *syntax.DotExpr:
		cannot("%s has no translation to C", f.Name.Name)
	}
	cannot("this call has no translation to C")
}

// outputs returns the variables that get the results of a call, by the index of the parameter.
func (s *Speaker) outputs(c *calls.Procedure, targets []string) map[int]string {
	set := map[int]string{}
	for i, k := range results(c) {
		if i < len(targets) {
			set[k] = targets[i]
		} else {
			set[k] = s.fresh(c.Params[k].Name)
		}
	}
	return set
}

// passed returns the arguments that are written in the call, "" for the others, and the lengths of lists, by
// parameter.
func (s *Speaker) passed(m *matched, set map[int]string) (args []string, sizes map[string]int) {
	args, sizes = make([]string, len(m.call.Params)), map[string]int{}
	for i, p := range m.call.Params {
		x := m.args[p.Name]
		if x == nil || set[i] != "" && !p.Inout {
			continue
		}
		v := s.expr(x)
		if v.listed {
			sizes[p.Name] = v.length
		} else if set[i] != "" {
			cannot("the line does not contain the number of %s", p.Name)
		}
		if set[i] != "" { // the call changes a list that is written out
			s.array(set[i], v.length, v.text)
			args[i] = set[i]
		} else if args[i] = s.argument(p, v); p.Pointer && !p.In {
			s.forget(v.text)
		}
	}
	return args, sizes
}

// filled returns an argument that mpi4py lacks: a status, the length of a list, or a variable that gets a result.
// name is that of the variable; "" where it has none.
func (s *Speaker) filled(c *calls.Procedure, p calls.Param, name string, sizes map[string]int) string {
	switch of := c.Counted(p.Name); {
	case p.Type == "MPI_Status":
		return "MPI_STATUS_IGNORE"
	case of != nil:
		n, known := sizes[of.Name]
		if !known {
			cannot("the line does not contain the number of %s", of.Name)
		}
		return strconv.Itoa(n)
	case p.In: // such as how many entries an array of results has
		cannot("the line does not contain %s", p.Name)
	}
	if name == "" {
		name = s.fresh(p.Name)
	}
	s.forget(name)
	s.whole[name] = s.indent == 0 && (c.Name == "MPI_Comm_rank" || c.Name == "MPI_Comm_size")
	switch {
	case p.Type == "char" && p.Array:
		s.declare(name, "char[]")
		return name
	case p.Array: // of results: as long as another array of the call
		i := slices.IndexFunc(c.Params, func(q calls.Param) bool { return q.Length == p.Length })
		n, known := sizes[c.Params[i].Name]
		if !known {
			cannot("the line does not contain the number of %s", p.Name)
		}
		s.array(name, n, "")
		return name
	}
	s.declare(name, p.Type)
	return s.result(name)
}

func (s *Speaker) argument(p calls.Param, v value) string {
	switch {
	case p.Pointer && !p.In && !p.Array:
		return s.result(v.text)
	case p.Type == "MPI_Errhandler" && v.text == "MPI_INFO_NULL":
		return "MPI_ERRORS_RETURN"
	case s.Fortran && p.Logical && !p.Array:
		return v.logical()
	case s.Fortran && p.Logical:
		return strings.NewReplacer("merge(1, 0, .true.)", ".true.", "merge(1, 0, .false.)", ".false.", "[1", "[.true.", "[0", "[.false.", ", 1", ", .true.", ", 0", ", .false.").Replace(v.text)
	}
	return v.numeric(s)
}

// logical returns the expression as a logical value of Fortran.
func (v value) logical() string {
	switch {
	case v.truth:
		return v.text
	case v.text == "0":
		return ".false."
	case v.text == "1":
		return ".true."
	}
	return v.in(sum) + " /= 0"
}

// match finds the call of the table that an expression makes; nil for none.
func (s *Speaker) match(e *syntax.CallExpr) *matched {
	d, ok := e.Fn.(*syntax.DotExpr)
	if !ok {
		return nil
	}
	if d.Name.Name == "Incl" && len(e.Args) == 1 {
		if r, ok := e.Args[0].(*syntax.CallExpr); ok {
			if id, ok := r.Fn.(*syntax.Ident); ok && id.Name == "range" {
				return &matched{Find("MPI_Group_range_incl", false), map[string]syntax.Expr{"group": d.X, "ranges": s.triplet(r.Args)}}
			}
		}
	}
	for _, c := range known {
		p := patternOf(c)
		if p == nil || p.method != d.Name.Name {
			continue
		}
		if args := s.bind(c, p, d.X, e.Args); args != nil {
			return &matched{c, args}
		}
	}
	return nil
}

// triplet returns the ranks of range(...) as first, last and stride.
func (s *Speaker) triplet(args []syntax.Expr) syntax.Expr {
	number := func(n int64) syntax.Expr {
		return &syntax.Literal{Token: syntax.INT, Raw: strconv.FormatInt(n, 10), Value: n}
	}
	from, to, step := number(0), args[0], number(1)
	if len(args) > 1 {
		from, to = args[0], args[1]
	}
	if len(args) > 2 {
		step = args[2]
	}
	if l, ok := step.(*syntax.Literal); !ok || l.Value == int64(0) {
		cannot("only a range with a literal positive step can be translated")
	}
	last := syntax.Expr(&syntax.BinaryExpr{X: to, Op: syntax.MINUS, Y: number(1)})
	if l, ok := to.(*syntax.Literal); ok {
		if n, ok := l.Value.(int64); ok {
			last = number(n - 1)
		}
	}
	triple := func(list ...syntax.Expr) syntax.Expr { return &syntax.TupleExpr{List: list} }
	return triple(triple(from, last, step))
}

// pattern is a statement of the table taken apart: "{newcomm} = {comm}.Split({color}, {key})".
type pattern struct {
	on     string // the parameter that the method is called on, or "MPI.Comm"
	method string
	args   []string // parameters
}

var patternText = regexp.MustCompile(`^(?:.* = )?(?:\{(\w+)\}|(MPI(?:\.\w+)?))\.(\w+)\(([^()]*)\)$`)

func patternOf(c *calls.Procedure) *pattern {
	m := patternText.FindStringSubmatch(c.Statement[0])
	if m == nil {
		return nil
	}
	return &pattern{on: m[1] + m[2], method: m[3], args: Holes(m[4])}
}

// bind gives the arguments of a call to the parameters of a row of the table; nil when the row is of another call.
func (s *Speaker) bind(c *calls.Procedure, p *pattern, on syntax.Expr, given []syntax.Expr) map[string]syntax.Expr {
	args := map[string]syntax.Expr{}
	if strings.HasPrefix(p.on, "MPI") {
		if dottedName(on) != p.on {
			return nil
		}
	} else {
		if strings.HasPrefix(dottedName(on), "MPI.") && !strings.HasPrefix(dottedName(on), "MPI.COMM_") && !strings.HasPrefix(dottedName(on), "MPI.GROUP_") {
			return nil
		}
		if s.kindOf(on) != c.Param(p.on).Type {
			return nil
		}
		args[p.on] = on
	}
	values := s.byPosition(p.method, given)
	if values == nil && len(given) > 0 || len(values) < len(p.args) {
		return nil
	}
	for i, v := range values {
		if i < len(p.args) {
			args[p.args[i]] = v
		} else if !isDefault(v) {
			return nil
		}
	}
	return args
}

func isDefault(e syntax.Expr) bool {
	id, ok := e.(*syntax.Ident)
	return ok && id.Name == "None"
}

// byPosition returns the arguments of a method in the order of its parameters, with their defaults.
func (s *Speaker) byPosition(method string, given []syntax.Expr) []syntax.Expr {
	params := s.Parameters(method)
	values := make([]syntax.Expr, max(len(params), len(given)))
	for i, a := range given {
		b, ok := a.(*syntax.BinaryExpr)
		if !ok || b.Op != syntax.EQ {
			values[i] = a
			continue
		}
		k := slices.IndexFunc(params, func(p string) bool { name, _, _ := strings.Cut(p, "="); return name == b.X.(*syntax.Ident).Name })
		if k < 0 {
			return nil
		}
		values[k] = b.Y
	}
	for i := range values {
		if values[i] != nil {
			continue
		}
		_, text, ok := strings.Cut(params[i], "=")
		if !ok {
			return nil
		}
		if text == strings.ToUpper(text) && strings.Contains(text, "_") {
			text = "MPI." + text
		}
		e, err := syntax.LegacyFileOptions().ParseExpr("", text, 0)
		if err != nil {
			return nil
		}
		values[i] = e
	}
	return values
}

// kindOf returns the type in C of an expression whose method is called.
func (s *Speaker) kindOf(e syntax.Expr) string {
	switch e := unparen(e).(type) {
	case *syntax.Ident:
		return s.name(e.Name).kind
	case *syntax.DotExpr:
		switch {
		case strings.HasPrefix(dottedName(e), "MPI."):
			return s.dotted(e).kind
		case e.Name.Name == "group" || e.Name.Name == "remote_group":
			return "MPI_Group"
		case e.Name.Name == "info":
			return "MPI_Info"
		}
	case *syntax.CallExpr:
		if m := s.match(e); m != nil {
			if out := results(m.call); len(out) > 0 {
				return m.call.Params[out[0]].Type
			}
		}
	}
	return ""
}

// dottedName returns a name such as "MPI.Comm"; "" for another expression.
func dottedName(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Ident:
		return e.Name
	case *syntax.DotExpr:
		if x := dottedName(e.X); x != "" {
			return x + "." + e.Name.Name
		}
	}
	return ""
}

package tongue

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// Variable is what is known of a variable from lines of C or Fortran.
type Variable struct {
	Fortran bool         // Fortran declares it
	Dims    int          // of an array; 0 for one value, -1 where no line tells
	t       *syntax.Type // of an entry; nil where no line declares the variable
	extents
	whole bool // its value cannot be negative
}

// Scope has the variables that lines of C and Fortran have declared or set, by their names in a program.
type Scope map[string]Variable

// setsOne matches an assignment to a variable or to one entry of an array, in Fortran.
var setsOne = regexp.MustCompile(`^\s*([A-Za-z]\w*)\s*(\([^=]*\))?\s*=[^=]`)

// SetsFortran reports whether a line sets a variable that Fortran declared.
func (s Scope) SetsFortran(line string) bool {
	m := setsOne.FindStringSubmatch(line)
	return m != nil && s[mangled(strings.ToLower(m[1]))].Fortran
}

// reserved lists names that have a meaning in programs, so that variables of C and Fortran get other names: keywords,
// and the names that translated statements use.
var (
	keywords = strings.Fields("and break continue def elif else for if in lambda load not or pass return while as async await class del " +
		"except finally from global import is nonlocal raise try with yield True False None")
	reserved = append(strings.Fields("MPI world here int len range"), keywords...)
)

// mangled returns a name of C or Fortran as a program writes it. No two names become the same one.
func mangled(name string) string {
	if slices.Contains(reserved, strings.TrimRight(name, "_")) {
		return name + "_"
	}
	return name
}

// variable returns what is known of a variable.
func (r *reader) variable(name string) Variable {
	if v, ok := r.sets[name]; ok {
		return v
	}
	if v, ok := r.known[name]; ok {
		return v
	}
	return Variable{Dims: -1, whole: name == "rank" || name == "size" || name == "remote_size"}
}

// reading returns the name of a variable that is read. A name that no line declares may be the session's: "world".
func (r *reader) reading(id string) string {
	name := mangled(id)
	_, set := r.sets[name]
	_, known := r.known[name]
	if set || known || slices.Contains(keywords, strings.TrimRight(name, "_")) {
		return name
	}
	return id
}

// element is an entry of an array.
type element struct {
	of, index string // the list that it is in, and its place there
	one       bool   // it is not an array itself
}

// place translates a variable or an entry of an array, "nbrs[2]", in Fortran "nbrs(3)". name is the variable where
// the place is set, and "" where it is read.
func (r *reader) place(e syntax.Expr, name string) (value, *element) {
	id, indexes := r.indexes(e)
	if name == "" {
		name = r.reading(id.Name)
	}
	of := r.variable(name)
	v := value{text: name, level: atom, whole: of.whole, truth: of.Dims <= 0 && of.isTruth(), real: of.isReal()}
	if len(indexes) == 0 && of.Dims > 0 {
		v.array = name
	}
	if len(indexes) > 0 && (of.Dims == 0 || of.Dims > 0 && len(indexes) > of.Dims) {
		wrong(indexes[0].At(), "%s has too many indices: it is declared with %d dimensions", r.word(id.Pos), of.Dims)
	}
	var last *element
	for k, x := range indexes {
		index := of.index(v.text, r.expression(x), k, x.At(), r.fortran)
		last = &element{v.text, index, k == len(indexes)-1 && (of.Dims < 0 || len(indexes) == of.Dims)}
		v = value{text: v.text + "[" + index + "]", level: atom, truth: of.isTruth(), real: of.isReal()}
	}
	return v, last
}

func (v Variable) isTruth() bool {
	return v.t != nil && (v.t.Kind == syntax.Logical || v.t.Name == "bool")
}

func (v Variable) isReal() bool {
	return v.t != nil && (v.t.Kind == syntax.Float || v.t.Kind == syntax.Double)
}

// indexes returns the name of a place and its indexes, that of the outermost list first. Fortran writes them the
// other way round: its columns are lists.
func (r *reader) indexes(e syntax.Expr) (id *syntax.Ident, list []syntax.Expr) {
	switch x := e.(type) {
	case *syntax.Ident:
		return x, nil
	case *syntax.Index:
		id, list = r.indexes(x.X)
		return id, append(list, x.I)
	case *syntax.Call:
		if id, ok := x.Fn.(*syntax.Ident); ok && r.fortran {
			list = slices.Clone(x.Args)
			slices.Reverse(list)
			return id, list
		}
	}
	wrong(e.At(), "a name is expected here")
	return nil, nil
}

// index returns the place of an entry in a list. An index below the first entry, which a program would count from the
// end of the list, becomes the place behind the last entry.
func (v Variable) index(list string, i value, dimension int, at syntax.Pos, fortran bool) string {
	low, length := "0", -1
	if fortran {
		low = "1"
	}
	if dimension < len(v.low) {
		low, length = v.low[dimension], v.lengths[dimension]
	}
	first, notLow := strconv.Atoi(low)
	n, notNumber := strconv.Atoi(i.text)
	switch {
	case notNumber == nil && n < first && dimension >= len(v.low): // its declaration may tell another first entry
		return "len(" + list + ")"
	case notLow == nil && notNumber == nil && length >= 0 && (n < first || n >= first+length):
		wrong(at, "there is no entry %d: the entries are %d to %d", n, first, first+length-1)
	case notLow == nil && notNumber == nil && n < first:
		wrong(at, "there is no entry %d: the first one is %d", n, first)
	case notLow == nil && notNumber == nil:
		return strconv.Itoa(n - first)
	case low == "0" && i.whole:
		return i.text
	case low == "0":
		return i.text + " if " + i.in(bitOr) + " >= 0 else len(" + list + ")"
	}
	return i.in(sum) + " - " + low + " if " + i.in(bitOr) + " >= " + low + " else len(" + list + ")"
}

// entries translates an array that a call reads: a list, an array, an array from an entry on, or a single value.
func (r *reader) entries(e syntax.Expr, p calls.Param) value {
	if u, ok := e.(*syntax.Unary); ok && u.Op == "&" {
		e = u.X
	} else if c, ok := e.(*syntax.Call); !ok || !r.fortran || r.variable(mangled(c.Fn.(*syntax.Ident).Name)).Dims <= 0 {
		return r.expression(e)
	}
	v, last := r.place(e, "")
	switch {
	case last != nil:
		v = value{text: last.of + "[" + last.index + ":]", level: atom}
	case v.array == "" || p.Triples:
		v = value{text: "[" + v.text + "]", level: atom, listed: true, length: 1}
	}
	return v
}

// enough refuses a call that passes more entries of an array than its declaration has.
func (r *reader) enough(c *calls.Procedure, args map[string]argument) {
	for _, p := range c.Params {
		array := args[p.Name].array
		of := r.variable(array)
		n, err := strconv.Atoi(args[p.Length].text)
		if array != "" && err == nil && len(of.lengths) > 0 && of.lengths[0] >= 0 && n > of.lengths[0] {
			wrong(args[p.Length].at, "%s is %d, and %s has %d entries", p.Length, n, array, of.lengths[0])
		}
	}
}

// got notes that a call sets a variable.
func (r *reader) got(c *calls.Procedure, a argument) {
	name := leading(a.text, isNameByte)
	v := r.variable(name)
	v.whole = slices.Contains([]string{"MPI_Comm_rank", "MPI_Comm_size", "MPI_Comm_remote_size", "MPI_Group_size"}, c.Name)
	r.sets[name] = v
}

package tongue

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine/calls"
)

// Variable is what lines of C or Fortran tell of a variable.
type Variable struct {
	Kind    string // its type: "int", "logical", "MPI_Comm"; "" where no line declares the variable
	Fortran bool   // Fortran declares it
	Dims    int    // of an array; 0 for one value, -1 where no line tells
	extents
	whole bool // its value cannot be negative
}

// Scope is the variables that lines of C and Fortran have declared or set, by their names in a program.
type Scope map[string]Variable

// setsOne matches an assignment to a variable or to one entry of an array, in Fortran.
var setsOne = regexp.MustCompile(`^\s*([A-Za-z]\w*)\s*(\([^=]*\))?\s*=[^=]`)

// SetsFortran reports whether a line sets a variable that Fortran declared.
func (s Scope) SetsFortran(line string) bool {
	m := setsOne.FindStringSubmatch(line)
	return m != nil && s[mangled(strings.ToLower(m[1]))].Fortran
}

// reserved are names that have a meaning in programs, which C and Fortran do not give them: keywords first, then what
// the statements that are written here use.
var (
	keywords = strings.Fields("and break continue def elif else for if in lambda load not or pass return while as async await class del " +
		"except finally from global import is nonlocal raise try with yield True False None")
	reserved = append(strings.Fields("MPI world here int len range"), keywords...)
)

// mangled is a name of C or Fortran as a program has it. No two names become the same one.
func mangled(name string) string {
	if slices.Contains(reserved, strings.TrimRight(name, "_")) {
		return name + "_"
	}
	return name
}

// name is a name as a program has it: Fortran makes no difference between RANK and rank.
func (r *reader) name(t token) string {
	if r.fortran {
		return mangled(strings.ToLower(t.text))
	}
	return mangled(t.text)
}

// variable is what is known of a variable.
func (r *reader) variable(name string) Variable {
	if v, ok := r.sets[name]; ok {
		return v
	}
	if v, ok := r.known[name]; ok {
		return v
	}
	return Variable{Dims: -1, whole: name == "rank" || name == "size" || name == "remote_size"}
}

// reading is a name whose value is asked for. One that no line declares may be the session's: "world".
func (r *reader) reading(t token) string {
	name := r.name(t)
	if _, ok := r.sets[name]; ok {
		return name
	}
	if _, ok := r.known[name]; ok || slices.Contains(keywords, strings.TrimRight(name, "_")) || name == t.text {
		return name
	}
	if r.fortran {
		return strings.ToLower(t.text)
	}
	return t.text
}

// element is an entry of an array.
type element struct {
	of, index string // the list that it is in, and its place there
	one       bool   // it is not an array itself
}

// place reads a variable or an entry of an array, "nbrs[2]", in Fortran "nbrs(3)". Where a call or assignment sets it,
// name tells the variable, and else it is "".
func (r *reader) place(name string) (value, *element, *mistake) {
	t := r.next()
	if t.kind != nameToken {
		return value{}, nil, wrong(t.at, "a name is expected here")
	}
	if name == "" {
		name = r.reading(t)
	}
	of := r.variable(name)
	v := value{text: name, level: atom, whole: of.whole, truth: of.Dims <= 0 && of.isTruth(), real: of.isReal(), length: -1}
	indexes, at, err := r.indexes()
	switch {
	case err != nil:
		return v, nil, err
	case len(indexes) == 0 && of.Dims > 0:
		v.array = name
	case len(indexes) > 0 && (of.Dims == 0 || of.Dims > 0 && len(indexes) > of.Dims):
		return v, nil, wrong(at[0], "%s has too many indices: it is declared with %d dimensions", t.text, of.Dims)
	}
	var last *element
	for k, i := range indexes {
		index, err := of.index(v.text, i, k, at[k], r.fortran)
		if err != nil {
			return v, nil, err
		}
		last = &element{v.text, index, k == len(indexes)-1 && (of.Dims < 0 || len(indexes) == of.Dims)}
		v = value{text: v.text + "[" + index + "]", level: atom, truth: of.isTruth(), real: of.isReal(), length: -1}
	}
	return v, last, nil
}

func (v Variable) isTruth() bool { return v.Kind == "logical" || v.Kind == "bool" }

func (v Variable) isReal() bool { return v.Kind == "float" || v.Kind == "double" }

// indexes reads the indexes behind a name, from that of the outermost list to that of the innermost one. Those of Fortran
// come the other way round: its columns are lists.
func (r *reader) indexes() (list []value, at []int, err *mistake) {
	open, end := "[", "]"
	if r.fortran {
		open, end = "(", ")"
	}
	for r.is(open) {
		for {
			at = append(at, r.peek().at)
			i, err := r.expression()
			if err != nil {
				return nil, nil, err
			}
			list = append(list, i)
			if !r.fortran || !r.is(",") {
				break
			}
		}
		if err := r.want(end); err != nil {
			return nil, nil, err
		}
		if r.fortran {
			slices.Reverse(list)
			slices.Reverse(at)
			break
		}
	}
	return list, at, nil
}

// index is the place of an entry in a list. An index below the first entry, which the list of a program would count
// from its end, becomes one behind the last entry.
func (v Variable) index(list string, i value, dimension, at int, fortran bool) (string, *mistake) {
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
		return "len(" + list + ")", nil
	case notLow == nil && notNumber == nil && length >= 0 && (n < first || n >= first+length):
		return "", wrong(at, "there is no entry %d: the entries are %d to %d", n, first, first+length-1)
	case notLow == nil && notNumber == nil && n < first:
		return "", wrong(at, "there is no entry %d: the first one is %d", n, first)
	case notLow == nil && notNumber == nil:
		return strconv.Itoa(n - first), nil
	case low == "0" && i.whole:
		return i.text, nil
	case low == "0":
		return i.text + " if " + i.in(bitOr) + " >= 0 else len(" + list + ")", nil
	}
	return i.in(sum) + " - " + low + " if " + i.in(bitOr) + " >= " + low + " else len(" + list + ")", nil
}

// entries reads an array that a call reads: a list, an array, one from an entry on, or one value as an array of one.
func (r *reader) entries(p calls.Param) (value, *mistake) {
	address := !r.fortran && r.is("&")
	if t := r.peek(); !address && !(r.fortran && t.kind == nameToken && r.tokens[r.i+1].text == "(" && r.variable(r.name(t)).Dims > 0) {
		return r.expression()
	}
	if !r.fortran && r.peek().kind != nameToken {
		return value{}, wrong(r.peek().at, "& is allowed only before a name")
	}
	v, last, err := r.place("")
	switch {
	case err != nil:
	case last != nil:
		v = value{text: last.of + "[" + last.index + ":]", level: atom, length: -1}
	case v.array == "" || p.Triples:
		v = value{text: "[" + v.text + "]", level: atom, length: 1}
	}
	return v, err
}

// enough refuses to pass more entries of an array than it is declared with.
func (r *reader) enough(c *calls.Procedure, args map[string]argument) *mistake {
	for _, p := range c.Params {
		array := args[p.Name].array
		of := r.variable(array)
		n, err := strconv.Atoi(args[p.Length].text)
		if array != "" && err == nil && len(of.lengths) > 0 && of.lengths[0] >= 0 && n > of.lengths[0] {
			return wrong(args[p.Length].at, "%s is %d, and %s has %d entries", p.Length, n, array, of.lengths[0])
		}
	}
	return nil
}

// got notes that a call sets a variable.
func (r *reader) got(c *calls.Procedure, p calls.Param, a argument) {
	name := leading(a.text, isNameByte)
	v := r.variable(name)
	v.whole = slices.Contains([]string{"MPI_Comm_rank", "MPI_Comm_size", "MPI_Comm_remote_size", "MPI_Group_size"}, c.Name)
	r.sets[name] = v
}

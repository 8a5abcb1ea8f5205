package tongue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// assignment reads "color = rank / 4", "dims[0] = 2" and "err = MPI_Barrier(comm)"; in Fortran "dims(1) = 2".
func (r *reader) assignment(t token) ([]string, *Command, *mistake) {
	r.i--
	name := r.name(t)
	target, _, err := r.place(name)
	if err != nil {
		return nil, nil, err
	}
	if !r.is("=") {
		return nil, nil, wrong(r.peek().at, "%s", understood(r.fortran))
	}
	return r.assigned(name, target.text, nil)
}

// assigned reads the value that a variable, or the entry of an array at that place, is set to. sizes are the lengths
// of an array that is declared here: entries that its list leaves out are 0.
func (r *reader) assigned(name, place string, sizes []string) ([]string, *Command, *mistake) {
	if t := r.peek(); t.kind == nameToken && strings.HasPrefix(t.text, "MPI_") && r.tokens[r.i+1].text == "(" {
		r.next()
		return r.call(t, place)
	}
	v, err := r.expression()
	if err != nil {
		return nil, nil, err
	}
	of := r.variable(name)
	switch {
	case v.items != nil:
		v = padded(v, sizes)
	case r.fortran && of.Dims > 0 && place == name && v.array != "":
		v.text += "[:]"
	case r.fortran && of.Dims > 0 && place == name: // all entries get the value
		v = value{text: filled(v.text, of.sizes), level: product, length: -1}
	case of.isTruth() && !r.fortran:
		v = v.condition()
	case of.isReal() || of.isTruth() || of.Kind == "" || of.Kind == "char" || strings.HasPrefix(of.Kind, "MPI_Comm"):
	case v.real:
		v = value{text: "int(" + v.text + ")", level: atom, length: -1}
	default:
		v = v.number()
	}
	if place == name {
		of.whole = v.whole
	}
	r.sets[name] = of
	return []string{place + " = " + v.text}, nil, nil
}

// padded appends a 0 to a list for each entry that is left out.
func padded(v value, sizes []string) value {
	if len(sizes) == 0 || v.items == nil {
		return v
	}
	texts := make([]string, len(v.items))
	for i, item := range v.items {
		texts[i] = padded(item, sizes[1:]).text
	}
	text := "[" + strings.Join(texts, ", ") + "]"
	zero := filled("0", sizes[1:])
	n, err := strconv.Atoi(sizes[0])
	switch {
	case sizes[0] == "" || err == nil && n <= len(texts):
	case len(sizes) > 1:
		text += " + [" + zero + " for k_ in range(" + sizes[0] + " - " + strconv.Itoa(len(texts)) + ")]"
	case err == nil:
		text += " + [0] * " + strconv.Itoa(n-len(texts))
	default:
		text += " + [0] * (" + sizes[0] + " - " + strconv.Itoa(len(texts)) + ")"
	}
	if len(texts) == 0 {
		text = strings.TrimPrefix(text, "[] + ")
	}
	return value{text: text, level: sum, length: max(n, len(texts))}
}

// filled writes an array of those lengths, with the same value in each entry.
func filled(with string, sizes []string) string {
	switch len(sizes) {
	case 0:
		return with
	case 1:
		return "[" + with + "] * " + sizes[0]
	}
	return "[" + filled(with, sizes[1:]) + " for k_ in range(" + sizes[0] + ")]"
}

// extents are the dimensions of an array, the dimension of its outermost list first.
type extents struct {
	low, sizes []string // the first index, and the number of entries, as text
	lengths    []int    // the number of entries; -1 where a line computes it
}

func (x *extents) add(low string, size value) {
	n, err := strconv.Atoi(size.text)
	if err != nil {
		n = -1
	}
	x.low, x.sizes, x.lengths = append(x.low, low), append(x.sizes, size.in(sign)), append(x.lengths, n)
}

// declare notes the variable of a declaration, and reads its initial value. Entries of an array without a value hold
// None: to use such an entry is an error.
func (r *reader) declare(t token, kind string, dims int, x extents) ([]string, *mistake) {
	name := r.name(t)
	r.sets[name] = Variable{Kind: kind, Fortran: r.fortran, Dims: dims, extents: x}
	if r.is("=") {
		set, _, err := r.assigned(name, name, x.sizes)
		if v := r.sets[name]; err == nil && dims > 0 && slices.Contains(x.sizes, "") {
			v.lengths = slices.Repeat([]int{-1}, dims) // the list decides the lengths
			r.sets[name] = v
		}
		return set, err
	}
	switch {
	case dims <= 0 || kind == "MPI_Status":
		return nil, nil
	case slices.Contains(x.sizes, ""):
		return nil, wrong(t.at, "the number of entries of %s is missing", t.text)
	}
	return []string{name + " = " + filled("None", x.sizes)}, nil
}

// declaration reads the variables behind a type of C. It writes no statement for a variable that has no value and is no
// array.
func (r *reader) declaration(first token) ([]string, *Command, *mistake) {
	kind := first.text
	qualifier := func() bool { return kind == "const" || kind == "static" || kind == "unsigned" }
	for r.peek().kind == nameToken && isType(r.peek().text) {
		if t := r.next(); qualifier() {
			kind = t.text
		}
	}
	if qualifier() {
		kind = "int"
	}
	var list []string
	for {
		pointer := false
		for r.is("*") {
			pointer = true
		}
		t := r.next()
		if t.kind != nameToken {
			return nil, nil, wrong(t.at, "a name is expected behind %s: %s", first.text, understoodC)
		}
		if r.peek().text == "(" {
			return nil, nil, wrong(first.at, "functions are not allowed here: %s", understoodC)
		}
		x, err := r.lengthsOfC()
		if err != nil {
			return nil, nil, err
		}
		if kind == "char" && len(x.sizes) > 0 { // the last length is the length of a text
			n := len(x.sizes) - 1
			x = extents{x.low[:n], x.sizes[:n], x.lengths[:n]}
		}
		dims := len(x.sizes)
		if pointer && kind != "char" {
			dims, x = -1, extents{}
		}
		set, err := r.declare(t, kind, dims, x)
		if err != nil {
			return nil, nil, err
		}
		if list = append(list, set...); !r.is(",") {
			return list, nil, nil
		}
	}
}

// lengthsOfC reads "[2][size]" behind a declared name.
func (r *reader) lengthsOfC() (x extents, err *mistake) {
	for r.is("[") {
		if r.is("]") {
			x.add("0", value{level: atom})
			continue
		}
		n, err := r.expression()
		if err != nil {
			return x, err
		}
		if x.add("0", n); r.peek().text != "]" {
			return x, r.want("]")
		}
		r.next()
	}
	return x, nil
}

// isDeclaration reports whether a word begins a declaration of Fortran.
func isDeclaration(word string) bool {
	return slices.Contains([]string{"integer", "logical", "character", "type"}, strings.ToLower(word))
}

// declarationOfFortran reads "integer, parameter :: n = 4, dims(2) = [0, 0]" and "integer rank, size".
func (r *reader) declarationOfFortran(first token) ([]string, *Command, *mistake) {
	if !isDeclaration(first.text) {
		return nil, nil, wrong(first.at, "%s is not allowed here: %s", first.text, understoodFortran)
	}
	kind := strings.ToLower(first.text)
	all, err := r.attributes()
	if err != nil {
		return nil, nil, err
	}
	var list []string
	for {
		t := r.next()
		if t.kind != nameToken {
			return nil, nil, wrong(t.at, "a name is expected here")
		}
		x := all
		if r.is("(") {
			if x, err = r.lengthsOfFortran(); err != nil {
				return nil, nil, err
			}
		}
		set, err := r.declare(t, kind, len(x.sizes), x)
		if err != nil {
			return nil, nil, err
		}
		if list = append(list, set...); !r.is(",") {
			return list, nil, nil
		}
	}
}

// attributes reads the attributes between a type of Fortran and ::, and returns the lengths of dimension(...). Without
// ::, the names follow the type at once.
func (r *reader) attributes() (x extents, err *mistake) {
	if !slices.ContainsFunc(r.tokens[r.i:], func(t token) bool { return t.text == "::" }) {
		if r.is("(") || r.is("*") {
			return x, wrong(r.peek().at, ":: is missing: %s", understoodFortran)
		}
		return x, nil
	}
	for !r.is("::") {
		t := r.next()
		if strings.EqualFold(t.text, "dimension") && r.is("(") {
			if x, err = r.lengthsOfFortran(); err != nil {
				return x, err
			}
		}
	}
	return x, nil
}

// lengthsOfFortran reads "2, 0:n-1)" behind the bracket of a declaration. The last length belongs to the outermost
// list.
func (r *reader) lengthsOfFortran() (x extents, err *mistake) {
	for {
		from, to := value{text: "1", level: atom, length: -1}, value{}
		if to, err = r.expression(); err != nil {
			return x, err
		}
		if r.is(":") {
			from = to
			if to, err = r.expression(); err != nil {
				return x, err
			}
		}
		low, notLow := strconv.Atoi(from.text)
		high, notHigh := strconv.Atoi(to.text)
		switch {
		case notLow == nil && notHigh == nil:
			to.text, to.level = strconv.Itoa(max(high-low+1, 0)), atom
		case notLow != nil || low != 1:
			to = value{text: fmt.Sprintf("%s - %s + 1", to.in(sum), from.in(sign)), level: sum}
		}
		x.add(from.in(sign), to)
		if !r.is(",") {
			break
		}
	}
	slices.Reverse(x.low)
	slices.Reverse(x.sizes)
	slices.Reverse(x.lengths)
	return x, r.want(")")
}

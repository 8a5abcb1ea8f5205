package tongue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// assign translates "color = rank / 4", "dims[0] = 2" and "err = MPI_Barrier(comm)"; in Fortran "dims(1) = 2".
func (r *reader) assign(x, y syntax.Expr) {
	id, _ := r.indexes(x)
	name := mangled(id.Name)
	target, _ := r.place(x, name)
	r.assigned(name, target.text, y, nil)
}

// assigned translates the assignment of a value to a variable, or to the entry of an array at that place. sizes are
// the lengths of an array that is declared here: entries that its list leaves out are 0.
func (r *reader) assigned(name, place string, y syntax.Expr, sizes []string) {
	if c, ok := y.(*syntax.Call); ok && !r.fortran {
		if id, ok := c.Fn.(*syntax.Ident); ok && strings.HasPrefix(id.Name, "MPI_") {
			r.call(c, place)
			return
		}
	}
	v := r.expression(y)
	of := r.variable(name)
	switch {
	case v.items != nil:
		v = padded(v, sizes)
	case r.fortran && of.Dims > 0 && place == name && v.array != "":
		v.text += "[:]"
	case r.fortran && of.Dims > 0 && place == name: // all entries get the value
		v = value{text: filled(v.text, of.sizes), level: product}
	case of.isTruth() && !r.fortran:
		v = v.condition()
	case of.isReal() || of.isTruth() || of.t == nil || of.t.Kind == syntax.Char || of.t.Name == "MPI_Comm":
	case v.real:
		v = value{text: "int(" + v.text + ")", level: atom}
	default:
		v = v.number()
	}
	if place == name {
		of.whole = v.whole
	}
	r.sets[name] = of
	r.write("%s = %s", place, v.text)
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
	return value{text: text, level: sum, listed: true, length: max(n, len(texts))}
}

// filled returns an array of those lengths with the same value in each entry.
func filled(with string, sizes []string) string {
	switch len(sizes) {
	case 0:
		return with
	case 1:
		return "[" + with + "] * " + sizes[0]
	}
	return "[" + filled(with, sizes[1:]) + " for k_ in range(" + sizes[0] + ")]"
}

// extents are the dimensions of an array, that of the outermost list first.
type extents struct {
	low, sizes []string // the first index, and the number of entries, as text
	lengths    []int    // the number of entries; -1 where a line computes it
}

// add adds a dimension of an array of C or Fortran. Its length is nil where a list decides it.
func (r *reader) add(x *extents, length syntax.Expr) {
	low, size := "0", value{level: atom}
	if r.fortran {
		low = "1"
	}
	switch e := length.(type) {
	case nil:
	case *syntax.Range:
		var from value
		from, size = r.expression(e.Low), r.expression(e.High)
		first, notLow := strconv.Atoi(from.text)
		last, notHigh := strconv.Atoi(size.text)
		switch low = from.in(sign); {
		case notLow == nil && notHigh == nil:
			size = value{text: strconv.Itoa(max(last-first+1, 0)), level: atom}
		case notLow != nil || first != 1:
			size = value{text: fmt.Sprintf("%s - %s + 1", size.in(sum), from.in(sign)), level: sum}
		}
	default:
		size = r.expression(length)
	}
	n, err := strconv.Atoi(size.text)
	if err != nil {
		n = -1
	}
	x.low, x.sizes, x.lengths = append(x.low, low), append(x.sizes, size.in(sign)), append(x.lengths, n)
}

// declare notes the variable of a declaration, and translates its initial value. Entries of an array without a value
// hold None, so that using such an entry is an error. A variable without a value that is no array needs no statement.
func (r *reader) declare(v *syntax.Var) {
	name := mangled(v.Name)
	if r.inner != nil {
		if r.variable(name).t != nil {
			wrong(v.Pos, "%s is already declared: in a block, give it another name", v.Name)
		}
		r.inner = append(r.inner, name)
	}
	t, x := v.Type, extents{}
	for ; t.Kind == syntax.Array; t = t.Elem {
		if t.Elem.Kind != syntax.Char || r.fortran { // the last length of char is the length of a text
			r.add(&x, t.Len)
		}
	}
	dims := len(x.sizes)
	for t.Kind == syntax.Pointer {
		if t = t.Elem; t.Kind != syntax.Char {
			dims, x = -1, extents{}
		}
	}
	r.sets[name] = Variable{t: t, Fortran: r.fortran, Dims: dims, extents: x}
	switch {
	case v.Init != nil:
		r.assigned(name, name, v.Init, x.sizes)
		if of := r.sets[name]; dims > 0 && slices.Contains(x.sizes, "") {
			of.lengths = slices.Repeat([]int{-1}, dims) // the list decides the lengths
			r.sets[name] = of
		}
	case dims <= 0 || t.Name == "MPI_Status":
	case slices.Contains(x.sizes, ""):
		wrong(v.Pos, "the number of entries of %s is missing", r.word(v.Pos))
	default:
		r.write("%s = %s", name, filled("None", x.sizes))
	}
}

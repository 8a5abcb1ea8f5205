package machine

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// datatype is a datatype of MPI: a basic one, or one that the program made of others.
type datatype struct {
	opaque
	kind syntax.Kind // of the elements, if all have the same; Record: parts has them. Void: bytes
	each int         // elements that one of it has

	made, committed, freed bool
	parts                  []part // where its elements are, in bytes from its beginning
	extent                 int64  // how far the next one is, in bytes
	open                   *program.Open
}

// datatypes has the basic datatypes by their names without "MPI_": C's names first, then Fortran's.
var datatypes = datatypeTable()

func datatypeTable() map[string]*datatype {
	table := map[string]*datatype{}
	for _, d := range []struct {
		names string
		kinds []syntax.Kind
	}{
		{"CHAR SIGNED_CHAR INT8_T CHARACTER", []syntax.Kind{syntax.Char}},
		{"UNSIGNED_CHAR UINT8_T", []syntax.Kind{syntax.UChar}},
		{"BYTE PACKED", []syntax.Kind{syntax.Void}},
		{"SHORT INT16_T INTEGER2", []syntax.Kind{syntax.Short}}, {"UNSIGNED_SHORT UINT16_T", []syntax.Kind{syntax.UShort}},
		{"INT INT32_T INTEGER INTEGER4", []syntax.Kind{syntax.Int}},
		{"C_BOOL LOGICAL", []syntax.Kind{syntax.Logical}},
		{"UNSIGNED UINT32_T", []syntax.Kind{syntax.UInt}},
		{"LONG LONG_LONG LONG_LONG_INT INT64_T AINT OFFSET COUNT INTEGER8", []syntax.Kind{syntax.Long}},
		{"UNSIGNED_LONG UNSIGNED_LONG_LONG UINT64_T", []syntax.Kind{syntax.ULong}},
		{"FLOAT REAL REAL4", []syntax.Kind{syntax.Float}},
		{"DOUBLE DOUBLE_PRECISION REAL8", []syntax.Kind{syntax.Double}},
		{"2INT 2INTEGER", []syntax.Kind{syntax.Int, syntax.Int}}, {"2REAL", []syntax.Kind{syntax.Float, syntax.Float}},
		{"2DOUBLE_PRECISION", []syntax.Kind{syntax.Double, syntax.Double}},
		{"FLOAT_INT", []syntax.Kind{syntax.Float, syntax.Int}}, {"DOUBLE_INT", []syntax.Kind{syntax.Double, syntax.Int}},
		{"LONG_INT", []syntax.Kind{syntax.Long, syntax.Int}}, {"SHORT_INT", []syntax.Kind{syntax.Short, syntax.Int}},
	} {
		for name := range strings.FieldsSeq(d.names) {
			t := &datatype{opaque: opaque{"MPI_" + name}}
			for _, k := range d.kinds { // as in a structure of C
				size := (&typ{kind: k}).size()
				t.append(k, (t.extent+size-1)/size*size)
				t.extent = t.parts[t.each-1].at + max(size, (&typ{kind: d.kinds[0]}).size())
			}
			table[name] = t
		}
	}
	table["DATATYPE_NULL"] = &datatype{opaque: opaque{"MPI_DATATYPE_NULL"}}
	return table
}

// append adds an element at a byte.
func (d *datatype) append(k syntax.Kind, at int64) {
	if d.parts = append(d.parts, part{k, at}); d.each == 0 {
		d.kind = k
	} else if d.kind != k {
		d.kind = syntax.Record
	}
	d.each++
}

// size returns the bytes of the elements, without what lies between them.
func (d *datatype) size() int64 {
	n := int64(0)
	for _, p := range d.parts {
		n += (&typ{kind: p.kind}).size()
	}
	return n
}

// block is a part of a datatype: n old datatypes in a row, which begin at a byte.
type block struct {
	at  int64
	n   int
	old *datatype
}

// of gives the program a datatype made of blocks (§5.1.2). next is the extent in bytes; 0: the datatype ends with the
// block that reaches farthest.
func (a *passed) of(blocks []block, next int64) error {
	d := &datatype{opaque: opaque{"datatype of " + a.row.Name}, made: true, extent: next, open: a.f.r.Opened("datatype", nil)}
	align, end := int64(1), int64(0)
	for _, b := range blocks {
		if b.old.kind == syntax.Void {
			wrong(a.at(), "%s: a datatype of %s is not supported here", a.row.Name, b.old.name)
		}
		if b.n < 0 {
			wrong(a.at(), "%s: a length of %d is negative", a.row.Name, b.n)
		}
		for i := range int64(b.n) {
			for _, p := range b.old.parts {
				d.append(p.kind, p.at+b.at+i*b.old.extent)
				align = max(align, (&typ{kind: p.kind}).size())
			}
		}
		if b.n > 0 {
			end = max(end, b.at+int64(b.n)*b.old.extent)
		}
	}
	if next == 0 {
		if d.extent = end; d.kind == syntax.Record { // as the next structure of C begins
			d.extent = (end + align - 1) / align * align
		}
	}
	a.set("newtype", d)
	return nil
}

// at returns the place of the datatype that a call makes.
func (a *passed) at() syntax.Pos { return a.args["newtype"].at }

func contiguous(a *passed) error { return a.of([]block{{0, a.int("count"), a.datatype("oldtype")}}, 0) }

// vector makes MPI_Type_vector, and MPI_Type_create_hvector, whose stride is in bytes.
func vector(a *passed) error {
	old := a.datatype("oldtype")
	var list []block
	for i := range a.notNegative("count", a.int("count")) {
		list = append(list, block{int64(i*a.int("stride")) * a.unit(old), a.int("blocklength"), old})
	}
	return a.of(list, 0)
}

// unit returns how many bytes a stride or a displacement of a call counts.
func (a *passed) unit(old *datatype) int64 {
	if strings.Contains(a.row.Name, "_h") || strings.HasSuffix(a.row.Name, "_struct") {
		return 1
	}
	return old.extent
}

// indexed makes datatypes of blocks with displacements. The blocks have one length, or each its own, and one datatype,
// or each its own.
func indexed(a *passed) error {
	var list []block
	n := a.int("count")
	for i, first := range a.ints("array_of_displacements", n) {
		b := block{}
		if a.args["array_of_types"] != nil {
			r, at := a.slot("array_of_types").p, a.args["array_of_types"].at
			b.old, _ = a.f.entry(r, at, int64(i)).(*datatype)
			if b.old == nil {
				wrong(at, "entry %d of array_of_types has no value yet", i)
			}
		} else {
			b.old = a.datatype("oldtype")
		}
		b.at = int64(first) * a.unit(b.old)
		if a.args["blocklength"] != nil {
			b.n = a.int("blocklength")
		} else {
			b.n = a.ints("array_of_blocklengths", n)[i]
		}
		list = append(list, b)
	}
	return a.of(list, 0)
}

// subarray makes MPI_Type_create_subarray, from the sizes of the array, the sizes of the part, and where the part
// begins.
func subarray(a *passed) error {
	n := a.int("ndims")
	sizes, parts, starts := a.ints("array_of_sizes", n), a.ints("array_of_subsizes", n), a.ints("array_of_starts", n)
	if int64(a.int("order")) == integersOfMPI["ORDER_FORTRAN"] {
		slices.Reverse(sizes)
		slices.Reverse(parts)
		slices.Reverse(starts)
	}
	old := a.datatype("oldtype")
	places, whole := []int{0}, old.extent
	for k, size := range sizes {
		if starts[k] < 0 || parts[k] < 1 || starts[k]+parts[k] > size {
			wrong(a.args["array_of_starts"].at, "%s: the part of %d from %d on is not in a dimension of %d", a.row.Name, parts[k], starts[k], size)
		}
		whole *= int64(size)
		var next []int
		for _, p := range places {
			for i := range parts[k] {
				next = append(next, p*size+starts[k]+i)
			}
		}
		places = next
	}
	var list []block
	for _, p := range places {
		list = append(list, block{int64(p) * old.extent, 1, old})
	}
	return a.of(list, whole)
}

func resized(a *passed) error {
	if lb, extent := a.int("lb"), a.int("extent"); lb != 0 || extent < 1 {
		wrong(a.args["extent"].at, "%s: a lower bound of %d and an extent of %d are not supported here", a.row.Name, lb, extent)
	}
	return a.of([]block{{0, 1, a.datatype("oldtype")}}, int64(a.int("extent")))
}

func commit(a *passed) error {
	if d := a.datatype("datatype"); d.made {
		d.committed = true
	}
	return nil
}

func freeType(a *passed) error {
	d := a.datatype("datatype")
	if !d.made {
		wrong(a.args["datatype"].at, "%s: %s is predefined and cannot be freed", a.row.Name, d.name)
	}
	d.freed = true
	a.f.r.Opened("datatype", d.open)
	a.set("datatype", datatypes["DATATYPE_NULL"])
	return nil
}

func extentOf(a *passed) error {
	a.set("lb", starlark.MakeInt(0))
	return a.gives("extent", int(a.datatype("datatype").extent))
}

// places returns the cells of n datatypes that the program made, or that lie in structures, and the kinds of the cells.
// The first datatype begins at a byte of the memory.
func (a *passed) places(m *memory, at syntax.Pos, d *datatype, begin int64, n int) ([]int, []syntax.Kind) {
	places, kinds := make([]int, 0, n*d.each), make([]syntax.Kind, 0, n*d.each)
	for i := range int64(n) {
		for _, p := range d.parts {
			byte := begin + i*d.extent + p.at
			k, ok := m.cellAt(byte)
			if !ok {
				wrong(at, "%s: the datatype has %s at byte %d, where no element of %s begins", a.row.Name, kindNames[p.kind], byte, m.called())
			}
			if k < 0 || k >= m.len() {
				wrong(at, "%s: there is no entry %d, which the datatype reaches: %s has %d", a.row.Name, k/int(m.elem().width()),
					m.called(), m.len()/int(m.elem().width()))
			}
			kind, _, _ := m.part(k)
			if !alike(kind, p.kind) {
				wrong(at, "%s: the datatype has %s at byte %d, where %s has %s", a.row.Name, kindNames[p.kind], byte, m.called(), kindNames[kind])
			}
			places, kinds = append(places, k), append(kinds, p.kind)
		}
	}
	return places, kinds
}

// bytesOf returns a buffer of so many bytes of structures.
func (a *passed) bytesOf(r ref, at syntax.Pos, from, n int64) *program.Buffer {
	_, begin, _ := r.m.part(r.off)
	var places []int
	var kinds []syntax.Kind
	for k, left := begin+from, n; left > 0; {
		c, ok := r.m.cellAt(k)
		if !ok || c >= r.m.len() {
			wrong(at, "%s: %d bytes are not a whole number of elements of %s", a.row.Name, n, r.m.called())
		}
		kind, _, size := r.m.part(c)
		if !isNumber(kind) {
			wrong(at, "%s: a structure with %s cannot be sent as bytes: they mean nothing to another rank", a.row.Name, kindNames[kind])
		}
		places, kinds = append(places, c), append(kinds, kind)
		k, left = k+size, left-size
	}
	return ofKinds(r.m, places, kinds, int(n))
}

func ofKinds(m *memory, places []int, kinds []syntax.Kind, bytes int) *program.Buffer {
	list := make([]program.Elem, len(kinds))
	for i, k := range kinds {
		list[i] = elems[k]
	}
	return program.Placed(m.cells, places, list, bytes)
}

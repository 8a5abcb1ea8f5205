package machine

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// datatype is a datatype of MPI: a basic one, or one that the program made of elements of one basic datatype.
type datatype struct {
	name string
	kind syntax.Kind // of the elements of memory
	elem program.Elem
	each int // elements of memory that one of it has

	made, committed, freed bool
	places                 []int // of a made one: where its elements are, counted from its beginning
	extent                 int   // of a made one: how far the next one is
	open                   *program.Open
}

// datatypes has the basic datatypes by their names without "MPI_": C's names first, then Fortran's.
var datatypes = datatypeTable()

func datatypeTable() map[string]*datatype {
	table := map[string]*datatype{}
	for _, d := range []struct {
		names string
		kind  syntax.Kind
		elem  program.Elem
		each  int
	}{
		{"CHAR SIGNED_CHAR INT8_T CHARACTER", syntax.Char, program.Char, 1},
		{"UNSIGNED_CHAR UINT8_T", syntax.UChar, program.Uint8, 1},
		{"BYTE PACKED", syntax.Void, program.Char, 1},
		{"SHORT INT16_T INTEGER2", syntax.Short, program.Int16, 1}, {"UNSIGNED_SHORT UINT16_T", syntax.UShort, program.Uint16, 1},
		{"INT INT32_T INTEGER INTEGER4", syntax.Int, program.Int32, 1},
		{"C_BOOL LOGICAL", syntax.Logical, program.Int32, 1},
		{"UNSIGNED UINT32_T", syntax.UInt, program.Uint32, 1},
		{"LONG LONG_LONG LONG_LONG_INT INT64_T AINT OFFSET COUNT INTEGER8", syntax.Long, program.Int64, 1},
		{"UNSIGNED_LONG UNSIGNED_LONG_LONG UINT64_T", syntax.ULong, program.Uint64, 1},
		{"FLOAT REAL REAL4", syntax.Float, program.Float32, 1},
		{"DOUBLE DOUBLE_PRECISION REAL8", syntax.Double, program.Float64, 1},
		{"2INT 2INTEGER", syntax.Int, program.Int32, 2}, {"2REAL", syntax.Float, program.Float32, 2},
		{"2DOUBLE_PRECISION", syntax.Double, program.Float64, 2},
	} {
		for name := range strings.FieldsSeq(d.names) {
			table[name] = &datatype{name: "MPI_" + name, kind: d.kind, elem: d.elem, each: d.each}
		}
	}
	table["DATATYPE_NULL"] = &datatype{name: "MPI_DATATYPE_NULL"}
	return table
}

func (d *datatype) size() int64 { return int64(d.each) * (&typ{kind: d.kind}).size() }

// layout returns the places of the elements of one datatype, and the distance to the next datatype.
func (d *datatype) layout() (places []int, extent int) {
	if d.made {
		return d.places, d.extent
	}
	for i := range d.each {
		places = append(places, i)
	}
	return places, d.each
}

// A datatype is a value of a program, which passes it to MPI alone.

func (d *datatype) String() string      { return d.name }
func (*datatype) Type() string          { return "Datatype" }
func (*datatype) Freeze()               {}
func (*datatype) Truth() starlark.Bool  { return true }
func (*datatype) Hash() (uint32, error) { return 0, nil }

// block is a part of a datatype: n old datatypes in a row, the first of them at place first.
type block struct{ first, n int }

// of gives the program a datatype made of blocks of an old datatype (§5.1.2). next is the extent; 0: the datatype
// ends with its last block.
func (a *passed) of(blocks []block, next int) error {
	old := a.datatype("oldtype")
	if old.kind == syntax.Void {
		wrong(a.args["oldtype"].at, "%s: a datatype of %s is not supported here", a.row.Name, old.name)
	}
	places, extent := old.layout()
	d := &datatype{name: "datatype of " + a.row.Name, kind: old.kind, elem: old.elem, made: true, open: a.f.r.Opened("datatype", nil)}
	for _, b := range blocks {
		if b.n < 0 {
			wrong(a.args["oldtype"].at, "%s: a length of %d is negative", a.row.Name, b.n)
		}
		for i := range b.n {
			for _, p := range places {
				d.places = append(d.places, p+(b.first+i)*extent)
			}
		}
		if b.n > 0 {
			d.extent = max(d.extent, (b.first+b.n)*extent)
		}
	}
	if d.each = len(d.places); next > 0 {
		d.extent = next
	}
	a.set("newtype", d)
	return nil
}

func contiguous(a *passed) error { return a.of([]block{{0, a.int("count")}}, 0) }

func vector(a *passed) error {
	var list []block
	for i := range a.int("count") {
		list = append(list, block{i * a.int("stride"), a.int("blocklength")})
	}
	return a.of(list, 0)
}

// indexed makes MPI_Type_indexed, and MPI_Type_create_indexed_block, whose blocks have one length.
func indexed(a *passed) error {
	var list []block
	n := a.int("count")
	for i, first := range a.ints("array_of_displacements", n) {
		b := block{first: first}
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
	list := []block{{0, 1}}
	_, whole := a.datatype("oldtype").layout()
	for k, size := range sizes {
		if starts[k] < 0 || parts[k] < 1 || starts[k]+parts[k] > size {
			wrong(a.args["array_of_starts"].at, "%s: the part of %d from %d on is not in a dimension of %d", a.row.Name, parts[k], starts[k], size)
		}
		whole *= size
		var next []block
		for _, b := range list {
			for i := range parts[k] {
				next = append(next, block{b.first*size + starts[k] + i, 1})
			}
		}
		list = next
	}
	return a.of(list, whole)
}

func resized(a *passed) error {
	size := int((&typ{kind: a.datatype("oldtype").kind}).size())
	if lb, extent := a.int("lb"), a.int("extent"); lb != 0 || extent < 1 || extent%size != 0 {
		wrong(a.args["extent"].at, "%s: a lower bound of %d and an extent of %d bytes, of elements of %d, are not supported here", a.row.Name, lb, extent, size)
	}
	return a.of([]block{{0, 1}}, a.int("extent")/size)
}

func commit(a *passed) error {
	if d := a.ended(); d.made {
		d.committed = true
	}
	return nil
}

func freeType(a *passed) error {
	d := a.ended()
	if !d.made {
		wrong(a.args["datatype"].at, "%s: %s is predefined and cannot be freed", a.row.Name, d.name)
	}
	d.freed = true
	a.f.r.Opened("datatype", d.open)
	a.set("datatype", datatypes["DATATYPE_NULL"])
	return nil
}

// ended returns the datatype that a call commits or frees.
func (a *passed) ended() *datatype {
	d := a.datatype("datatype")
	if d == datatypes["DATATYPE_NULL"] {
		wrong(a.args["datatype"].at, "%s: the datatype is MPI_DATATYPE_NULL", a.row.Name)
	}
	return d
}

func extentOf(a *passed) error {
	d := a.datatype("datatype")
	_, extent := d.layout()
	a.set("lb", starlark.MakeInt(0))
	return a.gives("extent", extent*int((&typ{kind: d.kind}).size()))
}

// placed returns a buffer with n datatypes that the program made, beginning at a place in memory.
func (a *passed) placed(r ref, at syntax.Pos, d *datatype, begin, n int) *program.Buffer {
	for _, i := range []int{slices.Min(append(d.places, 0)), slices.Max(append(d.places, 0)) + (n-1)*d.extent} {
		if n > 0 && len(d.places) > 0 && (begin+i < 0 || begin+i >= r.m.len()) {
			wrong(at, "%s: there is no entry %d, which the datatype reaches: %s has %d", a.row.Name, begin+i, r.m.called(), r.m.len())
		}
	}
	return program.Placed(d.elem, r.m.cells, begin, n, d.places, d.extent)
}

package machine

import (
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// datatype is a datatype of MPI: a basic one, or one that the program made of elements of one basic one.
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

// datatypes are the basic datatypes by their names without "MPI_", those of C first, then those of Fortran.
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

// layout is where the elements of one datatype are, and how far the next one is.
func (d *datatype) layout() (places []int, extent int) {
	if d.made {
		return d.places, d.extent
	}
	for i := range d.each {
		places = append(places, i)
	}
	return places, d.each
}

// block is a part of a datatype: n datatypes, one behind the other, from one on that is at first.
type block struct{ first, n int }

// of is a datatype of blocks of datatypes (§5.1.2).
func (a *callArgs) of(f *frame, blocks []block) error {
	old := a.datatype(f, "datatype")
	if old.kind == syntax.Void {
		panic(syntax.Beyond(a.e.Pos, "a datatype of %s is more than is carried out here", old.name))
	}
	places, extent := old.layout()
	d := &datatype{name: "datatype of " + a.name, kind: old.kind, elem: old.elem, made: true, open: f.r.Opened("datatype", nil)}
	for _, b := range blocks {
		if b.n < 0 {
			wrong(a.e.Pos, "%s: a length of %d is negative", a.name, b.n)
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
	d.each = len(d.places)
	a.set(f, "newtype", slot{v: d})
	return nil
}

// typeCalls are the calls that make datatypes of others, and end them.
func typeCalls(add func(signature string, run func(*callArgs, *frame) error)) {
	add("MPI_Type_contiguous count datatype !newtype", func(a *callArgs, f *frame) error {
		return a.of(f, []block{{0, a.int(f, "count")}})
	})
	add("MPI_Type_vector count blocklength stride datatype !newtype", func(a *callArgs, f *frame) error {
		var list []block
		for i := range a.int(f, "count") {
			list = append(list, block{i * a.int(f, "stride"), a.int(f, "blocklength")})
		}
		return a.of(f, list)
	})
	add("MPI_Type_indexed count counts displs datatype !newtype", func(a *callArgs, f *frame) error {
		var list []block
		n := a.int(f, "count")
		first := a.ints(f, "displs", n)
		for i, k := range a.ints(f, "counts", n) {
			list = append(list, block{first[i], k})
		}
		return a.of(f, list)
	})
	add("MPI_Type_create_indexed_block count blocklength displs datatype !newtype", func(a *callArgs, f *frame) error {
		var list []block
		for _, first := range a.ints(f, "displs", a.int(f, "count")) {
			list = append(list, block{first, a.int(f, "blocklength")})
		}
		return a.of(f, list)
	})
	add("MPI_Type_create_subarray ndims counts counts2 displs order datatype !newtype", subarray)
	add("MPI_Type_create_resized datatype lb extent !newtype", func(a *callArgs, f *frame) error {
		old := a.datatype(f, "datatype")
		size := (&typ{kind: old.kind}).size()
		if lb, extent := a.exprs["lb"].i(f), a.exprs["extent"].i(f); lb != 0 || extent%size != 0 {
			panic(syntax.Beyond(a.e.Pos, "a lower bound of %d and an extent of %d bytes, of elements of %d, is more than is carried out here", lb, extent, size))
		}
		if err := a.of(f, []block{{0, 1}}); err != nil {
			return err
		}
		a.made(f, "newtype").extent = int(a.exprs["extent"].i(f) / size)
		return nil
	})
	add("MPI_Type_commit !datatype", func(a *callArgs, f *frame) error {
		if d := a.made(f, "datatype"); d.made {
			d.committed = true
		}
		return nil
	})
	add("MPI_Type_free !datatype", func(a *callArgs, f *frame) error {
		d := a.made(f, "datatype")
		if !d.made {
			wrong(a.e.Pos, "%s: %s is predefined and cannot be freed", a.name, d.name)
		}
		d.freed = true
		f.r.Opened("datatype", d.open)
		a.set(f, "datatype", slot{v: datatypes["DATATYPE_NULL"]})
		return nil
	})
	add("MPI_Type_get_extent datatype !lb !extent", func(a *callArgs, f *frame) error {
		d := a.datatype(f, "datatype")
		_, extent := d.layout()
		a.set(f, "lb", slot{})
		a.set(f, "extent", slot{i: int64(extent) * (&typ{kind: d.kind}).size()})
		return nil
	})
}

// made is the datatype that an argument points to.
func (a *callArgs) made(f *frame, name string) *datatype {
	d, ok := a.sets[name].get().value(f).v.(*datatype)
	if !ok || d == datatypes["DATATYPE_NULL"] {
		wrong(a.e.Pos, "%s: the datatype is MPI_DATATYPE_NULL", a.name)
	}
	return d
}

// subarray is MPI_Type_create_subarray: sizes, sizes of the part, where the part begins.
func subarray(a *callArgs, f *frame) error {
	n := a.int(f, "ndims")
	sizes, parts, starts := a.ints(f, "counts", n), a.ints(f, "counts2", n), a.ints(f, "displs", n)
	if int64(a.int(f, "order")) == integersOfMPI["ORDER_FORTRAN"] {
		slices.Reverse(sizes)
		slices.Reverse(parts)
		slices.Reverse(starts)
	}
	list := []block{{0, 1}}
	whole := 1
	for k, size := range sizes {
		if starts[k] < 0 || parts[k] < 1 || starts[k]+parts[k] > size {
			wrong(a.e.Pos, "%s: the part of %d from %d on is not in dimension %d of %d", a.name, parts[k], starts[k], k, size)
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
	if err := a.of(f, list); err != nil {
		return err
	}
	_, extent := a.datatype(f, "datatype").layout()
	a.made(f, "newtype").extent = whole * extent
	return nil
}

// placed is n datatypes of the program's from a place in memory on.
func (a *callArgs) placed(r ref, at syntax.Pos, d *datatype, begin, n int) *program.Buffer {
	b := program.Placed(d.elem, r.m.cells, begin, n, d.places, d.extent)
	for _, i := range []int{slices.Min(append(d.places, 0)), slices.Max(append(d.places, 0)) + (n-1)*d.extent} {
		if n > 0 && len(d.places) > 0 && (begin+i < 0 || begin+i >= r.m.len()) {
			wrong(at, "%s: there is no entry %d, which the datatype reaches: %s has %d", a.name, begin+i, r.m.called(), r.m.len())
		}
	}
	return b
}

package machine

import (
	"slices"
	"sort"

	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// record is the layout of a structure of C. In memory, a structure takes one cell for each number, handle or pointer in
// it; offsets and sizes in bytes, which sizeof, offsetof and datatypes of MPI tell, are those of C on 64 bits.
type record struct {
	name         string
	fields       []field
	parts        []part // one for each cell
	bytes, align int64
}

// field is a member of a structure.
type field struct {
	name string
	t    *typ
	cell int   // where it begins
	at   int64 // in bytes
}

// part is a cell of a structure.
type part struct {
	kind syntax.Kind
	at   int64 // in bytes
}

// record returns the type of a structure.
func (c *compiler) record(s *syntax.Type, at syntax.Pos) *typ {
	if t := c.records[s]; t != nil {
		return t
	}
	if s.Fields == nil {
		panic(syntax.Wrong(at, "the structure %s is declared, but its fields are not in the file", s.Name))
	}
	r := &record{name: s.Name, align: 1}
	t := &typ{kind: syntax.Record, rec: r}
	c.records[s] = t
	for _, f := range s.Fields {
		of := c.typ(f.Type, f.Pos)
		n, fixed := of.fixed()
		if of.rec == r || !fixed {
			panic(syntax.Wrong(f.Pos, "the field %s needs a size that is known: make it a pointer", f.Name))
		}
		align := of.align()
		r.align = max(r.align, align)
		r.bytes = (r.bytes + align - 1) / align * align
		r.fields = append(r.fields, field{f.Name, of, len(r.parts), r.bytes})
		for i := range n / of.width() {
			r.parts = append(r.parts, of.base().partsAt(r.bytes+i*of.base().size())...)
		}
		r.bytes += of.size()
	}
	r.bytes = (r.bytes + r.align - 1) / r.align * r.align
	return t
}

// partsAt returns the cells of a value that begins at a byte.
func (t *typ) partsAt(at int64) []part {
	if t.rec == nil {
		return []part{{t.kind, at}}
	}
	parts := slices.Clone(t.rec.parts)
	for i := range parts {
		parts[i].at += at
	}
	return parts
}

// align returns the number of which C makes the address of a value a multiple.
func (t *typ) align() int64 {
	switch t = t.base(); {
	case t.rec != nil:
		return t.rec.align
	case t.isStatus():
		return 8
	}
	return t.size()
}

// width returns how many cells one element in the innermost array of a type has.
func (t *typ) width() int64 {
	if rec := t.base().rec; rec != nil {
		return int64(len(rec.parts))
	}
	return 1
}

// wide reports whether a value of the type has several cells: an array or a structure.
func (t *typ) wide() bool { return t.kind == syntax.Array || t.kind == syntax.Record }

// field finds a field of a structure.
func (t *typ) field(at syntax.Pos, name string) field {
	for _, f := range t.rec.fields {
		if f.name == name {
			return f
		}
	}
	panic(syntax.Wrong(at, "%s has no field %s", t, name))
}

// fieldOf compiles the field of a structure that begins where whole tells.
func (c *compiler) fieldOf(t *typ, whole func(*frame) ref, e *syntax.Member) place {
	of := t.field(e.Pos, e.Name)
	return place{t: of.t, at: e.Pos, addr: func(f *frame) ref {
		r := whole(f)
		r.off = r.check(e.Pos, int64(of.cell))
		return r
	}}
}

// elem returns the type of the elements of memory.
func (m *memory) elem() *typ { return &typ{kind: m.kind, rec: m.rec} }

// part returns the kind of a cell, where it begins in bytes, and how far the next cell is.
func (m *memory) part(k int) (kind syntax.Kind, at, size int64) {
	if m.rec == nil {
		n := m.elem().size()
		return m.kind, int64(k) * n, n
	}
	i, n := k%len(m.rec.parts), int64(k/len(m.rec.parts))*m.rec.bytes
	end := m.rec.bytes
	if i+1 < len(m.rec.parts) {
		end = m.rec.parts[i+1].at
	}
	p := m.rec.parts[i]
	return p.kind, n + p.at, end - p.at
}

// cellAt returns the cell that begins at a byte; false for none.
func (m *memory) cellAt(at int64) (int, bool) {
	size := m.elem().size()
	if at < 0 || size < 1 {
		return 0, false
	}
	n, rest := at/size, at%size
	if m.rec == nil {
		return int(n), rest == 0
	}
	i := sort.Search(len(m.rec.parts), func(i int) bool { return m.rec.parts[i].at >= rest })
	return int(n)*len(m.rec.parts) + i, i < len(m.rec.parts) && m.rec.parts[i].at == rest
}

// cellsIn returns how many cells a number of bytes from a pointer on has.
func (r ref) cellsIn(at syntax.Pos, bytes int64) int64 {
	if r.m.rec == nil {
		return bytes / r.m.elem().size()
	}
	n := int64(0)
	for k := r.off; bytes > 0; k++ {
		r.check(at, n)
		_, _, size := r.m.part(k)
		bytes -= size
		n++
	}
	return n
}

// copyCells copies n cells between memory of the same type.
func copyCells(at syntax.Pos, to, from ref, n int) {
	if n == 0 {
		return
	}
	for _, r := range []ref{to, from} {
		r.check(at, 0)
		r.check(at, int64(n)-1)
	}
	if from.m.cells != nil {
		copy(to.m.cells[to.off:to.off+n], from.m.cells[from.off:from.off+n])
	}
	if from.m.any != nil {
		copy(to.m.any[to.off:to.off+n], from.m.any[from.off:from.off+n])
	}
}

// address returns a number for a pointer, as MPI_Get_address and casts to integers give it: pointers into the same
// memory differ by their bytes.
func (p *process) address(r ref) int64 {
	if r.m == nil {
		return 0
	}
	if r.m.address == 0 {
		p.addresses += 1 << 32
		r.m.address = p.addresses
	}
	if r.m.kind == syntax.Void {
		return r.m.address + int64(r.off)
	}
	_, at, _ := r.m.part(r.off)
	return r.m.address + at
}

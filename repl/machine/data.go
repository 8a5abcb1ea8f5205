package machine

import (
	"cmp"
	"slices"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// memoryOf compiles the address of the memory that a call sends from or receives into.
func (c *compiler) memoryOf(e syntax.Expr) expr {
	x := c.expr(e)
	if c.fortran && x.t.class() != refs {
		x = c.address(&syntax.Unary{Pos: e.At(), Op: "&", X: e})
	}
	if x.t.class() != refs {
		panic(syntax.Wrong(e.At(), "a buffer must be an array or the address of a variable, not %s", described(x.t)))
	}
	if x.t.elem.kind == syntax.Text {
		return c.characters(x, e.At())
	}
	return x
}

// perhapsUnset lets the buffer of a collective call be a pointer without a value, since the call does not read a buffer that
// is significant only at the root. A process that needs the buffer gets the error.
func (c *compiler) perhapsUnset(x *expr, e syntax.Expr) {
	id, ok := e.(*syntax.Ident)
	if !ok {
		return
	}
	v := c.lookup(id.Name)
	if v == nil || v.global || v.boxed || v.t.kind != syntax.Pointer {
		return
	}
	set, none := x.p, &memory{unset: true, named: v.name}
	x.p = func(f *frame) ref {
		if !f.slots[v.k].set {
			return ref{none, 0}
		}
		return set(f)
	}
}

// received gives texts of Fortran what calls of MPI write into the memory that stands for them.
type received struct {
	fill func()
	by   starlark.Value // the request of the call that writes; nil: the call has returned
}

// characters compiles the memory of characters that stands for texts of Fortran in a call. What a call writes there, the
// texts get behind that call, or behind the one that completes its request.
func (c *compiler) characters(x expr, at syntax.Pos) expr {
	return expr{t: charPtr, p: func(f *frame) ref {
		r, each := x.p(f), int(x.t.elem.n)
		texts := r.m.any[r.check(at, 0):]
		if each == 0 { // the caller decides
			text, _ := texts[0].(string)
			each = len(text)
		}
		m := &memory{named: r.m.named}
		m.shape(charType, each*len(texts))
		for k, v := range texts {
			text, _ := v.(string)
			for i, b := range []byte(padded(text, each)) {
				m.cells[k*each+i] = uint64(int64(int8(b)))
			}
		}
		before := slices.Clone(m.cells)
		f.texts = append(f.texts, received{fill: func() {
			for k := range texts {
				part := m.cells[k*each : (k+1)*each]
				if slices.Equal(part, before[k*each:(k+1)*each]) {
					continue
				}
				text := make([]byte, each)
				for i, c := range part {
					text[i] = byte(c)
				}
				texts[k] = string(text)
				copy(before[k*each:], part)
			}
		}})
		return ref{m, 0}
	}}
}

func (a *passed) datatype(name string) *datatype {
	s := a.slot(name)
	if s.v == nil && a.c.fortran {
		s.v = a.f.numbered(s.i, a.args[name].at)
	}
	d, ok := s.v.(*datatype)
	if !ok {
		wrong(a.args[name].at, "%s must be a datatype", name)
	}
	return d
}

// buffer returns n elements of a datatype in the memory of a parameter, beginning with the element from.
func (a *passed) buffer(name, datatype string, from, n int) *program.Buffer {
	r, at, d := a.slot(name).p, a.args[name].at, a.datatype(datatype)
	if a.notNegative(name, n); r.m == nil {
		if n > 0 {
			wrong(at, "%s: the buffer is NULL here, and the count is %d", a.row.Name, n)
		}
		return program.Over(elems[d.kind], nil)
	}
	switch {
	case r.m.unset:
		wrong(at, "%s has no value yet", r.m.named)
	case d.made && !d.committed:
		wrong(at, "%s: the datatype is not committed: call MPI_Type_commit first", a.row.Name)
	case d.freed:
		wrong(at, "%s: the datatype has been freed", a.row.Name)
	}
	if r.m.rec != nil || d.made || d.kind == syntax.Record {
		return a.structured(r, at, d, from, n)
	}
	kind, n, from := d.kind, n*d.each, from*d.each
	if d.kind == syntax.Void && r.m.kind != syntax.Void { // bytes of whatever it is
		size := int((&typ{kind: r.m.kind}).size())
		if n%size != 0 || !isNumber(r.m.kind) {
			wrong(at, "%s: %d bytes are not a whole number of %s elements", a.row.Name, n, kindNames[r.m.kind])
		}
		kind, n, from = r.m.kind, n/size, from/size
	}
	if kind == syntax.Void {
		kind = syntax.Char
	}
	switch {
	case r.m.freed:
		wrong(at, "%s: the memory has been freed", a.row.Name)
	case r.m.kind == syntax.Void:
		r = r.as(&typ{kind: kind}, at)
	case !isNumber(r.m.kind) || isReal(r.m.kind) != isReal(kind) || (&typ{kind: r.m.kind}).size() != (&typ{kind: kind}).size():
		wrong(at, "%s: the buffer has elements of %s, but the datatype is %s", a.row.Name, kindNames[r.m.kind], d.name)
	}
	begin := r.off + from
	if begin < 0 || begin+n > r.m.len() {
		wrong(at, "%s: %s from entry %d on do not fit: %s has %d", a.row.Name, spell.Plural(n, "element"), begin, r.m.called(), r.m.len())
	}
	b, _ := program.Over(elems[kind], r.m.cells).View(begin, n)
	return b
}

// structured returns n datatypes from the element from on, where they are no row of numbers of one type.
func (a *passed) structured(r ref, at syntax.Pos, d *datatype, from, n int) *program.Buffer {
	switch {
	case r.m.freed:
		wrong(at, "%s: the memory has been freed", a.row.Name)
	case r.m.kind == syntax.Void && d.kind == syntax.Record:
		wrong(at, "%s: the memory has no type yet: assign what malloc returns to a pointer to the structure", a.row.Name)
	case r.m.kind == syntax.Void:
		r = r.as(&typ{kind: d.kind}, at)
	case d.kind == syntax.Void:
		return a.bytesOf(r, at, int64(from), int64(n))
	}
	_, begin, _ := r.m.part(r.off)
	places, kinds := a.places(r.m, at, d, begin+int64(from)*d.extent, n)
	return ofKinds(r.m, places, kinds, 0)
}

// called returns the name of the memory for messages.
func (m *memory) called() string { return cmp.Or(m.named, "the buffer") }

// elems has the types of buffers by the kinds of elements.
var elems = map[syntax.Kind]program.Elem{syntax.Void: program.Char, syntax.Char: program.Char, syntax.UChar: program.Uint8, syntax.Short: program.Int16,
	syntax.UShort: program.Uint16, syntax.Int: program.Int32, syntax.Logical: program.Int32, syntax.UInt: program.Uint32,
	syntax.Long: program.Int64, syntax.ULong: program.Uint64, syntax.Float: program.Float32, syntax.Double: program.Float64}

// side names the parameters for what a process sends in a call, or for what it receives.
type side struct {
	a                                         *passed
	buf, datatype, count, counts, displs, tag string
}

// side finds the parameters whose names begin with send or recv, and those that both sides share.
func (a *passed) side(name string) *side {
	first := func(names ...string) string {
		return names[max(0, slices.IndexFunc(names, func(n string) bool { return a.args[n] != nil }))]
	}
	return &side{a, first(name+"buf", "buffer", "buf"), first(name+"type", "datatype"), first(name+"count", "count"), name + "counts",
		first(name[:1]+"displs", "displs"), first(name+"tag", "tag")}
}

// InPlace implements program.Side.
func (s *side) InPlace() bool { return s.a.slot(s.buf).p.m == inPlace }

// Whole implements program.Side.
func (s *side) Whole(n int) (*program.Buffer, error) {
	if n < 0 {
		n = s.a.int(s.count)
	}
	return s.a.buffer(s.buf, s.datatype, 0, n), nil
}

// Counts implements program.Side.
func (s *side) Counts(n int) ([]int, error) {
	if s.a.args[s.counts] != nil {
		return s.a.ints(s.counts, n), nil
	}
	return slices.Repeat([]int{s.a.int(s.count)}, n), nil
}

// Cut implements program.Side.
func (s *side) Cut(n int) ([]*program.Buffer, error) {
	list := make([]*program.Buffer, n)
	sizes, _ := s.Counts(n)
	for i, k := range sizes {
		from := i * k
		if s.a.args[s.counts] != nil {
			from = s.a.ints(s.displs, n)[i]
		}
		list[i] = s.a.buffer(s.buf, s.datatype, from, k)
	}
	return list, nil
}

// moving returns the function that makes a call which moves data; nil for calls of another kind.
func moving(p *calls.Procedure) func(*passed) error {
	call := engine.CallOf(p)
	switch {
	case call == engine.CallNone || p.Param("message") != nil:
		return nil
	case p.Party != calls.Local:
		return func(a *passed) error {
			t := &program.Transfer{Call: call, Comm: a.value("comm")}
			if a.args["root"] != nil {
				t.Root = a.int("root")
			}
			if a.args["op"] != nil {
				t.Op = a.op()
			}
			return a.made(t.Collect(a.f.r, a.side("send"), a.side("recv")))
		}
	}
	return func(a *passed) error {
		return a.messages(call, func(send *program.Buffer) *program.Buffer { return send })
	}
}

// messages makes a call that sends to a process, receives from one, or both. sent returns what it sends.
func (a *passed) messages(call engine.Call, sent func(*program.Buffer) *program.Buffer) (err error) {
	t := &program.Transfer{Call: call, Comm: a.value("comm")}
	if a.args["dest"] != nil {
		s := a.side("send")
		b, _ := s.Whole(-1)
		t.Peer, t.Tag, t.Send = a.int("dest"), a.int(s.tag), sent(b)
	}
	if a.args["source"] != nil {
		s := a.side("recv")
		t.Root, t.RecvTag = a.int("source"), a.int(s.tag)
		t.Recv, _ = s.Whole(-1)
	}
	if a.args["status"] != nil {
		t.Status = a.read("status")
	}
	return a.made(t.Run(a.f.r))
}

// made gives the program the request of a transfer.
func (a *passed) made(v starlark.Value, err error) error {
	if err == nil && v != starlark.None {
		for i := range a.f.texts {
			if a.f.texts[i].by == nil {
				a.f.texts[i].by = v
			}
		}
		a.set("request", v)
	}
	return err
}

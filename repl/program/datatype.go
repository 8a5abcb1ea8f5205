package program

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Datatype is a basic datatype of MPI, as programs name it beside a buffer: [data, MPI.INT].
type Datatype struct {
	plainValue
	name string
	elem Elem
}

// datatypes are the names of MPI's datatypes for the types that buffers have.
var datatypes = func() (list []Datatype) {
	for e, t := range elemTypes {
		for name := range strings.FieldsSeq(t.datatypes) {
			list = append(list, Datatype{name: name, elem: Elem(e)})
		}
	}
	return list
}()

func (d *Datatype) String() string { return "<Datatype MPI_" + d.name + ">" }
func (d *Datatype) Type() string   { return "Datatype" }

// CompareSameType compares handles.
func (d *Datatype) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return sameHandle(op, d.name == other.(*Datatype).name, "datatypes")
}

// AttrNames implements starlark.HasAttrs.
func (d *Datatype) AttrNames() []string {
	return []string{"Get_name", "Get_size", "extent", "name", "size"}
}

// Attr implements starlark.HasAttrs.
func (d *Datatype) Attr(name string) (starlark.Value, error) {
	size, text := starlark.MakeInt(d.elem.Bytes()), starlark.String("MPI_"+d.name)
	always := func(v starlark.Value) starlark.Value {
		return methodOf(name, func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) { return v, nil })
	}
	switch name {
	case "size", "extent":
		return size, nil
	case "name":
		return text, nil
	case "Get_size":
		return always(size), nil
	case "Get_name":
		return always(text), nil
	}
	return nil, nil
}

// inPlace is MPI.IN_PLACE.
type inPlace struct{ starlark.NoneType }

func (inPlace) String() string { return "<MPI_IN_PLACE>" }

// message is an argument that names a buffer: the array, how it is cut for the processes, and the type.
type message struct {
	buffer         *Buffer
	counts, displs []int // of the calls that cut it unevenly; nil: evenly
	inPlace        bool
}

// message reads argument i: an array, or a list of an array and its count, displacements and datatype.
func (c *call) message(i int) (m message, err error) {
	switch v := c.args[i].(type) {
	case starlark.NoneType:
		return m, nil
	case inPlace:
		m.inPlace = true
		return m, nil
	case *Buffer:
		m.buffer = v
	case *starlark.List, starlark.Tuple:
		err = m.read(v.(starlark.Indexable))
	default:
		return m, c.wrong(i, "an array of numpy, or [array, MPI.INT]; the call of the same name in small letters takes any object")
	}
	if err == nil && m.buffer != nil && !m.buffer.packed() {
		err = errors.New("is an array whose elements are not contiguous: pass a copy, as in a[:, 1].copy()")
	}
	if err != nil {
		return m, c.argumentError(i, err, false)
	}
	if m.buffer != nil {
		m.buffer = m.buffer.flat()
	}
	return m, nil
}

func (m *message) read(list starlark.Indexable) error {
	for k := range list.Len() {
		if err := m.part(k, list.Index(k)); err != nil {
			return err
		}
	}
	return nil
}

// part reads element k of the list that names a buffer.
func (m *message) part(k int, v starlark.Value) error {
	switch v := v.(type) {
	case *Buffer:
		if k == 0 {
			m.buffer = v
			return nil
		}
		return m.numbers(v)
	case *Datatype:
		if b := m.buffer; b != nil && (b.elem.Bytes() != v.elem.Bytes() || b.elem.IsFloat() != v.elem.IsFloat()) {
			return fmt.Errorf("is an array of %s, which does not match MPI_%s", b.elem, v.name)
		}
		return nil
	case starlark.Int:
		n, err := asInt(v)
		if err != nil || m.buffer == nil || n < 0 || n > m.buffer.Count() {
			return fmt.Errorf("has the count %s, which is more than the size of the array", v)
		}
		m.buffer = m.buffer.flat().strided(0, n, 1)
		return nil
	case starlark.Tuple:
		if v.Len() == 2 && starlark.Len(v[0]) >= 0 {
			return cmp.Or(m.numbers(v[0]), m.numbers(v[1]))
		}
		return m.numbers(v)
	case starlark.NoneType, starlark.Iterable:
		return m.numbers(v)
	}
	return fmt.Errorf("holds %s, which is not an array, count, displacements or datatype", describe(v))
}

// numbers reads counts, or behind these displacements; None stands for neither.
func (m *message) numbers(v starlark.Value) error {
	seq, ok := v.(starlark.Iterable)
	switch {
	case v == starlark.None:
		return nil
	case !ok:
		return fmt.Errorf("has %s where counts or displacements are expected", describe(v))
	}
	list := []int{}
	for e := range starlark.Elements(seq) {
		n, err := asInt(e)
		if err != nil {
			return fmt.Errorf("has a count that %w", err)
		}
		list = append(list, n)
	}
	if m.counts == nil {
		m.counts = list
	} else {
		m.displs = list
	}
	return nil
}

// InPlace implements Side.
func (m message) InPlace() bool { return m.inPlace }

// Whole implements Side.
func (m message) Whole(int) (*Buffer, error) { return m.buffer, nil }

// Counts implements Side.
func (m message) Counts(int) ([]int, error) { return m.counts, nil }

// Cut implements Side.
func (m message) Cut(n int) ([]*Buffer, error) {
	if m.buffer == nil {
		return nil, nil
	}
	all := m.buffer.Count()
	if m.counts == nil {
		if all%n != 0 {
			return nil, fmt.Errorf("the array has %d elements, which cannot be divided evenly among %d processes", all, n)
		}
		m.counts = make([]int, n)
		for i := range m.counts {
			m.counts[i] = all / n
		}
	}
	if len(m.counts) != n || m.displs != nil && len(m.displs) != n {
		return nil, fmt.Errorf("one count and displacement for each of the %d processes is needed", n)
	}
	parts := make([]*Buffer, n)
	at := 0
	for i, k := range m.counts {
		if m.displs != nil {
			at = m.displs[i]
		}
		if at < 0 || k < 0 || at+k > all {
			return nil, fmt.Errorf("elements %d to %d, for process %d, are not in the array of %d", at, at+k-1, i, all)
		}
		parts[i] = m.buffer.strided(at, k, 1)
		at += k
	}
	return parts, nil
}

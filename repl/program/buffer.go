package program

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// Buffer is an array of elements of one type, or a view of a part of another buffer: two buffers that share
// cells see each other's changes. Arrays of numpy and of C are buffers. The cells of a buffer lie shape[k] in direction k, stride[k]
// cells apart; most buffers have one direction. It is not a list: elements are never absent, and have the type's range.
type Buffer struct {
	elem   Elem
	cells  []cell // of the array that it is a view of
	offset int
	shape  []int
	stride []int
	frozen bool

	places []int  // where the elements are; nil: by shape and stride
	elems  []Elem // their types, where they differ
	bytes  int    // the size of all, where more than the elements counts
}

// NewBuffer makes a buffer of zeros. Callers that make large buffers ask for room first: see Rank.newBuffer.
func NewBuffer(e Elem, shape ...int) *Buffer {
	b := &Buffer{elem: e, shape: slices.Clone(shape), stride: packedStride(shape)}
	b.cells = make([]cell, b.Count())
	return b
}

// packedStride returns the stride of an array whose elements stand one behind the other, the last index running
// fastest.
func packedStride(shape []int) []int {
	stride := make([]int, len(shape))
	step := 1
	for k := len(shape) - 1; k >= 0; k-- {
		stride[k] = step
		step *= shape[k]
	}
	return stride
}

// newBuffer makes a buffer of zeros, if there is memory for it.
func (r *Rank) newBuffer(e Elem, shape ...int) (*Buffer, error) {
	n := uint64(1)
	for _, s := range shape {
		if s < 0 {
			return nil, fmt.Errorf("the size of an array must not be negative: %d", s)
		}
		n = size(n, uint64(s))
	}
	if err := r.roomForMany("an array", n, 8); err != nil {
		return nil, err
	}
	return NewBuffer(e, shape...), nil
}

// Elem returns the type of the elements.
func (b *Buffer) Elem() Elem { return b.elem }

// Bytes returns the size of all elements in bytes.
func (b *Buffer) Bytes() int {
	switch {
	case b.bytes > 0:
		return b.bytes
	case b.elems == nil:
		return b.Count() * b.elem.Bytes()
	}
	n := 0
	for _, e := range b.elems {
		n += e.Bytes()
	}
	return n
}

// elemAt returns the type of the i-th element.
func (b *Buffer) elemAt(i int) Elem {
	if b.elems != nil {
		return b.elems[i]
	}
	return b.elem
}

// Count returns the number of elements.
func (b *Buffer) Count() int {
	n := 1
	for _, s := range b.shape {
		n *= s
	}
	return n
}

// packed reports whether the elements stand one behind the other.
func (b *Buffer) packed() bool {
	if b.places != nil {
		return false
	}
	step := 1
	for k := len(b.shape) - 1; k >= 0; k-- {
		if b.shape[k] != 1 && b.stride[k] != step {
			return false
		}
		step *= b.shape[k]
	}
	return true
}

// laid returns the result of an operation on arrays: its elements stand in Fortran's order, the first index running
// fastest, if those of all arrays of several directions do. Calls of MPI see the order in which elements stand.
func (b *Buffer) laid(of ...*Buffer) *Buffer {
	fortran := false
	for _, a := range of {
		var steps []int
		for k, n := range a.shape {
			if n > 1 {
				steps = append(steps, max(a.stride[k], -a.stride[k]))
			}
		}
		if !slices.IsSorted(steps) {
			return b
		}
		fortran = fortran || len(steps) > 1
	}
	if !fortran || b == nil {
		return b
	}
	return b.transposed().Copy().transposed()
}

// at returns the index in cells of the i-th element in the order of the indices, the last one running fastest.
func (b *Buffer) at(i int) int {
	if b.places != nil {
		return b.places[i]
	}
	if len(b.shape) == 1 {
		return b.offset + i*b.stride[0]
	}
	at := b.offset
	for k := len(b.shape) - 1; k >= 0; k-- {
		at += i % b.shape[k] * b.stride[k]
		i /= b.shape[k]
	}
	return at
}

// Get returns the i-th element, in the order of the indices.
func (b *Buffer) Get(i int) starlark.Value { return b.elem.value(b.cells[b.at(i)]) }

// Set assigns the i-th element. A number beyond the type's range is taken as C converts it; a float for an integer
// loses its fraction.
func (b *Buffer) Set(i int, v starlark.Value) error {
	c, err := b.elem.cell(v)
	if err == nil {
		err = b.put(i, c)
	}
	return err
}

func (b *Buffer) put(i int, c cell) error {
	if b.frozen {
		return fmt.Errorf("the array cannot be changed: it was received or is being sent")
	}
	b.cells[b.at(i)] = c
	return nil
}

// Copy returns an array with cells of its own and the same elements.
func (b *Buffer) Copy() *Buffer {
	c := &Buffer{elem: b.elem, elems: b.elems, bytes: b.bytes, shape: slices.Clone(b.shape), stride: packedStride(b.shape)}
	c.cells = b.elements()
	return c
}

// elements copies the cells of the elements, one behind the other.
func (b *Buffer) elements() []cell {
	n := b.Count()
	if b.packed() {
		return slices.Clone(b.cells[b.offset : b.offset+n])
	}
	cells := make([]cell, n)
	for i := range cells {
		cells[i] = b.cells[b.at(i)]
	}
	return cells
}

// View returns n elements from first on, as a buffer that shares their cells.
func (b *Buffer) View(first, n int) (*Buffer, error) {
	if len(b.shape) != 1 {
		return b.flat().View(first, n)
	}
	if first < 0 || n < 0 || first+n > b.shape[0] {
		return nil, fmt.Errorf("elements %d to %d are not in an array of %d", first, first+n-1, b.shape[0])
	}
	return b.strided(first, n, 1), nil
}

// strided returns a view along the first direction: n rows or elements from first on, step apart.
func (b *Buffer) strided(first, n, step int) *Buffer {
	v := *b
	v.shape, v.stride = slices.Clone(b.shape), slices.Clone(b.stride)
	v.offset += first * b.stride[0]
	v.shape[0], v.stride[0] = n, b.stride[0]*step
	return &v
}

// flat returns a view in one direction where the elements stand one behind the other, else a copy.
func (b *Buffer) flat() *Buffer {
	v := *b
	if !b.packed() {
		v = *b.Copy()
	}
	v.shape, v.stride = []int{b.Count()}, []int{1}
	return &v
}

// row returns the i-th element of the first direction: a view without that direction, or the element.
func (b *Buffer) row(i int) starlark.Value {
	if len(b.shape) < 2 {
		return b.Get(i)
	}
	v := *b
	v.offset += i * b.stride[0]
	v.shape, v.stride = b.shape[1:], b.stride[1:]
	return &v
}

// assign converts v and stores it in the elements: the elements of another buffer, or one value for all. A buffer of
// fewer directions is repeated along the first directions.
func (b *Buffer) assign(v starlark.Value) error {
	from, ok := v.(*Buffer)
	if !ok {
		list, isList := v.(starlark.Indexable)
		_, isText := v.(starlark.String)
		if isList && !isText {
			var err error
			if from, err = bufferOf(list, b.elem); err != nil {
				return err
			}
		}
	}
	n := b.Count()
	if from == nil {
		c, err := b.elem.cell(v)
		for i := 0; i < n && err == nil; i++ {
			err = b.put(i, c)
		}
		return err
	}
	wide := from.broadcast(b.shape)
	if wide == nil {
		return fmt.Errorf("could not broadcast an array of shape %s into shape %s", shapeText(from.shape), shapeText(b.shape))
	}
	cells := wide.elements() // first, as both may be views of one array
	for i := range n {
		if err := b.put(i, convert(from.elem, b.elem, cells[i])); err != nil {
			return err
		}
	}
	return nil
}

// broadcast returns a view in another shape, which repeats directions of one element; nil where no such view exists.
func (b *Buffer) broadcast(shape []int) *Buffer {
	own, stride := b.shape, b.stride
	for len(own) > len(shape) && own[0] == 1 {
		own, stride = own[1:], stride[1:]
	}
	more := len(shape) - len(own)
	if more < 0 {
		return nil
	}
	v := *b
	v.shape, v.stride = slices.Clone(shape), make([]int, len(shape))
	for k, n := range own {
		switch {
		case n == shape[more+k]:
			v.stride[more+k] = stride[k]
		case n != 1:
			return nil
		}
	}
	return &v
}

// shapeText writes a shape as Python writes the tuple.
func shapeText(shape []int) string { return Repr(numbersTuple(shape)) }

func numbersTuple(list []int) starlark.Tuple {
	t := make(starlark.Tuple, len(list))
	for i, n := range list {
		t[i] = starlark.MakeInt(n)
	}
	return t
}

// bufferOf turns a list of numbers, or of lists of them that are equally long, into an array.
func bufferOf(list starlark.Indexable, e Elem) (*Buffer, error) {
	shape := []int{}
	for x := starlark.Value(list); ; {
		l, ok := x.(starlark.Indexable)
		if _, isText := x.(starlark.String); !ok || isText {
			break
		}
		shape = append(shape, l.Len())
		if l.Len() == 0 || len(shape) > maxNesting {
			break
		}
		x = l.Index(0)
	}
	b := NewBuffer(e, shape...)
	i := 0
	var fill func(v starlark.Value, depth int) error
	fill = func(v starlark.Value, depth int) error {
		if depth == len(shape) {
			i++
			return b.Set(i-1, v)
		}
		l, ok := v.(starlark.Indexable)
		if !ok || l.Len() != shape[depth] {
			return fmt.Errorf("the rows of an array must be equally long")
		}
		for k := range l.Len() {
			if err := fill(l.Index(k), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return b, fill(list, 0)
}

// String writes the array as numpy prints it.
func (b *Buffer) String() string { return b.text() }

// Type returns numpy's name of the type.
func (b *Buffer) Type() string { return "numpy.ndarray" }

// Freeze makes the array unchangeable: other ranks read it.
func (b *Buffer) Freeze() { b.frozen = true }

// Truth returns the truth of the only element; an array of more elements is true, and an empty one false, as with
// lists.
func (b *Buffer) Truth() starlark.Bool {
	if b.Count() == 1 {
		return b.Get(0).Truth()
	}
	return b.Count() > 0
}

// Hash implements starlark.Value.
func (b *Buffer) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: %s", b.Type()) }

// Len returns the number of rows, or of elements in an array of one dimension.
func (b *Buffer) Len() int {
	if len(b.shape) == 0 {
		return 1
	}
	return b.shape[0]
}

// Index implements starlark.Indexable.
func (b *Buffer) Index(i int) starlark.Value { return b.row(i) }

// SetIndex implements starlark.HasSetIndex.
func (b *Buffer) SetIndex(i int, v starlark.Value) error {
	if len(b.shape) < 2 {
		return b.Set(i, v)
	}
	return b.row(i).(*Buffer).assign(v)
}

// Slice implements starlark.Sliceable: a view.
func (b *Buffer) Slice(start, end, step int) starlark.Value {
	n := 0
	if (end-start)*step > 0 {
		n = (end-start-step/max(step, -step))/step + 1
	}
	return b.strided(start, n, step)
}

// Iterate implements starlark.Iterable.
func (b *Buffer) Iterate() starlark.Iterator { return &bufferIterator{b: b} }

type bufferIterator struct {
	b *Buffer
	i int
}

func (it *bufferIterator) Next(p *starlark.Value) bool {
	if it.i == it.b.Len() {
		return false
	}
	*p = it.b.row(it.i)
	it.i++
	return true
}
func (it *bufferIterator) Done() {}

// Text returns the characters of a buffer up to the first null character.
func (b *Buffer) Text() string {
	var s strings.Builder
	for i := range b.Count() {
		c := b.cells[b.at(i)]
		if c == 0 {
			break
		}
		s.WriteByte(byte(c))
	}
	return s.String()
}

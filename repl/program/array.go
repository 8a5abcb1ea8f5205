package program

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/repl/python"
)

// Operations of numpy on arrays: subscripts, arithmetic element by element, and the methods.

// eitherBuffer returns the first array of two values; nil when neither is an array.
func eitherBuffer(x, y starlark.Value) *Buffer {
	if b, ok := x.(*Buffer); ok {
		return b
	}
	b, _ := y.(*Buffer)
	return b
}

// entry returns a[key]. The key is an index, a slice, a tuple of both, or an array that selects elements.
func (b *Buffer) entry(key starlark.Value) (starlark.Value, error) {
	list, which := subscripts(key)
	if which != nil {
		return b.chosen(which)
	}
	return scalar(b.part(list))
}

// subscripts returns the subscripts of a key, and, if the key is an array that selects elements, that array.
func subscripts(key starlark.Value) (list starlark.Tuple, which *Buffer) {
	list, ok := key.(starlark.Tuple)
	if !ok {
		list = starlark.Tuple{key}
	}
	if len(list) == 1 {
		which, _ = list[0].(*Buffer)
	}
	return list, which
}

// part returns the view that subscripts select.
func (b *Buffer) part(list starlark.Tuple) (*Buffer, error) {
	if len(list) > len(b.shape) {
		return nil, fmt.Errorf("too many indices for array: it has %d dimensions, and %d are given: index out of range", len(b.shape), len(list))
	}
	v := *b
	v.shape, v.stride = nil, nil
	for k, n := range b.shape {
		if k >= len(list) {
			v.shape, v.stride = append(v.shape, n), append(v.stride, b.stride[k])
			continue
		}
		if s, ok := list[k].(*slice); ok {
			first, count, step, err := s.bounds(n)
			if err != nil {
				return nil, err
			}
			v.offset += first * b.stride[k]
			v.shape, v.stride = append(v.shape, count), append(v.stride, step*b.stride[k])
			continue
		}
		i, err := indexOf(list[k], n, "an array")
		if err != nil {
			return nil, err
		}
		v.offset += i * b.stride[k]
	}
	return &v, nil
}

// chosen copies the elements, or rows, that an array of truth values or indices selects.
func (b *Buffer) chosen(which *Buffer) (starlark.Value, error) {
	at, err := b.named(which)
	if err != nil {
		return nil, err
	}
	out := NewBuffer(b.elem, append([]int{len(at)}, b.shape[1:]...)...)
	for k, i := range at {
		if err := out.SetIndex(k, b.row(i)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// named lists the indices that an array of truth values or indices selects.
func (b *Buffer) named(which *Buffer) ([]int, error) {
	var at []int
	if which.elem == Bool && len(which.shape) == 1 && which.Count() == b.Len() {
		for i := range which.Count() {
			if which.cells[which.at(i)] != 0 {
				at = append(at, i)
			}
		}
		return at, nil
	}
	if which.elem.IsFloat() || which.elem == Bool || len(which.shape) != 1 {
		return nil, errors.New("an array selects by indices, or by one truth value for each element: index out of range")
	}
	for i := range which.Count() {
		k, err := indexOf(which.Get(i), b.Len(), "an array")
		if err != nil {
			return nil, err
		}
		at = append(at, k)
	}
	return at, nil
}

// setEntry carries out a[key] = v.
func (b *Buffer) setEntry(key, v starlark.Value) error {
	list, which := subscripts(key)
	if which != nil {
		at, err := b.named(which)
		if err != nil {
			return err
		}
		from, _ := v.(*Buffer)
		for k, i := range at {
			value := v
			if from != nil && from.Count() == len(at) {
				value = from.row(k)
			}
			if err := b.SetIndex(i, value); err != nil {
				return err
			}
		}
		return nil
	}
	p, err := b.part(list)
	if err != nil {
		return err
	}
	return p.assign(v)
}

// assignSame stores the result of an operation in place. The result must have the array's shape, and its type must not
// lose anything.
func (b *Buffer) assignSame(v starlark.Value) error {
	if from, ok := v.(*Buffer); ok {
		if from.elem.IsFloat() && !b.elem.IsFloat() {
			return fmt.Errorf("cannot cast the result from dtype('%s') to dtype('%s') in place", from.elem, b.elem)
		}
		if !slices.Equal(from.shape, b.shape) {
			return fmt.Errorf("the result has the shape %s and does not fit into an array of shape %s", shapeText(from.shape), shapeText(b.shape))
		}
	}
	return b.assign(v)
}

// Binary implements starlark.HasBinary.
func (b *Buffer) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if side == starlark.Left {
		return elementwise(op, b, y)
	}
	return elementwise(op, y, b)
}

// Unary implements starlark.HasUnary.
func (b *Buffer) Unary(op syntax.Token) (starlark.Value, error) {
	switch op {
	case syntax.PLUS:
		return b.Copy(), nil
	case syntax.MINUS:
		if b.elem.IsFloat() { // -0.0
			return elementwise(syntax.STAR, starlark.MakeInt(-1), b)
		}
		return elementwise(syntax.MINUS, starlark.MakeInt(0), b)
	case syntax.TILDE:
		if b.elem == Bool {
			return elementwise(syntax.CIRCUMFLEX, b, starlark.True)
		}
		return elementwise(syntax.CIRCUMFLEX, b, starlark.MakeInt(-1))
	}
	return nil, nil
}

// CompareSameType compares arrays where the text names no numpy: element by element, and the answer is one.
func (b *Buffer) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	v, err := elementwise(op, b, y)
	if err != nil {
		return false, err
	}
	if c := v.(*Buffer); c.Count() != 1 {
		return false, errors.New("the comparison of arrays has no single truth value: use numpy's array_equal(a, b)")
	}
	return bool(v.(*Buffer).Truth()), nil
}

// operand turns a value of an operation into an array. A number takes the type of the other value where it fits.
func operand(v starlark.Value, other Elem) (*Buffer, error) {
	e := other
	switch v := v.(type) {
	case *Buffer:
		return v, nil
	case starlark.Bool:
		e = Bool
	case starlark.Int:
		if other == Bool {
			e = Int64
		}
	case starlark.Float:
		if !other.IsFloat() {
			e = Float64
		}
	case *starlark.List, starlark.Tuple:
		return bufferOf(v.(starlark.Indexable), elemOf(v))
	default:
		return nil, fmt.Errorf("an array cannot be combined with %s", describe(v))
	}
	c, err := e.cell(v)
	return &Buffer{elem: e, cells: []cell{c}}, err
}

// elementwise computes x op y for two values of which at least one is an array.
func elementwise(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if x == starlark.None || y == starlark.None {
		if op == syntax.EQL || op == syntax.NEQ {
			return starlark.Bool(op == syntax.NEQ), nil
		}
	}
	of := eitherBuffer(x, y).elem
	a, err := operand(x, of)
	if err != nil {
		return nil, err
	}
	b, err := operand(y, of)
	if err != nil {
		return nil, err
	}
	left, right, err := together(a, b)
	if err != nil {
		return nil, err
	}
	e := promoted(a.elem, b.elem)
	out := e
	switch {
	case python.Compares[op]:
		out = Bool
	case op == syntax.SLASH && !e.IsFloat():
		e, out = Float64, Float64
	case e == Bool && op != syntax.PLUS && op != syntax.STAR && op != syntax.AMP && op != syntax.PIPE && op != syntax.CIRCUMFLEX:
		e, out = Int8, Int8
	}
	result := NewBuffer(out, left.shape...)
	for i := range result.cells {
		p, q := convert(a.elem, e, left.cells[left.at(i)]), convert(b.elem, e, right.cells[right.at(i)])
		if result.cells[i], err = e.apply(op, p, q); err != nil {
			return nil, err
		}
	}
	return result.laid(a, b), nil
}

// together returns views of two arrays in one shape, as numpy broadcasts them.
func together(a, b *Buffer) (p, q *Buffer, err error) {
	shape := commonShape(a.shape, b.shape)
	if shape == nil {
		return nil, nil, fmt.Errorf("operands could not be broadcast together with shapes %s %s", shapeText(a.shape), shapeText(b.shape))
	}
	return a.broadcast(shape), b.broadcast(shape), nil
}

// commonShape returns the shape to which two shapes can be repeated; nil when there is none.
func commonShape(a, b []int) []int {
	if len(a) < len(b) {
		a, b = b, a
	}
	shape := slices.Clone(a)
	if shape == nil {
		shape = []int{}
	}
	for k := range b {
		switch i := len(a) - len(b) + k; {
		case a[i] == b[k] || b[k] == 1:
		case a[i] == 1:
			shape[i] = b[k]
		default:
			return nil
		}
	}
	return shape
}

// folds are the methods that combine all elements.
var folds = map[string]func(*Buffer) starlark.Value{
	"sum":    func(b *Buffer) starlark.Value { return b.total(syntax.PLUS, 0) },
	"prod":   func(b *Buffer) starlark.Value { return b.total(syntax.STAR, 1) },
	"min":    func(b *Buffer) starlark.Value { return b.Get(b.best(syntax.LT)) },
	"max":    func(b *Buffer) starlark.Value { return b.Get(b.best(syntax.GT)) },
	"argmin": func(b *Buffer) starlark.Value { return starlark.MakeInt(b.best(syntax.LT)) },
	"argmax": func(b *Buffer) starlark.Value { return starlark.MakeInt(b.best(syntax.GT)) },
	"mean":   func(b *Buffer) starlark.Value { return starlark.Float(b.mean()) },
	"var":    func(b *Buffer) starlark.Value { return starlark.Float(b.variance()) },
	"std":    func(b *Buffer) starlark.Value { return starlark.Float(math.Sqrt(b.variance())) },
	"all":    func(b *Buffer) starlark.Value { return starlark.Bool(!b.has(false)) },
	"any":    func(b *Buffer) starlark.Value { return starlark.Bool(b.has(true)) },
}

// fold combines all elements.
func (b *Buffer) fold(name string) (starlark.Value, error) {
	if b.Count() == 0 && name != "sum" && name != "prod" {
		return nil, fmt.Errorf("zero-size array to reduction operation %s which has no identity", name)
	}
	return folds[name](b), nil
}

// total adds or multiplies all elements. The result for integers of any size is a long integer.
func (b *Buffer) total(op syntax.Token, start int64) starlark.Value {
	e := b.elem
	if !e.IsFloat() {
		e = Int64
	}
	cells := b.elements()
	for i, c := range cells {
		cells[i] = convert(b.elem, e, c)
	}
	return e.value(pairwise(e, op, e.ofInt(start), cells))
}

// best returns the index of the first element that is less, or more, than all others.
func (b *Buffer) best(op syntax.Token) int {
	best, cells := 0, b.elements()
	for i, c := range cells {
		if b.elem.compare(op, c, cells[best]) {
			best = i
		}
	}
	return best
}

func (b *Buffer) mean() float64 {
	sum, _ := starlark.AsFloat(b.total(syntax.PLUS, 0))
	return sum / float64(b.Count())
}

func (b *Buffer) variance() float64 {
	mean, squares := b.mean(), b.elements()
	for i, c := range squares {
		d := b.elem.float(c) - mean
		squares[i] = Float64.ofFloat(d * d)
	}
	return Float64.float(pairwise(Float64, syntax.PLUS, 0, squares)) / float64(b.Count())
}

// has reports whether an element has that truth.
func (b *Buffer) has(truth bool) bool {
	return slices.ContainsFunc(b.elements(), func(c cell) bool {
		return (c != 0 && !(b.elem.IsFloat() && b.elem.float(c) == 0)) == truth
	})
}

// arrayProperties are the attributes of arrays that are not called.
var arrayProperties = map[string]func(*Buffer) starlark.Value{
	"T":        func(b *Buffer) starlark.Value { return b.transposed() },
	"dtype":    func(b *Buffer) starlark.Value { return dtype(b.elem) },
	"itemsize": func(b *Buffer) starlark.Value { return starlark.MakeInt(b.elem.Bytes()) },
	"nbytes":   func(b *Buffer) starlark.Value { return starlark.MakeInt(b.Bytes()) },
	"ndim":     func(b *Buffer) starlark.Value { return starlark.MakeInt(len(b.shape)) },
	"shape":    func(b *Buffer) starlark.Value { return numbersTuple(b.shape) },
	"size":     func(b *Buffer) starlark.Value { return starlark.MakeInt(b.Count()) },
}

// AttrNames implements starlark.HasAttrs.
func (b *Buffer) AttrNames() []string {
	list := slices.AppendSeq(slices.Collect(maps.Keys(arrayProperties)), maps.Keys(arrayMethods))
	return slices.Sorted(slices.Values(slices.AppendSeq(list, maps.Keys(folds))))
}

// SetField implements starlark.HasSetField, for a.flat = values, which gives the elements their values row by row.
func (b *Buffer) SetField(name string, v starlark.Value) error {
	if name != "flat" {
		return fmt.Errorf("the attribute %s of an array cannot be assigned here", name)
	}
	from, err := (*Buffer)(nil), error(nil)
	switch v := v.(type) {
	case *Buffer:
		from = v
	case starlark.Indexable:
		from, err = bufferOf(v, b.elem)
	default: // one value for all
		return b.assign(v)
	}
	if err == nil && from.Count() != b.Count() {
		err = fmt.Errorf("the array has %d elements: .flat takes as many values, not %d", b.Count(), from.Count())
	}
	if err != nil {
		return err
	}
	from = from.flat()
	from.shape, from.stride = b.shape, packedStride(b.shape)
	return b.assign(from)
}

// Attr implements starlark.HasAttrs.
func (b *Buffer) Attr(name string) (starlark.Value, error) {
	if p := arrayProperties[name]; p != nil {
		return p(b), nil
	}
	if folds[name] == nil && arrayMethods[name] == nil {
		return nil, nil
	}
	return pythonFunction(name, "*args", func(c *call) (starlark.Value, error) { return b.method(c, name) }), nil
}

func (b *Buffer) transposed() *Buffer {
	v := *b
	v.shape, v.stride = slices.Clone(b.shape), slices.Clone(b.stride)
	slices.Reverse(v.shape)
	slices.Reverse(v.stride)
	return &v
}

// method carries out a method of an array.
func (b *Buffer) method(c *call, name string) (starlark.Value, error) {
	args, kwargs := c.pos, c.kw
	if len(kwargs) > 0 && name != "astype" {
		return nil, fmt.Errorf("%s: the argument %s is not supported here", name, kwargs[0][0])
	}
	if folds[name] != nil {
		if len(args) > 0 {
			return nil, fmt.Errorf("%s: an axis is not supported here: loop over the rows", name)
		}
		return b.fold(name)
	}
	if err := c.r.roomForMany("an array", uint64(b.Count()), 8); err != nil {
		return nil, err
	}
	if len(args) == 0 && len(kwargs) == 1 {
		args = starlark.Tuple{kwargs[0][1]}
	}
	return arrayMethods[name](b, args)
}

// arrayMethods are the other methods of arrays.
var arrayMethods = map[string]func(b *Buffer, args starlark.Tuple) (starlark.Value, error){
	"astype":    (*Buffer).as,
	"copy":      func(b *Buffer, _ starlark.Tuple) (starlark.Value, error) { return b.Copy(), nil },
	"fill":      (*Buffer).fill,
	"flatten":   func(b *Buffer, _ starlark.Tuple) (starlark.Value, error) { return b.Copy().flat(), nil },
	"item":      (*Buffer).item,
	"ravel":     func(b *Buffer, _ starlark.Tuple) (starlark.Value, error) { return b.flat(), nil },
	"reshape":   (*Buffer).reshaped,
	"sort":      (*Buffer).sort,
	"tolist":    func(b *Buffer, _ starlark.Tuple) (starlark.Value, error) { return b.list(), nil },
	"transpose": func(b *Buffer, _ starlark.Tuple) (starlark.Value, error) { return b.transposed(), nil },
}

func (b *Buffer) fill(args starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, errors.New("fill takes a number")
	}
	return starlark.None, b.assign(args[0])
}

// item carries out a.item(), for an array of one element, and a.item(i, k).
func (b *Buffer) item(args starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 && b.Count() == 1 {
		return b.Get(0), nil
	}
	return b.entry(args)
}

func (b *Buffer) sort(starlark.Tuple) (starlark.Value, error) {
	cells := b.elements()
	slices.SortFunc(cells, func(p, q cell) int {
		return int(asWhole(b.elem.compare(syntax.GT, p, q)) - asWhole(b.elem.compare(syntax.LT, p, q)))
	})
	if len(b.shape) != 1 {
		return nil, errors.New("sort is for arrays of one dimension here")
	}
	for i, c := range cells {
		if err := b.put(i, c); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}

// as carries out a.astype(type).
func (b *Buffer) as(args starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, errors.New("astype takes a type")
	}
	e, err := elemNamed(args[0])
	if err != nil {
		return nil, err
	}
	out := NewBuffer(e, b.shape...)
	err = out.assign(b)
	return out.laid(b), err
}

// reshaped returns the elements in another shape.
func (b *Buffer) reshaped(args starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 {
		if t, ok := args[0].(starlark.Tuple); ok {
			args = t
		}
	}
	shape, err := shapeOf(args)
	if err != nil {
		return nil, fmt.Errorf("reshape: %w", err)
	}
	n, open := 1, -1
	for i, size := range shape {
		if size < 0 {
			open = i
			continue
		}
		n *= size
	}
	if open >= 0 && n > 0 {
		shape[open] = b.Count() / n
		n *= shape[open]
	}
	if n != b.Count() {
		return nil, fmt.Errorf("cannot reshape array of size %d into shape %s", b.Count(), shapeText(shape))
	}
	v := b.flat()
	v.shape, v.stride = shape, packedStride(shape)
	return v, nil
}

// list converts the array to lists.
func (b *Buffer) list() starlark.Value {
	list := make([]starlark.Value, b.Len())
	for i := range list {
		list[i] = b.row(i)
		if row, ok := list[i].(*Buffer); ok {
			list[i] = row.list()
		}
	}
	return starlark.NewList(list)
}

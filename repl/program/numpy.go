package program

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The module numpy, as far as programs about communication need it.

var numpyRandomFunctions = map[string]method{
	"seed(seed=None)":                                seed,
	"rand(*shape, size=None)":                        shaped(uniform, true),
	"random(*shape, size=None)":                      shaped(uniform, false),
	"random_sample(*shape, size=None)":               shaped(uniform, false),
	"randn(*shape, size=None)":                       shaped(normal, true),
	"normal(loc=0, scale=1, size=None)":              spread(normal, false),
	"uniform(low=0, high=1, size=None)":              spread(uniform, true),
	"randint(low, high=None, size=None, dtype=None)": randomIntegers,
}

// spread makes a function that draws numbers, moved and stretched by its first two arguments.
func spread(draw func(*random) cell, between bool) method {
	return func(c *call) (starlark.Value, error) {
		var from, by float64
		err := c.read(0, &from, &by)
		if between { // low and high
			by -= from
		}
		shape, wrong := c.shape(2, nil)
		if err = cmp.Or(err, wrong); err != nil {
			return nil, err
		}
		return c.r.drawn(Float64, shape, func(d *random) cell { return Float64.ofFloat(from + by*Float64.float(draw(d))) })
	}
}

func uniform(d *random) cell { return Float64.ofFloat(d.float()) }

func normal(d *random) cell {
	return Float64.ofFloat(math.Sqrt(-2*math.Log(1-d.float())) * math.Cos(2*math.Pi*d.float()))
}

// shaped makes a function that draws an array. Its argument is the shape; with each, every argument is a size.
func shaped(draw func(*random) cell, each bool) method {
	return func(c *call) (starlark.Value, error) {
		var shape []int
		var err error
		switch {
		case len(c.kw) == 1 && c.kw[0][0] == starlark.String("size"):
			shape, err = shapeOf(c.kw[0][1])
		case each && len(c.pos) > 0:
			shape, err = shapeOf(c.pos)
		case len(c.pos) == 1:
			shape, err = shapeOf(c.pos[0])
		case len(c.pos)+len(c.kw) > 0:
			err = fmt.Errorf("%s takes a shape", c.fn.name)
		}
		if err != nil {
			return nil, err
		}
		return c.r.drawn(Float64, shape, draw)
	}
}

// drawn makes an array of random elements.
func (r *Rank) drawn(e Elem, shape []int, draw func(*random) cell) (starlark.Value, error) {
	b, err := r.newBuffer(e, shape...)
	for i := 0; err == nil && i < b.Count(); i++ {
		b.cells[i] = draw(r.draw())
	}
	return scalar(b, err)
}

func randomIntegers(c *call) (starlark.Value, error) {
	low, high := 0, 0
	err := c.read(0, &high)
	if err == nil && c.args[1] != starlark.None {
		low = high
		err = c.read(1, &high)
	}
	if err == nil && high <= low {
		err = errors.New("randint: low >= high")
	}
	shape, wrong := c.shape(2, nil)
	if err = cmp.Or(err, wrong); err != nil {
		return nil, err
	}
	e, err := c.elem(3, Int64)
	if err != nil {
		return nil, err
	}
	return c.r.drawn(e, shape, func(d *random) cell { return e.ofInt(int64(low) + d.below(int64(high-low))) })
}

// shapeOf reads a shape: a number, or a tuple of them.
func shapeOf(v starlark.Value) ([]int, error) {
	list, ok := v.(starlark.Indexable)
	if !ok {
		list = starlark.Tuple{v}
	}
	var shape []int
	for i := range list.Len() {
		n, err := asInt(list.Index(i))
		if err != nil {
			return nil, fmt.Errorf("the size of an array %w", err)
		}
		shape = append(shape, n)
	}
	return shape, nil
}

// shape reads the argument for a shape; None stands for dflt.
func (c *call) shape(i int, dflt []int) ([]int, error) {
	if c.args[i] == starlark.None {
		return dflt, nil
	}
	return shapeOf(c.args[i])
}

// arrayOf converts a value to an array, of type e if that is given. An array of the type stays as it is.
func arrayOf(r *Rank, v starlark.Value, e *Elem) (*Buffer, error) {
	of := elemOf(v)
	if e != nil {
		of = *e
	}
	switch v := v.(type) {
	case *Buffer:
		if v.elem == of {
			return v, nil
		}
		b, err := r.filled(of, v.shape, v)
		return b.laid(v), err
	case starlark.Indexable:
		if err := r.roomForElements("an array", 8, starlark.Tuple{v}); err != nil {
			return nil, err
		}
		return bufferOf(v, of)
	}
	return r.filled(of, nil, v)
}

// filled makes an array whose elements have the values of another array, or all one value; without a value, 0.
func (r *Rank) filled(e Elem, shape []int, value starlark.Value) (*Buffer, error) {
	b, err := r.newBuffer(e, shape...)
	if err == nil && value != nil {
		err = b.assign(value)
	}
	return b, err
}

// elem reads the argument dtype; None stands for dflt.
func (c *call) elem(i int, dflt Elem) (Elem, error) {
	if c.args[i] == starlark.None {
		return dflt, nil
	}
	return elemNamed(c.args[i])
}

// scalar converts an array without directions to a number.
func scalar(b *Buffer, err error) (starlark.Value, error) {
	if err == nil && len(b.shape) == 0 {
		return b.elem.value(b.cells[b.offset]), nil
	}
	return b, err
}

// numpyNames returns the names of numpy that programs can use.
func numpyNames() map[string]starlark.Value {
	all := map[string]method{
		"dot(a, b)":           dot,
		"vdot(a, b)":          dot,
		"inner(a, b)":         dot,
		"array_equal(a1, a2)": same(0, 0),
		"allclose(a, b)":      same(1e-5, 1e-8),
		"concatenate(arrays)": concatenate,
		"maximum(x1, x2)":     ofArray(extreme(syntax.GT)),
		"minimum(x1, x2)":     ofArray(extreme(syntax.LT)),
		"copyto(dst, src)": func(c *call) (starlark.Value, error) {
			b, ok := c.args[0].(*Buffer)
			if !ok {
				return nil, c.wrong(0, "an array")
			}
			return starlark.None, b.assign(c.args[1])
		},
		"dtype(dtype)": func(c *call) (starlark.Value, error) {
			e, err := elemNamed(c.args[0])
			return dtype(e), err
		},
	}
	addMakers(all)
	for name := range folds {
		all[name+"(a)"] = ofArray(func(_ *call, a *Buffer) (starlark.Value, error) { return a.fold(name) })
	}
	for _, name := range []string{"size", "shape", "ndim"} {
		all[name+"(a)"] = ofArray(func(_ *call, a *Buffer) (starlark.Value, error) { return a.Attr(name) })
	}
	for name, f := range floatFunctions {
		all[name+"(x)"] = ofArray(eachElement(f, false))
	}
	for name, f := range map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil, "log": math.Log} {
		all[name+"(x)"] = ofArray(eachElement(f, false))
	}
	for name, f := range map[string]func(float64) float64{"abs": math.Abs, "square": func(f float64) float64 { return f * f }} {
		all[name+"(x)"] = ofArray(eachElement(f, true))
	}
	for name, op := range map[string]syntax.Token{"add": syntax.PLUS, "subtract": syntax.MINUS, "multiply": syntax.STAR,
		"divide": syntax.SLASH, "power": syntax.STARSTAR, "mod": syntax.PERCENT} {
		all[name+"(x1, x2, out=None)"] = ofArray(func(c *call, a *Buffer) (starlark.Value, error) {
			v, err := elementwise(op, a, c.args[1])
			if err != nil {
				return nil, err
			}
			switch out := c.args[2].(type) {
			case *Buffer:
				return out, out.assignSame(v)
			case starlark.NoneType:
				return scalar(v.(*Buffer), nil)
			}
			return nil, c.wrong(2, "an array")
		})
	}
	names := functions(all, constantsOfMath())
	for of, name := range map[string]string{"amin": "min", "amax": "max", "absolute": "abs"} {
		names[of] = names[name]
	}
	for name, e := range typeNames {
		if len(name) > 2 && name != "bool" && name != "int" && name != "float" {
			names[name] = dtype(e)
		}
	}
	return names
}

// addMakers adds the functions that make arrays.
func addMakers(all map[string]method) {
	all["arange(start, stop=None, step=1, dtype=None)"] = arange
	all["linspace(start, stop, num=50, endpoint=True, dtype=None)"] = linspace
	filled := func(c *call, dtype int, dflt Elem, shape []int, value starlark.Value) (*Buffer, error) {
		e, err := c.elem(dtype, dflt)
		if err != nil {
			return nil, err
		}
		return c.r.filled(e, shape, value)
	}
	ordered := func(c *call, dtype int, dflt Elem, value starlark.Value) (starlark.Value, error) {
		shape, err := shapeOf(c.args[0])
		if err != nil {
			return nil, err
		}
		order, _ := starlark.AsString(c.args[dtype+1])
		fortran := strings.EqualFold(order, "F")
		switch {
		case fortran:
			slices.Reverse(shape)
		case c.args[dtype+1] != starlark.None && !strings.EqualFold(order, "C"):
			return nil, c.wrong(dtype+1, `"C" or "F"`)
		}
		b, err := filled(c, dtype, dflt, shape, value)
		if err == nil && fortran {
			b = b.transposed()
		}
		return b, err
	}
	for name, value := range map[string]starlark.Value{"zeros": nil, "empty": nil, "ones": starlark.MakeInt(1)} {
		all[name+"(shape, dtype=None, order=None)"] = func(c *call) (starlark.Value, error) {
			return ordered(c, 1, Float64, value)
		}
		all[name+"_like(a, dtype=None, shape=None)"] = ofArray(func(c *call, a *Buffer) (starlark.Value, error) {
			shape, err := c.shape(2, a.shape)
			if err != nil {
				return nil, err
			}
			b, err := filled(c, 1, a.elem, shape, value)
			return b.laid(a), err
		})
	}
	all["ndarray(shape, dtype=None, order=None)"] = all["empty(shape, dtype=None, order=None)"]
	all["full(shape, fill_value, dtype=None, order=None)"] = func(c *call) (starlark.Value, error) {
		return ordered(c, 2, elemOf(c.args[1]), c.args[1])
	}
	for _, name := range []string{"array", "asarray", "ascontiguousarray"} {
		all[name+"(object, dtype=None)"] = func(c *call) (starlark.Value, error) {
			e, err := c.elem(1, elemOf(c.args[0]))
			if err != nil {
				return nil, err
			}
			b, err := arrayOf(c.r, c.args[0], &e)
			switch {
			case err != nil:
				return nil, err
			case name == "array":
				return b.Copy().laid(b), nil
			case name == "ascontiguousarray" && !b.packed():
				return b.Copy(), nil
			}
			return b, nil
		}
	}
}

// ofArray makes a function whose first argument is an array.
func ofArray(f func(*call, *Buffer) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		var a *Buffer
		if err := c.read(0, &a); err != nil {
			return nil, err
		}
		return f(c, a)
	}
}

// eachElement makes a function that applies f to each element of an array, or to a number. The result for integers is a
// float, unless keeps.
func eachElement(f func(float64) float64, keeps bool) func(*call, *Buffer) (starlark.Value, error) {
	return func(c *call, a *Buffer) (starlark.Value, error) {
		e := a.elem
		if !e.IsFloat() && !keeps {
			e = Float64
		}
		out, err := c.r.newBuffer(e, a.shape...)
		if err != nil {
			return nil, err
		}
		for i := range out.cells {
			out.cells[i] = e.ofFloat(f(a.elem.float(a.cells[a.at(i)])))
		}
		return scalar(out.laid(a), nil)
	}
}

// extreme makes numpy.maximum and numpy.minimum.
func extreme(op syntax.Token) func(*call, *Buffer) (starlark.Value, error) {
	return func(c *call, a *Buffer) (starlark.Value, error) {
		b, err := arrayOf(c.r, c.args[1], &a.elem)
		if err != nil {
			return nil, err
		}
		p, q, err := together(a, b)
		if err != nil {
			return nil, err
		}
		out := NewBuffer(a.elem, p.shape...)
		for i := range out.cells {
			out.cells[i] = q.cells[q.at(i)]
			if a.elem.compare(op, p.cells[p.at(i)], out.cells[i]) {
				out.cells[i] = p.cells[p.at(i)]
			}
		}
		return scalar(out.laid(a, b), nil)
	}
}

func dot(c *call) (starlark.Value, error) {
	var a, b *Buffer
	if err := c.read(0, &a, &b); err != nil {
		return nil, err
	}
	if len(a.shape) != 1 || !slices.Equal(a.shape, b.shape) {
		return nil, errors.New("dot is for two arrays of one dimension here, equally long: loop over the rows")
	}
	v, err := elementwise(syntax.STAR, a, b)
	if err != nil {
		return nil, err
	}
	return v.(*Buffer).fold("sum")
}

func concatenate(c *call) (starlark.Value, error) {
	list, ok := c.args[0].(starlark.Indexable)
	if !ok || list.Len() == 0 {
		return nil, errors.New("concatenate takes a list of arrays")
	}
	var parts []*Buffer
	n, e := 0, elemOf(c.args[0])
	for i := range list.Len() {
		b, err := arrayOf(c.r, list.Index(i), nil)
		if err != nil {
			return nil, err
		}
		if len(parts) > 0 && (len(b.shape) != len(parts[0].shape) || !slices.Equal(b.shape[1:], parts[0].shape[1:])) || len(b.shape) == 0 {
			return nil, errors.New("concatenate: all but the first dimension of the arrays must be equal")
		}
		parts, n = append(parts, b), n+b.Len()
	}
	out, err := c.r.newBuffer(e, append([]int{n}, parts[0].shape[1:]...)...)
	if err != nil {
		return nil, err
	}
	at := 0
	for _, b := range parts {
		if err := out.strided(at, b.Len(), 1).assign(b); err != nil {
			return nil, err
		}
		at += b.Len()
	}
	return out, nil
}

// same makes a function that reports whether two arrays have the same shape, and elements that differ by no more than
// the tolerances.
func same(relative, absolute float64) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		var a, b *Buffer
		if err := c.read(0, &a, &b); err != nil {
			return nil, err
		}
		if relative == 0 && !slices.Equal(a.shape, b.shape) {
			return starlark.False, nil
		}
		p, q, err := together(a, b)
		if err != nil {
			return nil, err
		}
		for i := range p.Count() {
			x, y := p.elem.float(p.cells[p.at(i)]), q.elem.float(q.cells[q.at(i)])
			if !(x == y || math.Abs(x-y) <= absolute+relative*math.Abs(y)) {
				return starlark.False, nil
			}
		}
		return starlark.True, nil
	}
}

// arange carries out numpy.arange: numbers from start on, below stop.
func arange(c *call) (starlark.Value, error) {
	from := starlark.Tuple{starlark.MakeInt(0), c.args[0], c.args[2]}
	if c.args[1] != starlark.None {
		from[0], from[1] = c.args[0], c.args[1]
	}
	e, err := c.elem(3, elemOf(from))
	if err != nil {
		return nil, err
	}
	var at [3]float64
	for i, v := range from {
		f, ok := starlark.AsFloat(plain(v))
		if at[i] = f; !ok || f == 0 && i == 2 {
			return nil, errors.New("arange takes numbers, and a step that is not 0")
		}
	}
	a, b, d := at[0], at[1], at[2]
	n := max(0, math.Ceil((b-a)/d))
	if n > mostElements {
		return nil, c.r.roomForMany("an array", uint64(min(n, 1<<60)), 8)
	}
	out, err := c.r.newBuffer(e, int(n))
	if err != nil {
		return nil, err
	}
	for i := range out.cells {
		out.cells[i] = e.ofFloat(a + float64(i)*d)
		if !e.IsFloat() {
			out.cells[i] = e.ofInt(int64(a) + int64(i)*int64(d))
		}
	}
	return out, nil
}

// linspace carries out numpy.linspace: num numbers from start to stop.
func linspace(c *call) (starlark.Value, error) {
	var a, b float64
	var n int
	var closed bool
	if err := c.read(0, &a, &b, &n, &closed); err != nil {
		return nil, err
	}
	e, err := c.elem(4, Float64)
	if err != nil {
		return nil, err
	}
	out, err := c.r.newBuffer(e, n)
	if err != nil {
		return nil, err
	}
	parts := n
	if closed {
		parts--
	}
	for i := range out.cells {
		f := a
		if parts > 0 {
			f = float64(i)*((b-a)/float64(parts)) + a
		}
		if i == parts && i > 0 {
			f = b
		}
		out.cells[i] = e.ofFloat(f)
	}
	return out, nil
}

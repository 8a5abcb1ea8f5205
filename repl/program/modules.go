package program

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// library is a module that a program can import, or one inside a module. Modules are as far as programs about
// communication need them; what is absent is said when it is used.
type library struct {
	name  string
	names map[string]starlark.Value // of all ranks
	r     *Rank
}

func (l *library) String() string        { return "<module '" + l.name + "'>" }
func (l *library) Type() string          { return "module" }
func (l *library) Freeze()               {}
func (l *library) Truth() starlark.Bool  { return true }
func (l *library) Hash() (uint32, error) { return starlark.String(l.name).Hash() }

// Attr implements starlark.HasAttrs.
func (l *library) Attr(name string) (starlark.Value, error) {
	if v := l.names[name]; v != nil {
		return v, nil
	}
	if sub := libraries[l.name+"."+name]; sub != nil {
		return &library{name: l.name + "." + name, names: sub, r: l.r}, nil
	}
	switch {
	case l.name == "sys" && name == "argv":
		return l.r.argv(), nil
	case l.name == "mpi4py" && name == "MPI":
		return predeclared.attr(l.r, nil, "MPI")
	}
	return nil, nil
}

// AttrNames implements starlark.HasAttrs.
func (l *library) AttrNames() []string {
	var list []string
	for name := range l.names {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// guardModule is what an import binds: a module, or what is in it.
func guardModule(r *Rank, _ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	name := string(args[0].(starlark.String))
	var v starlark.Value = &library{name: name, names: libraries[name], r: r}
	for _, a := range args[1:] {
		next, err := v.(starlark.HasAttrs).Attr(string(a.(starlark.String)))
		if err != nil {
			return nil, err
		}
		if _, more := next.(starlark.HasAttrs); next == nil || !more && a != args[len(args)-1] {
			return nil, &exception{class: "ImportError", args: starlark.Tuple{starlark.String(fmt.Sprintf("there is no %s in %s here", string(a.(starlark.String)), name))}}
		}
		v = next
	}
	return v, nil
}

// argv is sys.argv: the file, and the words behind --.
func (r *Rank) argv() starlark.Value {
	list := []starlark.Value{starlark.String(r.position().File)}
	for _, a := range r.arguments {
		list = append(list, starlark.String(a))
	}
	return starlark.NewList(list)
}

// SetArguments gives the program its words behind the name of the file, sys.argv[1:].
func (r *Rank) SetArguments(words []string) {
	if len(words) > 0 {
		r.rarely().arguments = words
	}
}

// stream is sys.stdout or sys.stderr.
type stream string

func (s stream) String() string        { return "<" + string(s) + ">" }
func (s stream) Type() string          { return "TextIOWrapper" }
func (s stream) Freeze()               {}
func (s stream) Truth() starlark.Bool  { return true }
func (s stream) Hash() (uint32, error) { return starlark.String(s).Hash() }

// AttrNames implements starlark.HasAttrs.
func (s stream) AttrNames() []string { return []string{"flush", "write"} }

// Attr implements starlark.HasAttrs.
func (s stream) Attr(name string) (starlark.Value, error) {
	switch name {
	case "flush":
		return methodOf(name, func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) { return starlark.None, nil }), nil
	case "write":
		return methodOf(name, func(t *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			if len(args) != 1 {
				return nil, errors.New("write takes a text")
			}
			text, ok := starlark.AsString(args[0])
			if !ok {
				return nil, fmt.Errorf("write takes a text, not %s", describe(args[0]))
			}
			rankOf(t).put(text)
			return starlark.MakeInt(len(text)), nil
		}), nil
	}
	return nil, nil
}

// put writes text as the rank's output; what has no end of the line yet waits for it.
func (r *Rank) put(text string) {
	text = r.line + text
	i := strings.LastIndexByte(text, '\n')
	if i >= 0 {
		r.say(text[:i])
	}
	if rest := text[i+1:]; rest != r.line {
		r.rarely().line = rest
	}
}

// endLine prints what waits for the end of its line.
func (r *Rank) endLine() {
	if r.line != "" {
		r.put("\n")
	}
}

// libraries are the modules, by name.
var libraries map[string]map[string]starlark.Value

func init() {
	libraries = map[string]map[string]starlark.Value{
		"mpi4py": {"rc": &library{name: "mpi4py.rc", names: map[string]starlark.Value{}}, "__version__": starlark.String("4.0.0")},
		"sys": {"stdout": stream("stdout"), "stderr": stream("stderr"), "exit": guards["exit"], "maxsize": starlark.MakeInt64(math.MaxInt64),
			"version": starlark.String("3"), "platform": starlark.String("linux"), "byteorder": starlark.String("little")},
		"os": {"getpid": rankFunction("getpid", func(r *Rank) starlark.Value { return starlark.MakeInt(r.P.Rank() + 1) }),
			"environ": starlark.NewDict(0), "linesep": starlark.String("\n"),
			"getenv": function2("getenv", func(_, dflt starlark.Value) (starlark.Value, error) { return dflt, nil }),
			"uname": rankFunction("uname", func(r *Rank) starlark.Value {
				return starlark.Tuple{starlark.String("Linux"), starlark.String(r.P.ProcessorName())}
			})},
		"time": {"time": timeFunction("time"), "perf_counter": timeFunction("perf_counter"), "monotonic": timeFunction("monotonic"),
			"process_time": timeFunction("process_time"), "sleep": starlark.NewBuiltin("sleep", sleep)},
		"math":         mathNames(),
		"random":       randomNames(),
		"numpy":        numpyNames(),
		"numpy.random": numpyRandom(),
	}
	libraries["os"]["environ"].Freeze()
}

// rankFunction makes a function without arguments.
func rankFunction(name string, of func(r *Rank) starlark.Value) starlark.Value {
	return methodOf(name, func(t *starlark.Thread, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) { return of(rankOf(t)), nil })
}

// function2 makes a function of one or two values; the second is None where it is not given.
func function2(name string, f func(x, y starlark.Value) (starlark.Value, error)) starlark.Value {
	return methodOf(name, func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		switch len(args) {
		case 1:
			return f(args[0], starlark.None)
		case 2:
			return f(args[0], args[1])
		}
		return nil, fmt.Errorf("%s takes 1 or 2 arguments, not %d", name, len(args))
	})
}

func timeFunction(name string) starlark.Value {
	return methodOf(name, func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		if name == "time" {
			return starlark.Float(float64(time.Now().UnixNano()) / 1e9), nil
		}
		return starlark.Float(time.Since(began).Seconds()), nil
	})
}

// sleep lets the other ranks go on. It does not wait: no time passes in an exploration, and what depends on it is a race.
func sleep(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, errors.New("sleep takes a number of seconds")
	}
	if _, ok := starlark.AsFloat(args[0]); !ok {
		return nil, fmt.Errorf("sleep takes a number of seconds, not %s", describe(args[0]))
	}
	return starlark.None, rankOf(t).pause()
}

// functions of one float.
var floatFunctions = map[string]func(float64) float64{"sqrt": math.Sqrt, "exp": math.Exp, "log2": math.Log2, "log10": math.Log10,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "sinh": math.Sinh, "cosh": math.Cosh,
	"tanh": math.Tanh, "fabs": math.Abs, "radians": func(f float64) float64 { return f * math.Pi / 180 }, "degrees": func(f float64) float64 { return f * 180 / math.Pi }}

// mathOf is f of a number, which must have a result.
func mathOf(name string, f func(float64) float64) starlark.Value {
	return methodOf(name, func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 1 {
			return nil, fmt.Errorf("%s takes a number", name)
		}
		x, ok := starlark.AsFloat(plain(args[0]))
		if !ok {
			return nil, fmt.Errorf("%s takes a number, not %s", name, describe(args[0]))
		}
		y := f(x)
		if (math.IsNaN(y) || math.IsInf(y, 0)) && !math.IsNaN(x) && !math.IsInf(x, 0) {
			return nil, &exception{class: "ValueError", args: starlark.Tuple{starlark.String("math domain error")}}
		}
		return starlark.Float(y), nil
	})
}

func mathNames() map[string]starlark.Value {
	names := map[string]starlark.Value{"pi": starlark.Float(math.Pi), "e": starlark.Float(math.E), "inf": starlark.Float(math.Inf(1)), "nan": starlark.Float(math.NaN())}
	for name, f := range floatFunctions {
		names[name] = mathOf(name, f)
	}
	for name, f := range map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc} {
		names[name] = function2(name, func(x, _ starlark.Value) (starlark.Value, error) {
			if n, ok := plain(x).(starlark.Int); ok {
				return n, nil
			}
			v, ok := starlark.AsFloat(x)
			if !ok {
				return nil, fmt.Errorf("%s takes a number, not %s", name, describe(x))
			}
			return starlark.NumberToInt(starlark.Float(f(v)))
		})
	}
	two := func(name string, f func(a, b float64) float64) {
		names[name] = function2(name, func(x, y starlark.Value) (starlark.Value, error) {
			a, ok1 := starlark.AsFloat(plain(x))
			b, ok2 := starlark.AsFloat(plain(y))
			if !ok1 || !ok2 {
				return nil, fmt.Errorf("%s takes two numbers", name)
			}
			return starlark.Float(f(a, b)), nil
		})
	}
	two("pow", math.Pow)
	two("atan2", math.Atan2)
	two("hypot", math.Hypot)
	two("fmod", math.Mod)
	names["log"] = function2("log", func(x, base starlark.Value) (starlark.Value, error) {
		v, ok := starlark.AsFloat(plain(x))
		b, haveBase := starlark.AsFloat(base)
		if !ok || v <= 0 || haveBase && b <= 0 {
			return nil, &exception{class: "ValueError", args: starlark.Tuple{starlark.String("math domain error")}}
		}
		if haveBase {
			return starlark.Float(math.Log(v) / math.Log(b)), nil
		}
		return starlark.Float(math.Log(v)), nil
	})
	for name, is := range map[string]func(float64) bool{"isnan": math.IsNaN, "isinf": func(f float64) bool { return math.IsInf(f, 0) }} {
		names[name] = function2(name, func(x, _ starlark.Value) (starlark.Value, error) {
			v, ok := starlark.AsFloat(plain(x))
			return starlark.Bool(ok && is(v)), nil
		})
	}
	names["factorial"] = function2("factorial", func(x, _ starlark.Value) (starlark.Value, error) {
		n, err := asInt(x)
		if err != nil || n < 0 || n > 10000 {
			return nil, fmt.Errorf("factorial takes an integer of 0 to 10000, not %s", describe(x))
		}
		p := starlark.MakeInt(1)
		for i := 2; i <= n; i++ {
			p = p.Mul(starlark.MakeInt(i))
		}
		return p, nil
	})
	names["gcd"] = function2("gcd", func(x, y starlark.Value) (starlark.Value, error) {
		a, ok1 := x.(starlark.Int)
		b, ok2 := y.(starlark.Int)
		if !ok1 || !ok2 {
			return nil, errors.New("gcd takes two integers")
		}
		for b.Sign() != 0 {
			a, b = b, a.Mod(b)
		}
		if a.Sign() < 0 {
			a = starlark.MakeInt(0).Sub(a)
		}
		return a, nil
	})
	return names
}

// random draws numbers, of its own making: not those that Python draws after the same seed.
type random struct{ state uint64 }

// draw is the generator of a rank, which begins with its rank.
func (r *Rank) draw() *random {
	if r.random == nil {
		r.rarely().random = &random{uint64(r.P.Rank()+1) * 0x9e3779b97f4a7c15}
	}
	return r.random
}

// next is splitmix64.
func (d *random) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (d *random) float() float64 { return float64(d.next()>>11) / (1 << 53) }

func (d *random) below(n int64) int64 { return int64(d.next() % uint64(max(n, 1))) }

func seeding(t *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	seed := uint64(0)
	if len(args) > 0 && args[0] != starlark.None {
		h, err := args[0].Hash()
		if err != nil {
			return nil, err
		}
		seed = uint64(h)
		if n, ok := args[0].(starlark.Int); ok {
			k, _ := n.Int64()
			seed = uint64(k)
		}
	}
	rankOf(t).draw().state = seed
	return starlark.None, nil
}

func randomNames() map[string]starlark.Value {
	names := map[string]starlark.Value{"seed": methodOf("seed", seeding)}
	add := func(name string, n int, f func(d *random, args []starlark.Value) (starlark.Value, error)) {
		names[name] = methodOf(name, func(t *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			if len(args) != n {
				return nil, fmt.Errorf("%s takes %d arguments, not %d", name, n, len(args))
			}
			return f(rankOf(t).draw(), args)
		})
	}
	between := func(name string, more int) {
		add(name, 2, func(d *random, args []starlark.Value) (starlark.Value, error) {
			a, err := asInt(args[0])
			if err != nil {
				return nil, fmt.Errorf("%s: the first number %w", name, err)
			}
			b, err := asInt(args[1])
			if err != nil || b-a+more <= 0 {
				return nil, fmt.Errorf("%s: the second number must be an integer that is larger", name)
			}
			return starlark.MakeInt(a + int(d.below(int64(b-a+more)))), nil
		})
	}
	between("randint", 1)
	between("randrange", 0)
	add("random", 0, func(d *random, _ []starlark.Value) (starlark.Value, error) { return starlark.Float(d.float()), nil })
	add("uniform", 2, func(d *random, args []starlark.Value) (starlark.Value, error) {
		a, ok1 := starlark.AsFloat(args[0])
		b, ok2 := starlark.AsFloat(args[1])
		if !ok1 || !ok2 {
			return nil, errors.New("uniform takes two numbers")
		}
		return starlark.Float(a + (b-a)*d.float()), nil
	})
	add("choice", 1, func(d *random, args []starlark.Value) (starlark.Value, error) {
		list, ok := args[0].(starlark.Indexable)
		if !ok || list.Len() == 0 {
			return nil, errors.New("choice takes a list with elements: list index out of range")
		}
		return list.Index(int(d.below(int64(list.Len())))), nil
	})
	add("shuffle", 1, func(d *random, args []starlark.Value) (starlark.Value, error) {
		list, ok := args[0].(starlark.HasSetIndex)
		if !ok {
			return nil, errors.New("shuffle takes a list")
		}
		for i := list.Len() - 1; i > 0; i-- {
			k := int(d.below(int64(i + 1)))
			a, b := list.Index(i), list.Index(k)
			if err := errors.Join(list.SetIndex(i, b), list.SetIndex(k, a)); err != nil {
				return nil, err
			}
		}
		return starlark.None, nil
	})
	return names
}

func numpyRandom() map[string]starlark.Value {
	fill := func(r *Rank, shape []int, of func(d *random) float64) (starlark.Value, error) {
		d := r.draw()
		if shape == nil {
			return starlark.Float(of(d)), nil
		}
		b, err := r.newBuffer(Float64, shape...)
		for i := 0; err == nil && i < b.Count(); i++ {
			b.cells[i] = Float64.ofFloat(of(d))
		}
		return b, err
	}
	flat := func(d *random) float64 { return d.float() }
	normal := func(d *random) float64 {
		return math.Sqrt(-2*math.Log(1-d.float())) * math.Cos(2*math.Pi*d.float())
	}
	shaped := func(name string, of func(*random) float64, each bool) starlark.Value {
		return methodOf(name, func(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var shape []int
			var err error
			switch {
			case len(kwargs) == 1 && kwargs[0][0] == starlark.String("size"):
				shape, err = shapeOf(kwargs[0][1])
			case each && len(args) > 0:
				shape, err = shapeOf(args)
			case len(args) == 1:
				shape, err = shapeOf(args[0])
			case len(args)+len(kwargs) > 0:
				err = fmt.Errorf("%s takes a shape", name)
			}
			if err != nil {
				return nil, err
			}
			return fill(rankOf(t), shape, of)
		})
	}
	return map[string]starlark.Value{"seed": methodOf("seed", seeding), "rand": shaped("rand", flat, true), "random": shaped("random", flat, false),
		"random_sample": shaped("random_sample", flat, false), "randn": shaped("randn", normal, true),
		"randint": numpyFunction("randint", "low, high=None, size=None", func(c *numpyCall) (starlark.Value, error) {
			low, high := 0, 0
			var err error
			if high, err = asInt(c.args[0]); err != nil {
				return nil, fmt.Errorf("randint: low %w", err)
			}
			if c.args[1] != starlark.None {
				low = high
				if high, err = asInt(c.args[1]); err != nil {
					return nil, fmt.Errorf("randint: high %w", err)
				}
			}
			if high <= low {
				return nil, errors.New("randint: low >= high")
			}
			d := c.r.draw()
			if c.args[2] == starlark.None {
				return starlark.MakeInt(low + int(d.below(int64(high-low)))), nil
			}
			shape, err := shapeOf(c.args[2])
			if err != nil {
				return nil, err
			}
			b, err := c.r.newBuffer(Int64, shape...)
			for i := 0; err == nil && i < b.Count(); i++ {
				b.cells[i] = Int64.ofInt(int64(low) + d.below(int64(high-low)))
			}
			return b, err
		})}
}

// numpyCall is a call of a function of numpy.
type numpyCall struct {
	r    *Rank
	args []starlark.Value
}

// numpyFunction makes a function with a signature as in Python.
func numpyFunction(name, signature string, run func(*numpyCall) (starlark.Value, error)) starlark.Value {
	params := parseSignature(signature)
	return methodOf(name, func(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		c := call{fn: &attribute{name: name, params: params}}
		if err := c.bind(args, kwargs); err != nil {
			return nil, err
		}
		return run(&numpyCall{rankOf(t), c.args[:len(params)]})
	})
}

// shapeOf reads a shape: a number, or a tuple of them.
func shapeOf(v starlark.Value) ([]int, error) {
	list, ok := v.(starlark.Indexable)
	if !ok {
		n, err := asInt(v)
		if err != nil {
			return nil, fmt.Errorf("the size of an array %w", err)
		}
		return []int{n}, nil
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

// array is an argument as an array.
func (c *numpyCall) array(i int) (*Buffer, error) { return arrayOf(c.r, c.args[i], nil) }

// arrayOf makes an array of a value; of an array, itself.
func arrayOf(r *Rank, v starlark.Value, e *Elem) (*Buffer, error) {
	if b, ok := v.(*Buffer); ok && (e == nil || b.elem == *e) {
		return b, nil
	}
	of := elemOf(v)
	if e != nil {
		of = *e
	}
	if b, ok := v.(*Buffer); ok {
		out, err := r.newBuffer(of, b.shape...)
		if err != nil {
			return nil, err
		}
		return out, out.assign(b)
	}
	if list, ok := v.(starlark.Indexable); ok {
		if err := r.roomForElements("an array", 8, starlark.Tuple{v}); err != nil {
			return nil, err
		}
		return bufferOf(list, of)
	}
	b := NewBuffer(of)
	var err error
	b.cells[0], err = of.cell(v)
	return b, err
}

// elem is the argument dtype, or dflt where it is None.
func (c *numpyCall) elem(i int, dflt Elem) (Elem, error) {
	if c.args[i] == starlark.None {
		return dflt, nil
	}
	return elemNamed(c.args[i])
}

// scalar is an array of no direction as a number.
func scalar(b *Buffer, err error) (starlark.Value, error) {
	if err == nil && len(b.shape) == 0 {
		return b.elem.value(b.cells[b.offset]), nil
	}
	return b, err
}

// numpyNames are what there is of numpy.
func numpyNames() map[string]starlark.Value {
	names := map[string]starlark.Value{"pi": starlark.Float(math.Pi), "e": starlark.Float(math.E), "inf": starlark.Float(math.Inf(1)), "nan": starlark.Float(math.NaN()),
		"ndarray": methodOf("ndarray", nil)}
	for name, e := range typeNames {
		if len(name) > 2 && name != "bool" && name != "int" && name != "float" {
			names[name] = dtype(e)
		}
	}
	names["dtype"] = numpyFunction("dtype", "dtype", func(c *numpyCall) (starlark.Value, error) {
		e, err := elemNamed(c.args[0])
		return dtype(e), err
	})
	filled := func(name string, value int) {
		names[name] = numpyFunction(name, "shape, dtype=None, order=None", func(c *numpyCall) (starlark.Value, error) {
			e, err := c.elem(1, Float64)
			if err != nil {
				return nil, err
			}
			shape, err := shapeOf(c.args[0])
			if err != nil {
				return nil, err
			}
			b, err := c.r.newBuffer(e, shape...)
			if err == nil && value != 0 {
				err = b.assign(starlark.MakeInt(value))
			}
			return b, err
		})
		names[name+"_like"] = numpyFunction(name+"_like", "a, dtype=None", func(c *numpyCall) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			e, err := c.elem(1, a.elem)
			if err != nil {
				return nil, err
			}
			b, err := c.r.newBuffer(e, a.shape...)
			if err == nil && value != 0 {
				err = b.assign(starlark.MakeInt(value))
			}
			return b, err
		})
	}
	filled("zeros", 0)
	filled("empty", 0)
	filled("ones", 1)
	names["full"] = numpyFunction("full", "shape, fill_value, dtype=None", func(c *numpyCall) (starlark.Value, error) {
		e, err := c.elem(2, elemOf(c.args[1]))
		if err != nil {
			return nil, err
		}
		shape, err := shapeOf(c.args[0])
		if err != nil {
			return nil, err
		}
		b, err := c.r.newBuffer(e, shape...)
		if err == nil {
			err = b.assign(c.args[1])
		}
		return b, err
	})
	array := func(c *numpyCall, copied bool) (starlark.Value, error) {
		var e *Elem
		if c.args[1] != starlark.None {
			named, err := elemNamed(c.args[1])
			if err != nil {
				return nil, err
			}
			e = &named
		}
		b, err := arrayOf(c.r, c.args[0], e)
		if err == nil && copied {
			b = b.Copy()
		}
		return b, err
	}
	names["array"] = numpyFunction("array", "object, dtype=None", func(c *numpyCall) (starlark.Value, error) { return array(c, true) })
	for _, name := range []string{"asarray", "ascontiguousarray"} {
		names[name] = numpyFunction(name, "a, dtype=None", func(c *numpyCall) (starlark.Value, error) { return array(c, false) })
	}
	names["arange"] = numpyFunction("arange", "start, stop=None, step=None, dtype=None", arange)
	names["linspace"] = numpyFunction("linspace", "start, stop, num=None, endpoint=None, dtype=None", linspace)
	for _, name := range folds {
		names[name] = numpyFunction(name, "a", func(c *numpyCall) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			return a.fold(name)
		})
	}
	names["amin"], names["amax"] = names["min"], names["max"]
	for name, f := range map[string]func(float64) float64{"abs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "log": math.Log, "square": func(f float64) float64 { return f * f }} {
		names[name] = numpyOf(name, f)
	}
	for name, f := range floatFunctions {
		names[name] = numpyOf(name, f)
	}
	names["absolute"] = names["abs"]
	for name, op := range map[string]syntax.Token{"add": syntax.PLUS, "subtract": syntax.MINUS, "multiply": syntax.STAR, "divide": syntax.SLASH, "power": syntax.STARSTAR, "mod": syntax.PERCENT} {
		names[name] = numpyFunction(name, "x1, x2", func(c *numpyCall) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			v, err := elementwise(op, a, c.args[1])
			if err != nil {
				return nil, err
			}
			return scalar(v.(*Buffer), nil)
		})
	}
	for name, op := range map[string]syntax.Token{"maximum": syntax.GT, "minimum": syntax.LT} {
		names[name] = numpyFunction(name, "x1, x2", func(c *numpyCall) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			b, err := arrayOf(c.r, c.args[1], &a.elem)
			if err != nil {
				return nil, err
			}
			shape := commonShape(a.shape, b.shape)
			if shape == nil {
				return nil, fmt.Errorf("operands could not be broadcast together with shapes %s %s", shapeText(a.shape), shapeText(b.shape))
			}
			out := NewBuffer(a.elem, shape...)
			p, q := a.broadcast(shape), b.broadcast(shape)
			for i := range out.cells {
				out.cells[i] = q.cells[q.at(i)]
				if a.elem.compare(op, p.cells[p.at(i)], out.cells[i]) {
					out.cells[i] = p.cells[p.at(i)]
				}
			}
			return scalar(out, nil)
		})
	}
	names["dot"] = numpyFunction("dot", "a, b", func(c *numpyCall) (starlark.Value, error) {
		a, err := c.array(0)
		if err != nil {
			return nil, err
		}
		b, err := c.array(1)
		if err != nil {
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
	})
	names["array_equal"] = numpyFunction("array_equal", "a1, a2", func(c *numpyCall) (starlark.Value, error) { return same(c, 0, 0) })
	names["allclose"] = numpyFunction("allclose", "a, b", func(c *numpyCall) (starlark.Value, error) { return same(c, 1e-5, 1e-8) })
	names["concatenate"] = numpyFunction("concatenate", "arrays", func(c *numpyCall) (starlark.Value, error) {
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
	})
	names["copyto"] = numpyFunction("copyto", "dst, src", func(c *numpyCall) (starlark.Value, error) {
		b, ok := c.args[0].(*Buffer)
		if !ok {
			return nil, errors.New("copyto: dst must be an array")
		}
		return starlark.None, b.assign(c.args[1])
	})
	for _, name := range []string{"size", "shape", "ndim"} {
		names[name] = numpyFunction(name, "a", func(c *numpyCall) (starlark.Value, error) {
			b, err := c.array(0)
			if err != nil {
				return nil, err
			}
			return b.Attr(name)
		})
	}
	return names
}

// numpyOf is a function of each element, or of a number.
func numpyOf(name string, f func(float64) float64) starlark.Value {
	return numpyFunction(name, "x", func(c *numpyCall) (starlark.Value, error) {
		a, err := c.array(0)
		if err != nil {
			return nil, err
		}
		e := a.elem
		if !e.IsFloat() && name != "abs" && name != "square" {
			e = Float64
		}
		out, err := c.r.newBuffer(e, a.shape...)
		if err != nil {
			return nil, err
		}
		for i := range out.cells {
			out.cells[i] = e.ofFloat(f(a.elem.float(a.cells[a.at(i)])))
		}
		return scalar(out, nil)
	})
}

// same reports whether two arrays have the same shape, and elements that differ by no more than the tolerances.
func same(c *numpyCall, relative, absolute float64) (starlark.Value, error) {
	a, err := c.array(0)
	if err != nil {
		return nil, err
	}
	b, err := c.array(1)
	if err != nil {
		return nil, err
	}
	shape := commonShape(a.shape, b.shape)
	if shape == nil || relative == 0 && !slices.Equal(a.shape, b.shape) {
		if relative == 0 {
			return starlark.False, nil
		}
		return nil, fmt.Errorf("operands could not be broadcast together with shapes %s %s", shapeText(a.shape), shapeText(b.shape))
	}
	p, q := a.broadcast(shape), b.broadcast(shape)
	for i := range p.Count() {
		x, y := p.elem.float(p.cells[p.at(i)]), q.elem.float(q.cells[q.at(i)])
		if !(x == y || math.Abs(x-y) <= absolute+relative*math.Abs(y)) {
			return starlark.False, nil
		}
	}
	return starlark.True, nil
}

// arange is numpy.arange: numbers from start on, below stop.
func arange(c *numpyCall) (starlark.Value, error) {
	start, stop, step := starlark.Value(starlark.MakeInt(0)), c.args[0], starlark.Value(starlark.MakeInt(1))
	if c.args[1] != starlark.None {
		start, stop = c.args[0], c.args[1]
	}
	if c.args[2] != starlark.None {
		step = c.args[2]
	}
	e, err := c.elem(3, elemOf(starlark.Tuple{start, stop, step}))
	if err != nil {
		return nil, err
	}
	a, ok1 := starlark.AsFloat(plain(start))
	b, ok2 := starlark.AsFloat(plain(stop))
	d, ok3 := starlark.AsFloat(plain(step))
	if !ok1 || !ok2 || !ok3 || d == 0 {
		return nil, errors.New("arange takes numbers, and a step that is not 0")
	}
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

// linspace is numpy.linspace: num numbers from start to stop.
func linspace(c *numpyCall) (starlark.Value, error) {
	a, ok1 := starlark.AsFloat(plain(c.args[0]))
	b, ok2 := starlark.AsFloat(plain(c.args[1]))
	if !ok1 || !ok2 {
		return nil, errors.New("linspace takes numbers")
	}
	n := 50
	if c.args[2] != starlark.None {
		var err error
		if n, err = asInt(c.args[2]); err != nil {
			return nil, fmt.Errorf("linspace: num %w", err)
		}
	}
	e, err := c.elem(4, Float64)
	if err != nil {
		return nil, err
	}
	out, err := c.r.newBuffer(e, n)
	if err != nil {
		return nil, err
	}
	parts := n - 1
	if c.args[3] != starlark.None && !bool(c.args[3].Truth()) {
		parts = n
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

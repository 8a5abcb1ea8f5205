package program

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"go.starlark.net/starlark"
)

// library is a module that a program can import, or a module inside it. Modules have what programs about communication
// need; another name is an error when a program uses it.
type library struct {
	plainValue
	name  string
	names map[string]starlark.Value // of all ranks
	r     *Rank
}

func (l *library) String() string { return "<module '" + l.name + "'>" }
func (l *library) Type() string   { return "module" }

// Attr implements starlark.HasAttrs.
func (l *library) Attr(name string) (starlark.Value, error) {
	if v := l.names[name]; v != nil {
		return v, nil
	}
	if sub := libraries()[l.name+"."+name]; sub != nil {
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

// SetField implements starlark.HasSetField, for mpi4py.rc, whose options choose how MPI begins.
func (l *library) SetField(name string, _ starlark.Value) error {
	switch {
	case l.name != "mpi4py.rc":
		return fmt.Errorf("%s.%s cannot be assigned", l.name, name)
	case name == "initialize" || name == "finalize":
		return fmt.Errorf("mpi4py.rc.%s has no effect here, since MPI is initialized before the first line and finalized behind the last: leave it out, and calls of MPI.Init and MPI.Finalize", name)
	}
	return nil
}

// AttrNames implements starlark.HasAttrs.
func (l *library) AttrNames() []string {
	return slices.Sorted(maps.Keys(l.names))
}

// guardModule returns what an import binds: a module, or a name in it.
func guardModule(c *call) (starlark.Value, error) {
	name := string(c.pos[0].(starlark.String))
	if libraries()[name] == nil {
		return nil, &exception{class: "ModuleNotFoundError", args: starlark.Tuple{starlark.String("there is no module " + name + " here")}}
	}
	var v starlark.Value = &library{name: name, names: libraries()[name], r: c.r}
	for _, a := range c.pos[1:] {
		next, err := v.(starlark.HasAttrs).Attr(string(a.(starlark.String)))
		if err != nil {
			return nil, err
		}
		if _, more := next.(starlark.HasAttrs); next == nil || !more && a != c.pos[len(c.pos)-1] {
			return nil, &exception{class: "ImportError", args: starlark.Tuple{starlark.String(fmt.Sprintf("there is no %s in %s here", string(a.(starlark.String)), name))}}
		}
		v = next
	}
	return v, nil
}

// argv returns sys.argv: the file, and the words behind --.
func (r *Rank) argv() starlark.Value {
	list := []starlark.Value{starlark.String(r.position().File)}
	for _, a := range r.all.Arguments {
		list = append(list, starlark.String(a))
	}
	return starlark.NewList(list)
}

// stream is sys.stdout or sys.stderr.
type stream struct {
	plainValue
	name string
}

func (s stream) String() string { return "<" + s.name + ">" }
func (s stream) Type() string   { return "TextIOWrapper" }

// AttrNames implements starlark.HasAttrs.
func (s stream) AttrNames() []string { return []string{"flush", "write"} }

// Attr implements starlark.HasAttrs.
func (s stream) Attr(name string) (starlark.Value, error) {
	return streamFunctions[name], nil
}

// streamFunctions are what can be done with a stream.
var streamFunctions = functions(map[string]method{
	"flush()": func(*call) (starlark.Value, error) { return starlark.None, nil },
	"write(text)": func(c *call) (starlark.Value, error) {
		text, err := c.text(0)
		if err == nil {
			c.r.put(text)
		}
		return starlark.MakeInt(len(text)), err
	},
}, nil)

// put writes text as the rank's output. What follows the last end of a line waits for its own end.
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

// libraries are the modules, by name, made when a program first imports one.
var libraries = sync.OnceValue(func() map[string]map[string]starlark.Value {
	environ := starlark.NewDict(0)
	environ.Freeze()
	return map[string]map[string]starlark.Value{
		"mpi4py": {"rc": &library{name: "mpi4py.rc"}, "__version__": starlark.String("4.0.0")},
		"sys": {"stdout": stream{name: "stdout"}, "stderr": stream{name: "stderr"}, "exit": pythonFunction("exit", "*args", exit),
			"maxsize": starlark.MakeInt64(math.MaxInt64), "version": starlark.String("3"),
			"platform": starlark.String("linux"), "byteorder": starlark.String("little")},
		"os":           functions(osFunctions, map[string]starlark.Value{"environ": environ, "linesep": starlark.String("\n")}),
		"time":         functions(timeFunctions, nil),
		"math":         mathNames(),
		"random":       functions(randomFunctions, nil),
		"numpy":        numpyNames(),
		"numpy.random": functions(numpyRandomFunctions, nil),
	}
})

// functions makes functions of Python from their signatures, beside the other names of a module.
func functions(does map[string]method, others map[string]starlark.Value) map[string]starlark.Value {
	all := maps.Clone(others)
	if all == nil {
		all = map[string]starlark.Value{}
	}
	for signature, run := range does {
		name, params, _ := strings.Cut(strings.TrimSuffix(signature, ")"), "(")
		all[name] = pythonFunction(name, params, run)
	}
	return all
}

// pythonFunction makes a function with a signature as in Python.
func pythonFunction(name, signature string, run method) *starlark.Builtin {
	fn := (&attribute{name: name, run: run}).takes(signature)
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		r := rankOf(t)
		c := r.newCall()
		defer c.done()
		c.r, c.fn, c.thread = r, fn, t
		if err := c.take(args, kwargs); err != nil {
			return nil, err
		}
		return run(c)
	})
}

var osFunctions = map[string]method{
	"getpid()":                  tells(func(r *Rank) any { return r.P.Rank() + 1 }),
	"getenv(key, default=None)": func(c *call) (starlark.Value, error) { return c.args[1], nil },
	"uname()":                   tells(func(r *Rank) any { return tuple{"Linux", r.P.ProcessorName()} }),
}

var timeFunctions = map[string]method{
	"sleep(secs)":    sleep,
	"time()":         tells(func(*Rank) any { return float64(time.Now().UnixNano()) / 1e9 }),
	"perf_counter()": wtime, "monotonic()": wtime, "process_time()": wtime,
}

// sleep lets the other ranks go on. It does not wait: no time passes in an exploration, and a program that depends on
// time has a race.
func sleep(c *call) (starlark.Value, error) {
	if _, err := c.float(0); err != nil {
		return nil, err
	}
	return starlark.None, c.r.pause()
}

// floatFunctions are the functions of one float that math and numpy have in common.
var floatFunctions = map[string]func(float64) float64{"sqrt": math.Sqrt, "exp": math.Exp, "log2": math.Log2, "log10": math.Log10,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "sinh": math.Sinh, "cosh": math.Cosh,
	"tanh": math.Tanh, "fabs": math.Abs, "radians": func(f float64) float64 { return f * math.Pi / 180 }, "degrees": func(f float64) float64 { return f * 180 / math.Pi }}

// ofFloats turns a function of one or two numbers into a method.
func ofFloats[R any](f func(x, y float64) (R, error)) method {
	return func(c *call) (starlark.Value, error) {
		var x, y float64
		into := []any{&x, &y}
		if err := c.read(0, into[:len(c.fn.params)]...); err != nil {
			return nil, err
		}
		v, err := f(x, y)
		return ended(c, v, err)
	}
}

// result refuses a result that is no number, unless an argument is none either.
func result(y float64, of ...float64) (float64, error) {
	if special(y) && !slices.ContainsFunc(of, special) {
		return 0, errDomain
	}
	return y, nil
}

// constantsOfMath returns the constants of math and numpy.
func constantsOfMath() map[string]starlark.Value {
	return map[string]starlark.Value{"pi": starlark.Float(math.Pi), "e": starlark.Float(math.E), "inf": starlark.Float(math.Inf(1)), "nan": starlark.Float(math.NaN())}
}

// errDomain says that a function has no value for its arguments.
var errDomain = &exception{class: "ValueError", args: starlark.Tuple{starlark.String("math domain error")}}

func mathNames() map[string]starlark.Value {
	all := map[string]method{
		"log(x, base=None)": logarithm,
		"isnan(x)":          ofFloats(func(x, _ float64) (bool, error) { return math.IsNaN(x), nil }),
		"isinf(x)":          ofFloats(func(x, _ float64) (bool, error) { return math.IsInf(x, 0), nil }),
		"factorial(x)":      factorial,
		"gcd(a, b)":         commonDivisor,
	}
	for name, f := range floatFunctions {
		all[name+"(x)"] = ofFloats(func(x, _ float64) (float64, error) { return result(f(x), x) })
	}
	for name, f := range map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc} {
		all[name+"(x)"] = func(c *call) (starlark.Value, error) {
			if n, ok := plain(c.args[0]).(starlark.Int); ok {
				return n, nil
			}
			x, err := c.float(0)
			if err != nil {
				return nil, err
			}
			return starlark.NumberToInt(starlark.Float(f(x)))
		}
	}
	for name, f := range map[string]func(a, b float64) float64{"pow": math.Pow, "atan2": math.Atan2, "hypot": math.Hypot, "fmod": math.Mod} {
		all[name+"(x, y)"] = ofFloats(func(x, y float64) (float64, error) { return f(x, y), nil })
	}
	return functions(all, constantsOfMath())
}

func logarithm(c *call) (starlark.Value, error) {
	x, err := c.float(0)
	base, of := math.E, 1.0
	if c.args[1] != starlark.None && err == nil {
		base, err = c.float(1)
		of = math.Log(base)
	}
	if err == nil && (x <= 0 || base <= 0) {
		err = errDomain
	}
	return ended(c, math.Log(x)/of, err)
}

func factorial(c *call) (starlark.Value, error) {
	n, err := c.int(0)
	if err == nil && (n < 0 || n > 10000) {
		err = c.wrong(0, "an integer of 0 to 10000")
	}
	return starlark.MakeBigInt(new(big.Int).MulRange(1, int64(n))), err
}

func commonDivisor(c *call) (starlark.Value, error) {
	var list [2]*big.Int
	for i := range list {
		n, ok := c.args[i].(starlark.Int)
		if !ok {
			return nil, c.wrong(i, "an integer")
		}
		list[i] = n.BigInt()
	}
	return starlark.MakeBigInt(new(big.Int).GCD(nil, nil, list[0], list[1])), nil
}

// random draws numbers with a generator of its own. After the same seed, Python draws others.
type random struct{ state uint64 }

// draw returns the rank's generator, whose first state depends on the rank.
func (r *Rank) draw() *random {
	if r.random == nil {
		r.rarely().random = &random{uint64(r.P.Rank()+1) * 0x9e3779b97f4a7c15}
	}
	return r.random
}

// next returns the next number of splitmix64.
func (d *random) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (d *random) float() float64 { return float64(d.next()>>11) / (1 << 53) }

func (d *random) below(n int64) int64 { return int64(d.next() % uint64(max(n, 1))) }

// seed sets the state of the generator.
func seed(c *call) (starlark.Value, error) {
	seed := uint64(0)
	if of := c.args[0]; of != starlark.None {
		h, err := of.Hash()
		if err != nil {
			return nil, err
		}
		seed = uint64(h)
		if n, ok := of.(starlark.Int); ok {
			k, _ := n.Int64()
			seed = uint64(k)
		}
	}
	c.r.draw().state = seed
	return starlark.None, nil
}

var randomFunctions = map[string]method{
	"seed(a=None)":    seed,
	"random()":        tells(func(r *Rank) any { return r.draw().float() }),
	"randint(a, b)":   between(1),
	"randrange(a, b)": between(0),
	"choice(seq)":     choice,
	"shuffle(x)":      shuffle,
	"uniform(a, b)": func(c *call) (starlark.Value, error) {
		var a, b float64
		if err := c.read(0, &a, &b); err != nil {
			return nil, err
		}
		return starlark.Float(a + (b-a)*c.r.draw().float()), nil
	},
}

// between makes a function that draws an integer of at least a and less than b + more.
func between(more int) method {
	return func(c *call) (starlark.Value, error) {
		var a, b int
		if err := c.read(0, &a, &b); err != nil {
			return nil, err
		}
		if b-a+more <= 0 {
			return nil, fmt.Errorf("%s: the second number must be an integer that is larger", c.fn.name)
		}
		return starlark.MakeInt(a + int(c.r.draw().below(int64(b-a+more)))), nil
	}
}

func choice(c *call) (starlark.Value, error) {
	list, ok := c.args[0].(starlark.Indexable)
	if !ok || list.Len() == 0 {
		return nil, errors.New("choice takes a list with elements: list index out of range")
	}
	return list.Index(int(c.r.draw().below(int64(list.Len())))), nil
}

func shuffle(c *call) (starlark.Value, error) {
	list, ok := c.args[0].(starlark.HasSetIndex)
	if !ok {
		return nil, c.wrong(0, "a list")
	}
	for i := list.Len() - 1; i > 0; i-- {
		k := int(c.r.draw().below(int64(i + 1)))
		a, b := list.Index(i), list.Index(k)
		if err := errors.Join(list.SetIndex(i, b), list.SetIndex(k, a)); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}

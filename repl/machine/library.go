package machine

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

var integersOfC = map[string]int64{"RAND_MAX": math.MaxInt32, "INT_MAX": math.MaxInt32, "INT_MIN": math.MinInt32, "LONG_MAX": math.MaxInt64,
	"LONG_MIN": math.MinInt64, "UINT_MAX": math.MaxUint32, "CHAR_MAX": 127, "CHAR_MIN": -128, "EXIT_SUCCESS": 0, "EXIT_FAILURE": 1, "true": 1,
	"false": 0, "CLOCKS_PER_SEC": 1_000_000, "EOF": -1, "SHRT_MAX": math.MaxInt16, "SHRT_MIN": math.MinInt16, "BUFSIZ": 8192}

var realsOfC = map[string]float64{"M_PI": math.Pi, "M_E": math.E, "DBL_MAX": math.MaxFloat64, "FLT_MAX": math.MaxFloat32, "INFINITY": math.Inf(1),
	"NAN": math.NaN(), "DBL_EPSILON": 0x1p-52, "FLT_EPSILON": 0x1p-23, "DBL_MIN": 0x1p-1022, "M_SQRT2": math.Sqrt2, "M_PI_2": math.Pi / 2,
	"HUGE_VAL": math.Inf(1)}

// mathOne and mathTwo are functions of math.h.
var mathOne = map[string]func(float64) float64{"sqrt": math.Sqrt, "sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin,
	"acos": math.Acos, "atan": math.Atan, "exp": math.Exp, "log": math.Log, "log10": math.Log10, "log2": math.Log2, "fabs": math.Abs,
	"floor": math.Floor, "ceil": math.Ceil, "round": math.Round, "trunc": math.Trunc, "sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
	"cbrt": math.Cbrt, "rint": math.RoundToEven, "exp2": math.Exp2, "tgamma": math.Gamma, "erf": math.Erf}

var mathTwo = map[string]func(a, b float64) float64{"pow": math.Pow, "fmod": math.Mod, "atan2": math.Atan2, "fmax": math.Max, "fmin": math.Min,
	"hypot": math.Hypot, "fdim": math.Dim}

// library compiles a call of a function of C or Fortran; false for an unknown function.
func (c *compiler) library(e *syntax.Call, name string) (expr, bool) {
	switch name {
	case "MPI_Wtime", "MPI_WTIME", "mpi_wtime":
		return expr{t: doubleType, f: func(*frame) float64 { return elapsed() }}, true
	case "MPI_Wtick", "mpi_wtick":
		return real(doubleType, 1e-9), true
	}
	single := strings.TrimSuffix(name, "f")
	for _, n := range []string{name, single} {
		t := doubleType
		if n != name {
			t = floatType
		}
		if f := mathOne[n]; f != nil {
			c.takes(e, name, 1)
			x := c.convert(c.expr(e.Args[0]), doubleType, e.Pos)
			return expr{t: t, f: func(fr *frame) float64 { return round(t.kind, f(x.f(fr))) }}, true
		}
		if f := mathTwo[n]; f != nil {
			c.takes(e, name, 2)
			x, y := c.convert(c.expr(e.Args[0]), doubleType, e.Pos), c.convert(c.expr(e.Args[1]), doubleType, e.Pos)
			return expr{t: t, f: func(fr *frame) float64 { return round(t.kind, f(x.f(fr), y.f(fr))) }}, true
		}
	}
	f := functionsOfC[name]
	if f == nil {
		return expr{}, false
	}
	return f(c, e), true
}

// takes refuses a call that has not n arguments.
func (c *compiler) takes(e *syntax.Call, name string, n int) {
	if len(e.Args) != n {
		panic(syntax.Wrong(e.Pos, "%s takes %d arguments, not %d", name, n, len(e.Args)))
	}
}

// args compiles arguments, converted to the types of the letters: i int, l long, d double, p pointer, s text.
func (c *compiler) args(e *syntax.Call, types string) []expr {
	name := e.Fn.(*syntax.Ident).Name
	c.takes(e, name, len(types))
	list := make([]expr, len(types))
	for i := range types {
		t := map[byte]*typ{'i': intType, 'l': longType, 'd': doubleType, 'p': voidPtr, 's': charPtr}[types[i]]
		list[i] = c.convert(c.expr(e.Args[i]), t, e.Args[i].At())
	}
	return list
}

var functionsOfC map[string]compiled

func init() { functionsOfC = libraryTable() } // the table refers to what looks into it

// compiled is how to compile the calls of a function of C's or Fortran's library.
type compiled = func(c *compiler, e *syntax.Call) expr

// computing returns how to compile a function of C that is computed by run. types are those of its arguments, see
// args.
func computing(types string, t *typ, run func(f *frame, at syntax.Pos, a []slot) slot) compiled {
	return func(c *compiler, e *syntax.Call) expr {
		args := c.args(e, types)
		return ofSlot(t, func(f *frame) slot { return run(f, e.Pos, valuesOf(f, args)) })
	}
}

func libraryTable() map[string]compiled {
	integer := func(types string, run func(f *frame, at syntax.Pos, a []slot) int64) compiled {
		return computing(types, intType, func(f *frame, at syntax.Pos, a []slot) slot { return slot{i: run(f, at, a)} })
	}
	pointer := func(types string, t *typ, run func(f *frame, at syntax.Pos, a []slot) ref) compiled {
		return computing(types, t, func(f *frame, at syntax.Pos, a []slot) slot { return slot{p: run(f, at, a)} })
	}
	random := integer("", func(f *frame, _ syntax.Pos, _ []slot) int64 { return f.random.next() })
	seeding := computing("l", voidType, func(f *frame, _ syntax.Pos, a []slot) slot {
		f.random = seeded(uint32(a[0].i))
		return slot{}
	})
	return map[string]compiled{
		"printf": printing(0), "fprintf": printing(1), "sprintf": sprinting(1), "snprintf": sprinting(2),
		"puts": integer("s", func(f *frame, at syntax.Pos, a []slot) int64 { f.print(a[0].p.text(at) + "\n"); return 1 }),
		"putchar": integer("i", func(f *frame, _ syntax.Pos, a []slot) int64 {
			f.print(string([]byte{byte(a[0].i)}))
			return a[0].i
		}),
		"fflush": ignored, "setbuf": ignored, "setvbuf": ignored, "usleep": ignored, "sleep": ignored,
		"malloc": pointer("l", voidPtr, func(f *frame, at syntax.Pos, a []slot) ref { return f.allocated(at, a[0].i) }),
		"calloc": pointer("ll", voidPtr, func(f *frame, at syntax.Pos, a []slot) ref { return f.allocated(at, a[0].i*a[1].i) }),
		"realloc": pointer("pl", voidPtr, func(f *frame, at syntax.Pos, a []slot) ref {
			return f.reallocated(at, a[0].p, a[1].i)
		}),
		"free":   computing("p", voidType, freeMemory),
		"exit":   computing("i", voidType, func(_ *frame, at syntax.Pos, a []slot) slot { panic(ended{at, a[0].i}) }),
		"abort":  computing("", voidType, func(_ *frame, at syntax.Pos, _ []slot) slot { panic(ended{at, 134}) }),
		"assert": asserting, "rand": random, "random": random, "srand": seeding, "srandom": seeding,
		"time":   func(c *compiler, e *syntax.Call) expr { c.takes(e, "time", 1); return number(longType, moment) },
		"clock":  computing("", longType, func(*frame, syntax.Pos, []slot) slot { return slot{i: int64(elapsed() * 1e6)} }),
		"getpid": integer("", func(f *frame, _ syntax.Pos, _ []slot) int64 { return 1000 + int64(f.r.P.Rank()) }),
		"abs":    integer("i", func(_ *frame, _ syntax.Pos, a []slot) int64 { return wrap(syntax.Int, max(a[0].i, -a[0].i)) }),
		"labs":   integer("l", func(_ *frame, _ syntax.Pos, a []slot) int64 { return max(a[0].i, -a[0].i) }),
		"isnan":  integer("d", func(_ *frame, _ syntax.Pos, a []slot) int64 { return truth(math.IsNaN(a[0].f)) }),
		"atoi": integer("s", func(_ *frame, at syntax.Pos, a []slot) int64 {
			return wrap(syntax.Int, leadingInteger(a[0].p.text(at)))
		}),
		"atol": integer("s", func(_ *frame, at syntax.Pos, a []slot) int64 { return leadingInteger(a[0].p.text(at)) }),
		"atof": computing("s", doubleType, func(_ *frame, at syntax.Pos, a []slot) slot { return slot{f: leadingReal(a[0].p.text(at))} }),
		"strtol": func(c *compiler, e *syntax.Call) expr {
			c.takes(e, "strtol", 3)
			x := c.convert(c.expr(e.Args[0]), charPtr, e.Pos)
			return expr{t: longType, i: func(f *frame) int64 { return leadingInteger(x.p(f).text(e.Pos)) }}
		},
		"strlen": computing("s", sizeType, func(_ *frame, at syntax.Pos, a []slot) slot { return slot{i: int64(len(a[0].p.text(at)))} }),
		"strcmp": integer("ss", func(_ *frame, at syntax.Pos, a []slot) int64 {
			return int64(strings.Compare(a[0].p.text(at), a[1].p.text(at)))
		}),
		"strncmp": integer("ssl", func(_ *frame, at syntax.Pos, a []slot) int64 {
			return int64(strings.Compare(first(a[0].p.text(at), a[2].i), first(a[1].p.text(at), a[2].i)))
		}),
		"strcpy": pointer("ss", charPtr, func(_ *frame, at syntax.Pos, a []slot) ref { return a[0].p.store(at, a[1].p.text(at)) }),
		"strncpy": pointer("ssl", charPtr, func(_ *frame, at syntax.Pos, a []slot) ref {
			return a[0].p.fill(at, a[1].p.text(at), a[2].i)
		}),
		"strcat": pointer("ss", charPtr, func(_ *frame, at syntax.Pos, a []slot) ref {
			return a[0].p.store(at, a[0].p.text(at)+a[1].p.text(at))
		}),
		"strstr": pointer("ss", charPtr, func(_ *frame, at syntax.Pos, a []slot) ref {
			return a[0].p.found(strings.Index(a[0].p.text(at), a[1].p.text(at)))
		}),
		"strchr": pointer("si", charPtr, func(_ *frame, at syntax.Pos, a []slot) ref {
			return a[0].p.found(strings.IndexByte(a[0].p.text(at)+"\x00", byte(a[1].i)))
		}),
		"memset": pointer("pil", voidPtr, setMemory), "memcpy": pointer("ppl", voidPtr, copyMemory), "memmove": pointer("ppl", voidPtr, copyMemory),
		"gethostname": integer("sl", func(f *frame, at syntax.Pos, a []slot) int64 { a[0].p.store(at, f.r.P.ProcessorName()); return 0 }),
		"qsort":       sorting,
	}
}

func valuesOf(f *frame, args []expr) []slot {
	list := make([]slot, len(args))
	for i, a := range args {
		list[i] = a.value(f)
	}
	return list
}

func first(s string, n int64) string { return s[:max(min(int64(len(s)), n), 0)] }

// ignored compiles a call that does nothing.
func ignored(c *compiler, e *syntax.Call) expr {
	for _, a := range e.Args {
		c.expr(a)
	}
	return number(intType, 0)
}

// allocated returns new memory of so many bytes, which has no type yet.
func (f *frame) allocated(at syntax.Pos, bytes int64) ref {
	if bytes < 0 || bytes > 1<<29 {
		wrong(at, "%d bytes are too much: an array has at most 512 MB", bytes)
	}
	if err := f.r.Room(uint64(bytes)*2, "an array of "+strconv.FormatInt(bytes, 10)+" bytes"); err != nil {
		panic(failed{err})
	}
	return ref{&memory{bytes: bytes, named: "the memory"}, 0}
}

// reallocated returns larger or smaller memory with the same elements.
func (f *frame) reallocated(at syntax.Pos, old ref, bytes int64) ref {
	now := f.allocated(at, bytes)
	if old.m == nil || old.m.kind == syntax.Void {
		return now
	}
	t := &typ{kind: old.m.kind}
	now = now.as(t, at)
	copy(now.m.cells, old.m.cells)
	copy(now.m.any, old.m.any)
	old.m.freed = true
	return now
}

func freeMemory(_ *frame, at syntax.Pos, a []slot) slot {
	switch r := a[0].p; {
	case r.m == nil:
	case r.m.freed:
		wrong(at, "the memory has already been freed")
	case r.off != 0 || r.m.named != "the memory":
		wrong(at, "free needs a pointer that malloc returned")
	default:
		r.m.freed = true
		r.m.cells, r.m.any = nil, nil
	}
	return slot{}
}

func asserting(c *compiler, e *syntax.Call) expr {
	c.takes(e, "assert", 1)
	is := c.truth(c.expr(e.Args[0]), e.Pos)
	return expr{t: voidType, do: func(f *frame) {
		if !is(f) {
			wrong(e.Pos, "the assertion failed")
		}
	}}
}

// random is the generator of the GNU C library, so that a program with its own seed draws the same numbers.
type random struct {
	r []uint32
}

func seeded(seed uint32) random {
	if seed == 0 {
		seed = 1
	}
	r := make([]uint32, 34, 64)
	r[0] = seed
	for i := 1; i < 31; i++ {
		n := 16807 * int64(int32(r[i-1])) % 2147483647
		if n < 0 {
			n += 2147483647
		}
		r[i] = uint32(n)
	}
	copy(r[31:], r[:3])
	g := random{r}
	for range 310 {
		g.next()
	}
	return g
}

func (g *random) next() int64 {
	n := len(g.r)
	v := g.r[n-31] + g.r[n-3]
	if n == cap(g.r) {
		copy(g.r, g.r[n-33:])
		g.r = g.r[:33]
	}
	g.r = append(g.r, v)
	return int64(v >> 1)
}

// text returns the text up to its null character.
func (r ref) text(at syntax.Pos) string {
	var b strings.Builder
	for k := r.check(at, 0); ; k++ {
		if k >= len(r.m.cells) {
			wrong(at, "the string has no terminating null character")
		}
		if r.m.cells[k] == 0 {
			return b.String()
		}
		b.WriteByte(byte(r.m.cells[k]))
	}
}

// store writes a text with its null character.
func (r ref) store(at syntax.Pos, s string) ref {
	r = r.as(charType, at)
	if n := r.rest(); len(s)+1 > n {
		wrong(at, "the string has %d characters including its null character, but there is room for %d", len(s)+1, n)
	}
	return r.fill(at, s, int64(len(s))+1)
}

// fill writes n characters: those of a text, and null characters behind it.
func (r ref) fill(at syntax.Pos, s string, n int64) ref {
	for i := range n {
		b := int8(0)
		if i < int64(len(s)) {
			b = int8(s[i])
		}
		r.m.cells[r.check(at, i)] = uint64(int64(b))
	}
	return r
}

func (r ref) found(i int) ref {
	if i < 0 {
		return ref{}
	}
	return ref{r.m, r.off + i}
}

// leadingInteger returns the integer that a text begins with; 0 for none.
func leadingInteger(s string) int64 {
	s = strings.TrimLeft(s, " \t\n")
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || n == 0 && (s[n] == '-' || s[n] == '+')) {
		n++
	}
	v, _ := strconv.ParseInt(s[:n], 10, 64)
	return v
}

func leadingReal(s string) float64 {
	s = strings.TrimLeft(s, " \t\n")
	for n := len(s); n > 0; n-- {
		if v, err := strconv.ParseFloat(s[:n], 64); err == nil {
			return v
		}
	}
	return 0
}

// setMemory is memset. Its value must have the same bytes in each element: 0, or any value for characters.
func setMemory(f *frame, at syntax.Pos, a []slot) ref {
	r, b, n := a[0].p, a[1].i, a[2].i
	if r.m == nil || r.m.kind == syntax.Void && b == 0 {
		return r
	}
	size := (&typ{kind: r.m.kind}).size()
	v := b & 0xff
	for range size - 1 {
		v = v<<8 | b&0xff
	}
	v = wrap(r.m.kind, v)
	if isReal(r.m.kind) && b != 0 {
		wrong(at, "memset can set floating-point numbers only to 0")
	}
	for i := range n / size {
		r.m.cells[r.check(at, i)] = uint64(v)
	}
	return r
}

// copyMemory is memcpy and memmove.
func copyMemory(f *frame, at syntax.Pos, a []slot) ref {
	to, from, n := a[0].p, a[1].p, a[2].i
	if n == 0 {
		return to
	}
	from.check(at, 0)
	t := &typ{kind: from.m.kind}
	to = to.as(t, at)
	n /= t.size()
	from.check(at, n-1)
	to.check(at, 0)
	to.check(at, n-1)
	if isNumber(t.kind) {
		copy(to.m.cells[to.off:to.off+int(n)], from.m.cells[from.off:from.off+int(n)])
	} else {
		copy(to.m.any[to.off:to.off+int(n)], from.m.any[from.off:from.off+int(n)])
	}
	return to
}

// sorting compiles qsort.
func sorting(c *compiler, e *syntax.Call) expr {
	c.takes(e, "qsort", 4)
	base := c.convert(c.expr(e.Args[0]), voidPtr, e.Pos)
	n, size := c.convert(c.expr(e.Args[1]), longType, e.Pos), c.convert(c.expr(e.Args[2]), longType, e.Pos)
	compare := c.expr(e.Args[3])
	if compare.t.kind != syntax.Function {
		panic(syntax.Wrong(e.Pos, "the last argument of qsort must be a function"))
	}
	return expr{t: voidType, do: func(f *frame) {
		r, n := base.p(f), int(n.i(f))
		if n == 0 {
			return
		}
		r.check(e.Pos, int64(n)-1)
		each := int(size.i(f) / (&typ{kind: r.m.kind}).size())
		fn := compare.v(f).(*function)
		if each != 1 || !isNumber(r.m.kind) {
			wrong(e.Pos, "qsort sorts only arrays of numbers here")
		}
		part := r.m.cells[r.off : r.off+n]
		two := &memory{kind: r.m.kind, cells: make([]uint64, 2)}
		sort.SliceStable(part, func(i, j int) bool {
			two.cells[0], two.cells[1] = part[i], part[j]
			return fn.call(f, e.Pos, []slot{{p: ref{two, 0}}, {p: ref{two, 1}}}).i < 0
		})
	}}
}

// textOf computes a text that a call reads.
func (c *compiler) textOf(f *frame, x expr, at syntax.Pos) string {
	if x.t.kind == syntax.Text {
		return strings.TrimRight(x.v(f).(string), " ")
	}
	return x.p(f).text(at)
}

package machine

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

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

// ofOneThread are functions of OpenMP, whose lines (#pragma omp, !$omp) are passed over: each rank has one thread.
var ofOneThread = map[string]int64{"omp_get_thread_num": 0, "omp_get_num_threads": 1, "omp_get_max_threads": 1, "omp_get_num_procs": 1, "omp_in_parallel": 0}

// library compiles a call of a function of C or Fortran; false for an unknown function.
func (c *compiler) library(e *syntax.Call, name string) (expr, bool) {
	switch name {
	case "MPI_Wtime", "MPI_WTIME", "mpi_wtime", "omp_get_wtime":
		return expr{t: doubleType, f: func(*frame) float64 { return elapsed() }}, true
	case "MPI_Wtick", "mpi_wtick":
		return real(doubleType, 1e-9), true
	}
	if n, ok := ofOneThread[name]; ok {
		c.args(e, "")
		return number(intType, n), true
	}
	single := strings.TrimSuffix(name, "f")
	for _, n := range []string{name, single} {
		t := doubleType
		if n != name {
			t = floatType
		}
		if f := mathOne[n]; f != nil {
			x := c.args(e, "d")[0]
			return expr{t: t, f: func(fr *frame) float64 { return round(t.kind, f(x.f(fr))) }}, true
		}
		if f := mathTwo[n]; f != nil {
			a := c.args(e, "dd")
			return expr{t: t, f: func(fr *frame) float64 { return round(t.kind, f(a[0].f(fr), a[1].f(fr))) }}, true
		}
	}
	f := functionsOfC[name]
	if f == nil {
		return expr{}, false
	}
	return f(c, e), true
}

// args compiles arguments, converted to the types of the letters: i int, l long, d double, p pointer, s text; x: of any type.
func (c *compiler) args(e *syntax.Call, types string) []expr {
	if len(e.Args) != len(types) {
		panic(syntax.Wrong(e.Pos, "%s takes %d arguments, not %d", e.Fn.(*syntax.Ident).Name, len(types), len(e.Args)))
	}
	list := make([]expr, len(types))
	for i := range types {
		list[i] = c.expr(e.Args[i])
		if t := map[byte]*typ{'i': intType, 'l': longType, 'd': doubleType, 'p': voidPtr, 's': charPtr}[types[i]]; t != nil {
			list[i] = c.convert(list[i], t, e.Args[i].At())
		}
	}
	return list
}

var functionsOfC map[string]compiled

func init() { functionsOfC = libraryTable() } // the table refers to what looks into it

// compiled is how to compile the calls of a function of C's or Fortran's library.
type compiled = func(c *compiler, e *syntax.Call) expr

// given is a running call of a library's function, with its arguments.
type given struct {
	*frame
	at   syntax.Pos
	args []slot
}

func (g *given) int(k int) int64 { return g.args[k].i }

func (g *given) pointer(k int) ref { return g.args[k].p }

// text returns an argument that is a text of C.
func (g *given) text(k int) string { return g.args[k].p.text(g.at) }

// computing returns how to compile a function of C that is computed by run. types are those of its arguments, see args.
func computing(types string, t *typ, run func(g *given) slot) compiled {
	return func(c *compiler, e *syntax.Call) expr {
		args := c.args(e, types)
		return ofSlot(t, func(f *frame) slot { return run(&given{f, e.Pos, valuesOf(f, args)}) })
	}
}

func libraryTable() map[string]compiled {
	integer := func(types string, run func(g *given) int64) compiled {
		return computing(types, intType, func(g *given) slot { return slot{i: run(g)} })
	}
	pointer := func(types string, t *typ, run func(g *given) ref) compiled {
		return computing(types, t, func(g *given) slot { return slot{p: run(g)} })
	}
	long := func(types string, run func(g *given) int64) compiled {
		return computing(types, longType, func(g *given) slot { return slot{i: run(g)} })
	}
	double := func(types string, run func(g *given) float64) compiled {
		return computing(types, doubleType, func(g *given) slot { return slot{f: run(g)} })
	}
	character := func(is func(r rune) bool) compiled { // of ctype.h
		return integer("i", func(g *given) int64 { return syntax.Truth(g.int(0) > 0 && g.int(0) < 128 && is(rune(g.int(0)))) })
	}
	random := integer("", func(g *given) int64 { return g.random.next() })
	seeding := computing("l", voidType, func(g *given) slot { g.random = seeded(uint32(g.int(0))); return slot{} })
	return map[string]compiled{
		"printf": printing(0), "fprintf": printing(1), "sprintf": sprinting(1), "snprintf": sprinting(2),
		"scanf": scanning(0), "fscanf": scanning(1), "sscanf": scanning(1), "getchar": readCharacter, "getc": readCharacter,
		"fgetc": readCharacter, "fgets": readLine,
		"puts":    integer("s", func(g *given) int64 { g.print(g.text(0) + "\n"); return 1 }),
		"putchar": integer("i", func(g *given) int64 { g.print(string([]byte{byte(g.int(0))})); return g.int(0) }),
		"fputs":   integer("sx", func(g *given) int64 { g.print(g.text(0)); return 1 }),
		"perror":  computing("s", voidType, func(g *given) slot { g.print(g.text(0) + ": Success\n"); return slot{} }),
		"fflush":  ignored, "setbuf": ignored, "setvbuf": ignored, "usleep": ignored, "sleep": ignored, "nanosleep": ignored,
		"omp_set_num_threads": ignored,
		"malloc":              pointer("l", voidPtr, func(g *given) ref { return g.allocated(g.at, g.int(0)) }),
		"calloc":              pointer("ll", voidPtr, func(g *given) ref { return g.allocated(g.at, g.int(0)*g.int(1)) }),
		"realloc":             pointer("pl", voidPtr, func(g *given) ref { return g.reallocated(g.at, g.pointer(0), g.int(1)) }),
		"free":                computing("p", voidType, freeMemory),
		"exit":                computing("i", voidType, func(g *given) slot { panic(ended{g.at, g.int(0)}) }),
		"abort":               computing("", voidType, func(g *given) slot { panic(ended{g.at, 134}) }),
		"assert":              asserting, "rand": random, "random": random, "srand": seeding, "srandom": seeding,
		"time":          long("x", func(*given) int64 { return moment }),
		"clock":         long("", func(*given) int64 { return int64(elapsed() * 1e6) }),
		"getpid":        integer("", func(g *given) int64 { return 1000 + int64(g.r.P.Rank()) }),
		"gettimeofday":  integer("pp", func(g *given) int64 { return g.clock(0, 1e6) }),
		"clock_gettime": integer("xp", func(g *given) int64 { return g.clock(1, 1e9) }),
		"srand48":       computing("l", voidType, func(g *given) slot { g.drawn = uint64(g.int(0))<<16 | 0x330e; return slot{} }),
		"drand48":       double("", func(g *given) float64 { return float64(g.draw()) / (1 << 48) }),
		"lrand48":       long("", func(g *given) int64 { return int64(g.draw() >> 17) }),
		"abs":           integer("i", func(g *given) int64 { return wrap(syntax.Int, max(g.int(0), -g.int(0))) }),
		"labs":          integer("l", func(g *given) int64 { return max(g.int(0), -g.int(0)) }),
		"llabs":         long("l", func(g *given) int64 { return max(g.int(0), -g.int(0)) }),
		"lround":        long("d", func(g *given) int64 { return truncated(math.Round(g.args[0].f)) }),
		"isinf":         integer("d", func(g *given) int64 { return syntax.Truth(math.IsInf(g.args[0].f, 0)) }),
		"isdigit":       character(unicode.IsDigit), "isalpha": character(unicode.IsLetter), "isspace": character(unicode.IsSpace),
		"isupper": character(unicode.IsUpper), "islower": character(unicode.IsLower), "ispunct": character(func(r rune) bool { return unicode.In(r, unicode.P, unicode.S) }),
		"isalnum": character(func(r rune) bool { return unicode.IsDigit(r) || unicode.IsLetter(r) }),
		"toupper": integer("i", func(g *given) int64 { return int64(unicode.ToUpper(rune(g.int(0)))) }),
		"tolower": integer("i", func(g *given) int64 { return int64(unicode.ToLower(rune(g.int(0)))) }),
		"atoll":   long("s", func(g *given) int64 { return leadingInteger(g.text(0)) }),
		"strdup": pointer("s", charPtr, func(g *given) ref {
			m := textMemory(g.text(0))
			m.named = "the memory"
			return ref{m, 0}
		}),
		"strncat": pointer("ssl", charPtr, func(g *given) ref { return g.pointer(0).store(g.at, g.text(0)+first(g.text(1), g.int(2))) }),
		"strrchr": pointer("si", charPtr, func(g *given) ref { return g.pointer(0).found(strings.LastIndexByte(g.text(0)+"\x00", byte(g.int(1)))) }),
		"isnan":   integer("d", func(g *given) int64 { return syntax.Truth(math.IsNaN(g.args[0].f)) }),
		"atoi":    integer("s", func(g *given) int64 { return wrap(syntax.Int, leadingInteger(g.text(0))) }),
		"atol":    integer("s", func(g *given) int64 { return leadingInteger(g.text(0)) }),
		"atof":    double("s", func(g *given) float64 { return leadingReal(g.text(0)) }),
		"strtol":  long("sxx", func(g *given) int64 { return leadingInteger(g.text(0)) }),
		"strlen":  computing("s", sizeType, func(g *given) slot { return slot{i: int64(len(g.text(0)))} }),
		"strcmp":  integer("ss", func(g *given) int64 { return int64(strings.Compare(g.text(0), g.text(1))) }),
		"strncmp": integer("ssl", func(g *given) int64 {
			return int64(strings.Compare(first(g.text(0), g.int(2)), first(g.text(1), g.int(2))))
		}),
		"strcpy":  pointer("ss", charPtr, func(g *given) ref { return g.pointer(0).store(g.at, g.text(1)) }),
		"strncpy": pointer("ssl", charPtr, func(g *given) ref { return g.pointer(0).fill(g.at, g.text(1), g.int(2)) }),
		"strcat":  pointer("ss", charPtr, func(g *given) ref { return g.pointer(0).store(g.at, g.text(0)+g.text(1)) }),
		"strstr":  pointer("ss", charPtr, func(g *given) ref { return g.pointer(0).found(strings.Index(g.text(0), g.text(1))) }),
		"strchr": pointer("si", charPtr, func(g *given) ref {
			return g.pointer(0).found(strings.IndexByte(g.text(0)+"\x00", byte(g.int(1))))
		}),
		"memset": pointer("pil", voidPtr, setMemory), "memcpy": pointer("ppl", voidPtr, copyMemory), "memmove": pointer("ppl", voidPtr, copyMemory),
		"gethostname": integer("sl", func(g *given) int64 { g.pointer(0).store(g.at, g.r.P.ProcessorName()); return 0 }),
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

// clock sets a time of two numbers, to which an argument points: seconds, and parts of a second.
func (g *given) clock(k int, parts float64) int64 {
	t := g.pointer(k).as(&typ{kind: syntax.Long}, g.at)
	now := elapsed()
	for i, n := range []int64{moment + int64(now), int64((now - math.Floor(now)) * parts)} {
		t.m.cells[t.check(g.at, int64(i))] = uint64(n)
	}
	return 0
}

// draw returns the next 48 bits of the generator of drand48.
func (p *process) draw() uint64 {
	p.drawn = (p.drawn*0x5deece66d + 0xb) & (1<<48 - 1)
	return p.drawn
}

// allocated returns new memory of so many bytes, which has no type yet.
func (f *frame) allocated(at syntax.Pos, bytes int64) ref {
	if bytes < 0 || bytes > 1<<29 {
		wrong(at, "%d bytes are too much: an array has at most 512 MB", bytes)
	}
	f.room(uint64(bytes)*2, "an array of "+strconv.FormatInt(bytes, 10)+" bytes")
	return ref{&memory{bytes: bytes, named: "the memory"}, 0}
}

// reallocated returns larger or smaller memory with the same elements.
func (f *frame) reallocated(at syntax.Pos, old ref, bytes int64) ref {
	now := f.allocated(at, bytes)
	if old.m == nil || old.m.kind == syntax.Void {
		return now
	}
	now = now.as(old.m.elem(), at)
	copy(now.m.cells, old.m.cells)
	copy(now.m.any, old.m.any)
	old.m.freed = true
	return now
}

// freeMemory carries out free.
func freeMemory(g *given) slot {
	switch r := g.pointer(0); {
	case r.m == nil:
	case r.m.freed:
		wrong(g.at, "the memory has already been freed")
	case r.off != 0 || r.m.named != "the memory":
		wrong(g.at, "free needs a pointer that malloc returned")
	default:
		r.m.freed = true
		r.m.cells, r.m.any = nil, nil
	}
	return slot{}
}

func asserting(c *compiler, e *syntax.Call) expr {
	is := c.truth(c.args(e, "x")[0], e.Pos)
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
	if n < 0 {
		wrong(at, "a length of %d is negative", n)
	}
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

// setMemory carries out memset. Its value must have the same bytes in each element: 0, or any value for characters.
func setMemory(g *given) ref {
	r, b, n := g.pointer(0), g.int(1), g.int(2)
	if r.m == nil || r.m.kind == syntax.Void && b == 0 {
		return r
	}
	if r.m.rec != nil && b == 0 {
		for i := range r.cellsIn(g.at, n) {
			k := r.check(g.at, i)
			if r.m.cells != nil {
				r.m.cells[k] = 0
			}
			if r.m.any != nil {
				r.m.any[k] = nil
			}
		}
		return r
	}
	size := r.m.elem().size()
	v := b & 0xff
	for range size - 1 {
		v = v<<8 | b&0xff
	}
	v = wrap(r.m.kind, v)
	if isReal(r.m.kind) && b != 0 {
		wrong(g.at, "memset can set floating-point numbers only to 0")
	}
	for i := range n / size {
		r.m.cells[r.check(g.at, i)] = uint64(v)
	}
	return r
}

// copyMemory carries out memcpy and memmove.
func copyMemory(g *given) ref {
	to, from, n, at := g.pointer(0), g.pointer(1), g.int(2), g.at
	if n == 0 {
		return to
	}
	from.check(at, 0)
	to = to.as(from.m.elem(), at)
	copyCells(at, to, from, int(from.cellsIn(at, n)))
	return to
}

// sorting compiles qsort.
func sorting(c *compiler, e *syntax.Call) expr {
	args := c.args(e, "pllx")
	base, n, size, compare := args[0], args[1], args[2], args[3]
	if compare.t.kind != syntax.Function {
		panic(syntax.Wrong(e.Pos, "the last argument of qsort must be a function"))
	}
	return expr{t: voidType, do: func(f *frame) {
		r, n := base.p(f), int(n.i(f))
		if n == 0 {
			return
		}
		each := int(r.cellsIn(e.Pos, size.i(f)))
		all := int64(n * each)
		r.check(e.Pos, all-1)
		before := &memory{}
		before.shape(r.m.elem(), int(all))
		copyCells(e.Pos, ref{before, 0}, r, int(all))
		fn := compare.v(f).(*function)
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int {
			return int(fn.call(f, e.Pos, []slot{{p: ref{before, i * each}}, {p: ref{before, j * each}}}).i)
		})
		for k, i := range order {
			copyCells(e.Pos, ref{r.m, r.off + k*each}, ref{before, i * each}, each)
		}
	}}
}

// textOf computes a text that a call reads.
func (c *compiler) textOf(f *frame, x expr, at syntax.Pos) string {
	if x.t.kind == syntax.Text {
		return strings.TrimRight(x.v(f).(string), " ")
	}
	return x.p(f).text(at)
}

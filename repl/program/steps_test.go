package program

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// told returns everything that can be seen of a run: the output, the trace with its call sites, the end, and for each
// rank the variables, with the times when they got their communicators.
func (out outcome) told() string {
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(out.lines, "\n"))
	for i := range out.past.Steps {
		s := &out.past.Steps[i]
		fmt.Fprintln(&b, s.Call, s.Comm, s.Ranks, s.Args, s.Made, s.Site(), s.Err)
	}
	for _, w := range out.past.Waiting {
		fmt.Fprintln(&b, w.Ranks, w.Call, w.Comm, w.Where)
	}
	if f := out.status.Failure; f != nil {
		fmt.Fprintln(&b, f)
	}
	for _, r := range out.ranks {
		for name, v := range r.Vars.All() {
			fmt.Fprintf(&b, "%d: %s = %s\n", r.P.Rank(), name, v)
		}
		_, changes := r.Changes(nil)
		for _, c := range changes {
			fmt.Fprintln(&b, c.Name, c.Index, r.P.StepOf(c.Behind), c.ID)
		}
	}
	return b.String()
}

// A program run as steps does the same as in the interpreter, also where it fails or blocks.
func TestStepsAreTheProgram(t *testing.T) {
	t.Parallel()
	whole := []string{"shadowed", "leaves", "not range", "too many", "twice", "no such name"} // no steps
	for name, program := range map[string]string{
		"a loop":       text("c = world", "for i in range(5):", "    c = c.Split(c.rank % 2, -c.rank)", "    if c.size < 4: c = world"),
		"keywords":     text("a = world.Split(key=-world.Get_rank(), color=7)", "b = a.Dup()", "a.Split_type(MPI.COMM_TYPE_SHARED)"),
		"both sides":   text("r = world.rank", "if r < 3:", "    c = world.Split(0)", "elif r == 3:", "    c = world.Split(1)", "else:", "    c = world.Split(MPI.UNDEFINED)", "print(c)"),
		"range":        text("n = 2", "for i in range(3, -n, -2):", "    c = world.Split(world.rank // 2 + i + n)", "for i in range(0): c = c.Dup()", "print(i)"),
		"nested":       text("for i in range(2):", "  for j in range(i, 2):", "    if i == j:", "      for k in range(2):", "        d = world.Dup()", "        x = [i, j, k]", "print(x)"),
		"functions":    text("def f(c):", "    return c.Split(c.rank % 2)", "a = f(world)", "b = a.Dup()", "def g(): return f(b)", "c = g()", "c = c.Dup()"),
		"leaves":       text("for i in range(5):", "    if i == 2: break", "    c = world.Dup()", "for i in range(3):", "    if i == 1: continue", "    c = c.Dup()"),
		"the world":    text("from mpi4py import MPI", "comm = MPI.COMM_WORLD", "rank = comm.Get_rank()", "c = comm.Split(rank % 3, rank)"),
		"shadowed":     text("def range(n): return [7, 8]", "for i in range(2): c = world.Split(i)"),
		"hidden":       text("world = MPI.COMM_WORLD.Dup()", "c = world.Split(0)", "MPI = 3", "d = c.Dup()"),
		"null":         text("c = world.Split(MPI.UNDEFINED if world.rank else 0)", "d = c.Dup()"),
		"bad color":    text("c = world.Split(world.rank - 1)"),
		"no integer":   text("c = world.Split(0)", "c = world.Split(world.rank / 2)"),
		"too large":    text("n = 1 << 40", "c = world.Split(0)", "if n > 7: c = c.Split(n)"),
		"no name":      text("if world.rank < 2: c = world.Split(0)", "else: world.Split(1)", "d = c.Dup()"),
		"freed":        text("c = world.Dup()", "c.Free()", "d = c.Split(0)"),
		"blocked":      text("if world.rank != 3:", "    c = world.Split(0)", "d = world.Dup()"),
		"other calls":  text("if world.rank != 3:", "    c = world.Split(0)", "else:", "    c = world.Dup()"),
		"caught":       text("world.Set_errhandler(MPI.ERRORS_RETURN)", "expect_error(MPI.ERR_ARG, world.Split, -5)", "c = world.Split(0)"),
		"grid":         text("g = world.Create_cart([2, 3])", "c = g.Split(g.rank % 2)", "d = g.Dup()", "print(g.Get_coords(g.rank))"),
		"step zero":    text("for i in range(1, 5, 0): c = world.Dup()"),
		"not range":    text("for i in [4, 5]: c = world.Split(i)"),
		"two targets":  text("a, b = world.Split(0), world.Dup()", "c = a.Dup()"),
		"none":         text("x = None", "y = x", "c = world.Split(0)", "z = c.Get_size() + c.size"),
		"too many":     text("c = world.Split(1, 2, 3)"),
		"twice":        text("c = world.Split(1, color=3)"),
		"no such name": text("c = world.Split(colour=3)"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := engine.Config{Size: 6, Trace: true}
			stepped := false
			got := runAs(t, cfg, func(c *Code) { stepped = c.steps != nil }, program)
			want := runAs(t, cfg, func(c *Code) { c.steps = nil }, program)
			if d := cmp.Diff(want.told(), got.told()); d != "" {
				t.Errorf("-whole +steps:\n%s\n%s", d, program)
			}
			if stepped == slices.Contains(whole, name) {
				t.Errorf("steps: %v", stepped)
			}
		})
	}
}

// Random programs of assignments, branches, loops and calls do the same as steps as in the interpreter: also with
// integers beyond int64 or beyond MPI's int, a division by zero, rounding of negative numbers, None, texts and
// fractions in place of integers, and ranks that go different ways, fail or wait.
func TestStepsOfRandomPrograms(t *testing.T) {
	t.Parallel()
	ends := map[string]int{}
	for seed := range uint64(400) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 1)), wild: seed%3 == 0}
		w.block("", 4+w.IntN(6), 3)
		program := "n = 0\nm = -7\nx = None\ni = 1\nc = world\nd = world\n" + w.String()
		stepped := false
		cfg := engine.Config{Size: 4, Trace: true}
		got := runAs(t, cfg, func(c *Code) { stepped = c.steps != nil }, program)
		want := runAs(t, cfg, func(c *Code) { c.steps = nil }, program)
		if d := cmp.Diff(want.told(), got.told()); d != "" {
			t.Fatalf("seed %d, -whole +steps:\n%s\n%s", seed, d, program)
		}
		switch {
		case !stepped:
			ends["no steps"]++
		case got.status.Failure != nil:
			ends["failed"]++
		case len(got.past.Waiting) > 0:
			ends["waits"]++
		default:
			ends["ended"]++
		}
	}
	for _, end := range []string{"failed", "waits", "ended"} {
		if ends[end] < 30 {
			t.Errorf("of too few programs anything can be learned: %v", ends)
		}
	}
}

// writer writes random programs: wild ones mostly fail, the others mostly come to their end or block.
type writer struct {
	*rand.Rand
	strings.Builder
	wild bool
}

func (w *writer) of(words ...string) string { return words[w.IntN(len(words))] }

// block writes n statements, with other statements nested in them at most deep levels.
func (w *writer) block(indent string, n, deep int) {
	for range n {
		w.statement(indent, deep)
	}
}

func (w *writer) statement(indent string, deep int) {
	line := func(parts ...string) { w.WriteString(indent + strings.Join(parts, "") + "\n") }
	inner := func() { w.block(indent+"  ", 1+w.IntN(3), deep-1) }
	switch k := w.IntN(20); {
	case k < 6:
		line(w.of("c", "d"), " = ", w.call())
	case k < 7:
		line(w.call())
	case k < 11:
		value := w.integer(2)
		if strings.Contains(value, "*") { // a loop must not make a number of a million digits
			value = "(" + value + ") % " + w.of("9223372036854775783", "-9223372036854775783", "1000")
		}
		line(w.of("n", "n", "m", "x"), " = ", value)
	case k < 12:
		line(w.of("x", "x", w.of("x", "n", "m")), " = ", w.of("None", "'a'", "0.5", "True", "x", "[n]"))
	case k < 13:
		line(w.of("c", "d"), " = ", w.of("world", "c", "d", "MPI.COMM_WORLD"))
	case k < 14:
		line("print(n, m, x)")
	case deep == 0:
		line(w.of("c", "d"), " = world.Dup()")
	case k < 17:
		line("if ", w.condition(), ":")
		inner()
		for w.IntN(3) == 0 {
			line("elif ", w.condition(), ":")
			inner()
		}
		if w.IntN(2) == 0 {
			line("else:")
			inner()
		}
	case k < 19:
		line("for ", w.of("i", "n"), " in range(", w.of("2", "3", "m % 4", "world.rank % 3", "1, 3", "3, -2, -2", "n % 3, 4, 1 + n % 2", w.of("3", "0, 3, n % 2", "None", "0.5")), "):")
		inner()
		if w.IntN(6) == 0 {
			line("  if ", w.condition(), ": ", w.of("break", "continue", "pass"))
		}
	default:
		line("k", fmt.Sprint(deep), " = 0")
		line("while k", fmt.Sprint(deep), " < 2:")
		line("  k", fmt.Sprint(deep), " += 1")
		inner()
	}
}

func (w *writer) call() string {
	on := w.of("c", "c", "c", "d", "world", "MPI.COMM_WORLD")
	color := "(" + w.integer(1) + ") % 3"
	if w.wild && w.IntN(4) == 0 || w.IntN(20) == 0 {
		color = w.of(w.integer(1), "MPI.UNDEFINED", "x", "MPI.UNDEFINED if world.rank else 0")
	}
	return on + "." + w.of("Split("+color+")", "Split("+color+", "+w.integer(1)+")", "Split(key=-world.rank, color="+color+")",
		"Dup()", "Split_type(MPI.COMM_TYPE_SHARED)", "Split()")
}

func (w *writer) condition() string {
	switch w.IntN(6) {
	case 0:
		return w.integer(2)
	case 1:
		return w.of("not n", "c == world", "c != MPI.COMM_NULL", "x == None", "n == 1 and m < 0")
	}
	return w.integer(1) + " " + w.of("==", "!=", "<", "<=", ">", ">=") + " " + w.integer(1)
}

// integer returns an expression, mostly of integers.
func (w *writer) integer(deep int) string {
	switch {
	case deep == 0 && w.wild && w.IntN(8) == 0:
		return w.of("x", "MPI.UNDEFINED", "[0, 1][n]", "n / 2")
	case deep == 0 && w.IntN(3) == 0:
		return w.of("2147483647", "-2147483648", "2147483648", "4294967296", "9223372036854775807", "-9223372036854775808", "9223372036854775808")
	case deep == 0:
		return w.of("0", "1", "2", "3", "7", "-1", "-3", "n", "n", "m", "m", "i", "world.rank", "world.rank", "c.rank", "d.size", "c.Get_rank()",
			"world.Get_size()", "[4, n, -1][world.rank % 3]")
	case w.IntN(6) == 0:
		return "-(" + w.integer(deep-1) + ")"
	}
	by := w.integer(deep - 1)
	if !w.wild {
		by = w.of("1", "2", "3", "-2", "-3", "2147483648")
	}
	if op := w.of("+", "-", "*", "//", "%"); op == "//" || op == "%" {
		return "(" + w.integer(deep-1) + ") " + op + " (" + by + ")"
	} else {
		return "(" + w.integer(deep-1) + ") " + op + " (" + w.integer(deep-1) + ")"
	}
}

// Ranks that run a program as steps need no interpreter: neither its memory, nor the stack that it would grow.
func TestStepsNeedNoInterpreter(t *testing.T) {
	t.Parallel()
	out := mustRun(t, 4, text("c = MPI.COMM_WORLD", "rank = c.Get_rank()", "for i in range(10):", "    c = c.Split(rank % 2, -c.rank)",
		"    if c.size < 4: c = world"))
	for _, r := range out.ranks {
		if r.running.Load() != nil {
			t.Fatalf("rank %d has an interpreter", r.P.Rank())
		}
	}
}

// A program that runs as steps ends when it is canceled.
func TestStepsAreCancelled(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	code, err := Compile("demo.py", text("c = world.Dup()", "for i in range(1000000):", "  for j in range(1000000):", "    if i < 0: c = c.Dup()"), 1, nil)
	if err != nil || code.steps == nil {
		t.Fatal(err, code)
	}
	ranks := []*Rank{newRank(w.Process(0)), newRank(w.Process(1))}
	w.Submit(engine.AllRanks(2), func(p *engine.Process) error { return ranks[p.Rank()].Run(code) })
	for _, r := range ranks {
		r.Cancel("interrupted")
	}
	if st := w.Wait(); st.Failure == nil {
		t.Error("it ended well")
	}
}

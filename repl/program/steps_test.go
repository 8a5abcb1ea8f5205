package program

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// told is what a run shows to anybody: what was printed, the trace with its places, how it ended, and on each rank
// the variables, and when they came to hold which communicators.
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
		for _, c := range r.Changes(nil) {
			fmt.Fprintln(&b, c.Name, c.Index, r.P.StepOf(c.Behind), c.ID)
		}
	}
	return b.String()
}

// A program of steps does what the interpreter does with the whole program, also where it fails or blocks.
func TestStepsAreTheProgram(t *testing.T) {
	t.Parallel()
	whole := []string{"shadowed", "leaves", "not range", "too many", "twice", "no such name"} // which have no steps
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

// Ranks whose program is steps need no interpreter: neither its memory, nor the stack that it grows.
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

// A program of steps ends when it is cancelled.
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
	ranks := []*Rank{NewRank(w.Process(0)), NewRank(w.Process(1))}
	w.Submit(engine.AllRanks(2), func(p *engine.Process) error { return ranks[p.Rank()].Run(code) })
	for _, r := range ranks {
		r.Cancel("interrupted")
	}
	if st := w.Wait(); st.Failure == nil {
		t.Error("it ended well")
	}
}

package program

import (
	"errors"
	"maps"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// outcome is what a run of chunks left behind.
type outcome struct {
	ranks  []*Rank
	lines  []string // "0-3: text"
	status engine.Status
	past   *engine.Snapshot // of a world with a trace
}

// runChunks runs the chunks, each named demo.py and starting at line 1, one after the other on a
// world of n ranks.
func runChunks(t testing.TB, cfg engine.Config, chunks ...string) outcome {
	t.Helper()
	return runAs(t, cfg, func(*Code) {}, chunks...)
}

// runIn is runChunks for ranks that have all in common.
func runIn(t testing.TB, all *Ranks, cfg engine.Config, chunks ...string) outcome {
	t.Helper()
	return runWith(t, all, cfg, func(*Code) {}, chunks...)
}

// runAs is runChunks of code that change has changed.
func runAs(t testing.TB, cfg engine.Config, change func(*Code), chunks ...string) outcome {
	t.Helper()
	return runWith(t, NewRanks(&Memory{Most: 1 << 30}), cfg, change, chunks...)
}

func runWith(t testing.TB, all *Ranks, cfg engine.Config, change func(*Code), chunks ...string) outcome {
	t.Helper()
	var out outcome
	cfg.Output = func(lines []engine.Line) {
		for _, l := range lines {
			out.lines = append(out.lines, l.Ranks.String()+": "+l.Text)
		}
	}
	w, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	out.ranks = make([]*Rank, cfg.Size)
	vars := map[string]bool{}
	for _, text := range chunks {
		code, err := Compile("demo.py", text, 1, func(n string) bool { return vars[n] })
		if err != nil {
			t.Fatal(err)
		}
		change(code)
		w.Submit(engine.AllRanks(cfg.Size), func(p *engine.Process) error {
			if p.Local == nil {
				out.ranks[p.Rank()] = NewRank(p, all)
			}
			return out.ranks[p.Rank()].Run(code)
		})
		out.status = w.Wait()
		if cfg.Trace {
			out.past = w.Snapshot()
		}
		if out.status.Failure != nil {
			break
		}
		for _, r := range out.ranks {
			for name := range r.Vars.All() {
				vars[name] = true
			}
		}
	}
	return out
}

// mustRun is runChunks of a program that must end well.
func mustRun(t testing.TB, n int, chunks ...string) outcome {
	t.Helper()
	out := runChunks(t, engine.Config{Size: n}, chunks...)
	if out.status.Failure != nil {
		t.Fatal(out.status.Failure)
	}
	if len(out.status.Waiting) > 0 {
		t.Fatalf("ranks wait: %v", out.status.Waiting)
	}
	return out
}

// prints checks that the program met its expectations and printed the lines.
func (out outcome) prints(t testing.TB, want []string) {
	t.Helper()
	for _, r := range out.ranks {
		for _, k := range r.Checks {
			if !k.OK {
				t.Errorf("%v failed: %s, expected %s, found %s", k.Where, k.Message, k.Expected, k.Found)
			}
		}
	}
	if diff := cmp.Diff(want, out.lines); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

// programError is the one error that a program ended with that is not MPI's.
func programError(t testing.TB, out outcome) string {
	t.Helper()
	if out.status.Failure == nil || len(out.status.Failure.Program) == 0 {
		t.Fatalf("no program error: %v", out.status.Failure)
	}
	var e *Error
	if !errors.As(out.status.Failure.Program[0], &e) {
		t.Fatalf("a %T instead of *Error", out.status.Failure.Program[0])
	}
	return e.Error()
}

func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// Variables live from chunk to chunk, and functions see what later chunks assign: also functions
// that call others which are defined anew.
func TestVariables(t *testing.T) {
	t.Parallel()
	out := mustRun(t, 2,
		"x = 1\n",
		"x = x + 1\nx += 1\n",
		"def g(): return 10 * x\ndef f(): return g()\n",
		"x = 7\n",
		"print(x, f())\n",
		"def g(): return -x\n",
		"print(f())\n",
		"for x in range(3):\n    if x > 0: print(last)\n    last = x\n",
		"print(x, [x for x in (4, 5)], x, (lambda x: x)(9), len(str(x)))\n",
		"(a, [b, c]) = 1, [2, 3]\nprint(a + b + c)\n",
		"def len(v): return \"mine\"\n",
		"print(len([]))\n",
		"def h():\n    x = 50\n    def k(y=x): return x + y\n    return k()\nprint(h(), x)\n",
		"i = 0\nwhile i < 3:\n    i += 1\nprint(i)\n",
		"world = world.Split(0)\n",
		"print(world == MPI.COMM_WORLD, world.size)\n",
		"d = {\"x\": x, x: 1}\nprint(d[\"x\"], d, d.get(x))\n",
	)
	want := []string{"0-1: 7 70", "0-1: -7", "0-1: 0", "0-1: 1", "0-1: 2 [4, 5] 2 9 1", "0-1: 6", "0-1: mine",
		"0-1: 100 2", "0-1: 3", "0-1: False 2", "0-1: 2 {'x': 2, 2: 1} 1"}
	if diff := cmp.Diff(want, out.lines); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

// What a rank assigned before it failed or blocked is in its variables.
func TestVariablesOfUnfinishedChunks(t *testing.T) {
	t.Parallel()
	out := runChunks(t, engine.Config{Size: 2}, "a = world.rank\nif a == 0: world.Barrier()\nb = 1\n")
	if len(out.status.Waiting) != 1 {
		t.Fatalf("rank 0 must wait: %v", out.status)
	}
	has := func(r *Rank) string {
		vars := starlark.StringDict{}
		maps.Insert(vars, r.Vars.All())
		return vars.String()
	}
	for i, want := range []string{"{a: 0}", "{a: 1, b: 1}"} {
		if got := has(out.ranks[i]); got != want {
			t.Errorf("rank %d has %s, want %s", i, got, want)
		}
	}
	out = runChunks(t, engine.Config{Size: 1}, "a = 5\nb = a + None\n")
	if got := has(out.ranks[0]); got != "{a: 5}" {
		t.Errorf("after the error: %s", got)
	}
}

// Expressions of a command see locals before variables, keep their order and tell their names.
func TestEval(t *testing.T) {
	t.Parallel()
	known := func(n string) bool { return n == "rank" || n == "x" || n == "size" }
	list := []Fragment{{"rank%2", 1, 1}, {"[rank, x, world.size, len([1])]", 1, 9}, {"[rank for rank in (1, 2)]", 1, 50}}
	exprs, err := CompileExprs("d.mpi", list, known)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"rank", "x"}, exprs.Names); diff != "" {
		t.Errorf("names: %s", diff)
	}
	w, err := engine.New(engine.Config{Size: 4})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]string, 4)
	err = engine.Run(w, func(p *engine.Process) error {
		r := newRank(p)
		r.Vars.Set("rank", starlark.String("hidden"))
		r.Vars.Set("x", starlark.String("v"))
		values, err := r.Evaluator().Eval(r, exprs, func(name string) starlark.Value {
			if name == "rank" {
				return starlark.MakeInt(p.Rank())
			}
			return nil
		}, nil)
		got[p.Rank()] = starlark.Tuple(values).String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{`(0, [0, "v", 4, 1], [1, 2])`, `(1, [1, "v", 4, 1], [1, 2])`, `(0, [2, "v", 4, 1], [1, 2])`, `(1, [3, "v", 4, 1], [1, 2])`} {
		if got[i] != text {
			t.Errorf("rank %d: %s, want %s", i, got[i], text)
		}
	}
}

// A program that loops is stopped from another goroutine, and the rank can run again later.
func TestCancel(t *testing.T) {
	t.Parallel()
	code, err := Compile("demo.py", "while True:\n    pass\n", 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := engine.New(engine.Config{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	started := make(chan *Rank)
	go func() {
		r := <-started
		time.Sleep(time.Millisecond)
		r.Cancel("interrupted")
	}()
	err = engine.Run(w, func(p *engine.Process) error {
		r := newRank(p)
		started <- r
		err := r.Run(code)
		r.Uncancel()
		if again, _ := Compile("demo.py", "x = 1\n", 1, nil); r.Run(again) != nil {
			t.Error("the rank cannot run again")
		}
		return err
	})
	var e *Error
	if !errors.As(err, &e) || e.Message != "interrupted" {
		t.Errorf("got %v", err)
	}
}

// Every documented name exists, and what can follow a dot depends on the version of the standard.
func TestNames(t *testing.T) {
	t.Parallel()
	out := runChunks(t, engine.Config{Size: 1, Std: 22}, "m = MPI\ni = MPI.Info\n")
	has := func(list []string, name string) bool {
		for _, n := range list {
			if n == name {
				return true
			}
		}
		return false
	}
	r := out.ranks[0]
	names := Attributes(r.wrap(r.P.World()))
	if !has(names, "Split") || has(names, "Split_type") || !has(Attributes(nullComm), "Split_type") {
		t.Errorf("communicators of MPI-2.2: %v", names)
	}
	if !has(Attributes(r.Vars.Get("m")), "COMM_WORLD") || !has(Attributes(r.Vars.Get("i")), "Create") || Attributes(starlark.None) != nil {
		t.Error("names of MPI")
	}
	docs := Docs()
	for _, d := range docs {
		if d.Text == "" {
			t.Errorf("%s has no text", d.Name)
		}
	}
	if !has(Predeclared(), "expect_parts") || len(docs) < 100 {
		t.Errorf("%d documented names", len(docs))
	}
}

// Functions may call themselves, also by way of others, as in Python: five processes halve until each
// is alone, the first two of them once more than the others.
func TestRecursion(t *testing.T) {
	t.Parallel()
	out := mustRun(t, 5, text(
		"def halve(comm):",
		"    return [] if comm.size == 1 else [comm.size] + halve(comm.Split(comm.rank * 2 // comm.size))",
		"def even(n):",
		"    return n == 0 or odd(n - 1)",
		"def odd(n):",
		"    return n != 0 and even(n - 1)",
		"print(halve(world), even(800))"))
	out.prints(t, []string{"2: [5, 3] True", "3-4: [5, 2] True", "0-1: [5, 3, 2] True"})
}

// One that does not end is an error of the program, at the function.
func TestEndlessRecursion(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want string
	}{
		"function": {"def f(n):\n    return f(n + 1)\nf(0)\n", ":1:5: more than 1000 nested calls"},
		"closure":  {"def f():\n    def g(n):\n        return g(n + 1)\n    g(0)\nf()\n", ":2:9: more than 1000 nested calls"},
		"lambda":   {"f = lambda n: f(n + 1)\nf(0)\n", ":1:5: more than 1000 nested calls"},
	} {
		got := programError(t, runChunks(t, engine.Config{Size: 2}, tt.text))
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// Memory is not short before: a world has a million calls in all, so the more ranks the fewer for each,
// but always enough to halve the world until each rank is alone.
func TestCallsIn(t *testing.T) {
	t.Parallel()
	for ranks, want := range map[int]int{1: 1000, 1000: 1000, 2000: 500, 1 << 20: 50} {
		if got := callsIn(ranks); got != want {
			t.Errorf("%d ranks: %d calls, want %d", ranks, got, want)
		}
	}
}

// More ranks than there are turns compute for long, and wait for each other in between: that each gets
// through shows that a rank that waits has no turn, and at the end all turns are free. Other tests do
// not run meanwhile.
func TestLongComputationsTakeTurns(t *testing.T) {
	const long = "    for i in range(20000): n = i"
	for name, tt := range map[string]struct {
		program string
		fails   bool
	}{
		"barrier":  {text("def f():", long, "f()", "world.Barrier()", "f()", "world.Barrier()"), false},
		"property": {text("def f():", long, "f()", "print(world.allgather(world.rank)[0])"), false},
		"message":  {text("def f():", long, "f()", "world.sendrecv(1, (world.rank + 1) % world.size)", "f()"), false},
		"callback": {text("def f(c, k, v):", long, "    return v", "d = world.Dup()",
			"d.Set_attr(MPI.Comm.Create_keyval(f), 1)", "e = d.Dup()"), false},
		"builtin": {text("def f(c, k, v):", "    return [max(range(10000)), [0] * 10000, 'a' * 3000000, list(range(10000))][-1]",
			"f(0, 0, 0)", "world.Barrier()", "d = world.Dup()", "d.Set_attr(MPI.Comm.Create_keyval(f), 1)", "e = d.Dup()"), false},
		"lambda": {text("def f():", long, "    world.Split(-1)", "expect_error(MPI.ERR_ARG, f)", "world.Barrier()"), false},
		"error":  {text("def f():", long, "f()", "nothing[0]"), true},
	} {
		out := runChunks(t, engine.Config{Size: 4*runtime.GOMAXPROCS(0) + 1}, "nothing = []", tt.program)
		if f := out.status.Failure; (f != nil) != tt.fails {
			t.Errorf("%s: %v", name, f)
		}
		if n := len(out.ranks[0].all.turns); n != 0 {
			t.Fatalf("%s: %d turns were not given back", name, n)
		}
	}
}

// What a verb calls gives its turn back, too, although no program ends.
func TestCallsFromGoGiveTheirTurnBack(t *testing.T) {
	out := runChunks(t, engine.Config{Size: 1}, text("def f():", "    world.Split(-1) if False else [i for i in range(20000)]"))
	r := out.ranks[0]
	p, err := CompileRoutine("expect_error(MPI.ERR_ARG, {f})", []string{"f"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(r, []starlark.Value{r.Vars.Get("f")}); err != nil {
		t.Fatal(err)
	}
	if n := len(r.all.turns); n != 0 {
		t.Errorf("%d turns were not given back", n)
	}
}

// newRank prepares p to run programs, without a bound of memory.
func newRank(p *engine.Process) *Rank {
	return NewRank(p, NewRanks(nil))
}

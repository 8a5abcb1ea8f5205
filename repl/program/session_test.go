package program

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"

	"commsplit/engine"
)

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
	want := []starlark.StringDict{{"a": starlark.MakeInt(0)}, {"a": starlark.MakeInt(1), "b": starlark.MakeInt(1)}}
	for i, r := range out.ranks {
		if got := r.Vars.String(); got != want[i].String() {
			t.Errorf("rank %d has %s, want %s", i, got, want[i])
		}
	}
	out = runChunks(t, engine.Config{Size: 1}, "a = 5\nb = a + None\n")
	if got := out.ranks[0].Vars.String(); got != "{a: 5}" {
		t.Errorf("after the error: %s", got)
	}
}

// A variable holds a communicator, or a list with at least one; COMM_NULL, freed handles and places
// of a list that are not set are -1.
func TestHeld(t *testing.T) {
	t.Parallel()
	out := mustRun(t, 1, text(
		"a = world",
		"b = [world.Dup(), 3, MPI.COMM_NULL, world.Dup()]",
		"c = (MPI.COMM_NULL,)",
		"d = [1, \"x\"]",
		"e = world.Dup()",
		"e.Free()",
		"f = [None] * 3",
		"f[1] = world",
		"g = [None]"))
	tests := []struct {
		name   string
		ids    []int32
		isList bool
		ok     bool
	}{
		{"a", []int32{0}, false, true}, {"b", []int32{2, -1, 3}, true, true}, {"c", []int32{-1}, true, true},
		{"d", nil, true, false}, {"e", []int32{-1}, false, true},
		{"f", []int32{-2, 0, -2}, true, true}, {"g", []int32{-2}, true, false},
	}
	for _, tt := range tests {
		ids, isList, ok := Held(out.ranks[0].Vars[tt.name])
		if ok != tt.ok || !cmp.Equal(ids, tt.ids) || ok && isList != tt.isList {
			t.Errorf("%s holds %v %v %v", tt.name, ids, isList, ok)
		}
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
	if diff := cmp.Diff([]string{"rank", "x"}, exprs.Names()); diff != "" {
		t.Errorf("names: %s", diff)
	}
	w, err := engine.New(engine.Config{Size: 4})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]string, 4)
	err = engine.Run(w, func(p *engine.Process) error {
		r := NewRank(p)
		r.Vars["rank"], r.Vars["x"] = starlark.String("hidden"), starlark.String("v")
		values, err := r.Eval(exprs, func(name string) starlark.Value {
			if name == "rank" {
				return starlark.MakeInt(p.Rank())
			}
			return nil
		})
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
		r := NewRank(p)
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
	if !has(Attributes(r.Vars["m"]), "COMM_WORLD") || !has(Attributes(r.Vars["i"]), "Create") || Attributes(starlark.None) != nil {
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

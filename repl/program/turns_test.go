package program

import (
	"testing"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

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
		"lambda": {text("def f():", long, "    world.Split(-1)", "expect_error(MPI.ERR_ARG, f)", "world.Barrier()"), false},
		"error":  {text("def f():", long, "f()", "nothing[0]"), true},
	} {
		out := runChunks(t, engine.Config{Size: 4*cap(turns) + 1}, "nothing = []", tt.program)
		if f := out.status.Failure; (f != nil) != tt.fails {
			t.Errorf("%s: %v", name, f)
		}
		if len(turns) != 0 {
			t.Fatalf("%s: %d turns were not given back", name, len(turns))
		}
	}
}

// What a verb calls gives its turn back, too, although no program ends.
func TestCallsFromGoGiveTheirTurnBack(t *testing.T) {
	out := runChunks(t, engine.Config{Size: 1}, text("def f():", "    world.Split(-1) if False else [i for i in range(20000)]"))
	r := out.ranks[0]
	if _, err := r.Apply(r.Value("expect_error"), starlark.MakeInt(int(engine.ErrArg)), r.Vars["f"]); err != nil {
		t.Fatal(err)
	}
	if len(turns) != 0 {
		t.Errorf("%d turns were not given back", len(turns))
	}
}

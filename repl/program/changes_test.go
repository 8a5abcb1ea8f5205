package program

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// A COMM_NULL made outside programs behaves like any other: calls on it raise MPI_ERR_COMM at their call
// sites, and expect_error catches that error.
func TestForeignNull(t *testing.T) {
	t.Parallel()
	if c, ok := CommOf(nullComm); c != nil || !ok {
		t.Errorf("CommOf gives %v %v", c, ok)
	}
	tests := []struct{ text, want string }{
		{"\nc.Split(0)\n", "demo.py:2"},
		{"x = 1\n\nc.rank\n", "demo.py:3"},
		{"expect_error(MPI.ERR_COMM, c.Barrier)\nexpect_error(MPI.ERR_COMM, lambda: c.size)\n", ""},
		{"if c != MPI.COMM_NULL or c: fail()\n", ""},
	}
	for _, tt := range tests {
		code, err := Compile("demo.py", tt.text, 1, func(n string) bool { return n == "c" })
		if err != nil {
			t.Fatal(err)
		}
		w, err := engine.New(engine.Config{Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		var checks []Check
		err = engine.Run(w, func(p *engine.Process) error {
			r := newRank(p)
			r.Vars.Set("c", nullComm)
			defer func() { checks = r.Checks }()
			return r.Run(code)
		})
		for _, k := range checks {
			if !k.OK {
				t.Errorf("%q: %+v", tt.text, k)
			}
		}
		where := ""
		if f, ok := err.(*engine.Failure); ok && len(f.Errors) == 1 && f.Errors[0].Class == engine.ErrComm {
			where = f.Errors[0].Where
		}
		if where != tt.want || (err != nil) != (tt.want != "") {
			t.Errorf("%q: error %v, want it at %q", tt.text, err, tt.want)
		}
	}
}

// Held returns ids for a communicator, and for a list with at least one; COMM_NULL and freed handles are -1, elements
// of a list that are not set are render.Unset.
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
		ids, isList, ok := Held(out.ranks[0].Vars.Get(tt.name))
		if ok != tt.ok || !cmp.Equal(ids, tt.ids) || ok && isList != tt.isList {
			t.Errorf("%s holds %v %v %v", tt.name, ids, isList, ok)
		}
	}
}

package program

import (
	"testing"

	"commsplit/engine"
)

// A COMM_NULL made outside of programs behaves like any other: calls on it raise MPI_ERR_COMM where
// they stand, and expect_error catches that.
func TestForeignNull(t *testing.T) {
	t.Parallel()
	if c, ok := CommOf(WrapComm(nil)); c != nil || !ok {
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
			r := NewRank(p)
			r.Vars["c"] = WrapComm(nil)
			defer func() { checks = r.Checks() }()
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

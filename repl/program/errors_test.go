package program

import (
	"errors"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// Text that cannot be compiled gives a *Error with the place, which says what would be right.
func TestCompileErrors(t *testing.T) {
	t.Parallel()
	known := func(n string) bool { return n == "half" }
	tests := []struct{ text, want string }{
		{"x = half + hlaf\n", "d.py:5:12: hlaf is not defined; did you mean half?"},
		{"worl.Split()\n", "d.py:5:1: worl is not defined; did you mean world?"},
		{"\ndef f():\n    return lenn([])\n", "d.py:7:12: lenn is not defined; did you mean len?"},
		{"print(rank)\n", "d.py:5:7: rank is not defined: a program has no implicit rank, write world.rank"},
		{"MPI_Comm_split_type(1)\n", "d.py:5:1: MPI_Comm_split_type is not defined: write world.Split_type"},
		{"MPI_Comm_rank(MPI_COMM_WORLD)\n", "d.py:5:1: MPI_Comm_rank is not defined: write world.Get_rank"},
		{"x = MPI_COMM_WORLD\n", "d.py:5:5: MPI_COMM_WORLD is not defined: write MPI.COMM_WORLD"},
		{"zzzzqq\n", "d.py:5:1: zzzzqq is not defined"},
		{"from commsplit import expect, nosuch\n", "d.py:5:6: commsplit has no nosuch: a program can import world, here, expect, expect_parts, expect_error, expect_no_leaks, note, ask, bind"},
		{"help(world.Split)\n", "d.py:5:1: help is not defined: a program has no help page of a function; .help NAME shows it at the prompt"},
		{"import matplotlib\n", "d.py:5:8: there is no module matplotlib: a program can import mpi4py, numpy, sys, os, time, math, random, and what it needs of commsplit"},
		{"with half:\n    pass\n", "d.py:5:1: with is not supported: call the functions one after the other"},
		{"class A:\n  pass\n", "d.py:5:1: classes are not supported: use functions, lists and dicts"},
		{"x = half is half\n", "d.py:5:10: is can compare only with None, True and False here: use == or !="},
		{"load(\"a\", \"b\")\n", "d.py:5:1: load is not available: a program is one file"},
		{"return 1\n", "d.py:5:1: return statement not within a function"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			_, err := Compile("d.py", tt.text, 5, known)
			var e *Error
			if !errors.As(err, &e) || e.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// An error on a rank that is not MPI's is a *Error with its place. The column is that of the parenthesis of a
// call, of the dot of a name, or of the operator.
func TestProgramErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"x = world.Split(color=world.rank / 4)", "demo.py:1:16: Split: color must be an integer, not 0.0 (float): use // instead of /, as in rank//4"},
		{"world.Split(None)", "demo.py:1:12: Split: color must be an integer, not None; for no communicator use MPI.UNDEFINED"},
		{"world.Split(1 << 40)", "demo.py:1:12: Split: color must fit MPI's int of 32 bits, -2147483648 to 2147483647, not 1099511627776"},
		{"world.Split(\"a\")", "demo.py:1:12: Split: color must be an integer, not \"a\" (string)"},
		{"world.Split(colour=1)", "demo.py:1:12: Split has no argument colour; did you mean color?"},
		{"world.Split(1, 2, 3)", "demo.py:1:12: Split takes 2 arguments (color, key), not 3"},
		{"world.Split(1, color=3)", "demo.py:1:12: Split: the argument color is given twice"},
		{"import numpy as np; np.add(np.ones(2), 1, out=5)", "demo.py:1:27: add: out must be an array, not 5 (int)"},
		{"world.Create()", "demo.py:1:13: Create: the argument group is missing"},
		{"world.Barrier(1)", "demo.py:1:14: Barrier takes no arguments, not 1"},
		{"world.Create([0])", "demo.py:1:13: Create: group must be a group, as from comm.Get_group(), not [0] (list)"},
		{"world.split(0)", "demo.py:1:6: Intracomm has no .split field or method (did you mean .Split?)"},
		{"MPI.COMM_WROLD", "demo.py:1:4: MPI has no .COMM_WROLD field or method (did you mean .COMM_WORLD?)"},
		{"def f():\n  return 1 + \"a\"\n\nf()", "demo.py:2:12: unknown binary op: int + string"},
		{"world.send(len, 0)", "demo.py:1:11: send: obj cannot be sent: <built-in function len> (builtin_function_or_method) is neither None, bool, int, float, string, bytes, list, tuple, range, dict, set nor array"},
		{"x = []\nx.append(x)\nworld.bcast(x)", "demo.py:3:12: bcast: obj is nested too deeply to be sent; does a list contain itself?"},
		{"world.recv(0)", "demo.py:1:11: recv: buf must be None, not 0 (int); name the other arguments, as in source=0, tag=1"},
		{"world.Dup(3)", "demo.py:1:10: Dup: info must be an info object, as from MPI.Info.Create(), not 3 (int)"},
		{"if world.rank > 5:\n  x = 1\nprint(x)", "demo.py:3:7: x has no value on this rank: the line that assigns it has not run here"},
		{"expect_parts(1, [])", "demo.py:1:13: expect_parts: handle must be a communicator, not 1 (int)"},
		{"expect_parts(world, [[0], [0]])", "demo.py:1:13: expect_parts: world rank 0 is in two parts, but a handle holds one communicator"},
		{"expect_parts(world, [[1]])", "demo.py:1:13: expect_parts: there is no world rank 1: the world has 1 ranks, from 0"},
		{"expect_error(MPI.ERR_ARG, world.Split(0))", "demo.py:1:13: expect_error: fn must be a function, not <Intracomm 2> (Intracomm); to call comm.Split(-1) write expect_error(MPI.ERR_ARG, comm.Split, -1)"},
		{"expect_error(99, world.Split)", "demo.py:1:13: expect_error: cls must be an error class, such as MPI.ERR_ARG, not 99 (int)"},
		{"world < world", "demo.py:1:7: communicators have no order: only == and != compare them"},
		{"world.rank = 1", "demo.py:1:6: Intracomm.rank cannot be assigned"},
		{"world.name = 1", "demo.py:1:6: name must be a string, not 1 (int)"},
		{"MPI.Comm.Split(1)", "demo.py:1:15: Split: the first argument must be of type Intracomm"},
		{"world.group.Range_incl([1])", "demo.py:1:23: Range_incl: an element of ranks must be a triplet (first, last, stride), not 1 (int)"},
		{"MPI.Request.Waitall([1])", "demo.py:1:20: Waitall: an element of requests must be a request, not 1 (int)"},
		{"fail(\"no\")", "demo.py:1:5: fail: no"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			out := runChunks(t, engine.Config{Size: 1}, tt.text)
			if got := programError(t, out); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// The error of a statement without a body says that the body is missing, instead of the token that the grammar expects.
func TestNoBody(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"for i in range(3):":            "d.py:1:19: a body, indented, is expected below this line",
		"if True:  # of all":            "d.py:1:19: a body, indented, is expected below this line",
		"if x:\n    pass\nelse:\n # no": "d.py:4:6: a body, indented, is expected below this line",
		"def f(c)":                      "d.py:1:9: : is missing at the end of the line",
	} {
		if _, err := Compile("d.py", text, 1, func(string) bool { return true }); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// An error in a command's expression has its place in the line.
func TestExprErrors(t *testing.T) {
	t.Parallel()
	known := func(n string) bool { return n == "rank" || n == "size" }
	tests := []struct {
		list []Fragment
		want string
	}{
		{[]Fragment{{"rank", 3, 10}, {"rnk%2", 3, 20}}, "d.mpi:3:20: rnk is not defined; did you mean rank?"},
		{[]Fragment{{"rank+", 3, 10}}, "d.mpi:3:15: a value is missing here"},
		{[]Fragment{{"rank", 3, 10}, {"f'{rank} {hlaf}'", 4, 20}, {"1", 5, 1}}, "d.mpi:4:30: hlaf is not defined"},
	}
	for _, tt := range tests {
		_, err := CompileExprs("d.mpi", tt.list, known)
		if err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

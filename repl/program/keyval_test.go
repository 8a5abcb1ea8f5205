package program

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// The expected effects of copy and delete functions follow from MPI-5.0 §7.7.2 and from mpi4py: the functions
// get (comm, keyval, value); True copies the value itself; NotImplemented means no copy; None is a value.
var cachingPrograms = []struct {
	name  string
	ranks int
	text  string
	want  []string
}{
	{"True shares the value, None as a function copies nothing, None as a result is a value", 1, text(
		"t, n = MPI.Comm.Create_keyval(True), MPI.Comm.Create_keyval(delete_fn=lambda c, k, v: print(\"gone\"))",
		"f = MPI.Comm.Create_keyval(lambda c, k, v: None, lambda c, k, v: print(\"deleted\", v))",
		"world.Set_attr(t, [1])", "world.Set_attr(n, 2)", "world.Set_attr(f, 3)",
		"d = world.Dup()",
		"d.Get_attr(t).append(5)",
		"print(world.Get_attr(t), d.Get_attr(n), d.Get_attr(f))",
		"d.Free()"),
		[]string{"0: [1, 5] None None", "0: deleted None"}},
	{"NotImplemented is not a copy", 1, text(
		"k = MPI.Comm.Create_keyval(lambda c, k, v: NotImplemented, lambda c, k, v: print(\"deleted\", v))",
		"world.Set_attr(k, 3)",
		"world.Dup().Free()",
		"print(world.Get_attr(k))"),
		[]string{"0: 3"}},
	{"the handle that a function gets is the communicator, and COMM_NULL afterwards", 2, text(
		"seen = []",
		"def f(comm, keyval, value):",
		"    seen.append(comm)",
		"    print(comm == world, comm.size, keyval == k, value)",
		"    return value",
		"k = world.Create_keyval(f)",
		"world.Set_attr(k, \"v\")",
		"d = world.Dup()",
		"print(seen[0] == MPI.COMM_NULL, world.size)"),
		[]string{"0-1: True 2 True v", "0-1: True 2"}},
	{"a failing function fails with its class, or MPI_ERR_OTHER; the value stays", 1, text(
		"own = MPI.Comm.Create_keyval(delete_fn=lambda c, k, v: c.send(0, 0, -5))",
		"other = MPI.Comm.Create_keyval(copy_fn=lambda c, k, v: fail(\"no\"))",
		"c = world.Split(0)",
		"c.Set_attr(own, 1)", "c.Set_attr(other, 2)",
		"expect_error(MPI.ERR_TAG, c.Set_attr, own, 3)",
		"expect_error(MPI.ERR_TAG, c.Delete_attr, own)",
		"expect_error(MPI.ERR_OTHER, c.Dup)",
		"expect_error(MPI.ERR_TAG, c.Free)",
		"print(c.Get_attr(own), c.Get_attr(other))"),
		[]string{"0: 1 None"}},
	{"a keyval is MPI_ERR_KEYVAL once it is freed, when it was never made, and KEYVAL_INVALID", 1, text(
		"k = world.Create_keyval()",
		"world.Set_attr(k, 1)",
		"print(world.Free_keyval(k) == MPI.KEYVAL_INVALID)",
		"for bad in [k, 99, MPI.KEYVAL_INVALID]:",
		"    expect_error(MPI.ERR_KEYVAL, world.Get_attr, bad)",
		"    expect_error(MPI.ERR_KEYVAL, world.Set_attr, bad, 1)",
		"    expect_error(MPI.ERR_KEYVAL, world.Delete_attr, bad)",
		"    expect_error(MPI.ERR_KEYVAL, MPI.Comm.Free_keyval, bad)"),
		[]string{"0: True"}},
	{"predefined attributes cannot be changed", 2, text(
		"for k in [MPI.TAG_UB, MPI.HOST, MPI.IO, MPI.WTIME_IS_GLOBAL, MPI.UNIVERSE_SIZE, MPI.APPNUM, MPI.LASTUSEDCODE]:",
		"    expect(world.Get_attr(k) != None)",
		"    expect_error(MPI.ERR_KEYVAL, world.Set_attr, k, 1)",
		"    expect_error(MPI.ERR_KEYVAL, MPI.Comm.Free_keyval, k)",
		"print(world.Get_attr(MPI.HOST) == MPI.PROC_NULL, world.Get_attr(MPI.UNIVERSE_SIZE))"),
		[]string{"0-1: True 2"}},
	{"nopython stores integers", 1, text(
		"k = MPI.Comm.Create_keyval(lambda c, k, v: v + 1, None, True)",
		"bad = MPI.Comm.Create_keyval(lambda c, k, v: \"text\", nopython=True)",
		"world.Set_attr(k, 1 << 40)",
		"d = world.Dup()",
		"print(d.Get_attr(k) - (1 << 40))",
		"d.Set_attr(bad, 1)",
		"expect_error(MPI.ERR_OTHER, d.Dup)"),
		[]string{"0: 1"}},
	{"buffers", 1, text(
		"world.Attach_buffer(b\"1234\")",
		"expect_error(MPI.ERR_BUFFER, world.Attach_buffer, 10)",
		"print(world.Detach_buffer())",
		"world.Attach_buffer(1000)",
		"print(world.Detach_buffer())",
		"expect_error(MPI.ERR_BUFFER, world.Detach_buffer)"),
		[]string{"0: b\"1234\"", "0: 1000"}},
}

func TestCachingPrograms(t *testing.T) {
	t.Parallel()
	for _, tt := range cachingPrograms {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := mustRun(t, tt.ranks, tt.text)
			out.prints(t, tt.want)
		})
	}
}

// Arguments of the wrong type are reported before anything is made.
func TestCachingArguments(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{
		"world.Create_keyval(5)": "Create_keyval: copy_fn must be a function of (comm, keyval, value), " +
			"True for the value itself, or None for no copy, not 5 (int)",
		"world.Create_keyval(None, \"f\")": "Create_keyval: delete_fn must be a function of (comm, keyval, value), or None, not \"f\" (string)",
		"world.Get_attr(\"k\")":            "Get_attr: keyval must be an integer, not \"k\" (string)",
		"world.Attach_buffer(\"text\")":    "Attach_buffer: buf must be an array, bytes or the number of bytes, not \"text\" (string)",
		"world.Set_attr(world.Create_keyval(nopython=True), \"v\")": "an attribute of a keyval made with nopython=True must be an integer " +
			"of 64 bits, not \"v\" (string)",
	} {
		out := runChunks(t, engine.Config{Size: 1}, program)
		if got := programError(t, out); !strings.HasSuffix(got, ": "+want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// The error of a copy function has its place in the function, and the failed MPI call has its own call site.
func TestFailingCopyFunctionIsLocated(t *testing.T) {
	t.Parallel()
	out := runChunks(t, engine.Config{Size: 3}, text(
		"def f(c, k, v):",
		"    c.Get_rank()",
		"    fail(\"no\")",
		"k = world.Create_keyval(f)",
		"if world.rank == 1:",
		"    world.Set_attr(k, 1)",
		"world.Dup()"))
	if out.status.Failure == nil {
		t.Fatal("the program ended well")
	}
	var got []string
	for _, e := range out.status.Failure.Errors {
		got = append(got, e.Error())
	}
	want := []string{
		"MPI_ERR_OTHER in MPI_Comm_dup on world (demo.py:7), ranks 0,2: the copy function of an attribute failed on rank 1: " +
			"no process gets a communicator [MPI-5.0 §7.7.2]",
		"MPI_ERR_OTHER in MPI_Comm_dup on world (demo.py:7), rank 1: the copy function of keyval 7 failed: demo.py:3:9: fail: no [MPI-5.0 §7.7.2]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

package moment_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/repl"
)

// The arguments are those that each rank passed to the call that gave it what it holds: of two calls of one line
// on two communicators, each rank's own call; nothing of a later call on other communicators. Keys that fall by
// two from rank to rank are written as a progression.
func TestArguments(t *testing.T) {
	t.Parallel()
	m := figure73(t, "half = split world color=rank%2 key=-rank", "quarter = split half color=rank//3",
		`numa = split_type half HW_GUIDED resource="hwloc://NUMANode"`)
	args := m.Arguments(m.Handle("half"))
	if d := cmp.Diff([]string{"color", "key"}, args.Columns); d != "" {
		t.Error(d)
	}
	if color, key := args.One(0, 7), args.One(1, 7); color != "1" || key != "-7" {
		t.Errorf("rank 7 passed color %s, key %s; want 1 and -7", color, key)
	}
	if got := args.Run(1, 0, 2, 6); got != "0,-2,..,-10" {
		t.Errorf("the keys of the even ranks are %s", got)
	}
	// In half, world rank 10 is rank 0 and world rank 1 is rank 5.
	args = m.Arguments(m.Handle("quarter"))
	if a, b := args.One(0, 10), args.One(0, 1); a != "0" || b != "1" {
		t.Errorf("quarter: ranks 10 and 1 passed colors %s and %s; want 0 and 1", a, b)
	}
	args = m.Arguments(m.Handle("numa"))
	if kind, resource := args.Common[0], args.Common[2]; kind != "HW_GUIDED" || resource != "hwloc://NUMANode" || args.Common[1] != "" {
		t.Errorf("numa: all passed %q, %q, %q", kind, args.Common[1], resource)
	}
	if m.Arguments(0) != nil {
		t.Error("nobody passed anything for world")
	}
}

// In MPI_Intercomm_create, the ranks of both groups pass the same local leader, peer communicator and tag, which
// are shown once; the remote leader, which differs, is a column. A communicator is shown by its name.
func TestArgumentsOfTwoGroups(t *testing.T) {
	t.Parallel()
	m := after(t, repl.Config{Topo: "core:8"}, "half = split world color=rank%2", "inter = half.Create_intercomm(0, world, 1 - world.rank % 2)")
	args := m.Arguments(m.Handle("inter"))
	if d := cmp.Diff([]string{"local_leader", "peer_comm", "remote_leader", "tag"}, args.Columns); d != "" {
		t.Fatal(d)
	}
	common := []string{args.Common[0], args.Common[1], args.Common[2], args.Common[3]}
	if d := cmp.Diff([]string{"0", "world", "", "0"}, common); d != "" {
		t.Errorf("all passed (-want +got):\n%s", d)
	}
	if even, odd := args.One(2, 4), args.One(2, 5); even != "1" || odd != "0" {
		t.Errorf("ranks 4 and 5 passed %s and %s as remote leader, want 1 and 0", even, odd)
	}
}

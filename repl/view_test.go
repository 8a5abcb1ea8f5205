package repl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
)

// Open counts the handles that a program makes and does not free, by call site: groups (§7.3.3: the program must
// free each group, also the group of MPI_Comm_group), info objects and keyvals. Predefined handles do not count.
func TestOpenHandles(t *testing.T) {
	t.Parallel()
	all := engine.AllRanks(8)
	tests := []struct {
		name  string
		lines []string
		want  []repl.OpenHandle
	}{
		{"nothing", []string{"g = MPI.GROUP_EMPTY", "i = MPI.INFO_NULL", "h = g.Incl([])", "d = dup world"}, nil},
		{"groups", []string{"g = world.group", "h = g.Incl([0])", "k = world.Get_group()", "h.Free()"},
			[]repl.OpenHandle{{"group", engine.CallNone, "test.mpi:1", all, 8 * 2}}},
		{"some ranks", []string{"l = [world.group for i in range(world.rank//6)]"},
			[]repl.OpenHandle{{"group", engine.CallNone, "test.mpi:1", engine.RanksOf(6, 7), 2}}},
		{"one of several", []string{"l = [MPI.Info.Create() for i in range(3)]\n", "l[1].Free()"},
			[]repl.OpenHandle{{"info", engine.CallNone, "test.mpi:1", all, 8 * 2}}},
		{"of a loop", []string{"for i in range(3):\n    MPI.Info.Create().Free()\n    world.Get_info()\n"},
			[]repl.OpenHandle{{"info", engine.CallNone, "test.mpi:3", all, 8 * 3}}},
		{"keyvals", []string{"a = MPI.Comm.Create_keyval()", "b = MPI.Comm.Create_keyval()", "x = MPI.Comm.Free_keyval(a)"},
			[]repl.OpenHandle{{"keyval", engine.CallNone, "test.mpi:1", all, 8}}},
		{"commands", []string{"i = hw_info", "half = split world color=rank%2", "half.Create(half.group)"},
			[]repl.OpenHandle{{"group", engine.CallNone, "test.mpi:1", all, 8}, {"info", engine.CallNone, "test.mpi:1", all, 8}}},
		{"a freed handle through another name", []string{"g = world.group", "h = g", "h.Free()"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := sessions.New(t, 8, tt.lines...).Open(nil)
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("open handles (-want +got):\n%s", diff)
			}
		})
	}
}

// Undo restores the open handles from before the line.
func TestOpenHandlesAfterUndo(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 8, "g = world.group", "g.Free()")
	if n := len(s.Open(nil)); n != 0 {
		t.Errorf("%d places, want none", n)
	}
	if _, err := s.Undo(sessions.Background, 1); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Open(nil)); n != 1 {
		t.Errorf("after undo: %d places, want 1", n)
	}
}

// A past view lacks the variables that later lines set, and has a variable for each element of a list.
func TestPastView(t *testing.T) {
	t.Parallel()
	c, _, _ := sessions.Console(t)
	sessions.Tell(t, c, "half = split world color=rank%2", "both = [half, half.Dup()]")
	v := c.Session.View()
	names := func(k int) (list []string) {
		for _, h := range repl.PastView(v, k).Handles {
			list = append(list, h.Name)
		}
		return list
	}
	for k, want := range map[int]int{0: 0, 1: 1, 2: 3, 3: 3} { // from step 2 on: half, both[0], both[1]
		if got := names(k); len(got) != want {
			t.Errorf("after step %d: %v, want %d variables", k, got, want)
		}
	}
}

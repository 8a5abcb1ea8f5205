package repl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
)

// heldThen returns what the ranks held in a variable as after step k: the group, "null", or "-" for a rank that had
// not yet set the variable. It returns "" when no rank had set it.
func heldThen(s *repl.Session, name string, k int) string {
	v := repl.PastView(s.View(), k)
	for _, h := range v.Handles {
		if h.Name != name {
			continue
		}
		list := make([]string, len(h.IDs))
		for r, id := range h.IDs {
			switch {
			case id == -1:
				list[r] = "null"
			case id < 0:
				list[r] = "-"
			default:
				list[r] = strings.ReplaceAll(strings.Trim(fmt.Sprint(v.Snapshot.Comm(int(id)).Group), "[]"), " ", "+")
			}
		}
		return strings.Join(list, " ")
	}
	return ""
}

// A variable shows its value as after a step, also when it was set again or freed later, or when ranks come to the
// same line at different steps. Worked out by hand.
func TestPast(t *testing.T) {
	t.Parallel()
	const none = "- - - -"
	for _, c := range []struct {
		name, lines, variable string
		want                  []string // after step 0, 1, ...
	}{
		{"set anew", "x = split world color=rank%2\nx = split world color=rank//2", "x",
			[]string{"", "0+2 1+3 0+2 1+3", "0+1 0+1 2+3 2+3"}},
		{"freed", "x = split world color=rank%2\nfree x", "x",
			[]string{"", "0+2 1+3 0+2 1+3", "null 1+3 null 1+3", "null null null null"}},
		{"set again after it was freed", "x = dup world\nfree x\nx = dup world", "x",
			[]string{"", "0+1+2+3 0+1+2+3 0+1+2+3 0+1+2+3", "null null null null", "0+1+2+3 0+1+2+3 0+1+2+3 0+1+2+3"}},
		{"alias of a freed one", "x = dup world\ny = x\nx.Free()", "y",
			[]string{"", "0+1+2+3 0+1+2+3 0+1+2+3 0+1+2+3", "null null null null"}},
		// §7.4.2: MPI_UNDEFINED gives MPI_COMM_NULL. A rank that holds it takes no part in the next split.
		{"null and not called", "half = split world color=rank%2\nlow = split half color=(0 if rank==0 else UNDEFINED)", "low",
			[]string{"", "", "0 - null -", "0 1 null null"}},
		{"sits out", "low = split world color=(0 if rank<2 else UNDEFINED)\npair = split low color=0", "pair",
			[]string{"", "", "0+1 0+1 null null"}},
		{"other ranks", "@0,1 sub = create_group world group=[0,1]", "sub", []string{"", "0+1 0+1 null null"}},
		{"no step of its own", "@0,1 sub = create_group world group=[0,1]\nb = world", "b",
			[]string{"", "0+1+2+3 0+1+2+3 0+1+2+3 0+1+2+3"}},
		{"loop", "comm = world\nfor i in range(2):\n    comm = comm.Split(comm.rank % 2)\n", "comm",
			[]string{"0+1+2+3 0+1+2+3 0+1+2+3 0+1+2+3", "0+2 1+3 0+2 1+3", "0 1+3 2 1+3", "0 1 2 3"}},
		{"loop of some", "comm = world\nfor i in range(2):\n    if comm.rank % 2 == 0:\n        comm = comm.Create_group(comm.group.Incl(range(0, comm.size, 2)))\n", "comm",
			[]string{"0+1+2+3 0+1+2+3 0+1+2+3 0+1+2+3", "0+2 0+1+2+3 0+2 0+1+2+3", "0 0+1+2+3 0+2 0+1+2+3"}},
		{"loop in a function", "def f(comm):\n    for i in range(2):\n        comm = comm.Split(comm.rank % 2)\n    world.Barrier()\n    return comm\n\nx = f(world)\nworld.Barrier()", "f.comm",
			[]string{"", "0+2 1+3 0+2 1+3", "0 1+3 2 1+3", "0 1 2 3", "", ""}},
		{"recursion", "def f(comm, n):\n    half = comm.Split(comm.rank // n)\n    if n > 1:\n        f(half, n // 2)\n    world.Barrier()\n\nf(world, 2)", "f.half",
			[]string{"", "0+1 0+1 2+3 2+3", "0 1 2+3 2+3", "0 1 2 3", "0+1 0+1 2+3 2+3", ""}},
		{"a number since", "x = dup world\nworld.Barrier()\nx = 3", "x", []string{"", "0+1+2+3 0+1+2+3 0+1+2+3 0+1+2+3", ""}},
		{"local call between", "def f():\n    a = world.Dup()\n    a.Set_name(\"a\")\n    return a\n\nx = f()", "x",
			[]string{"", "", "0+1+2+3 0+1+2+3 0+1+2+3 0+1+2+3"}},
		{"list", "list = [world.Split(world.rank % 2)]\nlist.append(list[0].Dup())\nlist[0] = None", "list[0]",
			[]string{"", "0+2 1+3 0+2 1+3", "0+2 1+3 0+2 1+3", none}},
		{"list grows", "list = [world.Split(world.rank % 2)]\nlist.append(list[0].Dup())", "list[1]",
			[]string{"", "", "0+2 - 0+2 -", "0+2 1+3 0+2 1+3"}},
		{"in the making", "d, r = world.Idup()\nworld.Barrier()\nr.Wait()\nworld.Barrier()", "d",
			[]string{"", "", "0+1+2+3 0+1+2+3 0+1+2+3 0+1+2+3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := sessions.New(t, 4)
			for _, chunk := range sessions.Chunks(t, c.lines) {
				if _, err := s.Run(sessions.Background, chunk); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			for k := range c.want {
				text := heldThen(s, c.variable, k)
				if text == none && k == 0 {
					text = ""
				}
				got = append(got, text)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.variable, d)
			}
		})
	}
}

// The values of a variable that a program does not change are stored once, however many steps there are.
func TestPastIsShared(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, "x = split world color=rank%2", "for i in range(50):\n    world.Barrier()\n")
	v := s.View()
	first := repl.PastView(v, 1).Handles[0].IDs
	for k := 2; k < len(v.Snapshot.Steps); k++ {
		if now := repl.PastView(v, k).Handles[0].IDs; &now[0] != &first[0] {
			t.Fatalf("after step %d x is a copy", k)
		}
	}
	// A view does not change when the session goes on.
	sessions.Must(t, s, "x = dup world")
	if first[0] != 2 || v.Handles[0].IDs[0] != 2 {
		t.Errorf("the old view holds %d and %d, want 2", first[0], v.Handles[0].IDs[0])
	}
}

// Undo and redo lead to the same past.
func TestPastAfterUndo(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, "x = split world color=rank%2", "x = split world color=rank//2", "free x")
	want := []string{heldThen(s, "x", 1), heldThen(s, "x", 2), heldThen(s, "x", 3)}
	undo(t, s, 2)
	sessions.Must(t, s, "x = split world color=rank//2")
	sessions.Must(t, s, "free x")
	got := []string{heldThen(s, "x", 1), heldThen(s, "x", 2), heldThen(s, "x", 3)}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-before +after):\n%s", d)
	}
}

// Variables of a program are in the order in which the text first sets them, whichever rank does so.
func TestOrderOfVariables(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4)
	text := "zebra = world.Dup()\nif world.rank == 0:\n    only = zebra.Dup() if False else world\nelse:\n    b = world\napple = zebra\n"
	for _, chunk := range sessions.Chunks(t, text) {
		if _, err := s.Run(sessions.Background, chunk); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff([]string{"zebra", "only", "b", "apple"}, s.Handles()); d != "" {
		t.Errorf("variables (-want +got):\n%s", d)
	}
}

// The values of the ranks of a large world are gathered in parts: the past has the same values as the ranks.
func TestPastOfManyRanks(t *testing.T) {
	t.Parallel()
	const n = 20000
	s := sessions.New(t, n, "low = split world color=(0 if rank%3==0 else UNDEFINED)", "list = [world, low]",
		"@11000-19999 high = create_group world group=[11000,19999]")
	v := repl.PastView(s.View(), len(s.View().Snapshot.Steps))
	held := map[string][]int32{}
	for _, h := range v.Handles {
		held[h.Name] = h.IDs
	}
	low, high := held["low"], held["high"]
	for r := range n {
		if got := low[r] >= 0; got != (r%3 == 0) {
			t.Fatalf("rank %d holds %d in low", r, low[r])
		}
		if got := high[r] >= 0; got != (r == 11000 || r == 19999) {
			t.Fatalf("rank %d holds %d in high", r, high[r])
		}
		if zero, one := held["list[0]"][r], held["list[1]"][r]; zero != 0 || one != low[r] {
			t.Fatalf("the list of rank %d holds %d and %d, and low %d", r, zero, one, low[r])
		}
	}
}

package repl_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/completion"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// A variable that holds communicators hides the number of the same name wherever a communicator or an attribute
// of a communicator is meant. The number then has only its long name, which the error names.
func TestVariablesHideNumbers(t *testing.T) {
	t.Parallel()
	const node = "node = split_type world SHARED"
	for _, c := range []struct{ lines, wrong string }{
		{node + "\nexpect_parts node [[0,1],[2,3]]", ""},
		{node + "\nx = split node color=0 key=-rank\nexpect_parts x [[1,0],[3,2]]", ""},
		{node + "\nexpect (node.size, node.rank)==(2, world.rank%2)", ""},
		{node + "\nx = split world color=here.node\nexpect_parts x [[0,1],[2,3]]", ""},
		{node + "\nx = split world color=numa\nexpect_parts x [[0,1],[2,3]]", ""},
		{"x = split world color=node\nexpect_parts x [[0,1],[2,3]]", ""},
		{"rank = dup world\nx = split rank color=rank.rank//2\nexpect_parts x [[0,1],[2,3]]", ""},
		{"@0-1 size = create_group world group=[0,1]\nexpect_parts size [[0,1]]\nexpect (size==MPI.COMM_NULL)==(rank>1)", ""},
		{"node = [world]\nexpect_parts node[0] [[0,1,2,3]]", ""},
		{"rank = 7\nx = split world color=rank\nexpect_parts x [[0],[1],[2],[3]]", ""}, // an int hides nothing
		{node + "\nsplit world color=node", "2:19: color must be an integer, not an Intracomm <Intracomm 2>; node is a variable of this session: write here.node for the number"},
		{node + "\nsplit world color=node%2", "2:23: unknown binary op: Intracomm % int; node is a variable of this session: write here.node for the number"},
		{"rank = dup world\nsplit rank color=rank", "; rank is a variable of this session: write rank.rank for the number"},
		{"split node color=0", "1:7: node is a number in commands, not a communicator"},
	} {
		s := onTwo(t)
		chunks, err := repl.ParseLines("in", strings.Split(c.lines, "\n"))
		for _, chunk := range chunks {
			if err == nil {
				_, err = s.Run(context.Background(), chunk)
			}
		}
		e := s.View().Expectations
		switch {
		case c.wrong == "" && (err != nil || e.Failed > 0):
			t.Errorf("%s: %v %v", c.lines, err, e.Failures)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: %v, want %s", c.lines, err, c.wrong)
		}
	}
}

// onTwo opens a session of four ranks on two machines.
func onTwo(t *testing.T) *repl.Session {
	t.Helper()
	s, err := repl.Open(context.Background(), repl.Config{Topo: "machine:2 core:2", Size: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Completion proposes a variable that hides a number where a communicator is expected, but not where a number is.
func TestCompleteHidden(t *testing.T) {
	t.Parallel()
	s := onTwo(t)
	if _, numbers := completion.Complete(s, "split world color=no"); !slices.Equal(numbers, []string{"node"}) {
		t.Error(numbers)
	}
	sessions.Do(t, s, "node = split_type world SHARED")
	if _, comms := completion.Complete(s, "split no"); !slices.Equal(comms, []string{"node"}) {
		t.Error(comms)
	}
	if _, numbers := completion.Complete(s, "split world color=no"); len(numbers) > 0 {
		t.Error(numbers)
	}
}

// cpusets returns the PUs of all ranks.
func cpusets(s *repl.Session) string {
	var list []string
	for _, b := range s.View().Snapshot.Bindings {
		list = append(list, b.CPUSet.String())
	}
	return strings.Join(list, " ")
}

// bind takes ranks and PUs as lists, or PUs as an expression that each rank evaluates, and is also a function of
// programs; splits and the names numa, core, ... use the new PUs.
func TestBindVerb(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"bind 3 0-1":                         "0 1 2 0-1 4 5 6 7",
		"bind 0-2,7 4-5+7":                   "4-5,7 4-5,7 4-5,7 3 4 5 6 4-5,7",
		"bind 1 0,2":                         "0 0,2 2 3 4 5 6 7",
		"bind ranks=1 cpuset=0":              "0 0 2 3 4 5 6 7",
		"bind 0-3 str(rank+4)":               "4 5 6 7 4 5 6 7",
		"bind 0-3 rank+4":                    "4 5 6 7 4 5 6 7",
		`bind "6-7" "0-3"`:                   "0 1 2 3 4 5 0-3 0-3",
		`bind("6-7", "0-3")`:                 "0 1 2 3 4 5 0-3 0-3",
		"bind(3, 0)":                         "0 1 2 0 4 5 6 7",
		"for i in range(3):\n    bind(i, 7)": "7 7 7 3 4 5 6 7",
	} {
		s := sessions.New(t, 8)
		sessions.Must(t, s, line)
		if got := cpusets(s); got != want {
			t.Errorf("%s: ranks run on %s, want %s", line, got, want)
		}
	}
	s := sessions.New(t, 8, "bind 3 4", "p = split world color=package key=core")
	if diff := cmp.Diff(sessions.Partition{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {3, 4, 5, 6, 7}, {3, 4, 5, 6, 7}, {3, 4, 5, 6, 7},
		{3, 4, 5, 6, 7}, {3, 4, 5, 6, 7}}, sessions.PartitionOf(s, "p")); diff != "" {
		t.Errorf("by package (-want +got):\n%s", diff)
	}
}

// A mistake is reported in one line with its place, and no rank moves.
func TestBindRefused(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"bind 3 0-9":    `test.mpi:1:8: cpuset "0-9": node0 has no PU 8; it has 0-7 (rank 3)`,
		"bind 2-3 8":    `test.mpi:1:10: cpuset "8": node0 has no PU 8; it has 0-7 (ranks 2-3)`,
		"bind 3 5-4":    `test.mpi:1:8: cpuset range "5-4" runs backwards (rank 3)`,
		"bind 9 0":      `test.mpi:1:6: ranks "9": rank 9 does not exist: the world has ranks 0-7 (ranks 0-7)`,
		"bind 3":        "test.mpi:1:7: bind needs cpuset",
		"bind 3 None":   `test.mpi:1:8: cpuset must be PUs such as "0-1+8", not None (ranks 0-7)`,
		"@3 bind 3 0":   "test.mpi:1:2: bind has the ranks as its first argument: leave out @3",
		"x = bind 3 0":  "test.mpi:1:1: bind has no result: write bind without NAME =",
		"bind(9, 0)":    `test.mpi:1:5: bind: ranks "9": rank 9 does not exist: the world has ranks 0-7 (ranks 0-7)`,
		"bind(3, [0])":  `test.mpi:1:5: bind: cpuset must be PUs such as "0-1+8", not [0] (list) (ranks 0-7)`,
		`bind "x" 0`:    `test.mpi:1:6: ranks "x": "x" is not a rank: ranks are written 0-3,7 (ranks 0-7)`,
		"bind 2-3 6+ 7": "test.mpi:1:13: bind has too many arguments; usage: bind ranks cpuset",
	} {
		s := sessions.New(t, 8)
		_, err := sessions.Do(t, s, line)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
		if got := cpusets(s); got != "0 1 2 3 4 5 6 7" {
			t.Errorf("%s: ranks run on %s", line, got)
		}
	}
}

// The console reports a re-binding, the communicators that it makes stale, and those that reflect the hardware
// again; the session saves the line as typed. A blocked rank moves once it is let go.
func TestBindTells(t *testing.T) {
	t.Parallel()
	c, out, errs := sessions.Console(t)
	sessions.Tell(t, c, `pack = split_type world HW_GUIDED resource="hwloc://Package"`)
	said := func(line, result, notes string) {
		t.Helper()
		out.Reset()
		errs.Reset()
		sessions.Tell(t, c, line)
		if got := out.String(); got != result {
			t.Errorf("%s: says\n%swant\n%s", line, got, result)
		}
		if got := errs.String(); got != notes {
			t.Errorf("%s: notes\n%swant\n%s", line, got, notes)
		}
	}
	said("bind 3 0", "rank 3 now runs on PU 0 instead of PU 3\n", "")
	said("bind 2-3 4-5", "ranks 2-3 now run on PUs 4-5\n", `note: pack#2 (hwloc://Package) is stale: ranks 2-3 now run on PUs 4-5, Package
L#1 (P#1); the communicator was made for Package L#0
note: pack#3 (hwloc://Package) is stale: ranks 2-3 now run on PUs 4-5, Package
L#1 (P#1), and are not in it; the communicator was made for Package L#1
`)
	said("bind 7 4", "rank 7 now runs on PU 4 instead of PU 7\n", "") // its package is the same
	said("bind 2-3 2", "ranks 2-3 now run on PU 2 instead of PUs 4-5\n", "note: pack#2, pack#3 reflect the hardware again\n")
	if text := stories.Text(c.Session); !strings.Contains(text, "\nbind 2-3 4-5\n") {
		t.Errorf("saved as\n%s", text)
	}
	sessions.Tell(t, c, "@0 barrier world")
	out.Reset()
	sessions.Tell(t, c, "bind 0-1 3")
	if !strings.HasPrefix(out.String(), "rank 1 now runs on PU 3 instead of PU 1\nrank 0 will move once it is let go\n") {
		t.Errorf("with rank 0 blocked:\n%s", out)
	}
	sessions.Tell(t, c, "@1-7 barrier world")
	if got := cpusets(c.Session); got != "3 3 2 2 4 5 6 4" {
		t.Errorf("in the end ranks run on %s", got)
	}
}

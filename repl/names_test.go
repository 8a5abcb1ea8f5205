package repl_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"commsplit/repl"
)

// A variable that holds communicators hides the number of its name: wherever a communicator or an
// attribute of one is meant. The number has its long name then, which the mistake tells.
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
		{node + "\nsplit world color=node", "2:19: color must be an integer, not an Intracomm <Intracomm 2>; node is a variable of this session, and here.node the number"},
		{node + "\nsplit world color=node%2", "2:23: unknown binary op: Intracomm % int; node is a variable of this session, and here.node the number"},
		{"rank = dup world\nsplit rank color=rank", "; rank is a variable of this session, and rank.rank the number"},
		{"split node color=0", "1:7: node is a number here, not a communicator"},
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

// onTwo is a session of four ranks on two machines.
func onTwo(t *testing.T) *repl.Session {
	t.Helper()
	s, err := repl.Open(context.Background(), repl.Config{Topo: "machine:2 core:2", Size: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Completion proposes such a variable where a communicator stands, and no longer where a number does.
func TestCompleteHidden(t *testing.T) {
	t.Parallel()
	s := onTwo(t)
	if _, numbers := s.Complete("split world color=no"); !slices.Equal(numbers, []string{"node"}) {
		t.Error(numbers)
	}
	do(t, s, "node = split_type world SHARED")
	if _, comms := s.Complete("split no"); !slices.Equal(comms, []string{"node"}) {
		t.Error(comms)
	}
	if _, numbers := s.Complete("split world color=no"); len(numbers) > 0 {
		t.Error(numbers)
	}
}

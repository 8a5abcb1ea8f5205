package program

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"codeberg.org/commsplit/commsplit/engine"
)

// Each rank notes its expectations in order, with how often it has reached their line. A failed expectation has the
// values of the rank itself, and does not end the program.
func TestChecks(t *testing.T) {
	t.Parallel()
	out := mustRun(t, 4, text(
		"half = world.Split(world.rank % 2, -world.rank)",
		"expect_parts(half, [[2, 0], [1, 3]])",
		"one = world.Split(0 if world.rank == 3 else MPI.UNDEFINED)",
		"expect_parts(one, [[3]])",
		"for i in range(2):",
		"    expect(i == 0, \"i is 0\")",
		"expect_error(MPI.ERR_COMM, one.Free)",
		"expect_error(MPI.ERR_ARG, lambda c, n: c.Split(n, key=n), world, n=-1)",
		"ask(\"how many?\", half.size == 2)",
	))
	const parts = "who is together"
	site := func(line int32) engine.Site { return engine.Site{File: "demo.py", Line: line} }
	common := []Check{
		{Where: site(4), Occurrence: 1, OK: true, Message: parts},
		{Where: site(6), Occurrence: 1, OK: true, Message: "i is 0"},
		{Where: site(6), Occurrence: 2, Message: "i is 0", Expected: "a true value", Found: "False (bool)"},
	}
	rest := []Check{
		{Where: site(8), Occurrence: 1, OK: true, Message: "the call must fail"},
		{Where: site(9), Occurrence: 1, OK: true, Message: "how many?"},
	}
	free := Check{Where: site(7), Occurrence: 1, OK: true, Message: "the call must fail"}
	freed := Check{Where: site(7), Occurrence: 1, Message: "the call must fail", Expected: "MPI_ERR_COMM", Found: "no error"}
	right := Check{Where: site(2), Occurrence: 1, OK: true, Message: parts}
	wrong := Check{Where: site(2), Occurrence: 1, Message: parts, Expected: "[[2, 0], [1, 3]]", Found: "[3, 1]"}
	for i, r := range out.ranks {
		first, last := right, free
		if i%2 == 1 {
			first = wrong
		}
		if i == 3 {
			last = freed
		}
		want := append(append(append([]Check{first}, common...), last), rest...)
		if diff := cmp.Diff(want, r.Checks, cmpopts.IgnoreUnexported(Check{}), cmpopts.IgnoreFields(Check{}, "Call", "Literal")); diff != "" {
			t.Errorf("rank %d (-want +got):\n%s", i, diff)
		}
	}
	// Rank 3 comes later: it really freed its communicator, which is a call that waits.
	if diff := cmp.Diff([]string{"0-2: how many?", "3: how many?"}, out.lines); diff != "" {
		t.Error(diff)
	}
}

// A part matches in its order; a pair stands for both sides of an intercommunicator in either
// order; no part stands for COMM_NULL.
func TestParts(t *testing.T) {
	t.Parallel()
	intra, other := &part{group: []int32{2, 0}}, &part{group: []int32{0, 2}}
	inter := &part{group: []int32{0}, remote: []int32{3, 4}}
	swapped := &part{group: []int32{3, 4}, remote: []int32{0}}
	tests := []struct {
		a, b *part
		want bool
	}{
		{intra, &part{group: []int32{2, 0}}, true}, {intra, other, false}, {nil, nil, true}, {nil, intra, false},
		{intra, nil, false}, {inter, swapped, true}, {inter, intra, false}, {inter, &part{group: []int32{0}}, false},
		{inter, &part{group: []int32{0}, remote: []int32{4, 3}}, false},
	}
	for _, tt := range tests {
		if got := tt.a.same(tt.b); got != tt.want {
			t.Errorf("%s and %s: %v", tt.a.text(), tt.b.text(), got)
		}
	}
	if got := inter.text(); got != "([0], [3, 4])" {
		t.Errorf("text %s", got)
	}
}

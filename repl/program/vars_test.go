package program

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
)

// Ranks that get the same variables in the same order share the names, also when they get them in parallel. A variable
// of one rank only is not shared, and each variable keeps its value however many there are.
func TestVars(t *testing.T) {
	t.Parallel()
	all := NewRanks(nil)
	ranks := make([]Vars, 4)
	name := func(rank, i int) string {
		if i == 3 {
			return fmt.Sprintf("x%d", rank%2) // two ranks each
		}
		return fmt.Sprintf("v%d", i)
	}
	const many = 3 * fewVars
	var wg sync.WaitGroup
	for r := range ranks {
		ranks[r].names = &all.none
		wg.Go(func() {
			for i := range many {
				ranks[r].Set(name(r, i), starlark.MakeInt(0))
				ranks[r].Set(name(r, i), starlark.MakeInt(100*r+i))
				if i == 4 && ranks[r].names.at != nil {
					t.Error("five names are in a map")
				}
			}
		})
	}
	wg.Wait()
	for r := range ranks {
		i := 0
		for n, v := range ranks[r].All() {
			if want := starlark.MakeInt(100*r + i); n != name(r, i) || v != want || ranks[r].Get(n) != want {
				t.Errorf("rank %d: variable %d is %s = %v", r, i, n, v)
			}
			i++
		}
		if i != many || ranks[r].Get("w") != nil || ranks[r].Get(name(r+1, 3)) != nil {
			t.Errorf("rank %d has %d variables, or another rank's", r, i)
		}
	}
	few := make([]Vars, 3)
	for r, list := range [][]string{{"a", "b"}, {"a", "c"}, {"a", "b"}} {
		few[r].names = &all.none
		for _, n := range list {
			few[r].Set(n, starlark.None)
		}
	}
	if few[0].names != few[2].names || few[0].names == few[1].names {
		t.Error("the same names are not shared, or others are")
	}
}

// Changes come out as they went in, in order, whatever their numbers are: negative places in the trace, which have no
// number yet, negative ids, for values that are not communicators, and negative indexes, for variables of functions.
func TestChangesAreKept(t *testing.T) {
	t.Parallel()
	came := []*reason.Held{{Comm: -1}, {Comm: -1, Unset: "5 (int)"}}
	type at struct {
		Variable int
		Change   Change
	}
	var want []at
	for _, variable := range []int{0, ^0, 31, 32, 1 << 20} {
		for _, index := range []int{-1, 0, 300} {
			for _, id := range []int32{0, -1, render.Unset, making, 1<<31 - 1} {
				x := Change{Index: index, Behind: engine.Behind(id / 2), ID: id}
				if id == -1 {
					x.Came = came[len(want)%2]
				}
				want = append(want, at{variable, x})
			}
		}
	}
	var l changes
	for _, w := range want {
		l.add(w.Variable, w.Change.Index, w.Change.Behind, w.Change.ID, w.Change.Came)
	}
	var got []at
	for variable, x := range l.all {
		got = append(got, at{variable, x})
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s", d)
	}
}

// A variable behind the 32nd that is set to a value that is not a communicator gives a change, but only if it held a
// communicator before.
func TestChangesOfManyVariables(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("v%d = %s", i, []string{"world", "0"}[i%2]))
	}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("v%d = 1", i))
	}
	out := runChunks(t, engine.Config{Size: 1, Trace: true}, strings.Join(lines, "\n"))
	var got []string
	_, changes := out.ranks[0].Changes(nil)
	for _, x := range changes {
		got = append(got, fmt.Sprintf("%s %d", x.Name, x.ID))
	}
	var want []string
	for _, id := range []int{0, render.Unset} {
		for i := 0; i < 40; i += 2 {
			want = append(want, fmt.Sprintf("v%d %d", i, id))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

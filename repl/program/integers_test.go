package program

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// drawIntegers is an expression of integers, of names and numbers that divide by zero and overflow now and then.
func drawIntegers(rnd *rand.Rand, depth int) string {
	if depth == 0 || rnd.IntN(4) == 0 {
		return []string{"rank", "size", "x", "0", "1", "2", "7", "2147483647", "True"}[rnd.IntN(9)]
	}
	switch k := rnd.IntN(8); {
	case k == 0:
		return "-" + drawIntegers(rnd, depth-1)
	case k == 1:
		return "(" + drawIntegers(rnd, depth-1) + ")"
	default:
		op := []string{"+", "-", "*", "//", "%"}[rnd.IntN(5)]
		return "(" + drawIntegers(rnd, depth-1) + op + drawIntegers(rnd, depth-1) + ")"
	}
}

// An expression of integers means what the interpreter says: the same value, or the same mistake.
func TestIntegersAreTheInterpreters(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r := NewRank(w.Process(0))
	r.Vars.Set("x", starlark.MakeInt(-5))
	known := func(name string) bool { return name == "rank" || name == "size" || name == "x" }
	locals := func(name string) starlark.Value {
		switch name {
		case "rank":
			return starlark.MakeInt(3)
		case "size":
			return starlark.MakeInt(8)
		}
		return nil
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	quick := 0
	for range 2000 {
		text := drawIntegers(rnd, 4)
		e, err := CompileExprs("t", []Fragment{{text, 1, 1}}, known)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		value := func() string {
			v, err := r.Eval(e, locals)
			return fmt.Sprint(v, err)
		}
		got := value()
		if e.quick {
			quick++
		}
		e.quick = false
		if want := value(); got != want {
			t.Errorf("%s is %s, and the interpreter says %s", text, got, want)
		}
	}
	if quick < 500 {
		t.Errorf("only %d of the expressions were computed without the interpreter", quick)
	}
}

// A million ranks must not start the interpreter for the arguments that people write.
func TestIntegersOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"rank%2": true, "-rank": true, "(size-1-rank)//4*2+1": true, "rank": false, "3": false, // plain
		"rank/4": false, "rank%2==0": false, "[rank+1]": false, "max(rank,1)": false, "rank+1.5": false,
	} {
		e, err := CompileExprs("t", []Fragment{{text, 1, 1}}, func(string) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		if e.quick != want {
			t.Errorf("%s: %v", text, e.quick)
		}
	}
}

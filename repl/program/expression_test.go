package program

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// drawExpression is an expression, mostly of integers: names and numbers that divide by zero, overflow, or are none now
// and then.
func drawExpression(rnd *rand.Rand, depth int) string {
	if depth == 0 || rnd.IntN(4) == 0 {
		return []string{"rank", "size", "x", "0", "1", "2", "7", "2147483647", "True"}[rnd.IntN(9)]
	}
	part := func() string { return "(" + drawExpression(rnd, depth-1) + ")" }
	switch k := rnd.IntN(14); {
	case k == 8:
		return "(" + part() + []string{"==", "!=", "<", "<=", ">", ">="}[rnd.IntN(6)] + part() + ")"
	case k == 9:
		return "(" + part() + []string{" and ", " or "}[rnd.IntN(2)] + part() + ")"
	case k == 10:
		return "(" + part() + " if " + part() + " else " + part() + ")"
	case k == 11:
		return "[" + part() + "," + part() + ",0][" + drawExpression(rnd, depth-1) + "]"
	case k == 12:
		return "(not " + part() + ")"
	case k == 13:
		op, right := []string{"/", "-", "+", "%", " in "}[rnd.IntN(5)], []string{"[x]", "'%d'", "0.5", "(x, None)", "world.rank"}[rnd.IntN(5)]
		return "(" + part() + op + right + ")"
	case k == 0:
		return "-" + drawExpression(rnd, depth-1)
	case k == 1:
		return "(" + drawExpression(rnd, depth-1) + ")"
	default:
		op := []string{"+", "-", "*", "//", "%"}[rnd.IntN(5)]
		return "(" + drawExpression(rnd, depth-1) + op + drawExpression(rnd, depth-1) + ")"
	}
}

// An expression means what the interpreter says: the same value, or the same mistake.
func TestExpressionsAreTheInterpreters(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r := newRank(w.Process(0))
	r.Vars.Set("x", starlark.MakeInt(-5))
	known := func(name string) bool { return name == "rank" || name == "size" || name == "x" || name == "world" }
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
	for range 6000 {
		text := drawExpression(rnd, 4)
		e, err := CompileExprs("t", []Fragment{{text, 1, 1}}, known)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		value := func() string {
			v, err := r.Evaluator().Eval(r, e, locals, nil)
			return fmt.Sprint(v, err)
		}
		got := value()
		if e.compiled != nil {
			quick++
		}
		e.compiled = nil
		if want := value(); got != want {
			t.Errorf("%s is %s, and the interpreter says %s", text, got, want)
		}
	}
	if quick < 500 {
		t.Errorf("only %d of the expressions were computed without the interpreter", quick)
	}
}

// A million ranks must not start the interpreter for the arguments that people write.
func TestCompiledExpressions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"rank%2": true, "-rank": true, "(size-1-rank)//4*2+1": true, "rank": true, "3": true, "rank/4": true, "rank+1.5": true,
		"rank%2==0": true, "0 if rank<4 and not size>9 else UNDEFINED": true, "[rank+1]": true, "(rank,'a')[rank>0]": true,
		"world.rank": true, "here.core": true, "[0,-1,size][rank]": true,
		"max(rank,1)": false, "world.group": false, "[i for i in range(3)]": false, "{1:2}": false, "lambda: 1": false,
	} {
		e, err := CompileExprs("t", []Fragment{{text, 1, 1}}, func(string) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		if (e.compiled != nil) != want {
			t.Errorf("%s: %v", text, e.compiled != nil)
		}
	}
}

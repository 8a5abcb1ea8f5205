package program

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// A routine does what the interpreter does with a program that has the arguments in place of the parameters, whatever
// operators it has.
func TestRoutineIsItsText(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"arithmetic":  "{comm}.Split({comm}.rank % {comm}.size // 2 * {n} - 1 + {n}, -{comm}.rank)",
		"comparison":  "{comm}.Split(1 if {comm}.rank % {n} == 0 and not {comm}.rank > 3 else MPI.UNDEFINED)",
		"temporaries": "g = {comm}.group\nin_it = g.Get_rank() >= {n}\n{comm}.Create(g.Incl([0, {n}] if in_it else [1]))",
		"element":     "pair = {comm}.Idup()\npair[1].wait()\npair[0]",
		"wrong":       "{comm}.Split({n} / 2)",
		"constant":    "{comm}.Split_type(MPI.COMM_TYPE_SHARED, {n} * -1)",
	} {
		p, err := CompileRoutine(body, []string{"comm", "n"})
		if err != nil {
			t.Fatal(name, err)
		}
		args := strings.NewReplacer("{comm}", "world", "{n}", "2").Replace(body)
		lines := strings.Split(args, "\n")
		lines[len(lines)-1] = "result = " + lines[len(lines)-1]
		want := runAs(t, engine.Config{Size: 6, Trace: true}, func(c *Code) { c.steps = nil }, text(lines...))
		w, err := engine.New(engine.Config{Size: 6, Trace: true})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		var got [6]starlark.Value
		w.Submit(engine.AllRanks(6), func(p6 *engine.Process) error {
			r := newRank(p6)
			var err error
			got[p6.Rank()], err = p.Run(r, []starlark.Value{commWorld(r), starlark.MakeInt(2)})
			return err
		})
		st := w.Wait()
		if (st.Failure != nil) != (want.status.Failure != nil) {
			t.Fatalf("%s ends with %v, and as a program with %v", name, st.Failure, want.status.Failure)
		}
		for i := range got {
			var text string
			if v := want.ranks[i].Vars.Get("result"); v != nil {
				text = v.String()
			}
			if got[i] == nil && text != "" || got[i] != nil && got[i].String() != text {
				t.Errorf("%s: rank %d has %v, and as a program %s", name, i, got[i], text)
			}
		}
	}
}

// What needs the interpreter is not a routine, rather than one that means something else.
func TestNoRoutine(t *testing.T) {
	t.Parallel()
	var wrong []string
	for _, body := range []string{
		"for i in range(3): {comm}.Dup()", "{comm}.Split(color={n})", "{comm}.Split(*{n})", "[x for x in {n}]", "{comm}.Dup() if {n} else None",
		"{n} and {comm}.Dup()", "unknown", "unknown({n})", "MPI.Nothing()", "x += {n}", "a, b = {n}", "lambda: {n}", "{n}[1:]", "len({n})", "{n",
	} {
		if _, err := CompileRoutine(body, []string{"comm", "n"}); err == nil {
			wrong = append(wrong, body)
		}
	}
	if d := cmp.Diff([]string(nil), wrong); d != "" {
		t.Error(d)
	}
}

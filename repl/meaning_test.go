package repl

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// Every text that a verb can have is a routine: none needs the interpreter.
func TestVerbsAreRoutines(t *testing.T) {
	t.Parallel()
	for _, v := range Verbs {
		if len(v.statements) == 0 {
			continue
		}
		for set := range 1 << len(v.Params) {
			cmd := &command{verb: v, bound: make([]lang.Arg, len(v.Params))}
			for k, p := range v.Params {
				if cmd.bound[k].Text = p.Default; set>>k&1 != 0 {
					cmd.bound[k].Text = "given"
				}
			}
			for _, groupObject := range []bool{false, true} {
				lines := cmd.text(groupObject)
				if _, err := program.CompileRoutine(strings.Join(lines, "\n"), v.paramNames()); err != nil {
					t.Errorf("%s: %v", v.Name, err)
				}
			}
		}
	}
}

// In a program, rank and size are those of a communicator, and the rest is written out too; names
// that only look the same (attributes, keyword arguments, strings) stay. Braces in an argument are
// no parameters.
func TestWriteOut(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"rank%2":                       "half.rank%2",
		"size-rank":                    "half.size-half.rank",
		"numa":                         "here.numa",
		"0 if rank<4 else UNDEFINED":   "0 if half.rank<4 else MPI.UNDEFINED",
		"world.rank+rank":              "world.rank+half.rank",
		"rank if size else core":       "half.rank if half.size else here.core",
		"f(rank=rank)":                 "f(rank=half.rank)",
		"dict(size=1)":                 "dict(size=1)",
		`len("rank")`:                  `len("rank")`,
		"[rank,\n size, rank]":         "[half.rank,\n half.size, half.rank]",
		`"é" if rank else "日本" * rank`: `"é" if half.rank else "日本" * half.rank`,
	} {
		if got := writeOut(expr, "half", nil); got != want {
			t.Errorf("%q is written %q, want %q", expr, got, want)
		}
	}
	chunks, err := ParseLines("t", []string{`h = split world color=len("{key}") key=3`})
	if err != nil {
		t.Fatal(err)
	}
	cmd, err := bind(chunks[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := cmd.statements(nil), "h = world.Split(len(\"{key}\"), 3)\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

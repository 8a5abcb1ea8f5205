package program

import (
	"testing"

	"go.starlark.net/starlark"
)

// print writes values as Python does; expected texts are Python 3's own.
func TestShowLikePython(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		`"a"`:               "a",
		`["a", 'it\'s']`:    `['a', "it's"]`,
		`["q\"uote"]`:       `['q"uote']`,
		`("x",)`:            "('x',)",
		`(1, "y")`:          "(1, 'y')",
		`{"k": [1.5, 2.0]}`: "{'k': [1.5, 2.0]}",
		"1e6":               "1000000.0",
		"1e16":              "1e+16",
		"1e-5":              "1e-05",
		"0.0001":            "0.0001",
		"-0.5":              "-0.5",
		"None":              "None",
		"[True, None]":      "[True, None]",
		"[]":                "[]",
		"()":                "()",
		`["a\nb"]`:          `['a\nb']`,
	} {
		v, err := starlark.EvalOptions(options, &starlark.Thread{}, "t", expr, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := Text(v); got != want {
			t.Errorf("print(%s) writes %s, want %s", expr, got, want)
		}
	}
}

// So do str and repr, which Starlark itself writes otherwise; expected texts are Python 3's own.
func TestStrLikePython(t *testing.T) {
	t.Parallel()
	out := mustRun(t, 1, text(
		`print(str(["a", "it's"]) + " " + repr("b") + " " + str("c"))`,
		`print(str(("x",)) + str({"k": None}) + str(1e15) + str(123456789.125))`,
		`print(str(set([1, 2])) + str(set()), [set(["a"])])`))
	out.prints(t, []string{
		`0: ['a', "it's"] 'b' c`,
		"0: ('x',){'k': None}1000000000000000.0123456789.125",
		"0: {1, 2}set() [{'a'}]"})
}

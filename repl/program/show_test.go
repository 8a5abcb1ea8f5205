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

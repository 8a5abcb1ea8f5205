package program

import (
	"testing"

	"go.starlark.net/starlark"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/repl/python"
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
		v, err := starlark.EvalOptions(python.Options, &starlark.Thread{}, "t", expr, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := Text(v); got != want {
			t.Errorf("print(%s) writes %s, want %s", expr, got, want)
		}
	}
}

// str and repr write values as Python does, too, and not as Starlark does; expected texts are Python 3's own.
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

// drawValue draws a value that can be sent.
func drawValue(t *rapid.T, depth int) starlark.Value {
	kinds := 9
	if depth == 0 {
		kinds = 5
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return starlark.None
	case 1:
		return starlark.Bool(rapid.Bool().Draw(t, "bool"))
	case 2:
		return starlark.MakeInt64(rapid.Int64().Draw(t, "int"))
	case 3:
		return starlark.Float(rapid.Float64Range(-1e9, 1e9).Draw(t, "float"))
	case 4:
		return starlark.String(rapid.String().Draw(t, "string"))
	case 5:
		return starlark.Tuple(drawList(t, depth))
	case 6:
		d := starlark.NewDict(2)
		for i, v := range drawList(t, depth) {
			_ = d.SetKey(starlark.MakeInt(i), v)
		}
		return d
	case 7:
		s := starlark.NewSet(2)
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			_ = s.Insert(drawValue(t, 0))
		}
		return s
	}
	return starlark.NewList(drawList(t, depth))
}

func drawList(t *rapid.T, depth int) []starlark.Value {
	var list []starlark.Value
	for range rapid.IntRange(0, 3).Draw(t, "length") {
		list = append(list, drawValue(t, depth-1))
	}
	return list
}

// A received value equals the sent value. It cannot be changed on its way, and can be changed after it; the sender's
// value stays as it was.
func TestWireIsACopy(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := starlark.NewList([]starlark.Value{drawValue(t, 3)})
		before := v.String()
		p, err := pack(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.(*starlark.List).Append(starlark.None); err == nil {
			t.Fatal("the packed value can be changed")
		}
		got := unpack(p).(*starlark.List)
		if same, err := starlark.Equal(v, got); err != nil || !same {
			t.Fatalf("%s became %s (%v)", v, got, err)
		}
		if err := got.Append(starlark.None); err != nil {
			t.Fatal(err)
		}
		if err := v.Append(starlark.True); err != nil {
			t.Fatal(err)
		}
		if v.Len() != 2 || p.(starlark.Value).String() != before {
			t.Fatal("the copies share something")
		}
	})
}

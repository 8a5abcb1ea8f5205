package program

import (
	"testing"

	"go.starlark.net/starlark"
	"pgregory.net/rapid"
)

// drawValue makes a value that can travel.
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

// A value arrives equal to what was sent, cannot be changed on its way, and can be after it; the
// sender's own stays as it was.
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
		if v.Len() != 2 || p.String() != before {
			t.Fatal("the copies share something")
		}
	})
}

package hw

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawSet draws a set, and the same set as a plain map; indexes lie far apart,
// so that sets start and end in different words.
func drawSet(t *rapid.T, label string) (Set, map[int]bool) {
	var s Set
	model := map[int]bool{}
	index := rapid.OneOf(rapid.IntRange(0, 70), rapid.IntRange(600, 700))
	for _, i := range rapid.SliceOfN(index, 0, 12).Draw(t, label) {
		s.Add(i)
		model[i] = true
	}
	return s, model
}

// Every operation agrees with the same one on plain maps, whatever words the
// operands start and end in.
func TestSetAgainstMaps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, ma := drawSet(t, "a")
		b, mb := drawSet(t, "b")
		pick := func(keep func(i int) bool) []int {
			r := []int{}
			for i := range 800 {
				if keep(i) {
					r = append(r, i)
				}
			}
			return r
		}
		same := func(what string, got Set, want []int) {
			if !slices.Equal(got.Indexes(), want) {
				t.Fatalf("%s: %v, want %v", what, got.Indexes(), want)
			}
		}
		common := pick(func(i int) bool { return ma[i] && mb[i] })
		rest := pick(func(i int) bool { return ma[i] && !mb[i] })
		same("union", a.Union(b), pick(func(i int) bool { return ma[i] || mb[i] }))
		same("intersect", a.Intersect(b), common)
		same("minus", a.Minus(b), rest)
		same("operands stay", a, pick(func(i int) bool { return ma[i] }))
		if a.Intersects(b) != (len(common) > 0) || a.SubsetOf(b) != (len(rest) == 0) {
			t.Fatalf("intersects %v, subset %v", a.Intersects(b), a.SubsetOf(b))
		}
		if equal := a.Equal(b); equal != (a.String() == b.String()) {
			t.Fatalf("equal %v", equal)
		}
		if len(ma) > 0 && len(mb) == 0 && (CompareFirst(a, b) >= 0 || CompareFirst(b, a) <= 0) {
			t.Fatalf("%v does not come before the empty set", a)
		}
		back, err := ParseList(a.String())
		if err != nil || !back.Equal(a) {
			t.Fatalf("%q read back as %q, %v", a, back, err)
		}
		if all := a.Indexes(); len(all) > 0 && (a.First() != all[0] || a.Last() != all[len(all)-1]) {
			t.Fatalf("first %d, last %d of %v", a.First(), a.Last(), all)
		}
	})
}

// The kernel's list format, with strides; other text is refused.
func TestParseList(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"0", "0"}, {"0-3,8", "0-3,8"}, {" 3 , 1-2\n", "1-3"}, {"0-7:2/4", "0-1,4-5"},
		{"5,5,5", "5"},
	} {
		if s, err := ParseList(c.text); err != nil || s.String() != c.want {
			t.Errorf("ParseList(%q) = %q, %v; want %q", c.text, s, err, c.want)
		}
	}
	for _, text := range []string{"x", "3-1", "1,,2", "-1", "0-9:0/4", "0-9:3/2", "4194305", "1-"} {
		if s, err := ParseList(text); err == nil {
			t.Errorf("ParseList(%q) = %q, want an error", text, s)
		}
	}
}

// A set that was read prints as a list that reads back the same.
func FuzzParseList(f *testing.F) {
	f.Add("0-3,8")
	f.Add("0-31:2/4")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseList(text)
		if err != nil {
			return
		}
		if back, err := ParseList(s.String()); err != nil || !back.Equal(s) {
			t.Fatalf("%q became %q, %v", text, s, err)
		}
	})
}

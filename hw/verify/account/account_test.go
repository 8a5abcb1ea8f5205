package account

import (
	"testing"

	"commsplit/hw"
)

func things(sets ...hw.Set) []Thing {
	var list []Thing
	for _, s := range sets {
		list = append(list, Thing{OSIndex: hw.Unknown, CPUSet: s})
	}
	return list
}

// Two lists are the same whatever their order; numbers and sizes count where both tell them.
func TestSame(t *testing.T) {
	t.Parallel()
	a, b := hw.SetOf(0, 2), hw.SetOf(1, 3)
	tests := []struct {
		rule string
		x, y []Thing
		want bool
	}{
		{"order does not matter", things(a, b), things(b, a), true},
		{"a thing twice is not once", things(a, a), things(a), false},
		{"sets matter, not their number", things(a, b), things(hw.SetOf(0, 1), hw.SetOf(2, 3)), false},
		{"an empty list is no list", []Thing{}, nil, true},
		{"a size that one does not tell", []Thing{{0, a, 0}}, []Thing{{0, a, 1}}, true},
		{"sizes that both tell", []Thing{{0, a, 2}}, []Thing{{0, a, 1}}, false},
		{"numbers that both tell", []Thing{{0, a, 0}}, []Thing{{1, a, 0}}, false},
		{"a number that one does not tell", []Thing{{0, a, 0}}, []Thing{{-1, a, 0}}, true},
		{"empty sets with numbers", []Thing{{4, hw.Set{}, 0}, {5, hw.Set{}, 0}},
			[]Thing{{5, hw.Set{}, 0}, {4, hw.Set{}, 0}}, true},
	}
	for _, tt := range tests {
		if got := Same(tt.x, tt.y); got != tt.want {
			t.Errorf("%s: %v", tt.rule, got)
		}
	}
}

// The fewest limits explain, limits of other kinds are not tried, and what no combination
// predicts stays open.
func TestExplain(t *testing.T) {
	t.Parallel()
	pu, core := Of(hw.PU), Of(hw.Core)
	first := &Limit{Words: "first", Kinds: []Kind{pu}}
	second := &Limit{Words: "second", Kinds: []Kind{pu, core}}
	third := &Limit{Words: "third", Kinds: []Kind{pu}}
	m := Model{Limits: []*Limit{first, second, third}, Predict: func(_ Kind, on On) []Thing {
		n := 1
		for l, k := range map[*Limit]int{first: 1, second: 2, third: 3} {
			if on[l] {
				n += k
			}
		}
		return make([]Thing, n)
	}}
	tests := []struct {
		rule string
		kind Kind
		n    int
		want string
		ok   bool
	}{
		{"none is needed", pu, 1, "", true},
		{"one alone before two together", pu, 4, "third ", true},
		{"two together", pu, 5, "first third ", true},
		{"all", pu, 7, "first second third ", true},
		{"more than all give", pu, 8, "", false},
		{"a limit of another kind", core, 4, "", false},
		{"a limit of this kind", core, 3, "second ", true},
	}
	for _, tt := range tests {
		limits, ok := m.Explain(tt.kind, make([]Thing, tt.n))
		got := ""
		for _, l := range limits {
			got += l.Words + " "
		}
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s: %q %v, want %q %v", tt.rule, got, ok, tt.want, tt.ok)
		}
	}
}

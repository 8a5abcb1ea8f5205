package account

import (
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
)

func things(sets ...hw.Set) []Thing {
	var list []Thing
	for _, s := range sets {
		list = append(list, Thing{OSIndex: hw.Unknown, CPUSet: s})
	}
	return list
}

// Two lists are the same in any order; numbers and sizes count where both lists have them.
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
		{"an empty list is not a list", []Thing{}, nil, true},
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

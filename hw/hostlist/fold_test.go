package hostlist_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw/hostlist"
)

// Names that count up are folded, and unfolding gives the same names.
func TestFold(t *testing.T) {
	t.Parallel()
	for names, want := range map[string]string{
		"cn1 cn2 cn3 cn5":        "cn[1-3,5]",
		"cn08 cn09 cn10":         "cn[08-09],cn10", // whose numbers have no leading zero: cn[10] would do, too
		"cn001 cn002 cn0003":     "cn[001-002],cn0003",
		"a b":                    "a,b",
		"n1 m1 n2":               "n1,m1,n2",
		"cn3":                    "cn3",
		"r1n1 r1n2 r2n1":         "r1n[1-2],r2n1",
		"cn9 cn10 cn11":          "cn[9-11]",
		"x99999999999 x99999999": "x99999999999,x99999999",
		"5 6":                    "[5-6]",
	} {
		list := strings.Fields(names)
		got := hostlist.Fold(list)
		if got != want {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
		back, err := hostlist.Expand(got, 100)
		if diff := cmp.Diff(list, back); err != nil || diff != "" {
			t.Errorf("%s unfolded: %v\n%s", got, err, diff)
		}
	}
}

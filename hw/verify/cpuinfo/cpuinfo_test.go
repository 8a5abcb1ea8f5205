package cpuinfo

import (
	"fmt"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
)

func ids(list []Processor) string {
	var plain [][3]int
	for _, p := range list {
		plain = append(plain, [3]int{p.PU, p.Package, p.Core})
	}
	return strings.NewReplacer("[[", "[{", "]]", "}]", "] [", "} {").Replace(fmt.Sprint(plain))
}

// The forms in which kernels list processors: PU, package and core, -1 for a missing number.
func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct{ rule, text, want string }{
		{"x86", "processor\t: 0\nphysical id\t: 1\ncore id\t\t: 4\n\nprocessor\t: 1\n", "[{0 1 4} {1 -1 -1}]"},
		{"ia64 has a number of its own, too", "processor  : 1\ncpu number : 0\n", "[{1 -1 -1}]"},
		{"old s390", "vendor_id : IBM/S390\n# processors : 2\nprocessor 0: version = FF\nprocessor 1: version = FF\n",
			"[{0 -1 -1} {1 -1 -1}]"},
		{"new s390 lists each twice", "processor 0: version = 00\nprocessor 1: version = 00\n\ncpu number : 0\n" +
			"physical id : 1\ncore id : 0\n\ncpu number : 1\nphysical id : 1\ncore id : 1\n", "[{0 1 0} {1 1 1}]"},
		{"a tail without a processor", "processor : 0\n\nHardware : x\nSerial : y\n", "[{0 -1 -1}]"},
		{"nothing", "", "[]"},
	}
	for _, tt := range tests {
		list, err := Parse(tt.text)
		if got := ids(list); got != tt.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", tt.rule, got, err, tt.want)
		}
	}
	for _, text := range []string{"processor : x\n", "processor : 99999999\n", "processor x: y\n", "processor : 0\ncore id : -7\n"} {
		if list, err := Parse(text); err == nil {
			t.Errorf("%q is accepted: %v", text, list)
		}
	}
}

// For any /proc/cpuinfo, the result is an error or a list of PUs that sets can hold.
func FuzzParse(f *testing.F) {
	f.Add("processor\t: 0\nphysical id\t: 0\ncore id\t: 1\n\nprocessor : 1\n")
	f.Add("# processors : 2\nprocessor 0: version = FF, identification = 1\n")
	f.Add("processor : 0\ncpu number : 7\n\ncpu number : -1\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := Parse(text)
		for _, p := range list {
			if err != nil || p.PU < 0 || p.PU > hw.MaxIndex {
				t.Errorf("%+v, error %v", p, err)
			}
		}
	})
}

package verify

import (
	"fmt"
	"testing"
)

// The kernels' ways to list processors: PU, package and core, -1 for what is not told.
func TestParseCPUInfo(t *testing.T) {
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
		list, err := parseCPUInfo(tt.text)
		if got := fmt.Sprint(list); got != tt.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", tt.rule, got, err, tt.want)
		}
	}
	for _, text := range []string{"processor : x\n", "processor : 99999999\n", "processor x: y\n", "processor : 0\ncore id : -7\n"} {
		if list, err := parseCPUInfo(text); err == nil {
			t.Errorf("%q is accepted: %v", text, list)
		}
	}
}

package verify

import (
	"fmt"
	"strings"
	"testing"

	"commsplit/hw"
	"commsplit/hw/verify/account"
)

func ids(list []processor) string {
	var plain [][3]int
	for _, p := range list {
		plain = append(plain, [3]int{p.pu, p.packageID, p.coreID})
	}
	return strings.NewReplacer("[[", "[{", "]]", "}]", "] [", "} {").Replace(fmt.Sprint(plain))
}

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
		if got := ids(list); got != tt.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", tt.rule, got, err, tt.want)
		}
	}
	for _, text := range []string{"processor : x\n", "processor : 99999999\n", "processor x: y\n", "processor : 0\ncore id : -7\n"} {
		if list, err := parseCPUInfo(text); err == nil {
			t.Errorf("%q is accepted: %v", text, list)
		}
	}
}

// Where ids repeat in a package, the kernel's own numbers in the same file count: two packages of four PUs and
// two cores each, whose core ids are 0 in both NUMA nodes of a package.
func TestCountCPUInfo(t *testing.T) {
	t.Parallel()
	var list []processor
	for pu := range 8 {
		list = append(list, processor{pu, pu / 4, 0, 4, 2})
	}
	packages, cores := account.Of(hw.Package), account.Of(hw.Core)
	if n := count(list); n[packages] != 2 || n[cores] != 4 {
		t.Errorf("%v", n)
	}
	list[0].cores = -1
	if n := count(list); n[packages] != 2 || len(n) != 1 {
		t.Errorf("without the cores of one: %v", n)
	}
	list[0].cores = 2
	if n := count(list[1:]); len(n) != 0 {
		t.Errorf("one PU is missing: %v", n)
	}
}

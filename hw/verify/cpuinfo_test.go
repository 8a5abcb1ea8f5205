package verify

import (
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
	"codeberg.org/commsplit/commsplit/hw/verify/cpuinfo"
)

// Where ids repeat in a package, the kernel's counts in the same file decide: two packages of four PUs and two
// cores each, whose core ids are 0 in both NUMA nodes of a package.
func TestCountCPUInfo(t *testing.T) {
	t.Parallel()
	var list []cpuinfo.Processor
	for pu := range 8 {
		list = append(list, cpuinfo.Processor{PU: pu, Package: pu / 4, Core: 0, Siblings: 4, Cores: 2})
	}
	packages, cores := account.Of(hw.Package), account.Of(hw.Core)
	if n := count(list); n[packages] != 2 || n[cores] != 4 {
		t.Errorf("%v", n)
	}
	list[0].Cores = -1
	if n := count(list); n[packages] != 2 || len(n) != 1 {
		t.Errorf("without the cores of one: %v", n)
	}
	list[0].Cores = 2
	if n := count(list[1:]); len(n) != 0 {
		t.Errorf("one PU is missing: %v", n)
	}
}

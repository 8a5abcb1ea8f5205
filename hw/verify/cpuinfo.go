package verify

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
	"codeberg.org/commsplit/commsplit/hw/verify/cpuinfo"
)

// askCPUInfo reads /proc/cpuinfo. Its ids repeat on some machines, in dies or NUMA nodes of a package: where
// the ids give another number of packages and cores than the counts in the same file, the testimony has only
// those counts.
func askCPUInfo(_ context.Context, m *machine) testimony {
	t := testimony{name: "cpuinfo", limits: m.limitsOf("cpuinfo"), state: m.cannot()}
	text, lost := m.text("proc/cpuinfo")
	list, err := cpuinfo.Parse(text)
	switch {
	case lost:
		t.why = "there is no /proc/cpuinfo"
	case m.mountedOver("/proc/cpuinfo"):
		t.why = "another file is mounted over /proc/cpuinfo, as lxcfs does"
	case err != nil:
		t.state, t.err = "", err
	case len(list) == 0:
		t.why = "/proc/cpuinfo lists no processors"
	default:
		t.state = ""
	}
	if t.why != "" || t.err != nil {
		return t
	}
	// A kernel lists the PUs that are online. In a copy that was made in a hurry, or tampered with, some PUs
	// were switched off between two files.
	var off hw.Set
	for _, p := range list {
		if m.ours.Offline.Has(p.PU) {
			off.Add(p.PU)
		}
	}
	if !m.live && !off.Empty() {
		list = slices.DeleteFunc(list, func(p cpuinfo.Processor) bool { return off.Has(p.PU) })
		t.notes = []string{fmt.Sprintf("cpuinfo also lists %s, which are offline in sysfs: left out", pus(off))}
	}
	t.said = byID(list)
	for k, n := range count(list) {
		if len(t.said[k]) != n && off.Empty() { // otherwise the kernel's count includes PUs that are off
			delete(t.said, k)
			if t.counts == nil {
				t.counts = map[account.Kind]int{}
			}
			t.counts[k] = n
		}
	}
	return t
}

// count returns how many packages and cores the kernel counts, from the number of siblings that each PU has in
// its package. It omits a count that the file does not have for all PUs, or that is not a whole number because the
// file is incomplete.
func count(list []cpuinfo.Processor) map[account.Kind]int {
	packages, cores := 0.0, 0.0
	for _, p := range list {
		if p.Siblings <= 0 {
			return nil
		}
		packages += 1 / float64(p.Siblings)
		cores += float64(p.Cores) / float64(p.Siblings)
		if p.Cores <= 0 {
			cores = math.NaN()
		}
	}
	counted := map[account.Kind]int{}
	for k, n := range map[account.Kind]float64{account.Of(hw.Package): packages, account.Of(hw.Core): cores} {
		if math.Abs(n-math.Round(n)) < 0.01 {
			counted[k] = int(math.Round(n))
		}
	}
	return counted
}

// byID makes a package of PUs with the same id, and a core of PUs with the same pair of ids. The account has no
// packages or cores where no entry has an id.
func byID(list []cpuinfo.Processor) account.Account {
	a := account.Account{}
	packages, cores := map[int]hw.Set{}, map[[2]int]hw.Set{}
	for _, p := range list {
		a.Add(account.Of(hw.PU), account.Thing{OSIndex: p.PU, CPUSet: hw.SetOf(p.PU)})
		if p.Package >= 0 {
			packages[p.Package] = packages[p.Package].Union(hw.SetOf(p.PU))
		}
		if id := [2]int{p.Package, p.Core}; p.Package >= 0 && p.Core >= 0 {
			cores[id] = cores[id].Union(hw.SetOf(p.PU))
		}
	}
	for set := range maps.Values(packages) {
		a.Add(account.Of(hw.Package), account.Thing{OSIndex: hw.Unknown, CPUSet: set})
	}
	for set := range maps.Values(cores) {
		a.Add(account.Of(hw.Core), account.Thing{OSIndex: hw.Unknown, CPUSet: set})
	}
	return a
}

// mountedOver reports whether a container has something else mounted in place of a file.
func (m *machine) mountedOver(path string) bool {
	text, _ := m.text("proc/mounts")
	return sysfs.MountedOver(text, path)
}

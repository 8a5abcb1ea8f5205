package verify

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// processor is an entry of /proc/cpuinfo; -1 stands for what it does not tell.
type processor struct {
	pu, packageID, coreID int
	siblings, cores       int // PUs and cores of its package
}

// askCPUInfo reads /proc/cpuinfo, whose ids repeat on some machines, in dies or NUMA nodes of a package: where
// they make other numbers of packages and cores than the kernel counts in the same file, only the
// numbers are taken.
func askCPUInfo(_ context.Context, m *machine) testimony {
	t := testimony{name: "cpuinfo", limits: m.limitsOf("cpuinfo"), state: m.cannot()}
	text, lost := m.text("proc/cpuinfo")
	list, err := parseCPUInfo(text)
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
	// A kernel lists the PUs that are online. In a copy that was made in a hurry, or tampered with,
	// some were switched off between two files.
	var off hw.Set
	for _, p := range list {
		if m.ours.Offline.Has(p.pu) {
			off.Add(p.pu)
		}
	}
	if !m.live && !off.Empty() {
		list = slices.DeleteFunc(list, func(p processor) bool { return off.Has(p.pu) })
		t.notes = []string{fmt.Sprintf("cpuinfo lists %s, too, which sysfs has offline: left out", pus(off))}
	}
	t.said = byID(list)
	for k, n := range count(list) {
		if len(t.said[k]) != n && off.Empty() { // else the kernel counted those, too
			delete(t.said, k)
			if t.counts == nil {
				t.counts = map[account.Kind]int{}
			}
			t.counts[k] = n
		}
	}
	return t
}

// count is how many packages and cores the kernel counts; of those nothing that it does not tell of all PUs, or
// that comes out as no whole number, because the file is not whole: each PU is one of its package's siblings.
func count(list []processor) map[account.Kind]int {
	packages, cores := 0.0, 0.0
	for _, p := range list {
		if p.siblings <= 0 {
			return nil
		}
		packages += 1 / float64(p.siblings)
		cores += float64(p.cores) / float64(p.siblings)
		if p.cores <= 0 {
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

// parseCPUInfo reads blocks of "name : value" with a "processor : N" or "cpu number : N", which
// blank lines part. The lines "processor N: ..." of s390 kernels count where there are no such blocks:
// newer kernels have both.
func parseCPUInfo(text string) ([]processor, error) {
	var list, summary []processor
	for block := range strings.SplitSeq(text, "\n\n") {
		p := processor{-1, -1, -1, -1, -1}
		fields := map[string]*int{"cpu number": &p.pu, "processor": &p.pu, "physical id": &p.packageID, "core id": &p.coreID,
			"siblings": &p.siblings, "cpu cores": &p.cores}
		for line := range strings.Lines(block) {
			name, value, _ := strings.Cut(line, ":")
			name, value = strings.TrimSpace(name), strings.TrimSpace(value)
			if n, ok := strings.CutPrefix(name, "processor "); ok { // of a block that lists all
				pu, err := number(n)
				if err != nil {
					return nil, err
				}
				summary = append(summary, processor{pu, -1, -1, -1, -1})
				continue
			}
			field, ok := fields[name]
			if !ok || name == "cpu number" && p.pu >= 0 { // ia64 has both, and "processor" is Linux's
				continue
			}
			n, err := number(value)
			if err != nil {
				return nil, err
			}
			*field = n
		}
		if p.pu >= 0 {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		list = summary
	}
	return list, nil
}

func number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < -1 || n > hw.MaxIndex {
		return 0, fmt.Errorf("/proc/cpuinfo: %q is no number of a PU, core or package", text)
	}
	return n, nil
}

// byID makes packages of equal ids, and cores of equal pairs of ids. Where no entry has an id
// nothing is said.
func byID(list []processor) account.Account {
	a := account.Account{}
	packages, cores := map[int]hw.Set{}, map[[2]int]hw.Set{}
	for _, p := range list {
		a.Add(account.Of(hw.PU), account.Thing{OSIndex: p.pu, CPUSet: hw.SetOf(p.pu)})
		if p.packageID >= 0 {
			packages[p.packageID] = packages[p.packageID].Union(hw.SetOf(p.pu))
		}
		if id := [2]int{p.packageID, p.coreID}; p.packageID >= 0 && p.coreID >= 0 {
			cores[id] = cores[id].Union(hw.SetOf(p.pu))
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

// mountedOver reports whether a container shows something else in place of a file.
func (m *machine) mountedOver(path string) bool {
	text, _ := m.text("proc/mounts")
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[1] == path {
			return true
		}
	}
	return false
}

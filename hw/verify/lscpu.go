package verify

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"commsplit/hw"
	"commsplit/hw/sysfs"
	"commsplit/hw/verify/account"
)

// text reads a small file; lost is true when it cannot.
func (m *machine) text(path string) (text string, lost bool) {
	data, err := fs.ReadFile(m.files, path)
	return strings.TrimSpace(strings.TrimRight(string(data), "\x00\n")), err != nil
}

// mask reads the first of some files that holds a mask; empty when none does.
func (m *machine) mask(paths ...string) hw.Set {
	for _, path := range paths {
		if text, lost := m.text(path); !lost {
			s, _ := sysfs.ParseMask(text) // our reader has said what is wrong with it
			return s
		}
	}
	return hw.Set{}
}

// nodeMasks are the PUs of the NUMA nodes by their own masks, of all node folders.
func (m *machine) nodeMasks() map[int]hw.Set {
	masks := map[int]hw.Set{}
	entries, _ := fs.ReadDir(m.files, "sys/devices/system/node")
	for _, e := range entries {
		var n int
		if _, err := fmt.Sscanf(e.Name(), "node%d", &n); err == nil && e.Name() == fmt.Sprintf("node%d", n) {
			masks[n] = m.mask("sys/devices/system/node/" + e.Name() + "/cpumap")
		}
	}
	return masks
}

// lscpuModel predicts lscpu, which lists the PUs that are online with what they belong to.
func (m *machine) lscpuModel() account.Model {
	node, core := account.Of(hw.NUMANode), account.Of(hw.Core)
	firstNode := &account.Limit{Words: "tells for each PU the first NUMA node that claims it, so that " +
		"nodes without PUs are missing", Kinds: []account.Kind{node}}
	siblings := &account.Limit{Words: "takes thread_siblings for a core, also those of an AMD compute unit",
		Kinds: []account.Kind{core}}
	var limits []*account.Limit
	if m.oddNodes() {
		limits = append(limits, firstNode)
	}
	if m.units() {
		limits = append(limits, siblings)
	}
	return account.Model{Limits: limits,
		Predict: func(k account.Kind, on account.On) []account.Thing {
			switch {
			case on[firstNode]:
				return m.claimed()
			case on[siblings]:
				return m.siblings()
			}
			return m.full[k]
		}}
}

// oddNodes reports whether nodes have no PUs, or PUs of others.
func (m *machine) oddNodes() bool {
	var seen hw.Set
	for _, s := range m.nodeMasks() {
		if s.Empty() || s.Intersects(seen) {
			return true
		}
		seen.Merge(s)
	}
	return false
}

// units reports whether PUs with one mask of threads have different core_id: AMD compute units.
func (m *machine) units() bool {
	ids := map[string]string{}
	for _, pu := range m.ours.Online.Indexes() {
		folder := fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/", pu)
		mask := m.mask(folder+"core_cpus", folder+"thread_siblings").String()
		id, _ := m.text(folder + "core_id")
		if before, ok := ids[mask]; ok && before != id {
			return true
		}
		ids[mask] = id
	}
	return false
}

// claimed are the NUMA nodes as the PUs have them: each PU belongs to the first node whose mask holds it.
func (m *machine) claimed() []account.Thing {
	masks := m.nodeMasks()
	var list []account.Thing
	rest := m.ours.Online
	var numbers hw.Set
	for n := range masks {
		numbers.Add(n)
	}
	for _, n := range numbers.Indexes() {
		if mine := masks[n].Intersect(rest); !mine.Empty() {
			list = append(list, account.Thing{OSIndex: n, CPUSet: mine})
			rest = rest.Minus(mine)
		}
	}
	return list
}

// siblings are the cores that the masks of threads make.
func (m *machine) siblings() []account.Thing {
	var list []account.Thing
	for _, pu := range m.ours.Online.Indexes() {
		folder := fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/", pu)
		core := account.Thing{OSIndex: hw.Unknown,
			CPUSet: m.mask(folder+"core_cpus", folder+"thread_siblings").Intersect(m.ours.Online)}
		known := func(t account.Thing) bool { return t.CPUSet.Equal(core.CPUSet) }
		if !core.CPUSet.Empty() && !slices.ContainsFunc(list, known) {
			list = append(list, core)
		}
	}
	return list
}

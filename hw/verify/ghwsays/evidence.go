package ghwsays

import (
	"fmt"

	"commsplit/hw"
	"commsplit/hw/sysfs"
	"commsplit/hw/verify/account"
)

// A limit counts only where the machine's files show what triggers it, whatever our reader made
// of them: else a mistake of our own would pass for a defect of ghw. The functions here
// look for that.

// triggered keeps the limits with evidence.
func triggered(evidence map[*account.Limit]bool, inOrder ...*account.Limit) []*account.Limit {
	var list []*account.Limit
	for _, l := range inOrder {
		if evidence[l] {
			list = append(list, l)
		}
	}
	return list
}

// online are the PUs that the kernel lists, or else those that our reader found.
func (m Machine) online() hw.Set {
	if text, ok := m.text(cpuFolder + "/online"); ok {
		if s, err := hw.ParseList(clean(text)); err == nil {
			return s
		}
	}
	return m.Online
}

// mask is the text of the first of some files that is there.
func (m Machine) mask(folder string, names ...string) string {
	for _, n := range names {
		if text, ok := m.text(folder + n); ok {
			return text
		}
	}
	return ""
}

// ambiguous reports whether PUs with one id have different masks, or some have none at all, so that
// only the id, missing or not, makes ghw's object.
func (m Machine) ambiguous(id func(topology string) string, masks ...string) bool {
	seen := map[string]string{}
	for _, pu := range m.online().Indexes() {
		folder := cpuPath(pu) + "/topology/"
		key, mask := id(folder), m.mask(folder, masks...)
		if before, ok := seen[key]; mask == "" || ok && before != mask {
			return true
		}
		seen[key] = mask
	}
	return false
}

func (m Machine) packageID(topology string) string {
	return fmt.Sprint(m.id(topology + "physical_package_id"))
}

func (m Machine) coreID(topology string) string { return fmt.Sprint(m.id(topology + "core_id")) }

func (m Machine) ambiguousPackages() bool {
	return m.ambiguous(m.packageID, "package_cpus", "core_siblings", "package_cpus_list", "core_siblings_list")
}

// ambiguousCores looks in each package, or for what merges more, in the whole machine.
func (m Machine) ambiguousCores(anywhere bool) bool {
	return m.ambiguous(func(folder string) string {
		if anywhere {
			return m.coreID(folder)
		}
		return m.packageID(folder) + " " + m.coreID(folder)
	}, "core_cpus", "thread_siblings", "core_cpus_list", "thread_siblings_list")
}

// misread reports whether a PU's own file says something else than the list of those online.
func (m Machine) misread() bool {
	online := m.online()
	for _, pu := range m.numbered(cpuFolder, "cpu") {
		if online.Has(pu) != m.on(cpuPath(pu)) {
			return true
		}
	}
	return false
}

// nodeMasks are the PUs of the node folders by their masks.
func (m Machine) nodeMasks() map[int]hw.Set {
	masks := map[int]hw.Set{}
	for _, n := range m.numbered(nodeFolder, "node") {
		text, _ := m.text(nodePath(n) + "/cpumap")
		masks[n], _ = sysfs.ParseMask(clean(text))
	}
	return masks
}

// oddFolders reports whether node folders are not the NUMA nodes: there are none, some are not
// online or a GPU's memory, or some claim the PUs of others.
func (m Machine) oddFolders() bool {
	masks := m.nodeMasks()
	online, known := m.text(nodeFolder + "/online")
	list, err := hw.ParseList(clean(online))
	var seen hw.Set
	for n, s := range masks {
		if known && err == nil && !list.Has(n) || s.Intersects(seen) {
			return true
		}
		seen.Merge(s)
	}
	return len(masks) == 0 || len(m.names("proc/driver/nvidia/gpus")) > 0
}

// oddEntries reports whether a node's folder has other cpuN than its mask says, or the mask is
// empty, so that only locality tells its PUs.
func (m Machine) oddEntries() bool {
	for n, s := range m.nodeMasks() {
		entries := hw.SetOf(m.numbered(nodePath(n), "cpu")...)
		if s.Empty() || !entries.Intersect(m.online()).Equal(s.Intersect(m.online())) {
			return true
		}
	}
	return false
}

// stray reports whether a PU that is online is in no node's folder.
func (m Machine) stray() bool {
	rest := m.online()
	for _, n := range m.numbered(nodeFolder, "node") {
		rest = rest.Minus(hw.SetOf(m.numbered(nodePath(n), "cpu")...))
	}
	return !rest.Empty()
}

// cacheEvidence looks at all caches for what triggers a limit.
type cacheEvidence struct{ spans, sameID, sizes, offline bool }

func (m Machine) cacheEvidence() (e cacheEvidence) {
	masks, online := m.nodeMasks(), m.online()
	maps := map[string]string{}
	for _, pu := range m.numbered(cpuFolder, "cpu") {
		folder := cpuPath(pu) + "/cache"
		for _, index := range m.numbered(folder, "index") {
			file := fmt.Sprintf("%s/index%d/", folder, index)
			e.offline = e.offline || !online.Has(pu)
			level := m.id(file + "level")
			size := m.cacheSize(file + "size")
			e.sizes = e.sizes || size != m.cacheSize(fmt.Sprintf("%s/index%d/size", folder, level))
			text, _ := m.text(file + "shared_cpu_map")
			key := fmt.Sprintf("%d %d %s", level, m.cacheType(file), m.cacheID(file))
			before, ok := maps[key]
			e.sameID = e.sameID || ok && before != text
			maps[key] = text
			if !ok {
				e.spans = e.spans || spans(clean(text), masks)
			}
		}
	}
	return e
}

// spans reports whether a mask has PUs of two nodes.
func spans(mask string, nodes map[int]hw.Set) bool {
	set, err := sysfs.ParseMask(mask)
	if err != nil {
		return false
	}
	n := 0
	for _, s := range nodes {
		if s.Intersects(set) {
			n++
		}
	}
	return n > 1
}

package rules

import (
	"fmt"
	"maps"
	"slices"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

func (c cache) file(name string) string { return c.folder + "/" + name }

// sharers returns the file with the PUs that share a cache.
func (c cache) sharers() Said { return set(c.file("shared_cpu_map"), c.shared) }

func checkKinds(m *machine) (list []Breach) {
	for _, pu := range m.pus {
		first := map[string]cache{}
		for _, c := range m.caches[pu] {
			known := slices.Contains([]string{"Data", "Instruction", "Unified"}, c.typ)
			if before, twice := first[c.kind()]; twice {
				list = append(list, at(pu, Said{c.folder, c.kind()}, Said{before.folder, before.kind()}))
			} else if !known || c.level < 1 || c.level > 5 {
				list = append(list, at(pu, m.value(c.file("level")), m.value(c.file("type"))))
			}
			first[c.kind()] = c
		}
	}
	return list
}

// sortCaches sorts the caches of the machine by kind.
func (m *machine) sortCaches() {
	m.of = map[string]map[int]cache{}
	for _, pu := range m.pus {
		for _, c := range m.caches[pu] {
			if m.of[c.kind()] == nil {
				m.of[c.kind()] = map[int]cache{}
			}
			if !c.shared.Empty() {
				m.of[c.kind()][pu] = c
			}
		}
	}
	m.kinds = slices.Sorted(maps.Keys(m.of))
}

func checkSharing(m *machine) (list []Breach) {
	for _, kind := range m.kinds {
		of := map[int]hw.Set{}
		for pu, c := range m.of[kind] {
			of[pu] = c.shared
		}
		for _, c := range contradictions(of) {
			b := at(c.pu, m.of[kind][c.pu].sharers())
			if c.other != c.pu {
				b.Said = append(b.Said, m.of[kind][c.other].sharers())
			}
			list = append(list, b)
		}
		var without hw.Set // PUs that share a cache by the files of others, and have no cache of the kind
		for _, pu := range m.pus {
			for _, lacks := range of[pu].Minus(without).Indexes() {
				if _, has := of[lacks]; !has {
					without.Add(lacks)
					list = append(list, at(lacks, Said{cpuFile(lacks, "cache") + " (" + kind + ")", ""},
						m.of[kind][pu].sharers()))
				}
			}
		}
	}
	return list
}

// checkSame reports PUs whose files describe the same cache differently: its size, id, ways, sets or line.
func checkSame(m *machine) (list []Breach) {
	for _, kind := range m.kinds {
		first := map[string]cache{}
		for _, pu := range m.pus {
			c, ok := m.of[kind][pu]
			if !ok {
				continue
			}
			before, seen := first[c.shared.String()]
			if !seen {
				first[c.shared.String()] = c
				continue
			}
			for _, name := range []string{"size", "id", "ways_of_associativity", "number_of_sets", "coherency_line_size"} {
				if m.text(c.file(name)) != m.text(before.file(name)) {
					list = append(list, at(pu, m.value(c.file(name)), m.value(before.file(name))))
				}
			}
		}
	}
	return list
}

// checkCacheIDs reports caches of a kind that have the same id and no PU in common. It looks only at caches
// with known sharers.
func checkCacheIDs(m *machine) (list []Breach) {
	for _, kind := range m.kinds {
		first := map[string]cache{}
		for _, pu := range m.pus {
			c, ok := m.of[kind][pu]
			id := m.text(c.file("id"))
			if !ok || id == "" {
				continue
			}
			before, seen := first[id]
			if !seen {
				first[id] = c
			} else if !before.shared.Intersects(c.shared) {
				list = append(list, at(pu, m.value(c.file("id")), c.sharers(), m.value(before.file("id")), before.sharers()))
			}
		}
	}
	return list
}

// checkLevels reports cores that lack a cache level that others have: a level below a level of their own, or a
// level of cores that are alike in everything else. Low-power cores without the outer cache also have other
// inner caches.
func checkLevels(m *machine) (list []Breach) {
	for _, kind := range m.kinds {
		has := map[string]cache{} // by what else is known of a PU: the first that has one
		var one cache
		for _, pu := range m.pus {
			if c, ok := m.of[kind][pu]; ok {
				if one = c; has[m.likeness(pu, kind)].folder == "" {
					has[m.likeness(pu, kind)] = c
				}
			}
		}
		for _, pu := range m.pus {
			if len(m.caches[pu]) == 0 || slices.ContainsFunc(m.caches[pu], func(c cache) bool { return c.kind() == kind }) {
				continue
			}
			other, alike := has[m.likeness(pu, kind)]
			i := slices.IndexFunc(m.caches[pu], func(c cache) bool { return c.level > one.level })
			lacks := Said{cpuFile(pu, "cache") + " (" + kind + ")", ""}
			if i >= 0 && one.typ != "Instruction" {
				list = append(list, at(pu, lacks, m.value(m.caches[pu][i].file("level"))))
			} else if alike {
				list = append(list, at(pu, lacks, other.sharers()))
			}
		}
	}
	return list
}

// likeness describes everything known of the core of a PU, except one kind of cache: two cores with the same
// text are alike.
func (m *machine) likeness(pu int, but string) string {
	_, core, _ := m.core(pu)
	_, pack, _ := m.pack(pu)
	text := fmt.Sprint(core.Len(), pack, m.text(cpuFile(pu, "cpu_capacity")), m.text(cpuFile(pu, "cpufreq/cpuinfo_max_freq")))
	for _, c := range m.caches[pu] {
		if c.kind() != but {
			text += fmt.Sprint(" ", c.kind(), c.shared.Len(), m.text(c.file("size")))
		}
	}
	return text
}

// size returns the size of a cache in KiB; 0 when it is not known.
func (m *machine) size(c cache) int {
	bytes, _ := sysfs.ParseSize(m.text(c.file("size"))) // 0 is what no size means
	return int(bytes >> 10)
}

// maxSize is far above any cache, in KiB: 4 GiB.
const maxSize = 4 << 20

// checkSizes reports caches with an impossible size or line size, and outer caches that are smaller than an
// inner cache. A cache without a size passes: many a board's device tree has none.
func checkSizes(m *machine) (list []Breach) {
	for _, pu := range m.pus {
		for i, c := range m.caches[pu] {
			size := m.size(c)
			if told := m.text(c.file("size")) != ""; told && (size <= 0 || size > maxSize) {
				list = append(list, at(pu, m.value(c.file("size"))))
			}
			if line, told := m.number(c.file("coherency_line_size")); told && (line < 8 || line&(line-1) != 0) {
				list = append(list, at(pu, m.value(c.file("coherency_line_size"))))
			}
			for _, outer := range m.caches[pu][i+1:] {
				if n := m.size(outer); outer.level > c.level && n > 0 && n < size {
					list = append(list, at(pu, m.value(outer.file("size")), m.value(c.file("size"))))
				}
			}
		}
	}
	return list
}

func checkCovering(m *machine) (list []Breach) {
	for _, pu := range m.pus {
		for _, inner := range m.caches[pu] {
			for _, outer := range m.caches[pu] {
				if inner.level < outer.level && outer.typ != "Instruction" && !outer.shared.Empty() &&
					!inner.shared.SubsetOf(outer.shared) {
					list = append(list, at(pu, outer.sharers(), inner.sharers()))
				}
			}
		}
	}
	return list
}

func checkL1(m *machine) []Breach {
	return m.eachCache(m.core, func(c cache, core hw.Set) bool { return c.level != 1 || c.shared.SubsetOf(core) })
}

func checkCacheCore(m *machine) []Breach {
	return m.eachCache(m.core, func(c cache, core hw.Set) bool { return c.level == 1 || nest(c.shared, core) })
}

// checkCachePackage reports caches that reach beyond a package. On architectures other than x86 a cache may
// hold whole packages: kernels took clusters for packages where a device tree does not name sockets, and each
// processor of a virtual machine for a package.
func checkCachePackage(m *machine) []Breach {
	other := m.other()
	return m.eachCache(m.pack, func(c cache, pack hw.Set) bool {
		return c.shared.SubsetOf(pack) || other && pack.SubsetOf(c.shared)
	})
}

// eachCache compares each cache of each PU with a mask of the PU, and reports the caches for which right is
// false.
func (m *machine) eachCache(mask func(int) (Said, hw.Set, bool), right func(cache, hw.Set) bool) (list []Breach) {
	for _, pu := range m.pus {
		said, s, ok := mask(pu)
		for _, c := range m.caches[pu] {
			if ok && !right(c, s) {
				list = append(list, at(pu, c.sharers(), said))
			}
		}
	}
	return list
}

// nest reports whether one set contains the other, or they have no PU in common.
func nest(a, b hw.Set) bool { return a.SubsetOf(b) || b.SubsetOf(a) || !a.Intersects(b) }

package rules

import (
	"fmt"
	"maps"
	"slices"

	"commsplit/hw"
)

func (c cache) file(name string) string { return c.folder + "/" + name }

// sharers is the file that tells who shares a cache.
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

// byKind are the caches of the machine that tell who shares them.
func (m *machine) byKind() map[string]map[int]cache {
	kinds := map[string]map[int]cache{}
	for _, pu := range m.pus {
		for _, c := range m.caches[pu] {
			if kinds[c.kind()] == nil {
				kinds[c.kind()] = map[int]cache{}
			}
			if !c.shared.Empty() {
				kinds[c.kind()][pu] = c
			}
		}
	}
	return kinds
}

func checkSharing(m *machine) (list []Breach) {
	kinds := m.byKind()
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		of := map[int]hw.Set{}
		for pu, c := range kinds[kind] {
			of[pu] = c.shared
		}
		for _, c := range contradictions(of) {
			b := at(c.pu, kinds[kind][c.pu].sharers())
			if c.other != c.pu {
				b.Said = append(b.Said, kinds[kind][c.other].sharers())
			}
			list = append(list, b)
		}
		var without hw.Set // PUs that others say share a cache, and that have none of the kind
		for _, pu := range m.pus {
			for _, lacks := range of[pu].Minus(without).Indexes() {
				if _, has := of[lacks]; !has {
					without.Add(lacks)
					list = append(list, at(lacks, Said{cpuFile(lacks, "cache") + " (" + kind + ")", ""},
						kinds[kind][pu].sharers()))
				}
			}
		}
	}
	return list
}

// checkSame is about files that describe a cache as such.
func checkSame(m *machine) (list []Breach) {
	kinds := m.byKind()
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		first := map[string]cache{}
		for _, pu := range m.pus {
			c, ok := kinds[kind][pu]
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

// size is that of a cache in KiB; 0 when it is not told.
func (m *machine) size(c cache) (kB int) {
	_, _ = fmt.Sscanf(m.text(c.file("size")), "%dK", &kB) // 0 is what no number means
	return kB
}

// maxSize is far above any cache, in KiB: 4 GiB.
const maxSize = 4 << 20

func checkSizes(m *machine) (list []Breach) {
	for _, pu := range m.pus {
		for i, c := range m.caches[pu] {
			size := m.size(c)
			if size <= 0 || size > maxSize {
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

func checkCachePackage(m *machine) []Breach {
	return m.eachCache(m.pack, func(c cache, pack hw.Set) bool { return c.shared.SubsetOf(pack) })
}

// eachCache holds each cache of each PU against a mask of the PU.
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

// nest reports whether one set holds the other, or they have nothing in common.
func nest(a, b hw.Set) bool { return a.SubsetOf(b) || b.SubsetOf(a) || !a.Intersects(b) }

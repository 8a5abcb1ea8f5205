package rules

import (
	"cmp"
	"maps"
	"slices"

	"commsplit/hw"
)

// levels are the masks that tell where a PU sits, from the inside out, with the id of each. Kernel 5.2
// renamed two. A core has no id that counts.
var levels = []struct{ mask, old, id string }{
	{"core_cpus", "thread_siblings", ""},
	{"cluster_cpus", "", "cluster_id"},
	{"die_cpus", "", "die_id"},
	{"package_cpus", "core_siblings", "physical_package_id"},
	{"book_siblings", "", "book_id"},
	{"drawer_siblings", "", "drawer_id"},
}

// maskFiles are all names of masks.
func maskFiles() (names []string) {
	for _, l := range levels {
		names = append(names, l.mask)
		if l.old != "" {
			names = append(names, l.old)
		}
	}
	return names
}

func checkLists(m *machine) (list []Breach) {
	names := []string{cpuFolder + "/online", cpuFolder + "/present", cpuFolder + "/possible"}
	for i, inner := range names {
		for _, outer := range names[i+1:] {
			x, ok := m.list(inner)
			if y, known := m.list(outer); ok && known && !x.SubsetOf(y) {
				list = append(list, nowhere(m.value(inner), m.value(outer)))
			}
		}
	}
	return list
}

func checkOnline(m *machine) (list []Breach) {
	all := cpuFolder + "/online"
	online, ok := m.list(all)
	if !ok {
		return nil
	}
	folders := m.numbered(cpuFolder, "cpu")
	for _, pu := range online.Minus(folders).Indexes() {
		list = append(list, at(pu, Said{cpuHome(pu), ""}, m.value(all)))
	}
	for _, pu := range folders.Indexes() {
		own := cpuFile(pu, "online")
		if n, told := m.number(own); told && (n != 0) != online.Has(pu) {
			list = append(list, at(pu, m.value(own), m.value(all)))
		}
	}
	return list
}

// checkFiles wants of each PU what some have: a folder that somebody mounted over is there, and empty.
func checkFiles(m *machine) (list []Breach) {
	var bare hw.Set // PUs that were told: without its folder one lacks all files
	for _, name := range append(maskFiles(), "physical_package_id", "core_id") {
		file := func(pu int) string { return cpuFile(pu, "topology/"+name) }
		first := slices.IndexFunc(m.pus, func(pu int) bool { return m.has(file(pu)) })
		for _, pu := range m.pus {
			if first >= 0 && !bare.Has(pu) && !m.has(file(pu)) {
				bare.Add(pu)
				list = append(list, at(pu, Said{file(pu), ""}, m.value(file(m.pus[first]))))
			}
		}
	}
	return list
}

// masksOf are the masks of a name by PU.
func (m *machine) masksOf(name string) map[int]hw.Set {
	of := map[int]hw.Set{}
	for _, pu := range m.pus {
		if s, ok := m.mask(cpuFile(pu, "topology/"+name)); ok {
			of[pu] = s
		}
	}
	return of
}

func checkSiblings(m *machine) (list []Breach) {
	for _, name := range maskFiles() {
		of := m.masksOf(name)
		for _, c := range contradictions(of) {
			file := func(pu int) Said { return set(cpuFile(pu, "topology/"+name), of[pu]) }
			b := at(c.pu, file(c.pu))
			if c.other != c.pu {
				b = at(c.pu, file(c.pu), file(c.other))
			}
			list = append(list, b)
		}
	}
	return list
}

// contradiction is a PU whose set does not fit that of another, or, where both are the same, does
// not hold the PU itself.
type contradiction struct{ pu, other int }

// contradictions finds where sets, by PU, do not part the PUs: a set must hold its own PU, and be that
// of all its PUs. A PU whose set contradicts the most others comes first, and what it
// contradicts alone is reported once, with it: so one wrong file is one contradiction.
func contradictions(of map[int]hw.Set) (list []contradiction) {
	holders := map[string]hw.Set{} // the PUs that have a set, by its text
	var known hw.Set
	for pu, s := range of {
		h := holders[s.String()]
		h.Add(pu)
		holders[s.String()] = h
		known.Add(pu)
	}
	against := map[int]hw.Set{} // whom a PU contradicts
	for p, s := range of {
		if holders[s.String()].Equal(s.Intersect(known)) {
			continue // these have the same set, and are all that it holds
		}
		if !s.Has(p) {
			against[p] = against[p].Union(hw.SetOf(p))
		}
		for _, q := range s.Intersect(known).Indexes() {
			if !of[q].Equal(s) {
				against[p], against[q] = against[p].Union(hw.SetOf(q)), against[q].Union(hw.SetOf(p))
			}
		}
	}
	for len(against) > 0 && len(list) < maxBreaches {
		worst := slices.MaxFunc(slices.Collect(maps.Keys(against)), func(p, q int) int {
			return cmp.Or(cmp.Compare(against[p].Len(), against[q].Len()), cmp.Compare(q, p))
		})
		list = append(list, contradiction{worst, against[worst].First()})
		delete(against, worst)
		for p, s := range against {
			if against[p] = s.Minus(hw.SetOf(worst)); against[p].Empty() {
				delete(against, p)
			}
		}
	}
	return list
}

func checkNames(m *machine) (list []Breach) {
	for _, l := range levels {
		for _, pu := range m.pus {
			file := cpuFile(pu, "topology/"+l.mask)
			old := cpuFile(pu, "topology/"+l.old)
			x, ok := m.mask(file)
			if y, known := m.mask(old); ok && known && !x.Equal(y) {
				list = append(list, at(pu, set(file, x), set(old, y)))
			}
			for _, name := range []string{file, old} {
				s, ok := m.mask(name)
				if as, known := m.list(name + "_list"); ok && known && !s.Equal(as) {
					list = append(list, at(pu, set(name, s), set(name+"_list", as)))
				}
			}
		}
	}
	return list
}

func checkMasksOnline(m *machine) (list []Breach) {
	for _, name := range maskFiles() {
		for _, pu := range m.pus {
			file := cpuFile(pu, "topology/"+name)
			if s, ok := m.mask(file); ok && !s.SubsetOf(m.online) {
				list = append(list, at(pu, set(file, s), set(cpuFolder+"/online", m.online)))
			}
		}
	}
	return list
}

// level is the mask of a level of a PU, by its new name or else its old one.
func (m *machine) level(pu int, i int) (said Said, s hw.Set, ok bool) {
	for _, name := range []string{levels[i].mask, levels[i].old} {
		file := cpuFile(pu, "topology/"+name)
		if s, ok := m.mask(file); ok {
			return set(file, s), s, true
		}
	}
	return said, s, false
}

func (m *machine) core(pu int) (Said, hw.Set, bool) { return m.level(pu, 0) }
func (m *machine) pack(pu int) (Said, hw.Set, bool) { return m.level(pu, 3) }

// checkNesting takes clusters and dies of one PU for what they are: kernels that know none say so.
func checkNesting(m *machine) (list []Breach) {
	for _, pu := range m.pus {
		var inner Said
		var within hw.Set
		for i, l := range levels {
			said, s, ok := m.level(pu, i)
			if !ok || s.Len() == 1 && (l.id == "cluster_id" || l.id == "die_id") {
				continue
			}
			if !within.SubsetOf(s) {
				list = append(list, at(pu, said, inner))
			}
			inner, within = said, s
		}
	}
	return list
}

func checkIDs(m *machine) (list []Breach) {
	for i, l := range levels[1:] {
		first := map[string]int{} // the first PU with a mask
		for _, pu := range m.pus {
			id := cpuFile(pu, "topology/"+l.id)
			_, s, ok := m.level(pu, i+1)
			if !ok || m.text(id) == "" {
				continue
			}
			before, seen := first[s.String()]
			if !seen {
				first[s.String()] = pu
			} else if other := cpuFile(before, "topology/"+l.id); m.text(id) != m.text(other) {
				said, _, _ := m.level(pu, i+1)
				list = append(list, at(pu, m.value(id), m.value(other), said))
			}
		}
	}
	return list
}

// checkCoreKinds is about hybrid x86 machines, where perf knows each kind of cores as a device.
func checkCoreKinds(m *machine) (list []Breach) {
	var seen hw.Set
	var told []Said
	for _, kind := range []string{"cpu_core", "cpu_atom", "cpu_lowpower"} {
		file := "sys/devices/" + kind + "/cpus"
		s, ok := m.list(file)
		if !ok {
			continue
		}
		told = append(told, m.value(file))
		if s.Intersects(seen) {
			return []Breach{nowhere(told...)}
		}
		seen.Merge(s)
	}
	if !seen.Empty() && !seen.Equal(m.online) {
		return []Breach{nowhere(append(told, set(cpuFolder+"/online", m.online))...)}
	}
	return nil
}

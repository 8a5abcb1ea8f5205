package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/verify/cpuinfo"
)

// levels are the masks that tell where a PU is, from the inside out, with the name of each level's id. Kernel 5.2
// renamed two masks. The core's id is not compared.
var levels = []struct{ mask, old, id string }{
	{"core_cpus", "thread_siblings", ""},
	{"cluster_cpus", "", "cluster_id"},
	{"die_cpus", "", "die_id"},
	{"package_cpus", "core_siblings", "physical_package_id"},
	{"book_siblings", "", "book_id"},
	{"drawer_siblings", "", "drawer_id"},
}

// maskFiles returns all names of masks.
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
	offline := cpuFolder + "/offline"
	if off, ok := m.list(offline); ok && off.Intersects(m.online) {
		list = append(list, at(off.Intersect(m.online).First(), m.value(offline), m.value(names[0])))
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

// checkFiles reports PUs that lack a file that other PUs have: a folder that somebody mounted over exists, but is
// empty.
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

// masksOf reads, for each PU, the mask in its topology file of that name.
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

// contradiction is a PU whose set does not fit that of the other PU, or, where both are the same PU, does not hold the
// PU itself.
type contradiction struct{ pu, other int }

// contradictions finds PUs whose sets do not partition the PUs: the set of a PU must hold that PU, and all PUs in the
// set must have the same set. A PU whose set contradicts the most others comes first; PUs that contradict only this PU
// are not reported again: so one wrong file is one contradiction.
func contradictions(of map[int]hw.Set) (list []contradiction) {
	holders := map[string]hw.Set{} // the PUs that have a set, by its text
	var known hw.Set
	for pu, s := range of {
		h := holders[s.String()]
		h.Add(pu)
		holders[s.String()] = h
		known.Add(pu)
	}
	against := map[int]hw.Set{} // the PUs that a PU contradicts
	for p, s := range of {
		if holders[s.String()].Equal(s.Intersect(known)) {
			continue // the PUs with this set are exactly the PUs in the set
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

// checkNames reports files that tell the same PUs in another form, and differ. In the files of NUMA nodes it compares
// only online PUs: some kernels keep others in one of the files.
func checkNames(m *machine) (list []Breach) {
	asList := func(pu int, mask, names string) {
		s, ok := m.mask(mask)
		if as, known := m.list(names); ok && known && !s.Equal(as) {
			list = append(list, at(pu, set(mask, s), set(names, as)))
		}
	}
	for _, pu := range m.pus {
		for _, l := range levels {
			file, old := cpuFile(pu, "topology/"+l.mask), cpuFile(pu, "topology/"+l.old)
			x, ok := m.mask(file)
			if y, known := m.mask(old); ok && known && !x.Equal(y) {
				list = append(list, at(pu, set(file, x), set(old, y)))
			}
			asList(pu, file, file+"_list")
			asList(pu, old, old+"_list")
		}
		for _, c := range m.caches[pu] {
			asList(pu, c.file("shared_cpu_map"), c.file("shared_cpu_list"))
		}
	}
	for _, n := range m.nodes {
		as, told := m.list(n.file("cpulist"))
		if told = told || m.blank(n.file("cpulist")); told && !as.Intersect(m.online).Equal(n.pus.Intersect(m.online)) {
			list = append(list, nowhere(set(n.file("cpumap"), n.pus), set(n.file("cpulist"), as)))
		}
	}
	return list
}

// checkMasksOnline reports masks with PUs that are not online. Old kernels, without the newer names of masks, may keep
// PUs in masks whose own file tells that they are offline.
func checkMasksOnline(m *machine) (list []Breach) {
	var kept hw.Set
	if !slices.ContainsFunc(m.pus, func(pu int) bool { return m.has(cpuFile(pu, "topology/"+levels[0].mask)) }) {
		for _, pu := range m.numbered(cpuFolder, "cpu").Minus(m.online).Indexes() {
			if m.text(cpuFile(pu, "online")) == "0" {
				kept.Add(pu)
			}
		}
	}
	for _, name := range maskFiles() {
		for _, pu := range m.pus {
			file := cpuFile(pu, "topology/"+name)
			if s, ok := m.mask(file); ok && !s.Minus(kept).SubsetOf(m.online) {
				list = append(list, at(pu, set(file, s), set(cpuFolder+"/online", m.online)))
			}
		}
	}
	return list
}

// level returns the mask of a level of a PU, by the mask's new name or else its old name.
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

// checkNesting reports PUs whose core, cluster, die, package do not contain each other. Clusters and dies of one PU are
// skipped: kernels without such levels write them.
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
			said, s, ok := m.level(pu, i+1)
			if !ok || m.text(id) == "" {
				continue
			}
			before, seen := first[s.String()]
			if !seen {
				first[s.String()] = pu
			} else if other := cpuFile(before, "topology/"+l.id); m.text(id) != m.text(other) {
				list = append(list, at(pu, m.value(id), m.value(other), said))
			}
		}
	}
	return list
}

// checkOwnIDs reports packages with the same id, and dies of a package with the same id; their masks tell them apart.
// It checks x86 only: other kernels give several packages one id. Dies of one PU are skipped: kernels without dies
// write them.
func checkOwnIDs(m *machine) (list []Breach) {
	if !m.x86() {
		return nil
	}
	type owner struct{ level, pack, id string }
	first := map[owner]int{} // the first PU
	for _, pu := range m.pus {
		_, pack, _ := m.pack(pu)
		for _, i := range []int{2, 3} {
			id := cpuFile(pu, "topology/"+levels[i].id)
			said, s, told := m.level(pu, i)
			n, numbered := m.number(id)
			if !told || !numbered || n < 0 || i == 2 && s.Len() == 1 {
				continue
			}
			o := owner{level: levels[i].id, id: m.text(id)}
			if i == 2 {
				o.pack = pack.String()
			}
			before, seen := first[o]
			if !seen {
				first[o] = pu
			} else if other, t, _ := m.level(before, i); !t.Equal(s) {
				list = append(list, at(pu, m.value(id), said, m.value(cpuFile(before, "topology/"+levels[i].id)), other))
			}
		}
	}
	return list
}

// checkListed compares the ids of a PU in /proc/cpuinfo with those in its folder, where both have an id.
func checkListed(m *machine) (list []Breach) {
	for _, pu := range m.pus {
		p, ok := m.listed[pu]
		if !ok {
			continue
		}
		for _, id := range []struct {
			said string
			n    int
			file string
		}{{"physical id", p.Package, "physical_package_id"}, {"core id", p.Core, "core_id"}} {
			file := cpuFile(pu, "topology/"+id.file)
			if n, told := m.number(file); told && n >= 0 && id.n >= 0 && n != id.n {
				list = append(list, at(pu, m.value(file), Said{cpuinfo.File, fmt.Sprintf("processor %d, %s %d", pu, id.said, id.n)}))
			}
		}
	}
	return list
}

// checkCoreKinds checks hybrid x86 machines, where perf has a device for each kind of core: each online PU is in one
// kind, together with its whole core.
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
		for _, pu := range s.Intersect(m.online).Indexes() {
			if said, core, ok := m.core(pu); ok && !core.SubsetOf(s) {
				list = append(list, at(pu, said, m.value(file)))
			}
		}
	}
	if !seen.Empty() && !seen.Equal(m.online) {
		list = append(list, nowhere(append(told, set(cpuFolder+"/online", m.online))...))
	}
	return list
}

// checkCgroup compares the limits of the cgroup with what is online. All of version 2's effective limits must be
// online. Some of version 1's limits must be: the kernel leaves them as they were written.
func checkCgroup(m *machine) (list []Breach) {
	nodes := hw.Set{}
	for _, n := range m.nodes {
		nodes.Add(n.number)
	}
	for _, c := range []struct {
		allowed, there hw.Set
		file, all      string
	}{{m.cpuset.CPUs, m.online, m.cpuset.CPUsFile, cpuFolder}, {m.cpuset.Mems, nodes, m.cpuset.MemsFile, nodeFolder}} {
		right := c.allowed.Empty() || c.there.Empty() || c.allowed.SubsetOf(c.there) ||
			!m.cpuset.V2 && c.allowed.Intersects(c.there)
		if !right {
			list = append(list, nowhere(m.value(c.file), set(c.all+"/online", c.there)))
		}
	}
	return list
}

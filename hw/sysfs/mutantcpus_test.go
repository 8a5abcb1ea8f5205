package sysfs_test

import (
	"fmt"
	"strconv"
	"strings"

	"commsplit/hw"
)

// changes of PUs, of what sits above them, and of caches.
var cpuChanges = []change{
	{"offline", func(m *mutant) {
		m.put("sys/devices/system/cpu/online", "%v", m.present.Minus(m.some(m.present, 5)))
	}},
	{"no online list", func(m *mutant) {
		delete(m.tree, "sys/devices/system/cpu/online")
		for _, i := range m.some(m.present, 4).Indexes() {
			m.put(cpu(i, "online"), "%d", m.IntN(2))
		}
	}},
	{"old names", func(m *mutant) {
		m.rename("topology/core_cpus", "topology/thread_siblings")
		m.rename("topology/package_cpus", "topology/core_siblings")
	}},
	{"new names", func(m *mutant) {
		m.rename("topology/thread_siblings", "topology/core_cpus")
		m.rename("topology/core_siblings", "topology/package_cpus")
	}},
	{"some without topology", func(m *mutant) {
		for _, i := range m.some(m.present, 6).Indexes() {
			m.remove(strings.TrimSuffix(cpu(i, "topology/"), "/"))
		}
	}},
	{"one file less in some", func(m *mutant) {
		name := m.pick("core_cpus", "thread_siblings", "package_cpus", "core_siblings", "core_id",
			"physical_package_id", "die_cpus", "cluster_cpus")
		for _, i := range m.some(m.present, 3).Indexes() {
			delete(m.tree, cpu(i, "topology/"+name))
		}
	}},
	{"one file less", func(m *mutant) {
		name := m.pick("core_cpus", "thread_siblings", "package_cpus", "core_siblings", "core_id",
			"physical_package_id", "die_cpus", "cluster_cpus")
		for _, i := range m.present.Indexes() {
			delete(m.tree, cpu(i, "topology/"+name))
		}
	}},
	{"strange ids", func(m *mutant) {
		name := m.pick("physical_package_id", "core_id", "die_id", "cluster_id", "book_id")
		value := m.pick("-1", "65535", "0", "36", "2147483647")
		for _, i := range m.some(m.present, 1+m.IntN(3)).Indexes() {
			m.put(cpu(i, "topology/"+name), "%s", value)
		}
	}},
	{"grouped", func(m *mutant) { m.grouped(m.pick("die_cpus", "cluster_cpus"), 1+m.IntN(9)) }},
	{"grouped by order", func(m *mutant) {
		m.grouped(m.pick("die_cpus", "cluster_cpus", "core_siblings", "package_cpus"), -1-m.IntN(6))
	}},
	{"mainframe", func(m *mutant) {
		m.put("proc/hwloc-nofile-info", "Architecture: s390x")
		n := 1 + m.IntN(8)
		for i, name := range []string{"book_siblings", "drawer_siblings"} {
			m.grouped(name, n*(i+1))
			for _, pu := range m.present.Indexes() {
				m.put(cpu(pu, "topology/"+[]string{"book_id", "drawer_id"}[i]), "%d", pu/n/(i+1))
			}
		}
	}},
	{"contradictory mask", func(m *mutant) {
		pu, other := m.one(m.present), m.one(m.present)
		path := cpu(pu, "topology/"+m.pick("core_cpus", "thread_siblings", "package_cpus",
			"core_siblings", "die_cpus", "cluster_cpus"))
		if m.tree[path] == nil {
			path = cpu(pu, fmt.Sprintf("cache/index%d/shared_cpu_map", m.IntN(4)))
		}
		set := m.maskAt(path)
		if set.Has(other) && other != pu {
			set = set.Minus(hw.SetOf(other))
		} else {
			set.Add(other)
		}
		m.put(path, "%s", mask(set))
	}},
	{"compute units", func(m *mutant) {
		m.x86("AuthenticAMD", m.pick("21", "22", "23"), "1")
		for _, i := range m.present.Indexes() {
			m.put(cpu(i, "topology/core_id"), "%d", i/(1+m.IntN(2)))
		}
	}},
	{"no caches in some", func(m *mutant) {
		for _, i := range m.some(m.present, 4).Indexes() {
			m.remove(strings.TrimSuffix(cpu(i, "cache/"), "/"))
		}
	}},
	{"cache files", func(m *mutant) {
		for _, i := range m.some(m.present, 3).Indexes() {
			folder := cpu(i, fmt.Sprintf("cache/index%d/", m.IntN(4)))
			if m.tree[folder+"shared_cpu_map"] == nil {
				continue
			}
			switch m.IntN(7) {
			case 0:
				delete(m.tree, folder+m.pick("level", "size", "shared_cpu_map", "id"))
			case 1:
				m.put(folder+"shared_cpu_map", "00000000,00000000")
			case 2:
				m.put(folder+"level", "%s", m.pick("0", "5", "6")) // lstopo mixes up sizes of like caches
			case 3:
				if m.read(folder+"type") == "Unified" {
					m.put(folder+"type", "Data")
				}
			case 4:
				m.put(folder+"size", "%s", m.pick("0K", "48K", "1048576K"))
			case 5:
				m.put(folder+"shared_cpu_map", "%s", mask(hw.SetOf(i)))
			case 6:
				m.put(folder+"id", "%d", m.IntN(9))
			}
		}
	}},
	{"frequencies", func(m *mutant) {
		for _, name := range []string{"cpufreq/cpuinfo_max_freq", "cpufreq/base_frequency", "cpu_capacity"} {
			n, step := 1+m.IntN(9), m.pick("20000", "300000")
			if m.IntN(3) == 0 {
				continue
			}
			for _, i := range m.present.Indexes() {
				by, _ := strconv.Atoi(step)
				m.put(cpu(i, name), "%d", 1_000_000+i/n*by)
			}
			if m.IntN(4) == 0 {
				delete(m.tree, cpu(m.one(m.present), name))
			}
		}
	}},
	{"more caches", func(m *mutant) {
		level, n := 4+m.IntN(2), 1+m.IntN(8)
		for _, i := range m.present.Indexes() {
			m.cache(i, 4+level, level, "Unified", "8192K", mask(m.chunk(i, n)))
		}
	}},
}

// chunk is the set of PUs around i in chunks of n, or for negative n in -n chunks across all PUs.
func (m *mutant) chunk(i, n int) hw.Set {
	var s hw.Set
	for k, pu := range m.present.Indexes() {
		switch {
		case n > 0 && pu/n == i/n, n < 0 && k%-n == i%-n:
			s.Add(pu)
		}
	}
	s.Add(i)
	return s
}

func (m *mutant) grouped(name string, n int) {
	for _, i := range m.present.Indexes() {
		m.put(cpu(i, "topology/"+name), "%s", mask(m.chunk(i, n)))
	}
}

package sysfs_test

import (
	"fmt"
	"strings"

	"commsplit/hw"
)

// changes of NUMA nodes and of cgroups.
var nodeChanges = []change{
	{"no nodes", func(m *mutant) { m.remove("sys/devices/system/node") }},
	{"no node list", func(m *mutant) { delete(m.tree, "sys/devices/system/node/online") }},
	{"a node less", func(m *mutant) {
		if !m.nodes.Empty() {
			m.remove(fmt.Sprintf("sys/devices/system/node/node%d", m.one(m.nodes)))
		}
	}},
	{"permuted nodes", func(m *mutant) {
		all := m.nodes.Indexes()
		sets := make([]hw.Set, len(all))
		for i, n := range all {
			sets[i] = m.maskAt(node(n, "cpumap"))
		}
		for i, k := range m.Perm(len(all)) {
			m.put(node(all[i], "cpumap"), "%s", mask(sets[k]))
		}
	}},
	{"nodes without CPUs", func(m *mutant) {
		for _, n := range m.some(m.nodes, 3).Indexes() {
			m.put(node(n, "cpumap"), "%s", mask(hw.Set{}))
		}
	}},
	{"node maps", func(m *mutant) {
		for _, n := range m.some(m.nodes, 3).Indexes() {
			m.put(node(n, "cpumap"), "%s", mask(m.some(m.present, 1+m.IntN(4))))
		}
	}},
	{"nodes by chunks", func(m *mutant) {
		m.remove("sys/devices/system/node")
		n := 1 + m.IntN(max(1, m.present.Len()/2))
		m.nodes = hw.Set{}
		for _, pu := range m.present.Indexes() {
			m.nodes.Add(pu / n)
			m.put(node(pu/n, "cpumap"), "%s", mask(m.chunk(pu, n)))
			m.put(node(pu/n, "meminfo"), "Node %d MemTotal:  %d kB", pu/n, 1024+pu/n)
		}
		m.put("sys/devices/system/node/online", "%v", m.nodes)
		m.distances(2)
	}},
	{"memory only", func(m *mutant) {
		if m.nodes.Empty() {
			return
		}
		for range 1 + m.IntN(3) {
			n := m.nodes.Last() + 1 + m.IntN(3)
			m.nodes.Add(n)
			m.put(node(n, "cpumap"), "%s", mask(hw.Set{}))
			m.put(node(n, "meminfo"), "Node %d MemTotal:  4096 kB", n)
		}
		m.put("sys/devices/system/node/online", "%v", m.nodes)
		m.distances(2 + m.IntN(3))
	}},
	{"distances", func(m *mutant) { m.distances(1 + m.IntN(4)) }},
	{"asymmetric distances", func(m *mutant) {
		if !m.nodes.Empty() {
			m.put(node(m.one(m.nodes), "distance"), "%s", strings.Repeat("15 ", m.nodes.Len()-m.IntN(2)))
		}
	}},
	{"no distances", func(m *mutant) {
		for _, n := range m.some(m.nodes, 1+m.IntN(3)).Indexes() {
			delete(m.tree, node(n, "distance"))
		}
	}},
	{"initiators", func(m *mutant) {
		for _, n := range m.some(m.nodes, 2).Indexes() {
			for _, i := range m.some(m.nodes, 3).Indexes() {
				m.put(node(n, fmt.Sprintf("access%d/initiators/node%d/x", m.IntN(2), i)), "")
			}
		}
	}},
	{"memory-side caches", func(m *mutant) {
		for _, n := range m.some(m.nodes, 2).Indexes() {
			for i := range 1 + m.IntN(2) {
				folder := node(n, fmt.Sprintf("memory_side_cache/index%d/", i+1))
				m.put(folder+"size", "%d", 1<<30)
				m.put(folder+"line_size", "64")
				m.put(folder+"indexing", "0")
				if m.IntN(5) == 0 {
					delete(m.tree, folder+m.pick("size", "line_size", "indexing"))
				}
			}
		}
	}},
	{"graphics memory", func(m *mutant) {
		if !m.nodes.Empty() {
			m.put("proc/driver/nvidia/gpus/0004:05:00.0/numa_status", "Node: %d\nNuma status: online", m.one(m.nodes))
		}
	}},
	{"no meminfo", func(m *mutant) {
		for _, n := range m.nodes.Indexes() {
			delete(m.tree, node(n, "meminfo"))
		}
	}},
	{"cgroup v1", func(m *mutant) {
		m.cgroup("cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset", "cpuset.cpus", "cpuset.mems")
	}},
	{"cgroup v2", func(m *mutant) {
		m.cgroup("cgroup2 /sys/fs/cgroup cgroup2 rw", "cpuset.cpus.effective", "cpuset.mems.effective")
		m.put("sys/fs/cgroup/cgroup.controllers", "cpu cpuset memory")
	}},
	{"cpuset", func(m *mutant) { m.cgroup("none /dev/cpuset cpuset rw", "cpus", "mems") }},
	{"cgroup like cpuset", func(m *mutant) { m.cgroup("none /mnt cgroup rw,cpuset,noprefix", "cpus", "mems") }},
	{"Xeon Phi", func(m *mutant) {
		m.x86("GenuineIntel", "6", "87")
		if file := "var/run/hwloc/knl_memoryside_cache"; m.IntN(2) == 0 {
			m.put(file, "version: 2\ncache_size: %d\nassociativity: 1\ninclusiveness: 1\nline_size: 64\n"+
				"cluster_mode: %s\nmemory_mode: %s", 1<<(30+m.IntN(5)),
				m.pick("All2All", "Hemisphere", "Quadrant", "SNC2", "SNC4"),
				m.pick("Cache", "Flat", "Hybrid25", "Hybrid50"))
		}
	}},
	{"Xeon Phi's distances", func(m *mutant) {
		rows := map[int][]string{1: {"10"}, 2: {"10 31", "31 10"},
			4: {"10 21 31 41", "21 10 41 31", "31 41 10 41", "41 31 41 10"}}[m.nodes.Len()]
		for i, row := range rows {
			m.put(node(m.nodes.Indexes()[i], "distance"), "%s", row)
		}
	}},
	{"no cgroup", func(m *mutant) {
		delete(m.tree, "proc/self/cgroup")
		delete(m.tree, "proc/self/cpuset")
	}},
}

// cgroup puts the process into a group that allows some PUs and perhaps some
// nodes. What its files lack lstopo does not look for in the group's parents,
// as we do.
func (m *mutant) cgroup(mounted, cpus, mems string) {
	mount := strings.TrimPrefix(strings.Fields(mounted)[1], "/")
	m.put("proc/mounts", "proc /proc proc rw 0 0\n%s 0 0", mounted)
	m.remove("proc/self")
	m.remove(mount)
	m.put("proc/self/cgroup", "%s:/job/step", m.pick("0:", "5:cpuset", "5:cpu:/\n4:cpuset"))
	if m.IntN(4) == 0 {
		m.put("proc/self/cpuset", "%s", m.pick("/job", "/", "/job/step"))
	}
	withMems := m.IntN(2) == 0 && !m.nodes.Empty()
	for _, group := range []string{"", "/job", "/job/step"} {
		m.put(mount+group+"/"+cpus, "%v", m.some(m.present, 1+m.IntN(3)))
		if withMems {
			m.put(mount+group+"/"+mems, "%v", m.some(m.nodes, 1+m.IntN(2)))
		}
	}
}

// x86 makes it a machine of some processor, unless it is a mainframe.
func (m *mutant) x86(vendor, family, model string) {
	const file = "proc/hwloc-nofile-info"
	if strings.Contains(m.read(file), "s390") {
		return
	}
	m.put(file, "Architecture: x86_64")
	m.put("proc/cpuinfo", "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %s\nmodel\t: %s", vendor, family, model)
}

// distances writes a matrix for groups of n nodes.
func (m *mutant) distances(n int) {
	all := m.nodes.Indexes()
	far := 20 + m.IntN(5)
	for i, a := range all {
		var row []string
		for k := range all {
			switch {
			case i == k:
				row = append(row, "10")
			case i/n == k/n:
				row = append(row, "15")
			case i/n/2 == k/n/2:
				row = append(row, fmt.Sprint(far))
			default:
				row = append(row, "40")
			}
		}
		m.put(node(a, "distance"), "%s", strings.Join(row, " "))
	}
}

var changes = append(cpuChanges, nodeChanges...)

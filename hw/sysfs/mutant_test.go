package sysfs_test

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"codeberg.org/commsplit/commsplit/hw"
)

// mutant is a recorded or generated machine in which some files were changed, as other kernels, other
// hardware and careless recordings would have them.
type mutant struct {
	tree
	*rand.Rand
	present hw.Set   // the PUs that have a folder
	nodes   hw.Set   // the NUMA nodes that have a folder
	story   []string // the changes that were made
}

// mutate makes a mutant out of a machine; the seed determines the changes.
func mutate(name string, machine tree, seed uint64) *mutant {
	m := &mutant{tree: machine, Rand: rand.New(rand.NewPCG(seed, 1)), story: []string{name}}
	for path := range machine {
		m.present = m.present.Union(numberAfter(path, "sys/devices/system/cpu/cpu"))
		m.nodes = m.nodes.Union(numberAfter(path, "sys/devices/system/node/node"))
	}
	for range 1 + m.IntN(4) {
		change := changes[m.IntN(len(changes))]
		m.story = append(m.story, change.name)
		change.do(m)
	}
	for _, n := range m.nodes.Indexes() {
		if m.maskAt(node(n, "cpumap")).Empty() {
			m.remove(node(n, "memory_side_cache")) // lstopo loses where such a cache belongs
		}
	}
	return m
}

// change is one way to change a machine.
type change struct {
	name string
	do   func(m *mutant)
}

func numberAfter(path, prefix string) (s hw.Set) {
	rest, ok := strings.CutPrefix(path, prefix)
	if !ok {
		return s
	}
	digits, _, _ := strings.Cut(rest, "/")
	if n, err := strconv.Atoi(digits); err == nil {
		s.Add(n)
	}
	return s
}

// some picks about one in n of the members of s, at least one unless s is empty.
func (m *mutant) some(s hw.Set, n int) hw.Set {
	var r hw.Set
	for _, i := range s.Indexes() {
		if m.IntN(n) == 0 {
			r.Add(i)
		}
	}
	if r.Empty() && !s.Empty() {
		r.Add(m.one(s))
	}
	return r
}

func (m *mutant) one(s hw.Set) int {
	all := s.Indexes()
	return all[m.IntN(len(all))]
}

// pick picks one of several words.
func (m *mutant) pick(words ...string) string { return words[m.IntN(len(words))] }

// rename renames every file whose path ends in from.
func (f tree) rename(from, to string) {
	for path, file := range f {
		if base, ok := strings.CutSuffix(path, "/"+from); ok {
			delete(f, path)
			f[base+"/"+to] = file
		}
	}
}

// read returns a file's content without blanks, "" when there is no such file.
func (f tree) read(path string) string {
	if file := f[path]; file != nil {
		return strings.TrimSpace(string(file.Data))
	}
	return ""
}

// maskAt reads a mask.
func (f tree) maskAt(path string) hw.Set {
	var s hw.Set
	groups := strings.Split(f.read(path), ",")
	for i, group := range groups {
		word, _ := strconv.ParseUint(group, 16, 64)
		for bit := range 32 {
			if word>>bit&1 != 0 {
				s.Add(32*(len(groups)-1-i) + bit)
			}
		}
	}
	return s
}

func (f tree) clone() tree {
	c := tree{}
	for path, file := range f {
		c[path] = file
	}
	return c
}

// write writes the files to a folder on disk.
func (f tree) write(t *testing.T, folder string) {
	for path, file := range f {
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// load reads the files of a recorded machine that describe CPUs, nodes and cgroups.
func load(t *testing.T, path string) tree {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var plain io.Reader = bzip2.NewReader(bytes.NewReader(packed))
	if strings.HasSuffix(path, ".gz") {
		if plain, err = gzip.NewReader(bytes.NewReader(packed)); err != nil {
			t.Fatal(err)
		}
	}
	f := tree{}
	for archive := tar.NewReader(plain); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return f
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
		if h.Typeflag != tar.TypeReg || strings.HasPrefix(name, "sys/bus") ||
			strings.HasPrefix(name, "sys/class") || strings.Contains(name, "/hugepages") {
			continue
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		f[name] = &fstest.MapFile{Data: data, Mode: 0o444}
	}
}

// cpuChanges are changes of PUs, of the objects above them, and of caches.
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

// chunk returns the set of PUs around i in chunks of n, or for negative n in -n chunks across all PUs.
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

// nodeChanges are changes of NUMA nodes and of cgroups.
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

// cgroup puts the process into a group that allows some PUs and perhaps some nodes. All groups get the
// same files: unlike us, lstopo does not look in a group's parents for a missing file.
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

// x86 gives the machine an x86 processor, unless the machine is a mainframe.
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

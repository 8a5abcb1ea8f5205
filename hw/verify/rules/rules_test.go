package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/marked"
)

// files are the files of a machine, by path.
type files map[string]string

const (
	cpu0 = "sys/devices/system/cpu/cpu0/"
	cpu1 = "sys/devices/system/cpu/cpu1/"
	cpu2 = "sys/devices/system/cpu/cpu2/"
	cpu4 = "sys/devices/system/cpu/cpu4/"
	cpu5 = "sys/devices/system/cpu/cpu5/"
	gpu  = "sys/bus/pci/devices/0000:03:00.0/"
	nod0 = "sys/devices/system/node/node0/"
	nod1 = "sys/devices/system/node/node1/"
)

// plain returns a machine as a recent kernel describes it: two packages, each a die and a NUMA node,
// with two cores of two threads. Core c has PUs c and c+4.
func plain() files {
	f := files{
		"sys/devices/system/cpu/online": "0-7", "sys/devices/system/cpu/present": "0-7", "sys/devices/system/cpu/possible": "0-15",
		"sys/devices/system/node/online": "0-1", "sys/devices/system/node/possible": "0-1",
		nod0 + "cpumap": "33", nod1 + "cpumap": "cc", nod0 + "distance": "10 21", nod1 + "distance": "21 10",
		nod0 + "meminfo": "Node 0 MemTotal: 100 kB\nNode 0 MemFree: 40 kB\nNode 0 MemUsed: 60 kB",
		nod1 + "meminfo": "Node 1 MemTotal: 100 kB\nNode 1 MemFree: 40 kB\nNode 1 MemUsed: 60 kB",
	}
	for pu := range 8 {
		core := pu % 4
		threads, pack := fmt.Sprintf("%x", 0x11<<core), fmt.Sprintf("%x", 0x33<<(core/2*2))
		list := fmt.Sprintf("%d,%d", core, core+4)
		at := fmt.Sprintf("sys/devices/system/cpu/cpu%d/", pu)
		for name, text := range map[string]string{
			"core_cpus": threads, "thread_siblings": threads, "core_cpus_list": list, "package_cpus": pack, "core_siblings": pack,
			"die_cpus": pack, "core_id": fmt.Sprint(core % 2), "physical_package_id": fmt.Sprint(core / 2), "die_id": "0",
			"cluster_cpus": fmt.Sprintf("%x", 1<<pu), "cluster_id": "-1", // as of kernels that know no cluster
		} {
			f[at+"topology/"+name] = text
		}
		f[fmt.Sprintf("sys/devices/system/node/node%d/cpu%d/online", core/2, pu)] = "1"
		for i, c := range []struct{ level, typ, size, shared string }{
			{"1", "Data", "48K", threads}, {"1", "Instruction", "32K", threads}, {"2", "Unified", "2048K", threads},
			{"3", "Unified", "32768K", pack},
		} {
			f.cache(pu, i, c.level, c.typ, c.size, c.shared)
		}
	}
	return f
}

func (f files) cache(pu, index int, level, typ, size, shared string) {
	at := fmt.Sprintf("sys/devices/system/cpu/cpu%d/cache/index%d/", pu, index)
	f[at+"level"], f[at+"type"], f[at+"size"], f[at+"shared_cpu_map"] = level, typ, size, shared
	f[at+"coherency_line_size"] = "64"
}

// old returns plain as a kernel before 5.2 describes it: without lists, dies and clusters.
func old() files {
	f := plain()
	for name := range f.with(nil) {
		for _, newer := range []string{"/core_cpus", "/core_cpus_list", "/package_cpus", "/die_cpus", "/die_id", "/cluster_cpus", "/cluster_id"} {
			if strings.HasSuffix(name, newer) {
				delete(f, name)
			}
		}
	}
	return f
}

// over returns f with the changed files.
func (changes files) over(f files) files { return f.with(changes) }

// x86 returns a /proc/cpuinfo of x86 with the machine's PUs, and package ids of some.
func x86(ids map[int]string) files {
	f := files{"proc/cpuinfo": ""}
	for pu := range 8 {
		f["proc/cpuinfo"] += fmt.Sprintf("processor : %d\nvendor_id : GenuineIntel\ncpu family : 6\n\n", pu)
		if id, ok := ids[pu]; ok {
			f[fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/physical_package_id", pu)] = id
		}
	}
	return f
}

// twoDies makes the cores of a package dies of x86, with these ids.
func twoDies(first, second string) files {
	f := x86(nil)
	for pu, id := range map[int]string{0: first, 4: first, 1: second, 5: second} {
		at := fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/", pu)
		f[at+"die_cpus"], f[at+"die_id"] = fmt.Sprintf("%x", 0x11<<(pu%4)), id
	}
	return f
}

// everyL3 gives each L3 cache a file.
func everyL3(name, text string) files {
	f := files{}
	for pu := range 8 {
		f[fmt.Sprintf("sys/devices/system/cpu/cpu%d/cache/index3/%s", pu, name)] = text
	}
	return f
}

// cgroup returns the files of a cgroup that allows these PUs and NUMA nodes; suffix ends the files'
// names.
func cgroup(typ, suffix, cpus, mems string) files {
	if suffix != "" {
		suffix = "." + suffix
	}
	return files{"proc/mounts": "cg /cg " + typ + " rw,cpuset 0 0", "proc/self/cpuset": "/", "cg/cgroup.controllers": "cpu cpuset",
		"cg/cpuset.cpus" + suffix: cpus, "cg/cpuset.mems" + suffix: mems}
}

// with returns f with other files, and without the files whose text is "-"; their names may end in
// *.
func (f files) with(changes files) files {
	f = maps.Clone(f)
	for path, text := range changes {
		if text != "-" {
			f[path] = text
			continue
		}
		for old := range f {
			if rest, ok := strings.CutSuffix(path, "*"); old == path || ok && strings.HasPrefix(old, rest) {
				delete(f, old)
			}
		}
	}
	return f
}

func (f files) broken() (names []string, first map[string]Breach) {
	root := fstest.MapFS{}
	for path, text := range f {
		root[path] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	first = map[string]Breach{}
	for _, r := range Check(root) {
		if len(r.Breaches) > 0 {
			names = append(names, r.Name)
			first[r.Name] = r.Breaches[0]
		}
	}
	return names, first
}

// faults are changes to a machine that is right. A rule finds each fault, and reports this file
// first or last.
var faults = []struct {
	rule    string
	changes files
	file    string
	pu      int
	value   string
}{
	{"lists", files{"sys/devices/system/cpu/possible": "0-3"}, "sys/devices/system/cpu/online", hw.Unknown, "0-7"},
	{"online", files{"sys/devices/system/cpu/online": "0-8", "sys/devices/system/cpu/present": "0-8"},
		"sys/devices/system/cpu/cpu8", 8, ""},
	{"online", files{cpu0 + "online": "0"}, cpu0 + "online", 0, "0"},
	{"files", files{cpu4 + "topology/*": "-"}, cpu4 + "topology/core_cpus", 4, ""},
	{"files", files{cpu4 + "topology/physical_package_id": "-"}, cpu4 + "topology/physical_package_id", 4, ""},
	// One mask of two PUs has only its own PU: the breach is at the first PU, with the other PU's
	// mask.
	{"siblings", files{cpu4 + "topology/core_cpus": "10"}, cpu0 + "topology/core_cpus", 0, "0,4"},
	// One mask of four differs: the breach is at that PU, because the other three agree.
	{"siblings", files{cpu4 + "topology/package_cpus": "11"}, cpu4 + "topology/package_cpus", 4, "0,4"},
	{"siblings", files{cpu4 + "topology/die_cpus": "22"}, cpu4 + "topology/die_cpus", 4, "1,5"},
	{"names", files{cpu4 + "topology/thread_siblings": "10", cpu0 + "topology/thread_siblings": "1"},
		cpu0 + "topology/core_cpus", 0, "0,4"},
	{"names", files{cpu4 + "topology/core_cpus_list": "4"}, cpu4 + "topology/core_cpus", 4, "0,4"},
	{"masks-online", files{"sys/devices/system/cpu/online": "0-6"}, "sys/devices/system/cpu/cpu3/topology/core_cpus", 3, "3,7"},
	{"nesting", files{cpu0 + "topology/die_cpus": "3", "sys/devices/system/cpu/cpu1/topology/die_cpus": "3",
		cpu4 + "topology/die_cpus": "30", "sys/devices/system/cpu/cpu5/topology/die_cpus": "30"}, cpu0 + "topology/die_cpus", 0, "0-1"},
	{"ids", files{cpu4 + "topology/physical_package_id": "1"}, cpu4 + "topology/physical_package_id", 4, "1"},
	{"ids", files{cpu4 + "topology/die_id": "1"}, cpu4 + "topology/die_id", 4, "1"},
	{"caches", files{cpu0 + "cache/index2/level": "1", cpu0 + "cache/index2/type": "Data"}, cpu0 + "cache/index2", 0, "L1 Data"},
	{"caches", files{cpu0 + "cache/index2/level": "12"}, cpu0 + "cache/index2/level", 0, "12"},
	{"sharing", files{cpu0 + "cache/index3/shared_cpu_map": "1"}, cpu0 + "cache/index3/shared_cpu_map", 0, "0"},
	{"sharing", files{cpu4 + "cache/index0/*": "-"}, cpu4 + "cache (L1 Data)", 4, ""},
	{"sharing", files{cpu0 + "cache/index3/shared_cpu_map": "32"}, cpu0 + "cache/index3/shared_cpu_map", 0, "1,4-5"},
	{"one-cache", files{cpu4 + "cache/index3/size": "16384K"}, cpu4 + "cache/index3/size", 4, "16384K"},
	{"sizes", files{cpu0 + "cache/index2/size": "0K", cpu4 + "cache/index2/size": "0K"}, cpu0 + "cache/index2/size", 0, "0K"},
	{"sizes", files{cpu0 + "cache/index2/size": "16K", cpu4 + "cache/index2/size": "16K"}, cpu0 + "cache/index2/size", 0, "16K"},
	{"sizes", files{cpu0 + "cache/index2/coherency_line_size": "63", cpu4 + "cache/index2/coherency_line_size": "63"},
		cpu0 + "cache/index2/coherency_line_size", 0, "63"},
	{"covering", files{cpu0 + "cache/index3/shared_cpu_map": "1", cpu4 + "cache/index3/shared_cpu_map": "10"},
		cpu0 + "cache/index3/shared_cpu_map", 0, "0"},
	// Both threads have masks without the other: their common L1 contradicts both.
	{"L1", files{cpu0 + "topology/core_cpus": "1", cpu0 + "topology/thread_siblings": "1",
		cpu4 + "topology/core_cpus": "10", cpu4 + "topology/thread_siblings": "10"}, cpu0 + "cache/index0/shared_cpu_map", 0, "0,4"},
	{"cache-core", files{cpu0 + "cache/index2/shared_cpu_map": "3"}, cpu0 + "cache/index2/shared_cpu_map", 0, "0-1"},
	{"cache-package", files{cpu0 + "cache/index3/shared_cpu_map": "ff"}, cpu0 + "cache/index3/shared_cpu_map", 0, "0-7"},
	{"nodes", files{"sys/devices/system/node/online": "0-2"}, "sys/devices/system/node/online", hw.Unknown, "0-2"},
	{"nodes", files{"sys/devices/system/node/possible": "0"}, "sys/devices/system/node/online", hw.Unknown, "0-1"},
	{"one-node", files{nod1 + "cpumap": "dc"}, nod1 + "cpumap", 4, "2-4,6-7"},
	{"node-cpus", files{nod0 + "cpumap": "23", nod1 + "cpumap": "dc"}, nod0 + "cpu*", 4, "0-1,4-5"},
	{"node-core", files{nod0 + "cpumap": "23", nod1 + "cpumap": "dc"}, cpu0 + "topology/core_cpus", 0, "0,4"},
	{"node-package", files{nod0 + "cpumap": "37", nod1 + "cpumap": "c8"},
		"sys/devices/system/cpu/cpu2/topology/package_cpus", 2, "2-3,6-7"},
	{"distances", files{nod0 + "distance": "10"}, nod0 + "distance", hw.Unknown, "10"},
	{"distances", files{nod0 + "distance": "10 9"}, nod0 + "distance", hw.Unknown, "10 9"},
	{"distances", files{nod1 + "distance": "21 20"}, nod1 + "distance", hw.Unknown, "21 20"},
	{"both-ways", files{nod1 + "distance": "31 10"}, nod1 + "distance", hw.Unknown, "31 10"},
	{"memory", files{nod0 + "meminfo": "Node 0 MemTotal: 50 kB\nNode 0 MemFree: 40 kB\nNode 0 MemUsed: 60 kB"},
		nod0 + "meminfo", hw.Unknown, "MemTotal 50 kB, MemFree 40 kB, MemUsed 60 kB"},
	{"kinds", files{"sys/devices/cpu_core/cpus": "0-1,4-5", "sys/devices/cpu_atom/cpus": "1-3,5-7"},
		"sys/devices/cpu_core/cpus", hw.Unknown, "0-1,4-5"},
	{"kinds", files{"sys/devices/cpu_core/cpus": "0-1,4-5", "sys/devices/cpu_atom/cpus": "2,6"},
		"sys/devices/cpu_core/cpus", hw.Unknown, "0-1,4-5"},
	{"kinds", files{"sys/devices/cpu_core/cpus": "0-4", "sys/devices/cpu_atom/cpus": "5-7"}, // threads of two kinds
		cpu1 + "topology/core_cpus", 1, "1,5"},
	{"format", files{cpu0 + "topology/core_id": "zz"}, cpu0 + "topology/core_id", 0, "zz"},
	{"format", files{cpu0 + "topology/die_cpus": ""}, cpu0 + "topology/die_cpus", 0, "(empty)"},
	{"format", files{cpu0 + "cache/index2/size": "2048X"}, cpu0 + "cache/index2/size", 0, "2048X"},
	{"format", files{cpu0 + "cache/index2/size": "2097152"}, cpu0 + "cache/index2/size", 0, "2097152"}, // the unit is missing
	{"format", files{cpu1 + "topology/core_id": "\xff\x1b]0;x\x07"}, cpu1 + "topology/core_id", 1, `"\xff\x1b]0;x\a"`},
	{"format", files{cpu4 + "cache/index2/shared_cpu_map": "0x11"}, cpu4 + "cache/index2/shared_cpu_map", 4, "0x11"},
	{"format", files{"sys/devices/system/cpu/possible": "0-4294967295"}, "sys/devices/system/cpu/possible", hw.Unknown, "0-4294967295"},
	{"format", files{"sys/devices/system/cpu/online": strings.Repeat("0-7,", 20_000) + "0-7"}, "sys/devices/system/cpu/online",
		hw.Unknown, strings.Repeat("0-7,", 15) + "..."},
	{"format", files{"sys/devices/system/cpu/online": ""}, "sys/devices/system/cpu/online", hw.Unknown, "(empty)"},
	{"format", files{nod1 + "distance": "21 1o"}, nod1 + "distance", hw.Unknown, "21 1o"},
	{"format", files{nod1 + "cpumap": "c;c"}, nod1 + "cpumap", hw.Unknown, "c;c"},
	{"format", files{nod0 + "meminfo": "Node 0 MemFree: 40 kB\nNode 0 MemTotal: many kB"}, nod0 + "meminfo", hw.Unknown,
		"Node 0 MemTotal: many kB"},
	{"format", files{"proc/cpuinfo": "processor : 0\nphysical id : none\n"}, "proc/cpuinfo", hw.Unknown, "physical id : none"},
	{"format", cgroup("cgroup2", "effective", "0-7", "none"), "cg/cpuset.mems.effective", hw.Unknown, "none"},
	{"format", files{gpu + "numa_node": "?"}, gpu + "numa_node", hw.Unknown, "?"},
	{"lists", files{"sys/devices/system/cpu/offline": "3,9"}, "sys/devices/system/cpu/offline", 3, "3,9"},
	{"names", files{nod1 + "cpulist": "2-3,6"}, nod1 + "cpumap", hw.Unknown, "2-3,6-7"},
	{"names", files{nod1 + "cpulist": ""}, nod1 + "cpulist", hw.Unknown, ""},
	{"names", files{cpu4 + "cache/index0/shared_cpu_list": "4"}, cpu4 + "cache/index0/shared_cpu_list", 4, "4"},
	{"own-ids", x86(map[int]string{2: "0", 3: "0", 6: "0", 7: "0"}), cpu2 + "topology/physical_package_id", 2, "0"},
	{"own-ids", twoDies("0", "0"), cpu1 + "topology/die_id", 1, "0"},
	{"cpuinfo", files{"proc/cpuinfo": "processor : 4\nphysical id : 7\ncore id : 0\n"}, cpu4 + "topology/physical_package_id", 4, "0"},
	{"cpuinfo", files{"proc/cpuinfo": "processor : 4\nphysical id : 0\ncore id : 1\n"}, "proc/cpuinfo", 4, "processor 4, core id 1"},
	{"cache-ids", everyL3("id", "0"), cpu2 + "cache/index3/id", 2, "0"},
	// A core of four lacks a level: an inner level, or the outer level though the core is like the
	// next core in all else.
	{"levels", files{cpu1 + "cache/index2/*": "-", cpu5 + "cache/index2/*": "-"}, cpu1 + "cache (L2 Unified)", 1, ""},
	{"levels", files{cpu1 + "cache/index3/*": "-", cpu5 + "cache/index3/*": "-", cpu0 + "cache/index3/shared_cpu_map": "11",
		cpu4 + "cache/index3/shared_cpu_map": "11"}, cpu1 + "cache (L3 Unified)", 1, ""},
	{"nodes", files{nod1 + "cpumap": "-"}, nod1 + "cpumap", hw.Unknown, ""},
	{"node-lists", files{"sys/devices/system/node/has_cpu": "0"}, "sys/devices/system/node/has_cpu", hw.Unknown, "0"},
	{"node-lists", files{"sys/devices/system/node/has_memory": "1"}, "sys/devices/system/node/has_memory", hw.Unknown, "1"},
	{"memory", files{nod0 + "hugepages/hugepages-2kB/nr_hugepages": "51"}, nod0 + "hugepages/hugepages-2kB/nr_hugepages",
		hw.Unknown, "51"},
	{"cgroup", cgroup("cgroup2", "effective", "0-7", "17"), "cg/cpuset.mems.effective", hw.Unknown, "17"},
	{"cgroup", cgroup("cgroup2", "effective", "7-9", "0-1"), "cg/cpuset.cpus.effective", hw.Unknown, "7-9"},
	{"cgroup", cgroup("cgroup", "", "8-9", "0-1"), "cg/cpuset.cpus", hw.Unknown, "8-9"},
	{"devices", files{gpu + "numa_node": "99"}, gpu + "numa_node", hw.Unknown, "99"},
}

// Each rule finds a file that was made wrong on a machine that is right, and reports the file with
// its PU.
func TestFaults(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, tt := range faults {
		seen[tt.rule] = true
		names, first := plain().with(tt.changes).broken()
		b, ok := first[tt.rule]
		switch {
		case !ok:
			t.Errorf("%s: %v is not seen, only %q", tt.rule, tt.changes, names)
		case b.PU != tt.pu || !slices.Contains([]Said{b.Said[0], b.Said[len(b.Said)-1]}, Said{tt.file, tt.value}):
			t.Errorf("%s: %+v, want PU %d, %s: %q", tt.rule, b, tt.pu, tt.file, tt.value)
		}
	}
	for _, r := range table {
		if !seen[r.name] {
			t.Errorf("no fault shows the rule %s", r.name)
		}
	}
}

// Whatever a file holds in place of its format, the rule of formats names the file.
func TestGarbage(t *testing.T) {
	t.Parallel()
	whole := plain().with(x86(nil)).with(cgroup("cgroup2", "effective", "0-7", "0-1")).with(files{gpu + "numa_node": "0", gpu + "local_cpus": "33",
		nod0 + "cpulist": "0-1,4-5", "sys/devices/system/node/has_cpu": "0-1", "sys/devices/system/node/has_memory": "0-1",
		nod0 + "hugepages/hugepages-2kB/nr_hugepages": "0", cpu0 + "cpu_capacity": "1024", cpu0 + "cache/index0/id": "0",
		"sys/devices/cpu_core/cpus": "0-7", "proc/meminfo": "MemTotal: 200 kB"})
	for path := range whole {
		other := strings.HasPrefix(path, cpuFolder+"/cpu") && !strings.HasPrefix(path, cpu0)
		if other || strings.Contains(path, "/node/node") && strings.HasSuffix(path, "/online") ||
			strings.HasPrefix(path, "proc/self") || path == "proc/mounts" || path == "cg/cgroup.controllers" {
			continue // like that of PU 0, or not read by rules
		}
		for _, text := range []string{"\x01\xff", "12 monkeys", "99999999999999999999"} {
			if path == "proc/cpuinfo" {
				text = "processor : " + text
			}
			if _, first := whole.with(files{path: text}).broken(); first[Format].Said == nil ||
				first[Format].Said[0].File != path {
				t.Errorf("%s: %.20q: %v", path, text, first[Format])
			}
		}
	}
}

// The table of rules in the manual is this table, with the number of faults that each rule must
// find. UPDATE=1 writes it.
func TestManual(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("| rule | what holds | tested faults found |\n|---|---|---|\n")
	for _, r := range table {
		n := 0
		for _, f := range faults {
			if f.rule == r.name {
				n++
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %d |\n", r.name, r.says, n)
	}
	marked.Hold(t, "../../VERIFY.md", "rules", b.String())
}

// Machines that are odd but right break no rule. Each is like some kernel's or processor's.
func TestOddMachines(t *testing.T) {
	t.Parallel()
	each := func(change func(pu int, f files)) files {
		f := plain()
		for pu := range 8 {
			change(pu, f)
		}
		return f
	}
	at := func(pu int, name string) string { return fmt.Sprintf("sys/devices/system/cpu/cpu%d/%s", pu, name) }
	tests := []struct {
		odd string
		f   files
	}{
		{"nothing odd", plain()},
		{"nothing at all", files{}},
		{"AMD compute units: threads with core ids of their own, L1d and L2 apart", each(func(pu int, f files) {
			f[at(pu, "topology/core_id")] = fmt.Sprint(pu)
			f[at(pu, "cache/index0/shared_cpu_map")] = fmt.Sprintf("%x", 1<<pu)
		})},
		{"one core id in several dies", each(func(pu int, f files) { f[at(pu, "topology/core_id")] = "0" })},
		{"no package ids, as on POWER", each(func(pu int, f files) { f[at(pu, "topology/physical_package_id")] = "-1" })},
		{"one package id for packages with masks of their own, as on ia64", each(func(pu int, f files) {
			f[at(pu, "topology/physical_package_id")] = "0"
		})},
		{"masks without PUs, as of kernels 2.6 on ia64", each(func(pu int, f files) {
			for _, name := range []string{"topology/core_siblings", "topology/package_cpus", "cache/index0/shared_cpu_map"} {
				f[at(pu, name)] = "00000000,00000000"
			}
		})},
		{"old names only", each(func(pu int, f files) {
			delete(f, at(pu, "topology/core_cpus"))
			delete(f, at(pu, "topology/core_cpus_list"))
			delete(f, at(pu, "topology/package_cpus"))
		})},
		{"a package without caches", each(func(pu int, f files) {
			for name := range f.with(nil) {
				if pu%4 >= 2 && strings.HasPrefix(name, at(pu, "cache/")) {
					delete(f, name)
				}
			}
		})},
		{"PUs without the outer cache, as the low-power cores of Arrow Lake", each(func(pu int, f files) {
			if pu == 1 || pu == 5 {
				for name := range f.with(nil) {
					if strings.HasPrefix(name, at(pu, "cache/index3/")) {
						delete(f, name)
					}
				}
			} else if pu%4 < 2 {
				f[at(pu, "cache/index3/shared_cpu_map")] = "11"
			}
			if pu == 1 || pu == 5 {
				f[at(pu, "cache/index2/size")] = "1024K"
			}
		})},
		{"a cache of which no size is told, as on boards whose device tree has none", each(func(pu int, f files) {
			delete(f, at(pu, "cache/index0/size"))
		})},
		{"an old kernel, whose masks keep the PUs that are offline", old().with(files{"sys/devices/system/cpu/online": "0-6",
			at(2, "cache/*"): "-", at(3, "cache/*"): "-", at(6, "cache/*"): "-", at(7, "cache/*"): "-", at(7, "online"): "0"})},
		{"an ARM board: what its kernel takes for packages are clusters, and they share a cache", everyL3("shared_cpu_map", "ff").
			over(plain()).with(files{"proc/cpuinfo": "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd05\n"})},
		{"ids and kinds of an x86 machine as they should be", plain().with(x86(nil)).with(twoDies("0", "1"))},
		{"a node without PUs and one without memory, which the lists lack", plain().with(files{nod0 + "cpu*": "-", nod1 + "cpu*": "-"}).
			with(files{nod0 + "cpumap": "ff", nod1 + "cpumap": "00", nod1 + "cpulist": "", nod1 + "distance": "20 10", nod0 + "distance": "10 20",
				nod0 + "meminfo": "Node 0 MemTotal: 0 kB", "sys/devices/system/node/has_cpu": "0", "sys/devices/system/node/has_memory": "1"})},
		{"a version 1 cgroup that names PUs that are not there", plain().with(cgroup("cgroup", "", "0-63", "0-3"))},
		{"a container that shows processors of its own in /proc/cpuinfo", plain().with(files{"proc/mounts": "lxcfs /proc/cpuinfo fuse.lxcfs rw 0 0",
			"proc/cpuinfo": "processor : 0\nphysical id : 1\ncore id : 1\n"})},
		{"a cgroup that says nothing", plain().with(cgroup("cgroup2", "effective", "", ""))},
		{"a device of no node, and nothing in lists that may be empty", plain().with(files{gpu + "numa_node": "-1",
			"sys/devices/system/cpu/offline": ""})},
		{"a PU that is offline, and known to its NUMA node", plain().with(files{"sys/devices/system/cpu/online": "0-6",
			at(7, "*"): "-", at(7, "online"): "0", at(3, "topology/core_cpus"): "8", at(3, "topology/core_cpus_list"): "3",
			at(3, "topology/thread_siblings"): "8", at(3, "topology/package_cpus"): "4c", at(3, "topology/core_siblings"): "4c",
			at(3, "topology/die_cpus"): "4c", at(2, "topology/package_cpus"): "4c", at(2, "topology/core_siblings"): "4c",
			at(2, "topology/die_cpus"): "4c", at(6, "topology/package_cpus"): "4c", at(6, "topology/core_siblings"): "4c",
			at(6, "topology/die_cpus"): "4c", at(3, "cache/index0/shared_cpu_map"): "8", at(3, "cache/index1/shared_cpu_map"): "8",
			at(3, "cache/index2/shared_cpu_map"): "8", at(2, "cache/index3/shared_cpu_map"): "4c",
			at(3, "cache/index3/shared_cpu_map"): "4c", at(6, "cache/index3/shared_cpu_map"): "4c"})},
		{"memory without PUs, and a distance row that is longer", plain().with(files{nod0 + "cpu*": "-", nod1 + "cpu*": "-"}).with(files{
			nod0 + "cpumap": "ff", nod1 + "cpumap": "00", nod1 + "distance": "20 10 20", nod0 + "distance": "10 20 20"})},
		{"one node, of which the kernel tells the distance 0", plain().with(files{nod0 + "cpu*": "-", nod1 + "*": "-"}).with(files{
			nod0 + "cpumap": "ff", "sys/devices/system/node/online": "0", nod0 + "distance": "0"})},
		{"NUMA nodes below the package: sub-NUMA clusters under one L3", plain().with(files{nod0 + "cpu*": "-", nod1 + "cpu*": "-"}).with(files{nod0 + "cpumap": "11", nod1 + "cpumap": "22",
			"sys/devices/system/node/node2/cpumap": "cc", "sys/devices/system/node/online": "0-2", "sys/devices/system/node/possible": "0-2",
			nod0 + "distance": "10 12 20", nod1 + "distance": "12 10 20", "sys/devices/system/node/node2/distance": "20 20 10"})},
		{"Kunpeng: ways x sets x line is not the size", each(func(pu int, f files) {
			f[at(pu, "cache/index3/ways_of_associativity")], f[at(pu, "cache/index3/number_of_sets")] = "15", "2048"
		})},
		{"three kinds of cores", plain().with(files{"sys/devices/cpu_core/cpus": "0,4", "sys/devices/cpu_atom/cpus": "1-2,5-6",
			"sys/devices/cpu_lowpower/cpus": "3,7"})},
		{"clusters within dies", each(func(pu int, f files) {
			f[at(pu, "topology/cluster_cpus")], f[at(pu, "topology/cluster_id")] = fmt.Sprintf("%x", 0x11<<(pu%4)), fmt.Sprint(pu%4)
		})},
	}
	for _, tt := range tests {
		if names, first := tt.f.broken(); len(names) > 0 {
			t.Errorf("%s: breaks %q: %+v", tt.odd, names, first)
		}
	}
}

// One wrong mask among many is one contradiction, which names the wrong mask.
func TestContradictions(t *testing.T) {
	t.Parallel()
	all := hw.SetRange(0, 9)
	of := map[int]hw.Set{}
	for pu := range 10 {
		of[pu] = all
	}
	if list := contradictions(of); list != nil {
		t.Errorf("%v", list)
	}
	of[7] = hw.SetOf(7)
	if got := fmt.Sprint(contradictions(of)); got != "[{7 0}]" {
		t.Errorf("a PU that is alone: %s", got)
	}
	of[7], of[3] = all, all.Minus(hw.SetOf(3))
	if got := fmt.Sprint(contradictions(of)); got != "[{3 0}]" {
		t.Errorf("a mask without its own PU: %s", got)
	}
	of = map[int]hw.Set{0: hw.SetOf(1)}
	if got := fmt.Sprint(contradictions(of)); got != "[{0 0}]" {
		t.Errorf("one that nobody else contradicts: %s", got)
	}
}

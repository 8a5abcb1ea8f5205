package sysfs_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
)

// Each case changes the files of a machine, and has the expected sets of some
// types, notes and counts.
func TestReadVariants(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rule   string
		change func(f tree)
		want   map[string][]string
		notes  []string
	}{
		{"a kernel without NUMA has one node for all",
			func(f tree) { f.remove("sys/devices/system/node") },
			map[string][]string{"NUMANode": {"0-7"}, "Package": {"0-1,4-5", "2-3,6-7"}},
			[]string{"the kernel has no NUMA nodes: one node represents the machine"}},
		{"caches may be missing",
			func(f tree) { f.remove(cpu(0, "cache")); f.remove(cpu(4, "cache")) },
			map[string][]string{"L2Cache": {"1,5", "2,6", "3,7"}, "Core": {"0,4", "1,5", "2,6", "3,7"}},
			nil},
		{"SPARC's kernel tells the sizes of caches, and not who shares them",
			func(f tree) {
				for i := range 8 {
					f.remove(cpu(i, "cache"))
					f.put(cpu(i, "l1_dcache_size"), "16384")
					f.put(cpu(i, "l1_icache_size"), "16384")
				}
				f.put(cpu(2, "l2_cache_size"), "1048576")
			},
			map[string][]string{"L1Cache": {"0", "1", "2", "3", "4", "5", "6", "7"},
				"L1iCache": {"0", "1", "2", "3", "4", "5", "6", "7"}, "L2Cache": {"2"}, "L3Cache": nil},
			nil},
		{"a mainframe's kernel does not tell who shares a cache",
			func(f tree) {
				f.put("proc/cpuinfo", "vendor_id : IBM/S390\ncache1 : level=1 type=Data scope=Private size=128K line_size=256\n"+
					"cache4 : level=4 type=Unified scope=Shared size=491520K line_size=256 associativity=30\n")
			},
			map[string][]string{"Core": {"0,4", "1,5", "2,6", "3,7"}},
			[]string{"the kernel does not tell which PUs share the L4 cache of 491520K: the cache is not in the tree"}},
		{"old kernels have other names for the masks",
			func(f tree) {
				for i := range 8 {
					delete(f, cpu(i, "topology/core_cpus"))
					delete(f, cpu(i, "topology/package_cpus"))
					f.put(cpu(i, "topology/thread_siblings"), "%02x", 0x11<<(i%4))
					f.put(cpu(i, "topology/core_siblings"), "%02x", 0x33<<(i%4/2*2))
				}
			},
			map[string][]string{"Core": {"0,4", "1,5", "2,6", "3,7"}, "Package": {"0-1,4-5", "2-3,6-7"}},
			nil},
		{"PUs without topology files are left out",
			func(f tree) { f.remove(cpu(3, "topology")); f.remove(cpu(7, "topology")) },
			map[string][]string{"Core": {"0,4", "1,5", "2,6"}, "PU": {"0", "1", "2", "4", "5", "6"}},
			[]string{"left out, because they have no topology files: PUs 3,7"}},
		{"unless there are no others",
			func(f tree) {
				for i := range 8 {
					f.remove(cpu(i, "topology"))
				}
			},
			map[string][]string{"Core": nil, "PU": {"0", "1", "2", "3", "4", "5", "6", "7"}},
			[]string{"cores and packages are unknown: no PU has topology files"}},
		{"a cache of a level that there is no type for is left out",
			func(f tree) { f.put(cpu(0, "cache/index3/level"), "6") },
			map[string][]string{"L3Cache": {"2-3,6-7"}},
			[]string{"sys/devices/system/cpu/cpu0/cache/index3: a cache of level 6 is left out"}},
		{"a node whose cpumap is empty or not there is none",
			func(f tree) { f.put(node(1, "cpumap"), "") },
			map[string][]string{"NUMANode": {"0-1,4-5"}}, nil},
		{"a node that claims PUs of an earlier one is left out",
			func(f tree) { f.put(node(1, "cpumap"), "ff") },
			map[string][]string{"NUMANode": {"0-1,4-5"}},
			[]string{"NUMA nodes 1 claim PUs of other nodes: left out"}},
		{"a node without PUs gets those of its initiators",
			func(f tree) {
				f.put("sys/devices/system/node/online", "0-2")
				f.put(node(2, "cpumap"), "0")
				f.put(node(2, "access0/initiators/node1/x"), "")
			},
			map[string][]string{"NUMANode": {"0-1,4-5", "2-3,6-7", "2-3,6-7"}}, nil},
		{"a node without PUs gets those of the nearest node",
			func(f tree) {
				f.put("sys/devices/system/node/online", "0-2")
				f.put(node(2, "cpumap"), "0")
				f.put(node(0, "distance"), "10 20 14")
				f.put(node(1, "distance"), "20 10 20")
				f.put(node(2, "distance"), "14 20 10")
			},
			map[string][]string{"NUMANode": {"0-1,4-5", "0-1,4-5", "2-3,6-7"}}, nil},
		{"distances say nothing when all are equal",
			func(f tree) {
				f.put("sys/devices/system/node/online", "0-2")
				f.put(node(2, "cpumap"), "0")
				f.put(node(0, "distance"), "10 20 20")
				f.put(node(1, "distance"), "20 10 20")
				f.put(node(2, "distance"), "20 20 10")
			},
			map[string][]string{"NUMANode": {"", "0-1,4-5", "2-3,6-7"}}, nil},
		{"distances say nothing when another node is as near as the node itself",
			func(f tree) {
				f.put("sys/devices/system/node/online", "0-2")
				f.put(node(2, "cpumap"), "0")
				f.put(node(0, "distance"), "10 20 20")
				f.put(node(1, "distance"), "20 10 20")
				f.put(node(2, "distance"), "10 20 10")
			},
			map[string][]string{"NUMANode": {"", "0-1,4-5", "2-3,6-7"}}, nil},
		{"masks may hold PUs that are offline",
			func(f tree) { f.put("sys/devices/system/cpu/online", "0-2,4-7") },
			map[string][]string{"Core": {"0,4", "1,5", "2,6", "7"}, "L1Cache": {"0,4", "1,5", "2,6", "7"},
				"Package": {"0-1,4-5", "2,6-7"}, "NUMANode": {"0-1,4-5", "2,6-7"}},
			[]string{"offline: PU 3"}},
		{"the memory of a GPU is not a NUMA node",
			func(f tree) { f.put("proc/driver/nvidia/gpus/0004:05/numa_status", "Node: 1") },
			map[string][]string{"NUMANode": {"0-1,4-5"}}, nil},
		{"clusters that repeat a core, a cache or a package are left out",
			func(f tree) {
				for i := range 8 {
					f.put(cpu(i, "topology/cluster_cpus"), "%02x", []int{0x11, 0x22, 0xcc, 0xcc}[i%4])
				}
			},
			map[string][]string{"Group": nil}, nil},
		{"the two cores of an AMD compute unit are cores",
			func(f tree) {
				f.put("proc/cpuinfo", "vendor_id\t: AuthenticAMD\ncpu family\t: 21")
				for i := range 8 {
					f.put(cpu(i, "topology/core_id"), "%d", i)
				}
			},
			map[string][]string{"Core": {"0", "1", "2", "3", "4", "5", "6", "7"},
				"L2Cache": {"0,4", "1,5", "2,6", "3,7"}}, nil},
		{"an empty shared_cpu_map means the core",
			func(f tree) {
				for i := range 8 {
					f.put(cpu(i, "cache/index3/shared_cpu_map"), "00")
				}
			},
			map[string][]string{"L3Cache": {"0,4", "1,5", "2,6", "3,7"}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			f := smt.files(hw.Set{})
			tt.change(f)
			m := read(t, f)
			got := treeSets(m.Root)
			for name, want := range tt.want {
				if diff := cmp.Diff(want, got[name]); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
			}
			if diff := cmp.Diff(tt.notes, m.Notes); diff != "" {
				t.Errorf("notes: %s", diff)
			}
		})
	}
}

// remove deletes everything below a folder.
func (f tree) remove(folder string) {
	for path := range f {
		if strings.HasPrefix(path, folder+"/") {
			delete(f, path)
		}
	}
}

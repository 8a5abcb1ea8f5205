//go:build linux

package ghwsays

import (
	"slices"
	"strings"
	"testing"

	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// On the plain machine ghw agrees with us in everything.
func TestPlain(t *testing.T) {
	t.Parallel()
	dir := plain().onDisk(t)
	m := machine(t, dir)
	cpu, err := CPU(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	topology, err := Topology(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []account.Account{cpu, topology} {
		for k, said := range a {
			if !account.Same(said, m.Whole[k]) {
				t.Errorf("%s: ghw says %v, sysfs %v", k, said, m.Whole[k])
			}
		}
	}
	if bytes, err := Memory(t.Context(), dir); bytes != 2048<<10 || err != nil {
		t.Errorf("memory %d, %v", bytes, err)
	}
}

// Each defect of ghw.CPU that is known, and a neighbour.
func TestCPUDefects(t *testing.T) {
	t.Parallel()
	samePackages := tree{cpus + "cpu2/topology/physical_package_id": "0", cpus + "cpu3/topology/physical_package_id": "0"}
	sameCores := tree{cpus + "cpu1/topology/core_id": "0", cpus + "cpu3/topology/core_id": "2"}
	noEntries := tree{"proc/cpuinfo": "vendor : x"}
	for _, d := range []defect{
		{"equal package ids", packages, plain().with(samePackages),
			"takes PUs with equal physical_package_id for one package", plain()},
		{"no packages", packages, bare(), "takes PUs with equal physical_package_id for one package", plain()},
		{"equal core ids", cores, plain().with(sameCores),
			"takes PUs of a package with equal core_id for one core", plain().with(tree{cpus + "cpu1/topology/core_id": "0"})},
		{"no entries", pus, plain().with(noEntries), "needs an entry for each PU in /proc/cpuinfo", plain()},
		{"one entry missing", pus, plain().with(tree{"proc/cpuinfo": "processor : 1\n\nprocessor : 2\n\n"}),
			"needs an entry for each PU in /proc/cpuinfo", plain().with(noEntries)},
		{"offline without a file that says so", pus, plain().with(tree{cpus + "online": "0-2"}),
			"takes a PU for online unless its own file says 0",
			plain().with(tree{cpus + "online": "0-2", cpus + "cpu3/online": "0"})},
	} {
		t.Run(d.rule, func(t *testing.T) {
			d.check(t, func(dir string) account.Account {
				a, err := CPU(t.Context(), dir)
				if err != nil {
					t.Fatal(err)
				}
				return a
			}, CPUModel)
		})
	}
}

// bare is a machine that tells nothing of packages.
func bare() tree {
	f := plain()
	for _, c := range []string{"cpu0", "cpu1", "cpu2", "cpu3"} {
		f.with(tree{cpus + c + "/topology/physical_package_id": "", cpus + c + "/topology/package_cpus": ""})
	}
	return f
}

// sizes gives each L1 another size than the L3 of index 1, in whose folder ghw looks.
func sizes() tree {
	f := tree{}
	for _, c := range []string{"cpu0", "cpu1", "cpu2", "cpu3"} {
		f[cpus+c+"/cache/index0/size"] = "32K"
	}
	return f
}

// shared makes one L3 over both NUMA nodes.
func shared() tree {
	f := plain()
	for pu := range 4 {
		f.cache(pu, 1, 3, "Unified", "64K", 0, 15)
	}
	return f
}

// Each defect of ghw.Topology that is known, and a neighbour.
func TestTopologyDefects(t *testing.T) {
	t.Parallel()
	off := tree{cpus + "online": "0-2", cpus + "cpu3/online": "0", cpus + "cpu2/topology/package_cpus": "4",
		cpus + "cpu3/topology": "", numa + "node1/cpumap": "4"}
	oneNode := tree{numa + "node1": "", numa + "online": "0", numa + "node0/cpumap": "f",
		numa + "node0/cpu2": "->../../cpu/cpu2", numa + "node0/cpu3": "->../../cpu/cpu3"}
	const (
		folders = "takes the nodeN folders for the NUMA nodes"
		entries = "takes the cpuN entries in a node's folder for its PUs"
		inNodes = "lists cores and caches by NUMA node only"
	)
	for _, d := range []defect{
		{"size of the level", l(hw.L1Cache), plain().with(sizes()),
			"reads the size of a cache of level L in folder indexL", plain().with(sizes()).with(tree{cpus + "cpu3/cache/index1/size": "48K"})},
		{"a cache over two nodes", l(hw.L3Cache), shared(),
			"lists a cache once for each NUMA node that shares it", shared().with(oneNode)},
		{"equal cache ids", l(hw.L1Cache), plain().with(tree{cpus + "cpu1/cache/index0/id": "0"}),
			"merges caches of a node with equal level, type and id", plain()},
		{"caches of what is offline", l(hw.L1Cache), plain().with(off), "counts the caches of PUs that are offline",
			plain().with(off).with(tree{cpus + "cpu3/cache": ""})},
		{"equal core ids in a node", cores, plain().with(tree{cpus + "cpu1/topology/core_id": "0"}),
			"takes PUs of a NUMA node with equal core_id for one core", plain()},
		{"no hugepages", nodes, plain().with(tree{numa + "node0/hugepages": ""}),
			"gives up, without an error, at node0: no folder hugepages", plain()},
		{"no Hugetlb, cores", cores, plain().with(tree{"proc/meminfo": "MemTotal: 1 kB\nHugepagesize: 1 kB"}),
			"gives up, without an error, at node0: no Hugetlb in /proc/meminfo; " + inNodes, plain()},
		{"no distances of the second", nodes, plain().with(tree{numa + "node1/distance": ""}),
			"gives up, without an error, at node1: no distances", plain().with(tree{numa + "node0/distance": ""})},
		{"memory of a GPU", nodes, gpu(true), folders, gpu(true).with(tree{numa + "node250": ""})},
		{"no nodes at all", nodes, plain().with(tree{numa + "node0": "", numa + "node1": "", numa + "online": ""}),
			folders, plain()},
		{"a PU without an entry", nodes, plain().with(tree{numa + "node1/cpu3": ""}), entries, plain()},
	} {
		t.Run(d.rule, func(t *testing.T) {
			d.check(t, func(dir string) account.Account {
				a, err := Topology(t.Context(), dir)
				if err != nil {
					t.Fatal(err)
				}
				return a
			}, TopologyModel)
		})
	}
}

// gpu is a machine on which node 250 is the memory of a GPU, and says so or not.
func gpu(told bool) tree {
	f := plain()
	f.node(250, "0")
	f[numa+"online"] = "0-1,250"
	if told {
		f["proc/driver/nvidia/gpus/0/numa_status"] = "Node: 250"
	}
	return f
}

// Several defects at once are told together, and only those that are needed.
func TestDefectsTogether(t *testing.T) {
	t.Parallel()
	f := shared().with(sizes())
	for pu := range 4 {
		f.cache(pu, 0, 1, "Data", "32K", 0, 1<<pu)
		f.with(tree{cpus + "cpu" + string(rune('0'+pu)) + "/cache/index1/size": "64K"})
	}
	dir := f.onDisk(t)
	said, err := Topology(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	limits, ok := TopologyModel(machine(t, dir)).Explain(l(hw.L1Cache), said[l(hw.L1Cache)])
	var got []string
	for _, l := range limits {
		got = append(got, l.Words)
	}
	want := []string{"reads the size of a cache of level L in folder indexL",
		"lists a cache once for each NUMA node that shares it", "merges caches of a node with equal level, type and id"}
	if !ok || !slices.Equal(got, want) {
		t.Errorf("%v %q", ok, got)
	}
}

// A file that makes ghw panic is an error with a word of ghw in it, not the end of the program.
func TestPanic(t *testing.T) {
	t.Parallel()
	dir := plain().with(tree{numa + "node0/hugepages/odd/nr_hugepages": "0"}).onDisk(t)
	if _, err := Topology(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "ghw panics") {
		t.Errorf("error %v", err)
	}
}

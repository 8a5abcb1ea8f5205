package sysfs_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

// Whatever a file holds, there is no panic, and the objects of the tree are
// inside their parents, apart from one another.
func FuzzRead(f *testing.F) {
	base := shape{packages: 2, dies: 2, nodes: 1, l3: 1, cores: 1, threads: 2}.files(hw.Set{})
	for i := range 8 {
		base.put(cpu(i, "topology/cluster_cpus"), "%02x", 0x33<<(i/2%2*2))
		base.put(cpu(i, "cpufreq/cpuinfo_max_freq"), "%d", 1_000_000*(1+i/4))
	}
	for n := range 4 {
		base.put(node(n, "distance"), "10 20 20 20")
	}
	base.put("proc/mounts", "%s", mountV1)
	base.put("proc/self/cgroup", "3:cpuset:/")
	base.put("sys/fs/cgroup/cpuset/cpuset.cpus", "0-7")
	base.put("sys/fs/cgroup/cpuset/cpuset.mems", "0-3")
	base.put("proc/cpuinfo", "vendor_id: GenuineIntel\ncpu family: 6\nmodel: 87")
	paths := make([]string, 0, len(base))
	for path := range base {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for i, text := range []string{"ff", "0f", "1,00000000", "0-3", "10 10 20 30", "vendor_id: AuthenticAMD"} {
		f.Add(uint16(i*7), text, uint16(i*11), "3c")
	}
	f.Fuzz(func(t *testing.T, i uint16, text string, j uint16, other string) {
		files := base.clone()
		for path, content := range map[string]string{paths[int(i)%len(paths)]: text,
			paths[int(j)%len(paths)]: other} {
			files[path] = &fstest.MapFile{Data: []byte(content), Mode: 0o444}
		}
		if m, err := sysfs.Read(fstest.MapFS(files)); err == nil {
			check(t, m.Root)
			hw.New("", m.Root)
		}
	})
}

// check walks a tree.
func check(t *testing.T, o *hw.Object) {
	var seen hw.Set
	for _, c := range o.Children {
		if !c.CPUSet.SubsetOf(o.CPUSet) || c.CPUSet.Intersects(seen) {
			t.Errorf("%v %v in %v %v", c.Type, c.CPUSet, o.Type, o.CPUSet)
		}
		seen.Merge(c.CPUSet)
		check(t, c)
	}
}

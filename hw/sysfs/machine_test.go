package sysfs_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

func read(t *testing.T, f tree) *sysfs.Machine {
	t.Helper()
	m, err := sysfs.Read(fstest.MapFS(f))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var smt = shape{packages: 2, dies: 1, nodes: 1, l3: 1, cores: 2, threads: 2}

// Masks decide which PUs belong together: with sibling numbering the threads
// of core 0 of four are PUs 0 and 4. Instruction caches are read as well, and
// a die that is its package is left out.
func TestReadSMT(t *testing.T) {
	t.Parallel()
	m := read(t, smt.files(hw.Set{}))
	cores := []string{"0,4", "1,5", "2,6", "3,7"}
	packages := []string{"0-1,4-5", "2-3,6-7"}
	want := map[string][]string{
		"Machine": {"0-7"}, "Package": packages, "NUMANode": packages, "L3Cache": packages,
		"L2Cache": cores, "L1Cache": cores, "L1iCache": cores, "Core": cores,
		"PU": {"0", "1", "2", "3", "4", "5", "6", "7"},
	}
	if diff := cmp.Diff(want, treeSets(m.Root)); diff != "" {
		t.Error(diff)
	}
	if m.Memory != 1<<30 || m.Online.String() != "0-7" || len(m.Notes) != 0 {
		t.Errorf("memory %d, online %v, notes %q", m.Memory, m.Online, m.Notes)
	}
	sizes := map[hw.Type]uint64{}
	for o := range m.Root.All() {
		sizes[o.Type] = max(sizes[o.Type], o.Bytes)
	}
	want2 := map[hw.Type]uint64{hw.Machine: 0, hw.Package: 0, hw.Core: 0, hw.PU: 0,
		hw.NUMANode: 2 << 20, hw.L3Cache: 32 << 20, hw.L2Cache: 1 << 20, hw.L1Cache: 32 << 10,
		hw.L1iCache: 64 << 10}
	if diff := cmp.Diff(want2, sizes); diff != "" {
		t.Errorf("largest sizes per type: %s", diff)
	}
}

// A Linux cluster of two cores in a package of four is a Group of its own,
// but not where it is just the PUs that share an L2 cache, as PUs 4-5 here.
func TestReadCluster(t *testing.T) {
	t.Parallel()
	f := shape{packages: 1, dies: 1, nodes: 1, l3: 1, cores: 6, threads: 1}.files(hw.Set{})
	for i := range 6 {
		f.put(cpu(i, "topology/cluster_cpus"), "%x", 3<<(i/2*2))
		f.put(cpu(i, "topology/cluster_id"), "%d", 40+i/2)
	}
	f.put(cpu(4, "cache/index2/shared_cpu_map"), "30")
	f.put(cpu(5, "cache/index2/shared_cpu_map"), "30")
	var got []string
	for o := range read(t, f).Root.All() {
		if o.Type == hw.Group {
			got = append(got, fmt.Sprintf("%s %d %v", o.Subtype, o.OSIndex, o.CPUSet))
		}
	}
	if diff := cmp.Diff([]string{"Cluster 40 0-1", "Cluster 41 2-3"}, got); diff != "" {
		t.Error(diff)
	}
}

// Two dies in a package are objects; ids repeat from die to die and from
// package to package, which must not merge cores.
func TestReadRepeatingIDs(t *testing.T) {
	t.Parallel()
	f := shape{packages: 1, dies: 2, nodes: 1, l3: 1, cores: 2, threads: 1}.files(hw.Set{})
	for i := range 4 {
		f.put(cpu(i, "topology/core_id"), "%d", i%2)
	}
	m := read(t, f)
	got := treeSets(m.Root)
	if diff := cmp.Diff([]string{"0-1", "2-3"}, got["Die"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"0", "1", "2", "3"}, got["Core"]); diff != "" {
		t.Error(diff)
	}
}

// A package id of -1 means that the kernel does not know the id: masks distinguish the packages,
// which have no os index.
func TestReadUnknownPackageID(t *testing.T) {
	t.Parallel()
	f := smt.files(hw.Set{})
	for i := range 8 {
		f.put(cpu(i, "topology/physical_package_id"), "-1")
	}
	m := read(t, f)
	packages := 0
	for o := range m.Root.All() {
		if o.Type == hw.Package {
			packages++
			if o.OSIndex != hw.Unknown {
				t.Errorf("package %v has os index %d", o.CPUSet, o.OSIndex)
			}
		}
	}
	if packages != 2 {
		t.Errorf("%d packages, want 2", packages)
	}
}

// A PU that is missing in the mask to which its own mask points is in no package, and a note lists
// it: PUs 2 and 6 have masks with PU 0, whose mask does not have them.
func TestReadWithoutPackage(t *testing.T) {
	t.Parallel()
	f := shape{packages: 2, dies: 1, nodes: 1, l3: 1, cores: 2, threads: 2}.files(hw.Set{})
	for i := range 8 {
		mask := "33"
		if i%4 >= 2 {
			mask = "cf"
		}
		f.put(cpu(i, "topology/package_cpus"), "%s", mask)
	}
	m := read(t, f)
	if diff := cmp.Diff([]string{"0-1,4-5"}, treeSets(m.Root)["Package"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"contradictory sysfs: no package holds PUs 2-3,6-7"}, m.Notes); diff != "" {
		t.Error(diff)
	}
}

// Offline PUs are in no set; a core with one thread left has one PU. Without
// the online list, cpuN/online says the same, and cpu0 need not have it.
func TestReadOffline(t *testing.T) {
	t.Parallel()
	for _, list := range []bool{true, false} {
		f := smt.files(hw.SetOf(3, 5))
		if !list {
			delete(f, "sys/devices/system/cpu/online")
		}
		m := read(t, f)
		got := treeSets(m.Root)
		if diff := cmp.Diff([]string{"0,4", "1", "2,6", "7"}, got["Core"]); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"0-1,4", "2,6-7"}, got["Package"]); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"offline: PUs 3,5"}, m.Notes); diff != "" {
			t.Error(diff)
		}
		if m.Offline.String() != "3,5" || m.Online.String() != "0-2,4,6-7" {
			t.Errorf("offline %v, online %v", m.Offline, m.Online)
		}
	}
}

// The error for a file system with nothing to read differs from that for an unreadable file.
func TestReadAbsent(t *testing.T) {
	t.Parallel()
	if _, err := sysfs.Read(fstest.MapFS{}); !errors.Is(err, sysfs.ErrAbsent) {
		t.Errorf("error %v, want ErrAbsent", err)
	}
}

func ExampleRead() {
	m, err := sysfs.Read(fstest.MapFS(smt.files(hw.Set{})))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("PUs", m.Online, "with", m.Memory>>20, "MiB")
	// Output: PUs 0-7 with 1024 MiB
}

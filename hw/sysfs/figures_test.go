package sysfs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

// twoNodes are the files of a machine of two PUs in two NUMA nodes, numbered 0 and 4, with their distances and speeds.
func twoNodes() fstest.MapFS {
	f := fstest.MapFS{}
	for path, text := range map[string]string{
		"sys/devices/system/cpu/online": "0-1", "sys/devices/system/node/online": "0,4",
		"sys/devices/system/cpu/cpu0/topology/core_cpus":                   "1",
		"sys/devices/system/cpu/cpu1/topology/core_cpus":                   "2",
		"sys/devices/system/node/node0/cpumap":                             "1",
		"sys/devices/system/node/node4/cpumap":                             "2",
		"sys/devices/system/node/node0/distance":                           "10 32",
		"sys/devices/system/node/node4/distance":                           "33 10",
		"sys/devices/system/node/node0/access1/initiators/read_bandwidth":  "1000",
		"sys/devices/system/node/node0/access1/initiators/write_bandwidth": "600",
		"sys/devices/system/node/node0/access1/initiators/read_latency":    "90",
		"sys/devices/system/node/node0/access1/initiators/write_latency":   "0",
		"sys/devices/system/node/node4/access0/initiators/read_bandwidth":  "400",
		"sys/devices/system/node/node4/access0/initiators/write_bandwidth": "0",
		"proc/mounts":                         "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0",
		"proc/self/cgroup":                    "0::/",
		"sys/fs/cgroup/cgroup.controllers":    "cpuset",
		"sys/fs/cgroup/cpuset.cpus.effective": "0-1",
		"sys/fs/cgroup/cpuset.mems.effective": "0,4",
	} {
		f[path] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	return f
}

func figuresOf(t *testing.T, f fstest.MapFS) (lines []string) {
	t.Helper()
	m, err := sysfs.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	top := hw.New("", m.Root)
	for _, m := range top.Root.Details.Matrices {
		lines = append(lines, fmt.Sprintf("%s %d of %d and %d: %v", m.Name, m.Kind, m.Ends[0].Object.OSIndex, m.Ends[1].Object.OSIndex, m.Values))
	}
	for _, a := range top.Root.Details.MemAttrs {
		for _, v := range a.Values {
			lines = append(lines, fmt.Sprintf("%s %d of %d from %v: %d", a.Name, a.Flags, v.Target.Object.OSIndex, v.PUs, v.Value))
		}
	}
	return lines
}

// Distances and speeds of memory are those of the files, under hwloc's names. The mean of reading and writing is told
// where both are known.
func TestFigures(t *testing.T) {
	t.Parallel()
	want := []string{"NUMALatency 5 of 0 and 4: [10 32 33 10]", "Bandwidth 5 of 0 from 0: 800", "ReadBandwidth 5 of 0 from 0: 1000",
		"ReadBandwidth 5 of 4 from 1: 400", "WriteBandwidth 5 of 0 from 0: 600", "ReadLatency 6 of 0 from 0: 90"}
	if diff := cmp.Diff(want, figuresOf(t, twoNodes())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f := twoNodes()
	f["sys/fs/cgroup/cpuset.mems.effective"].Data = []byte("0\n")
	want = []string{want[1], want[2], want[4], want[5]}
	if diff := cmp.Diff(want, figuresOf(t, f)); diff != "" {
		t.Errorf("of the one node that is allowed (-want +got):\n%s", diff)
	}
}

// lstopo reads distances and memory attributes of a recorded machine as we do: what we write of it says the same.
func TestFiguresLstopo(t *testing.T) {
	t.Parallel()
	program, tar := judge.Ask(t, "lstopo-no-graphics"), judge.Ask(t, "tar")
	archives, _ := filepath.Glob(filepath.Join(os.Getenv("COMMSPLIT_TOPOLOGIES"), "sysfs", "*.tar.*"))
	for _, archive := range archives {
		folder := t.TempDir()
		if out, err := exec.Command(tar, "-xf", archive, "-C", folder, "--strip-components=1").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		m, err := fsroot.Read(t.Context(), folder)
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.Create(filepath.Join(t.TempDir(), "ours.xml"))
		if err != nil {
			t.Fatal(err)
		}
		if err := hwlocxml.Write(file, hw.New("", m.Root)); err != nil {
			t.Fatal(err)
		}
		flags := []string{"--distances", "--memattrs"}
		if filepath.Base(archive) == "64intel64-fakeKNL-SNC4-hybrid.tar.bz2" {
			flags = flags[:1] // hwloc makes up the bandwidths of that machine
		}
		for _, flag := range flags {
			theirs, errA := lstopo(t, folder, flag)
			ours, errB := exec.Command(program, "-i", file.Name(), "--no-io", flag).Output()
			if diff := cmp.Diff(string(theirs), string(ours)); errA != nil || errB != nil || diff != "" {
				t.Errorf("%s %s: %v, %v (-lstopo +ours):\n%s", archive, flag, errA, errB, diff)
			}
		}
	}
}

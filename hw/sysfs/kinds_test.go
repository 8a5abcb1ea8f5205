package sysfs_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
)

// Kinds of cores, the most energy-efficient first: ranked by capacity, or by Intel's type before the frequency.
// Where nothing distinguishes the kinds, they have no ranks.
func TestKinds(t *testing.T) {
	t.Parallel()
	const freq, base = "cpufreq/cpuinfo_max_freq", "cpufreq/base_frequency"
	for rule, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"nothing is known": {nil, nil},
		"a slow core": {map[string]string{cpu(0, "cpu_capacity"): "1024", cpu(1, "cpu_capacity"): "446"},
			[]string{"0: 1 [{LinuxCapacity 446}]", "1: 0 [{LinuxCapacity 1024}]"}},
		"some cores boost a little higher": {map[string]string{cpu(0, freq): "3000000", cpu(1, freq): "3200000",
			cpu(0, base): "1000000", cpu(1, base): "1000000"},
			[]string{"0: 0-1 [{FrequencyMaxMHz 3000} {FrequencyBaseMHz 1000}]"}},
		"Intel's types rank before frequencies": {map[string]string{
			"sys/devices/cpu_core/cpus": "0", "sys/devices/cpu_atom/cpus": "1",
			cpu(0, freq): "2000000", cpu(1, freq): "3000000"},
			[]string{"0: 1 [{FrequencyMaxMHz 3000} {CoreType IntelAtom}]",
				"1: 0 [{FrequencyMaxMHz 2000} {CoreType IntelCore}]"}},
		"one says nothing": {map[string]string{cpu(0, freq): "2000000"},
			[]string{"0: 0 [{FrequencyMaxMHz 2000}]"}},
		"two that cannot be told apart": {map[string]string{cpu(0, freq): "2000000", cpu(1, base): "2000000"},
			[]string{"-1: 1 [{FrequencyBaseMHz 2000}]", "-1: 0 [{FrequencyMaxMHz 2000}]"}},
	} {
		f := shape{1, 1, 1, 1, 2, 1}.files(hw.Set{})
		for path, content := range c.files {
			f.put(path, "%s", content)
		}
		var got []string
		for _, k := range read(t, f).Root.Details.Kinds {
			got = append(got, fmt.Sprintf("%d: %v %v", k.Efficiency, k.CPUSet, k.Infos))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", rule, diff)
		}
	}
}

// PUs that are offline, and PUs that the cgroup does not allow, are listed beside the tree; a kind without
// remaining PUs is dropped.
func TestAbsentPUs(t *testing.T) {
	t.Parallel()
	f := smt.files(hw.SetOf(3))
	for i := range 8 {
		f.put(cpu(i, "cpu_capacity"), "%d", 100*(1+i/2))
	}
	f.put("proc/mounts", "%s", mountV1)
	f.put("proc/self/cgroup", "3:cpuset:/")
	f.put("sys/fs/cgroup/cpuset/cpuset.cpus", "2-5")
	d := read(t, f).Root.Details
	got := fmt.Sprint(d.Offline, " ", d.Disallowed)
	for _, k := range d.Kinds {
		got += fmt.Sprintf(" %d:%v", k.Efficiency, k.CPUSet)
	}
	if want := "3 0-1,6-7 0:2 1:4-5"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Memory is taken for high-bandwidth where it is more than twice as fast as the other; nodes whose speeds differ
// by no more than a tenth are of one kind. With three kinds, none gets a name.
func TestSpeedsOfMemory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bandwidths []int
		want       string
	}{
		{[]int{1000, 2001}, "DRAM HBM"},
		{[]int{1000, 2000}, " "},
		{[]int{1000, 1500}, " "},
		{[]int{2001, 1000}, " "}, // the machine boots from node 0
		{[]int{1000, 1100, 3000}, "DRAM DRAM HBM"},
		{[]int{1000, 1101, 3000}, "  "},
		{[]int{1000, 1199, 3000}, "  "},
		{[]int{1000, 1100, 2200}, "  "}, // of the faster of the two
	} {
		f := shape{1, 1, len(c.bandwidths), 1, 1, 1}.files(hw.Set{})
		for n, bandwidth := range c.bandwidths {
			for _, way := range []string{"read", "write"} {
				f.put(node(n, "access0/initiators/"+way+"_bandwidth"), "%d", bandwidth)
			}
		}
		var got []string
		for o := range read(t, f).Root.All() {
			if o.Type == hw.NUMANode {
				got = append(got, o.Subtype)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%v MiB/s: %q, want %q", c.bandwidths, text, c.want)
		}
	}
}

// Memory that was a device has its kind in its subtype: non-volatile if its bus is, high-bandwidth when it is
// more than twice as fast.
func TestKindsOfMemory(t *testing.T) {
	t.Parallel()
	f := shape{1, 1, 4, 1, 1, 1}.files(hw.Set{})
	for n, bandwidth := range []int{1000, 2500, 100, 1000} {
		for _, way := range []string{"read", "write"} {
			f.put(node(n, "access0/initiators/"+way+"_bandwidth"), "%d", bandwidth)
		}
	}
	for n, device := range map[int]string{1: "platform/hmem.0", 2: "ACPI0012:00/ndbus0/region0"} {
		name := fmt.Sprintf("dax%d.0", n)
		target := "../../../devices/" + device + "/" + name
		f["sys/bus/dax/devices/"+name] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink}
		f["sys/bus/dax/drivers/kmem/"+name] = &fstest.MapFile{}
		f.put("sys/devices/"+device+"/"+name+"/target_node", "%d", n)
	}
	var got []string
	for o := range read(t, f).Root.All() {
		if o.Type == hw.NUMANode {
			got = append(got, o.Subtype)
		}
	}
	if diff := cmp.Diff([]string{"DRAM", "HBM", "NVM", "DRAM"}, got); diff != "" {
		t.Error(diff)
	}
}

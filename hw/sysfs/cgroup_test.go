package sysfs_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

const (
	mountV1  = "cgroup /sys/fs/cgroup/cpuset cgroup rw,relatime,cpuset 0 0"
	mountV2  = "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0"
	mountOld = "none /dev/cpuset cpuset rw 0 0"
)

// PUs and nodes that the cgroup does not allow are left out of the tree, with a
// note: with version 1 and 2, by the file of the nearest parent where the group
// has none, and without mounts that have no cpuset controller.
func TestCgroup(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rule     string
		files    map[string]string
		cores    []string
		packages []string
		nodes    []string
		notes    []string
	}{
		{"version 1",
			map[string]string{
				"proc/mounts":                          "proc /proc proc rw 0 0\n" + mountV1,
				"proc/self/cgroup":                     "4:memory:/other\n3:cpu,cpuset:/job\n0::/wrong",
				"sys/fs/cgroup/cpuset/job/cpuset.cpus": "0,4-5",
				"sys/fs/cgroup/cpuset/job/cpuset.mems": "0",
			},
			[]string{"0,4", "5"}, []string{"0,4-5"}, []string{"0,4-5"},
			[]string{"cgroup allows PUs 0,4-5 of 0-7", "cgroup allows NUMA nodes 0 of 0-1"}},
		{"version 2, from the parent; an emptied package keeps its allowed node",
			map[string]string{
				"proc/mounts":                              mountV2,
				"proc/self/cgroup":                         "0::/user/job/step",
				"sys/fs/cgroup/cgroup.controllers":         "cpuset cpu memory",
				"sys/fs/cgroup/user/cpuset.cpus.effective": "2-3",
				"sys/fs/cgroup/user/cpuset.mems.effective": "0-1",
				"sys/fs/cgroup/cpuset.cpus.effective":      "0-7",
			},
			[]string{"2", "3"}, []string{"", "2-3"}, []string{"", "2-3"},
			[]string{"cgroup allows PUs 2-3 of 0-7"}},
		{"version 2 without the controller, then version 1",
			map[string]string{
				"proc/mounts": "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n" + mountV1,
				"sys/fs/cgroup/unified/cgroup.controllers":      "cpu io",
				"sys/fs/cgroup/unified/x/cpuset.cpus.effective": "1",
				"proc/self/cgroup":                              "3:cpuset:/\n0::/x",
				"sys/fs/cgroup/cpuset/cpuset.cpus":              "0-7",
			},
			[]string{"0,4", "1,5", "2,6", "3,7"}, []string{"0-1,4-5", "2-3,6-7"},
			[]string{"0-1,4-5", "2-3,6-7"}, nil},
		{"the old cpuset file system",
			map[string]string{
				"proc/mounts": mountOld, "proc/self/cpuset": "/dummy",
				"dev/cpuset/dummy/cpus": "6-7", "dev/cpuset/dummy/mems": "1",
			},
			[]string{"6", "7"}, []string{"6-7"}, []string{"6-7"},
			[]string{"cgroup allows PUs 6-7 of 0-7", "cgroup allows NUMA nodes 1 of 0-1"}},
		{"garbage: the machine stays whole and a note says why",
			map[string]string{
				"proc/mounts": mountV1, "proc/self/cgroup": "3:cpuset:/",
				"sys/fs/cgroup/cpuset/cpuset.cpus": "all",
			},
			[]string{"0,4", "1,5", "2,6", "3,7"}, []string{"0-1,4-5", "2-3,6-7"},
			[]string{"0-1,4-5", "2-3,6-7"},
			[]string{`cgroup limits are unknown: sys/fs/cgroup/cpuset/cpuset.cpus: ` +
				`cpu list "all": "all" is not an index`}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			f := smt.files(hw.Set{})
			for path, content := range tt.files {
				f.put(path, "%s", content)
			}
			m := read(t, f)
			got := treeSets(m.Root)
			want := map[string][]string{"Core": tt.cores, "Package": tt.packages, "NUMANode": tt.nodes}
			for name := range want {
				if diff := cmp.Diff(want[name], got[name]); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
			}
			if diff := cmp.Diff(tt.notes, m.Notes); diff != "" {
				t.Errorf("notes: %s", diff)
			}
			whole, err := sysfs.ReadWhole(fstest.MapFS(f))
			if err != nil {
				t.Fatal(err)
			}
			if pus := treeSets(whole.Root)["PU"]; m.Online.String() != "0-7" || len(pus) != 8 {
				t.Errorf("online %v, PUs of the whole %v: the cgroup must not change them", m.Online, pus)
			}
		})
	}
}

// A cgroup that allows no PU of the machine belongs to another machine: an
// error.
func TestCgroupElsewhere(t *testing.T) {
	t.Parallel()
	f := smt.files(hw.Set{})
	f.put("proc/mounts", "%s", mountV1)
	f.put("proc/self/cgroup", "3:cpuset:/job")
	f.put("sys/fs/cgroup/cpuset/job/cpuset.cpus", "8-9")
	_, err := sysfs.Read(fstest.MapFS(f))
	want := "cgroup /job allows PUs 8-9, but only PUs 0-7 are online"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

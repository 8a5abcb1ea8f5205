package sysfs_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

// Files that make no sense are errors that name the file and its content.
func TestReadGarbage(t *testing.T) {
	t.Parallel()
	tests := []struct{ path, content, want string }{
		{"sys/devices/system/cpu/online", "0-x",
			`sys/devices/system/cpu/online: cpu list "0-x": "x" is not an index`},
		{"sys/devices/system/cpu/online", "0-65536",
			`sys/devices/system/cpu/online: cpu list "0-65536": index 65536 is above the limit of 65535`},
		{"sys/devices/system/cpu/online", "0-4294967295",
			`sys/devices/system/cpu/online: cpu list "0-4294967295": index 4294967295 is above the limit of 65535`},
		{"sys/devices/system/cpu/online", "-1", `sys/devices/system/cpu/online: cpu list "-1": "" is not an index`},
		{"sys/devices/system/cpu/online", "99999999999999999999",
			`sys/devices/system/cpu/online: cpu list "99999999999999999999": "99999999999999999999" is not an index`},
		{"sys/devices/system/node/online", "0-1024",
			`sys/devices/system/node/online: cpu list "0-1024": index 1024 is above the limit of 1023`},
		{cpu(0, "topology/core_id"), "99999999999999999999",
			cpu(0, "topology/core_id") + `: "99999999999999999999" is not a number`},
		{cpu(0, "cpufreq/base_frequency"), "fast", cpu(0, "cpufreq/base_frequency") +
			`: "fast" is not a number`},
		{cpu(1, "topology/core_cpus"), "2,zz",
			cpu(1, "topology/core_cpus") + `: "zz" in mask "2,zz" is not a hexadecimal group of 32 bits`},
		{cpu(1, "topology/core_id"), "one", cpu(1, "topology/core_id") + `: "one" is not a number`},
		{cpu(0, "cache/index2/size"), "big", cpu(0, "cache/index2/size") +
			`: "big" is not a size such as 32K`},
		{cpu(0, "cache/index2/type"), "Trace", cpu(0, "cache/index2") +
			`: cache type "Trace" is not Data, Unified or Instruction`},
		{node(0, "meminfo"), "Node 0 MemTotal: much kB", node(0, "meminfo") +
			`: "much kB" is not an amount such as 1024 kB`},
		{node(0, "cpumap"), "1,,1", node(0, "cpumap") +
			`: "" in mask "1,,1" is not a hexadecimal group of 32 bits`},
		{node(0, "distance"), "10 -20", node(0, "distance") + `: "-20" is not a distance`},
		{cpu(0, "topology/core_cpus"), strings.Repeat("0", 65536),
			cpu(0, "topology/core_cpus") + `: longer than 65536 bytes`},
		{cpu(0, "topology/core_cpus"), "1" + strings.Repeat(",00000000", 2048),
			cpu(0, "topology/core_cpus") + `: number 65536 is above the limit of 65535`},
		{cpu(65536, "online"), "1", `sys/devices/system/cpu/cpu65536: numbers end at 65535`},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			t.Parallel()
			f := smt.files(hw.Set{})
			f.put(tt.path, "%s", tt.content)
			_, err := sysfs.Read(fstest.MapFS(f))
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

// locked is a file system with one file that cannot be opened.
type locked struct {
	fs.FS
	path string
}

func (l locked) Open(path string) (fs.File, error) {
	if path == l.path {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return l.FS.Open(path)
}

// An existing file that cannot be read is an error, unlike a missing file; a
// file that only concerns the cgroup gives a note instead.
func TestReadUnreadable(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS(smt.files(hw.Set{}))
	path := cpu(2, "topology/core_cpus")
	_, err := sysfs.Read(locked{files, path})
	if want := "cannot open " + path + ": permission denied"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	m, err := sysfs.Read(locked{files, "proc/mounts"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"cgroup limits are unknown: cannot open proc/mounts: permission denied"}
	if diff := cmp.Diff(want, m.Notes); diff != "" {
		t.Error(diff)
	}
}

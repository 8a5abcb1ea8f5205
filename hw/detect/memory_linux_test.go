package detect

import (
	"testing"
	"testing/fstest"
)

// The least limit on the way from the process's control group up to the root holds
// (Linux, admin-guide/cgroup-v2: "memory.max", and a child cannot have more than its
// parents).
func TestGroupMemory(t *testing.T) {
	t.Parallel()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for name, tt := range map[string]struct {
		files fstest.MapFS
		want  uint64
	}{
		"none":      {fstest.MapFS{}, 0},
		"unlimited": {fstest.MapFS{"proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("max\n")}, 0},
		"parent": {fstest.MapFS{"proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("4096\n"),
			"sys/fs/cgroup/a/memory.max": file("1024\n")}, 1024},
		"container": {fstest.MapFS{"proc/self/cgroup": file("0::/../docker/x\n"), "sys/fs/cgroup/memory.max": file("2048\n")}, 2048},
		"version 1": {fstest.MapFS{"proc/self/cgroup": file("5:cpu,cpuacct:/g\n4:memory:/g\n0::/\n"),
			"sys/fs/cgroup/memory/g/memory.limit_in_bytes": file("512\n")}, 512},
	} {
		if got := groupMemory(tt.files); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}

package record

import (
	"fmt"
	"io/fs"
	"strings"

	"commsplit/hw/sysfs"
)

// takeCpuset writes what the cgroup allows as the limits of a root group.
func (r *Recording) takeCpuset(root fs.FS) error {
	c, err := sysfs.ReadCpuset(root)
	if err != nil {
		return err
	}
	if c.CPUs.Empty() && c.Mems.Empty() {
		return nil
	}
	folder, mount, group := "sys/fs/cgroup/cpuset/", "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\n", "1:cpuset:/\n"
	cpus, mems := "cpuset.cpus", "cpuset.mems"
	if c.V2 {
		folder, mount, group = "sys/fs/cgroup/", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n", "0::/\n"
		cpus, mems = "cpuset.cpus.effective", "cpuset.mems.effective"
		r.files[folder+"cgroup.controllers"] = "cpuset\n"
	}
	r.files["proc/mounts"] = mount
	r.files["proc/self/cgroup"] = group
	r.files[folder+cpus] = c.CPUs.String() + "\n"
	r.files[folder+mems] = c.Mems.String() + "\n"
	return nil
}

// takeGPUs writes which NUMA nodes are the memory of GPUs, without the GPUs' addresses.
func (r *Recording) takeGPUs(root fs.FS) error {
	paths, err := fs.Glob(root, "proc/driver/nvidia/gpus/*/numa_status")
	if err != nil {
		return err
	}
	for i, path := range paths {
		data, err := fs.ReadFile(root, path)
		if err != nil {
			r.Skipped = append(r.Skipped, fmt.Sprintf("/%s: %v", path, cause(err)))
			continue
		}
		to := fmt.Sprintf("proc/driver/nvidia/gpus/gpu%d/numa_status", i)
		r.files[to] = lines(string(data), func(line string) bool { return strings.HasPrefix(line, "Node:") })
	}
	return nil
}

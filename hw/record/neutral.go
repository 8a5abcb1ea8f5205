package record

import (
	"fmt"
	"io/fs"
	"path"
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
		r.files[to] = gpuLines.of(string(data))
	}
	return nil
}

// takeDAX writes which NUMA nodes are memory that the kernel took over from a device, and whether it is
// of a bus of non-volatile modules: that much of a device's path, and no more, tells the kind of memory.
func (r *Recording) takeDAX(root fs.FS) error {
	const bus = "sys/bus/dax/"
	drivers, err := fs.Glob(root, bus+"drivers/kmem/*")
	if err != nil {
		return err
	}
	n := 0
	for _, driver := range drivers {
		device := bus + "devices/" + path.Base(driver)
		target, err := fs.ReadLink(root, device)
		if err != nil {
			continue // a setting of the driver
		}
		data, err := fs.ReadFile(root, device+"/target_node")
		if err != nil {
			r.Skipped = append(r.Skipped, fmt.Sprintf("/%s/target_node: %v", device, cause(err)))
			continue
		}
		name, parent := fmt.Sprintf("dax%d.0", n), "platform"
		if strings.Contains(target, "ndbus") {
			parent = "ndbus0"
		}
		n++
		r.links[bus+"devices/"+name] = "../../../devices/" + parent + "/" + name
		r.links[bus+"drivers/kmem/"+name] = "../../../../devices/" + parent + "/" + name
		r.files["sys/devices/"+parent+"/"+name+"/target_node"] = string(data)
	}
	return nil
}

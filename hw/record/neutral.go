package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

// takeCpuset writes the limits of the process's cgroup as the limits of a root group.
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
		if text, ok := r.text(root, path); ok {
			r.files[fmt.Sprintf("proc/driver/nvidia/gpus/gpu%d/numa_status", i)] = gpuLines.of(text)
		}
	}
	return nil
}

// takeDAX writes which NUMA nodes are memory that the kernel took over from a device, and whether the device
// is on a bus of non-volatile modules: this part of a device's path tells the kind of memory, and no other
// part is copied.
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
		node, ok := r.text(root, device+"/target_node")
		if !ok {
			continue
		}
		name, parent := fmt.Sprintf("dax%d.0", n), "platform"
		if strings.Contains(target, "ndbus") {
			parent = "ndbus0"
		}
		n++
		r.links[bus+"devices/"+name] = "../../../devices/" + parent + "/" + name
		r.links[bus+"drivers/kmem/"+name] = "../../../../devices/" + parent + "/" + name
		r.files["sys/devices/"+parent+"/"+name+"/target_node"] = node
	}
	return nil
}

const (
	pciFolder = "sys/bus/pci/devices/"
	classes   = "sys/class/"
)

// pciFiles are the files of a PCI device that tell what the device is and what is near to it.
var pciFiles = []string{"class", "vendor", "device", "subsystem_vendor", "subsystem_device", "revision", "numa_node", "local_cpus"}

// onBus matches the parts of a device's path that are kept: buses of the host and PCI addresses. Other parts
// can be UUIDs, as with Hyper-V's devices. addressed matches a network address in a name: enx00decafc0ffe.
var (
	onBus     = regexp.MustCompile(`^(pci)?[[:xdigit:]]{4,8}:[[:xdigit:]]{2}(:[[:xdigit:]]{2}\.[0-7])?$`)
	addressed = regexp.MustCompile(`[[:xdigit:]]{12,}`)
)

// takeDevices writes the PCI devices, and the named devices on them, below paths that consist of PCI addresses
// alone.
func (r *Recording) takeDevices(root fs.FS) error {
	found, err := fs.Glob(root, pciFolder+"*")
	if err != nil {
		return err
	}
	for _, device := range found {
		name := path.Base(device)
		if strings.HasPrefix(name, "pci") || !onBus.MatchString(name) {
			continue
		}
		own := "pci" + name[:strings.LastIndexByte(name, ':')] + "/" + name
		if target, err := fs.ReadLink(root, device); err == nil {
			own = busPath(target)
		}
		r.links[device] = "../../../devices/" + own
		for _, file := range pciFiles {
			r.copy(root, device+"/"+file, "sys/devices/"+own+"/"+file)
		}
	}
	renamed := 0
	for _, class := range []string{"block", "drm", "infiniband", "net"} {
		found, err := fs.Glob(root, classes+class+"/*")
		if err != nil {
			return err
		}
		for _, device := range found {
			where, ok := real(root, class, device)
			if !ok {
				continue
			}
			name := addressed.ReplaceAllString(path.Base(device), "")
			if name != path.Base(device) {
				name += strconv.Itoa(renamed)
				renamed++
			}
			own := busPath(where)
			if own == "" {
				own = "platform"
			}
			own += "/" + class + "/" + name
			r.links[classes+class+"/"+name] = "../../devices/" + own
			for _, file := range []string{"device/model", "device/numa_node"} {
				if class == "block" || file == "device/numa_node" {
					r.copy(root, device+"/"+file, "sys/devices/"+own+"/"+file)
				}
			}
		}
	}
	return nil
}

// copy copies a file to another path.
func (r *Recording) copy(root fs.FS, from, to string) {
	if text, ok := r.text(root, from); ok {
		r.files[to] = text
	}
}

// text reads a file. It notes a file that is there and cannot be read.
func (r *Recording) text(root fs.FS, path string) (text string, ok bool) {
	data, err := fs.ReadFile(root, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.Skipped = append(r.Skipped, fmt.Sprintf("/%s: %v", path, sysfs.Cause(err)))
	}
	return string(data), err == nil
}

// real returns the path of a device of a class; false for partitions, connectors of cards, and virtual
// devices. For a disk with several paths, nvme0n1, it returns the path of the disk's controller nvme0.
func real(root fs.FS, class, device string) (where string, ok bool) {
	name := path.Base(device)
	where, err := fs.ReadLink(root, device)
	_, partition := fs.Stat(root, device+"/partition")
	if err != nil || partition == nil || class == "drm" && (!strings.HasPrefix(name, "card") || strings.Contains(name, "-")) {
		return "", false
	}
	if controller, _, disk := strings.Cut(strings.TrimPrefix(name, "nvme"), "n"); disk && strings.Contains(where, "/virtual/") {
		where, err = fs.ReadLink(root, classes+"nvme/nvme"+controller)
	}
	return where, err == nil && !strings.Contains(where, "/virtual/")
}

// busPath returns the buses and PCI addresses in a device's path.
func busPath(where string) string {
	parts := strings.Split(where, "/")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return !onBus.MatchString(p) }), "/")
}

package sysfs

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"codeberg.org/commsplit/commsplit/hw"
)

const (
	pciFolder  = "sys/bus/pci/devices"
	classes    = "sys/class/"
	maxDevices = 1 << 14 // PCI devices, and OS devices, of a machine
)

// busID is a PCI address: domain, bus, device, function. rootBus names a bus of the host.
var (
	busID   = regexp.MustCompile(`^[[:xdigit:]]{4,8}:[[:xdigit:]]{2}:[[:xdigit:]]{2}\.[0-7]$`)
	rootBus = regexp.MustCompile(`^pci([[:xdigit:]]{4,8}):([[:xdigit:]]{2})$`)
)

// osClass is a folder of /sys/class whose entries are devices that programs know by name.
type osClass struct {
	folder, kind string
	name         *regexp.Regexp // of the entries that count
}

// osClasses are the classes that hwloc reads, without DMA engines, which interest nobody here. The kernel
// knows a GPU only as its card: cuda0 is a name of the CUDA library.
var osClasses = []osClass{
	{"block", "Block", regexp.MustCompile(`^[^/]+$`)},
	{"net", "Network", regexp.MustCompile(`^[^/]+$`)},
	{"infiniband", "OpenFabrics", regexp.MustCompile(`^([^s/]|s[^c/])[^/]*$`)}, // scif0 is not a device
	{"drm", "GPU", regexp.MustCompile(`^card[0-9]+$`)},
}

// pciDevice is a PCI device on the way into the tree.
type pciDevice struct {
	*hw.Device
	id     string
	class  uint16
	parent string // the bridge in front of it; "" on a bus of the host
	root   string // that bus: "0000:00"
	depth  int    // bridges above it
	inside []*pciDevice
}

// hostBus is one bus of the host with the devices on it.
type hostBus struct {
	name string // "0000:00"
	top  []*pciDevice
	near hw.Set // PUs; empty where nobody knows
}

// devices adds the machine's I/O devices to the tree, each below the smallest object that has all PUs near
// to the device's bus, as hwloc does. The objects of the tree stay as they are.
func (r *reader) devices(root *hw.Object) {
	buses, byID := r.pci()
	named := r.osDevices(byID)
	if r.err != nil {
		return
	}
	for _, b := range buses {
		list := kept(b.top, 1)
		if len(list) == 0 {
			continue
		}
		bridge := &hw.Device{Type: "Bridge", Devices: list, Attrs: []hw.Info{{Name: "bridge_type", Value: "0-1"},
			{Name: "depth", Value: "0"}, {Name: "bridge_pci", Value: busRange(b.name, b.top)}}}
		near := home(root, b.near).Detailed()
		near.Devices = append(near.Devices, bridge)
	}
	for _, d := range named {
		near := home(root, d.near).Detailed()
		near.Devices = append(near.Devices, d.Device)
	}
}

// alone is a device without a PCI device.
type alone struct {
	*hw.Device
	near hw.Set
}

// home returns the outermost object that has exactly the PUs in near; if none has, the smallest object that
// has all of them. For no PUs that is the machine.
func home(root *hw.Object, near hw.Set) *hw.Object {
	near = near.Intersect(root.CPUSet)
	at := root
	for !near.Empty() && !at.CPUSet.Equal(near) {
		i := slices.IndexFunc(at.Children, func(c *hw.Object) bool { return near.SubsetOf(c.CPUSet) })
		if i < 0 {
			break
		}
		at = at.Children[i]
	}
	return at
}

// pci reads the PCI devices and sorts them by their bus of the host.
func (r *reader) pci() (buses []*hostBus, byID map[string]*pciDevice) {
	names := slices.DeleteFunc(r.entries(pciFolder), func(n string) bool { return !busID.MatchString(n) })
	if len(names) > maxDevices {
		r.fail("%s: more than %d devices", pciFolder, maxDevices)
		return nil, nil
	}
	slices.Sort(names)
	byID = map[string]*pciDevice{}
	byName := map[string]*hostBus{}
	for _, name := range names {
		byID[name] = r.pciDevice(name)
	}
	for _, name := range names {
		d := byID[name]
		if above := byID[d.parent]; above != nil && above.depth < d.depth {
			above.inside = append(above.inside, d)
			continue
		}
		b := byName[d.root]
		if b == nil {
			b = &hostBus{name: d.root}
			byName[d.root] = b
			buses = append(buses, b)
		}
		b.top = append(b.top, d)
	}
	for _, b := range buses {
		b.near = r.nearBus(b.top)
	}
	return buses, byID
}

// pciDevice reads the files of a PCI device; of most devices only the class matters.
func (r *reader) pciDevice(name string) *pciDevice {
	d := &pciDevice{id: name, Device: &hw.Device{Type: "PCIDev"}, root: name[:strings.LastIndexByte(name, ':')]}
	for _, part := range strings.Split(r.link(pciFolder+"/"+name), "/") {
		switch m := rootBus.FindStringSubmatch(part); {
		case m != nil:
			d.root = m[1] + ":" + m[2]
		case part != name && busID.MatchString(part):
			d.parent = part
			d.depth++
		}
	}
	d.class = uint16(r.hex(pciFolder+"/"+name+"/class", 24) >> 8)
	if !hw.ImportantPCI(d.class, true) {
		d.Attrs = []hw.Info{{Name: "pci_busid", Value: name}}
		return d
	}
	var ids [5]uint64
	for i, file := range []string{"vendor", "device", "subsystem_vendor", "subsystem_device", "revision"} {
		ids[i] = r.hex(pciFolder+"/"+name+"/"+file, 16)
	}
	d.Attrs = []hw.Info{{Name: "pci_busid", Value: name}, {Name: "pci_type",
		Value: fmt.Sprintf("%04x [%04x:%04x] [%04x:%04x] %02x", d.class, ids[0], ids[1], ids[2], ids[3], ids[4]&0xff)}}
	return d
}

// hex reads a hexadecimal number such as 0x020000, of at most that many bits; 0 when the file is missing.
func (r *reader) hex(file string, bits int) uint64 {
	text, ok := r.text(file)
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, bits)
	if err != nil {
		r.fail("%s: %q is not a hexadecimal number of %d bits", file, hw.Clip(text), bits)
	}
	return n
}

// link returns the target of a symbolic link; "" for a file that is not a link.
func (r *reader) link(file string) string {
	to, err := fs.ReadLink(r.root, file)
	if err != nil {
		return ""
	}
	return to
}

// nearBus returns the PUs near to a bus of the host, from the first device on the bus that knows them: the
// PUs of the device's NUMA node, or a list. The set is empty where the kernel has -1, as in most virtual
// machines.
func (r *reader) nearBus(list []*pciDevice) hw.Set {
	for _, d := range list {
		if near := r.nearNode(pciFolder + "/" + d.id + "/numa_node"); !near.Empty() {
			return near
		}
		file := pciFolder + "/" + d.id + "/local_cpus"
		if text, _ := r.text(file); text != "" {
			near, err := ParseMask(strings.TrimPrefix(text, "0x")) // recordings written by hand have the 0x
			if err != nil {
				r.fail("%s: %w", file, err)
			}
			return near
		}
	}
	return hw.Set{}
}

// nearNode returns the PUs of the NUMA node whose number is in a file; the empty set where the file is
// missing or has -1.
func (r *reader) nearNode(file string) (near hw.Set) {
	node := r.index(file)
	if node == hw.Unknown || node >= maxNodes {
		return near
	}
	near, _ = r.mask(nodeFile(node, "cpumap"))
	return near
}

// kept returns the devices of interest, and the bridges that lead to such devices; depth counts the bridges
// above.
func kept(list []*pciDevice, depth int) []*hw.Device {
	var all []*hw.Device
	for _, d := range list {
		named := len(d.Devices) > 0
		below := kept(d.inside, depth+1)
		switch {
		case d.class == 0x0604 && len(below) > 0:
			d.Type = "Bridge"
			id := d.Attrs
			d.Attrs = append([]hw.Info{{Name: "bridge_type", Value: "1-1"}, {Name: "depth", Value: strconv.Itoa(depth)},
				{Name: "bridge_pci", Value: busRange(d.id, d.inside)}}, id...)
		case !named && !hw.ImportantPCI(d.class, len(below) > 0):
			all = append(all, below...)
			continue
		}
		d.Devices = append(below, d.Devices...)
		all = append(all, d.Device)
	}
	return all
}

// busRange returns the buses behind a bridge, "0000:[03-05]"; in is the bridge's address.
func busRange(in string, list []*pciDevice) string {
	domain, _, _ := strings.Cut(in, ":")
	first, last := "ff", "00"
	var visit func([]*pciDevice)
	visit = func(list []*pciDevice) {
		for _, d := range list {
			_, rest, _ := strings.Cut(d.id, ":")
			bus, _, _ := strings.Cut(rest, ":")
			first, last = min(first, bus), max(last, bus)
			visit(d.inside)
		}
	}
	visit(list)
	return domain + ":[" + first + "-" + last + "]"
}

// osDevices puts the devices with names below their PCI devices. It returns the devices without a PCI
// device, except those that the kernel made up: virtual devices.
func (r *reader) osDevices(byID map[string]*pciDevice) (others []alone) {
	count := 0
	for _, c := range osClasses {
		for _, name := range r.entries(classes + c.folder) {
			if count++; count > maxDevices {
				r.fail("%s%s: more than %d devices", classes, c.folder, maxDevices)
				return nil
			}
			if !c.name.MatchString(name) || !readable(name) {
				continue
			}
			where := r.link(classes + c.folder + "/" + name)
			part := r.exists(classes + c.folder + "/" + name + "/partition")
			if virtual := strings.Contains(where, "/virtual/"); where == "" || part || virtual && !r.behind(name, &where) {
				continue
			}
			d := &hw.Device{Type: "OSDev", Name: name,
				Attrs: []hw.Info{{Name: "osdev_type", Value: hw.OSDevType(c.kind)}}}
			r.describe(d, c, name)
			if p := innermost(where, byID); p != nil {
				p.Devices = append(p.Devices, d)
			} else {
				others = append(others, alone{d, r.nearNode(classes + c.folder + "/" + name + "/device/numa_node")})
			}
		}
	}
	return others
}

// behind finds the controller of an NVMe disk that has several paths and is therefore virtual: nvme0 for
// nvme0n1. It reports whether the controller is a real device.
func (r *reader) behind(name string, where *string) bool {
	controller, _, ok := strings.Cut(strings.TrimPrefix(name, "nvme"), "n")
	if !strings.HasPrefix(name, "nvme") || !ok {
		return false
	}
	*where = r.link(classes + "nvme/nvme" + controller)
	return *where != "" && !strings.Contains(*where, "/virtual/")
}

// describe reads the model of a disk.
func (r *reader) describe(d *hw.Device, c osClass, name string) {
	if c.folder != "block" {
		return
	}
	if model, ok := r.text(path.Join(classes, c.folder, name, "device/model")); ok && readable(model) {
		d.Infos = append(d.Infos, hw.Info{Name: "Model", Value: model})
	}
}

// readable reports whether a name is short and printable.
func readable(text string) bool {
	return len(text) <= 100 && !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) })
}

// innermost returns the last known PCI device in a path; nil for none.
func innermost(where string, byID map[string]*pciDevice) *pciDevice {
	parts := strings.Split(where, "/")
	for _, part := range slices.Backward(parts) {
		if d := byID[part]; d != nil {
			return d
		}
	}
	return nil
}

package sysfs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"commsplit/hw"
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

// osClasses are what hwloc reads, without DMA engines, which are of no interest to anyone here. Of a GPU
// the kernel only knows its card: cuda0 is a name of the CUDA library.
var osClasses = []osClass{
	{"block", "Block", regexp.MustCompile(`^[^/]+$`)},
	{"net", "Network", regexp.MustCompile(`^[^/]+$`)},
	{"infiniband", "OpenFabrics", regexp.MustCompile(`^([^s/]|s[^c/])[^/]*$`)}, // scif0 is no device
	{"drm", "GPU", regexp.MustCompile(`^card[0-9]+$`)},
}

// pciDevice is a PCI device on the way into the tree.
type pciDevice struct {
	*hw.Device
	id     string
	class  uint16
	parent string // the bridge that it is behind; "" on a bus of the host
	root   string // that bus: "0000:00"
	depth  int    // bridges above it
	inside []*pciDevice
}

// hostBus is what hangs on one bus of the host.
type hostBus struct {
	name string // "0000:00"
	top  []*pciDevice
	near hw.Set // PUs; empty where nobody knows
}

// devices hangs the machine's I/O devices into the tree, each below the smallest object that has all PUs
// that are near to its bus, as hwloc does it. The tree itself stays as it is.
func (r *reader) devices(root *hw.Object) error {
	buses, byID, err := r.pci()
	if err != nil {
		return err
	}
	named, err := r.osDevices(byID)
	if err != nil {
		return err
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
	return nil
}

// alone is a device that hangs on no PCI device.
type alone struct {
	*hw.Device
	near hw.Set
}

// home is the largest object of those that have all of some PUs and no others, otherwise the smallest one
// that has them all: the machine where there are none.
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

// pci reads the PCI devices and sorts them by the buses of the host that they are on.
func (r *reader) pci() (buses []*hostBus, byID map[string]*pciDevice, err error) {
	names, err := r.entries(pciFolder)
	if err != nil {
		return nil, nil, err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !busID.MatchString(n) })
	if len(names) > maxDevices {
		return nil, nil, fmt.Errorf("%s: more than %d devices", pciFolder, maxDevices)
	}
	slices.Sort(names)
	byID = map[string]*pciDevice{}
	byName := map[string]*hostBus{}
	for _, name := range names {
		d, err := r.pciDevice(name)
		if err != nil {
			return nil, nil, err
		}
		byID[name] = d
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
		if b.near, err = r.nearBus(b.top); err != nil {
			return nil, nil, err
		}
	}
	return buses, byID, nil
}

// pciDevice reads what is of interest in a device: of most, only their class is.
func (r *reader) pciDevice(name string) (*pciDevice, error) {
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
	class, err := r.hex(pciFolder+"/"+name+"/class", 24)
	if err != nil {
		return nil, err
	}
	d.class = uint16(class >> 8)
	if !hw.ImportantPCI(d.class, true) {
		d.Attrs = []hw.Info{{Name: "pci_busid", Value: name}}
		return d, nil
	}
	var ids [5]uint64
	for i, file := range []string{"vendor", "device", "subsystem_vendor", "subsystem_device", "revision"} {
		if ids[i], err = r.hex(pciFolder+"/"+name+"/"+file, 16); err != nil {
			return nil, err
		}
	}
	d.Attrs = []hw.Info{{Name: "pci_busid", Value: name}, {Name: "pci_type",
		Value: fmt.Sprintf("%04x [%04x:%04x] [%04x:%04x] %02x", d.class, ids[0], ids[1], ids[2], ids[3], ids[4]&0xff)}}
	return d, nil
}

// hex reads a number such as 0x020000, of so many bits; 0 when the file is missing.
func (r *reader) hex(file string, bits int) (uint64, error) {
	text, ok, err := r.text(file)
	if err != nil || !ok {
		return 0, err
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, bits)
	if err != nil {
		return 0, fmt.Errorf("%s: %q is no hexadecimal number of %d bits", file, hw.Clip(text), bits)
	}
	return n, nil
}

// link is where a symbolic link leads; "" for what is none.
func (r *reader) link(file string) string {
	to, err := fs.ReadLink(r.root, file)
	if err != nil {
		return ""
	}
	return to
}

// nearBus is the PUs near to a bus of the host, as the first device on it that knows tells it: those of its
// NUMA node, or a list. Nobody knows where the kernel says -1, as in most virtual machines.
func (r *reader) nearBus(list []*pciDevice) (hw.Set, error) {
	for _, d := range list {
		if near, err := r.nearNode(pciFolder + "/" + d.id + "/numa_node"); err != nil || !near.Empty() {
			return near, err
		}
		file := pciFolder + "/" + d.id + "/local_cpus"
		text, _, err := r.text(file)
		if err != nil {
			return hw.Set{}, err
		}
		if text != "" {
			near, err := ParseMask(strings.TrimPrefix(text, "0x")) // as recordings written by hand have it
			if err != nil {
				return near, fmt.Errorf("%s: %w", file, err)
			}
			return near, nil
		}
	}
	return hw.Set{}, nil
}

// nearNode is the PUs of the NUMA node that a file names; none where it is missing or says -1.
func (r *reader) nearNode(file string) (near hw.Set, err error) {
	node, err := r.index(file)
	if err != nil || node == hw.Unknown || node >= maxNodes {
		return near, err
	}
	near, _, err = r.mask(fmt.Sprintf("sys/devices/system/node/node%d/cpumap", node))
	return near, err
}

// kept are the devices that are of interest, with bridges that lead to some, at a depth below the host.
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

// busRange is the buses behind a bridge, "0000:[03-05]", in the domain of an address.
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

// osDevices hangs what has a name below its PCI device. What has none comes back, unless the kernel made
// it up: it is virtual.
func (r *reader) osDevices(byID map[string]*pciDevice) (others []alone, err error) {
	count := 0
	for _, c := range osClasses {
		names, err := r.entries(classes + c.folder)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if count++; count > maxDevices {
				return nil, fmt.Errorf("%s%s: more than %d devices", classes, c.folder, maxDevices)
			}
			if !c.name.MatchString(name) || !readable(name) {
				continue
			}
			where := r.link(classes + c.folder + "/" + name)
			part, err := r.present(classes + c.folder + "/" + name + "/partition")
			if err != nil {
				return nil, err
			}
			if virtual := strings.Contains(where, "/virtual/"); where == "" || part || virtual && !r.behind(name, &where) {
				continue
			}
			d := &hw.Device{Type: "OSDev", Name: name,
				Attrs: []hw.Info{{Name: "osdev_type", Value: hw.OSDevType(c.kind)}}}
			if err := r.describe(d, c, name); err != nil {
				return nil, err
			}
			if p := innermost(where, byID); p != nil {
				p.Devices = append(p.Devices, d)
			} else {
				near, err := r.nearNode(classes + c.folder + "/" + name + "/device/numa_node")
				if err != nil {
					return nil, err
				}
				others = append(others, alone{d, near})
			}
		}
	}
	return others, nil
}

// behind finds the controller of an NVMe disk that may be reached in several ways, and is therefore
// virtual: of nvme0n1 it is nvme0.
func (r *reader) behind(name string, where *string) bool {
	controller, _, ok := strings.Cut(strings.TrimPrefix(name, "nvme"), "n")
	if !strings.HasPrefix(name, "nvme") || !ok {
		return false
	}
	*where = r.link(classes + "nvme/nvme" + controller)
	return *where != "" && !strings.Contains(*where, "/virtual/")
}

// describe reads the model of a disk.
func (r *reader) describe(d *hw.Device, c osClass, name string) error {
	if c.folder != "block" {
		return nil
	}
	model, ok, err := r.text(path.Join(classes, c.folder, name, "device/model"))
	if err != nil || !ok || !readable(model) {
		return err
	}
	d.Infos = append(d.Infos, hw.Info{Name: "Model", Value: model})
	return nil
}

// readable reports whether a name can be shown.
func readable(text string) bool {
	return len(text) <= 100 && !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) })
}

// innermost is the last PCI device on the way to a device; nil for none that is known.
func innermost(where string, byID map[string]*pciDevice) *pciDevice {
	parts := strings.Split(where, "/")
	for _, part := range slices.Backward(parts) {
		if d := byID[part]; d != nil {
			return d
		}
	}
	return nil
}

// present reports whether a file is there.
func (r *reader) present(file string) (bool, error) {
	_, err := fs.Stat(r.root, file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("cannot look at %s: %w", file, cause(err))
	}
	return true, nil
}

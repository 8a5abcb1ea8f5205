package outline

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// leaf is a line of the picture: a device, or a row of equal PCI devices.
type leaf struct {
	first, last *hw.Device
	count       int
	below       []leaf
	on          []*hw.Device // of a PCI device: named devices on it, shown on the same line
}

// leaves returns the lines of a list of devices. As lstopo does on a console, it leaves out unimportant PCI
// devices (sound, USB, ...) and DMA engines, but not the devices below them, and bridges that then lead nowhere.
// Equal PCI devices side by side share a line. With BriefDevices it leaves out all bridges, and a PCI device
// shares a line with the named devices on it.
func leaves(list []*hw.Device, which Devices) []leaf {
	var all []leaf
	for _, d := range list {
		below := leaves(d.Devices, which)
		switch {
		case !shown(d, len(below) > 0), which == BriefDevices && d.Type == "Bridge":
			all = append(all, below...)
		case which == BriefDevices && d.Type == "PCIDev":
			l := leaf{first: d, last: d, count: 1}
			for _, b := range below {
				if b.first.Type == "OSDev" && len(b.below) == 0 {
					l.on = append(l.on, b.first)
				} else {
					l.below = append(l.below, b)
				}
			}
			all = append(all, l)
		default:
			all = append(all, leaf{first: d, last: d, count: 1, below: below})
		}
	}
	slices.SortStableFunc(all, func(a, b leaf) int { return miscLast(a.first) - miscLast(b.first) })
	return collapse(all)
}

func miscLast(d *hw.Device) int {
	if d.Type == hw.Misc {
		return 1
	}
	return 0
}

func shown(d *hw.Device, leads bool) bool {
	switch d.Type {
	case "Bridge":
		return leads
	case "PCIDev":
		return hw.ImportantPCI(pciClass(d), leads)
	case "OSDev":
		return d.Kind() != "DMA"
	}
	return true
}

// collapse joins neighbors that are equal PCI devices without devices below.
func collapse(list []leaf) []leaf {
	var all []leaf
	for _, l := range list {
		if n := len(all); n > 0 && alike(all[n-1], l) {
			all[n-1].last = l.first
			all[n-1].count++
			continue
		}
		all = append(all, l)
	}
	return all
}

func alike(a, b leaf) bool {
	return a.first.Type == "PCIDev" && b.first.Type == "PCIDev" && len(a.below)+len(b.below)+len(a.on)+len(b.on) == 0 &&
		pciIDs(a.first) == pciIDs(b.first)
}

// pciIDs returns the ids of vendor, device and board, from "0200 [8086:1521] [00ff:0000] 01".
func pciIDs(d *hw.Device) string {
	f := strings.Fields(d.Attr("pci_type"))
	if len(f) < 3 {
		return ""
	}
	return f[1] + f[2]
}

// label returns "HostBridge", "PCI 00:1f.2 (SATA)", "2 x { PCI 01:00.0-1 (Ethernet) }", `Net "eth0"`, "Misc(Note)
// text". domains adds PCI domains, for a machine with several.
func (l leaf) label(domains bool) string {
	d := l.first
	name := deviceKind(d)
	if d.Subtype != "" {
		name += "(" + d.Subtype + ")"
	}
	switch {
	case d.Type == "PCIDev":
		name += " " + l.busID(domains) + " (" + className(pciClass(d)) + ")"
	case d.Type == "OSDev" && d.Name != "":
		name += ` "` + d.Name + `"`
	case d.Type == hw.Misc && d.Name != "":
		name += " " + d.Name
	}
	if l.count > 1 {
		return strconv.Itoa(l.count) + " x { " + name + " }"
	}
	for _, d := range l.on {
		name += " + " + (leaf{first: d}).label(domains)
	}
	return name
}

// busID returns "00:1f.2" or "0000:00:1f.2"; for a row of devices, "01:00.0-1" or "01:00.0-02.0".
func (l leaf) busID(domains bool) string {
	first := busID(l.first)
	_, short, _ := strings.Cut(first, ":")
	text := first
	if !domains {
		text = short
	}
	if l.count > 1 {
		_, from, _ := strings.Cut(short, ":")
		_, short, _ := strings.Cut(busID(l.last), ":")
		_, to, _ := strings.Cut(short, ":")
		if device, function, _ := strings.Cut(to, "."); strings.HasPrefix(from, device+".") {
			to = function
		}
		text += "-" + to
	}
	return text
}

func busID(d *hw.Device) string {
	if id := d.Attr("pci_busid"); id != "" {
		return id
	}
	return "0000:00:00.0"
}

// hasDomains reports whether a shown PCI device is in a domain other than 0.
func hasDomains(list []leaf) bool {
	return slices.ContainsFunc(list, func(l leaf) bool {
		domain, _, _ := strings.Cut(busID(l.first), ":")
		return l.first.Type == "PCIDev" && strings.Trim(domain, "0") != "" || hasDomains(l.below)
	})
}

// shortKinds are the kinds of OS devices with a shorter name on a console.
var shortKinds = map[string]string{"Network": "Net", "CoProcessor": "CoProc"}

// deviceKind returns the type of a device as lstopo names it on a console.
func deviceKind(d *hw.Device) string {
	switch {
	case d.Type == "Bridge" && strings.HasPrefix(d.Attr("bridge_type"), "1"):
		return "PCIBridge"
	case d.Type == "Bridge":
		return "HostBridge"
	case d.Type == "PCIDev":
		return "PCI"
	}
	return cmp.Or(shortKinds[d.Kind()], d.Kind(), d.Type)
}

// pciClass returns the class of a PCI device: the base class in the high byte, the subclass in the low byte.
func pciClass(d *hw.Device) uint16 {
	text := d.Attr("pci_type")
	class, err := strconv.ParseUint(text[:min(4, len(text))], 16, 16)
	if err != nil {
		return 0 // unclassified
	}
	return uint16(class)
}

// classes are hwloc's names of PCI classes.
var classes = map[uint16]string{
	0x0001: "VGA",
	0x0100: "SCSI", 0x0101: "IDE", 0x0102: "Floppy", 0x0103: "IPI", 0x0104: "RAID", 0x0105: "ATA",
	0x0106: "SATA", 0x0107: "SAS", 0x0108: "NVMExp",
	0x0200: "Ethernet", 0x0201: "TokenRing", 0x0202: "FDDI", 0x0203: "ATM", 0x0204: "ISDN",
	0x0205: "WorldFip", 0x0206: "PICMG", 0x0207: "InfiniBand", 0x0208: "Fabric",
	0x0300: "VGA", 0x0301: "XGA", 0x0302: "3D",
	0x0502: "CXLMem",
	0x0600: "HostBridge", 0x0601: "ISABridge", 0x0602: "EISABridge", 0x0603: "MicroChannelBridge",
	0x0604: "PCIBridge", 0x0605: "PCMCIABridge", 0x0606: "NubusBridge", 0x0607: "CardBusBridge",
	0x0608: "RACEwayBridge", 0x0609: "SemiTransparentPCIBridge", 0x060a: "InfiniBandPCIHostBridge",
	0x0b00: "386", 0x0b01: "486", 0x0b02: "Pentium", 0x0b10: "Alpha", 0x0b20: "PowerPC", 0x0b30: "MIPS",
	0x0b40: "Co-Processor",
	0x0c04: "FibreChannel", 0x0c06: "InfiniBand",
}

// sorts are the names of classes with an unknown subclass, by base class.
var sorts = map[uint16]string{
	0x01: "Storage", 0x02: "Network", 0x03: "Display", 0x06: "Bridge",
	0x0b: "Processor", 0x12: "ProcessingAccelerator",
}

// className returns hwloc's name of a class.
func className(class uint16) string {
	if name, ok := classes[class]; ok {
		return name
	}
	if name, ok := sorts[class>>8]; ok {
		return name
	}
	return "Other"
}

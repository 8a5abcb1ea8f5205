package render

import (
	"slices"
	"strings"

	"commsplit/hw"
)

// leaf is a device, or a row of equal PCI devices, as one line of the picture.
type leaf struct {
	first, last *hw.Device
	count       int
	below       []leaf
	on          []*hw.Device // what is known by a name on a PCI device, on its line
}

// leaves are the lines of a list of devices. As on lstopo's console, PCI devices of no interest
// (sound, USB, ...) and DMA engines are left out, what hangs below them is not, and bridges that
// then lead nowhere are left out, too. Equal PCI devices side by side are one line. In short, no bridge
// is told, and a PCI device is one line with what is known by a name on it.
func leaves(list []*hw.Device, short bool) []leaf {
	var all []leaf
	for _, d := range list {
		below := leaves(d.Devices, short)
		switch {
		case !shown(d, len(below) > 0), short && d.Type == "Bridge":
			all = append(all, below...)
		case short && d.Type == "PCIDev":
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
		return d.Attr("osdev_type") != osdevDMA
	}
	return true
}

// collapse joins neighbours that are equal PCI devices with nothing below.
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

// pciIDs is vendor, device and those of the board, of "0200 [8086:1521] [00ff:0000] 01".
func pciIDs(d *hw.Device) string {
	f := strings.Fields(d.Attr("pci_type"))
	if len(f) < 3 {
		return ""
	}
	return f[1] + f[2]
}

// label is "HostBridge", "PCI 00:1f.2 (SATA)", "2 x { PCI 01:00.0-1 (Ethernet) }", `Net "eth0"`,
// "Misc(Note) text". PCI domains are told when a machine has several.
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
		return itoa(l.count) + " x { " + name + " }"
	}
	for _, d := range l.on {
		name += " + " + (leaf{first: d}).label(domains)
	}
	return name
}

// busID is "00:1f.2" or "0000:00:1f.2"; of a row, "01:00.0-1" or "01:00.0-02.0".
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

// hasDomains reports whether a shown PCI device is in another domain than 0.
func hasDomains(list []leaf) bool {
	return slices.ContainsFunc(list, func(l leaf) bool {
		domain, _, _ := strings.Cut(busID(l.first), ":")
		return l.first.Type == "PCIDev" && strings.Trim(domain, "0") != "" || hasDomains(l.below)
	})
}

// osdevDMA is hwloc's number of DMA engines, which are of no interest.
const osdevDMA = "4"

// osdevTypes are the short names of hwloc's types of OS devices.
var osdevTypes = map[string]string{
	"0": "Block", "1": "GPU", "2": "Net", "3": "OpenFabrics", osdevDMA: "DMA", "5": "CoProc",
}

// deviceKind is hwloc's name on the console.
func deviceKind(d *hw.Device) string {
	switch {
	case d.Type == "Bridge" && strings.HasPrefix(d.Attr("bridge_type"), "1"):
		return "PCIBridge"
	case d.Type == "Bridge":
		return "HostBridge"
	case d.Type == "PCIDev":
		return "PCI"
	case d.Type == "OSDev" && osdevTypes[d.Attr("osdev_type")] != "":
		return osdevTypes[d.Attr("osdev_type")]
	}
	return d.Type
}

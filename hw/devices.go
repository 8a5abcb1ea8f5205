package hw

import (
	"slices"
	"strconv"
	"strings"
)

// Located is a device that programs know by a name, hwloc's OSDev, with what it is a part of and where
// it is.
type Located struct {
	*Device
	PCI    *Device // the PCI device that it is a function of; nil where there is none or nobody knows
	Object *Object // what it hangs below: no smaller object has all PUs that are near to the device
}

// osdevTypes are hwloc's names of types of OS devices, by format 2's number.
var osdevTypes = []string{"Block", "GPU", "Network", "OpenFabrics", "DMA", "CoProcessor"}

// OSDevType is the number by which format 2 of hwloc's files calls a type of OS devices, as it stands in
// the attribute "osdev_type"; "" for an unknown name.
func OSDevType(name string) string {
	if i := slices.Index(osdevTypes, name); i >= 0 {
		return strconv.Itoa(i)
	}
	return ""
}

// Kind is "GPU", "Network", "OpenFabrics", "Block", "CoProcessor" or "DMA"; "" for what is no OS device.
func (d *Device) Kind() string {
	i, err := strconv.Atoi(d.Attr("osdev_type"))
	if d.Type != "OSDev" || err != nil || i < 0 || i >= len(osdevTypes) {
		return ""
	}
	return osdevTypes[i]
}

// BusID is the PCI address, "0000:c1:00.0"; "" when there is none.
func (l *Located) BusID() string {
	if l.PCI == nil {
		return ""
	}
	return l.PCI.Attr("pci_busid")
}

// Vendor is who made the device, Model what it is; "" where the hardware's description does not say it.
func (l *Located) Vendor() string { return l.first("GPUVendor", "Vendor", "PCIVendor") }

// Model is the name under which the device is sold.
func (l *Located) Model() string { return l.first("GPUModel", "Model", "PCIDevice") }

// first is the first of some infos that the device or its PCI device has.
func (l *Located) first(names ...string) string {
	for _, name := range names {
		for _, d := range []*Device{l.Device, l.PCI} {
			if d == nil {
				continue
			}
			if i := slices.IndexFunc(d.Infos, func(x Info) bool { return x.Name == name }); i >= 0 {
				return strings.TrimSpace(d.Infos[i].Value)
			}
		}
	}
	return ""
}

// Located lists the OS devices of the topology in the order of the tree.
func (t *Topology) Located() []Located {
	var list []Located
	for o := range t.Root.All() {
		list = located(list, o, nil, o.Devices())
	}
	return list
}

func located(list []Located, o *Object, pci *Device, devices []*Device) []Located {
	for _, d := range devices {
		around := pci
		switch d.Type {
		case "PCIDev":
			around = d
		case "OSDev":
			list = append(list, Located{d, pci, o})
		}
		list = located(list, o, around, d.Devices)
	}
	return list
}

// Near is the resource type whose instance has the PUs that are near to what hangs below o, and the
// index of that instance: NUMA nodes where they say it, otherwise o's own type. It is nil where nothing
// smaller than a machine with several NUMA nodes is known to be near.
func (t *Topology) Near(o *Object) (*Resource, int) {
	host := t.HostIndex(o)
	if host < 0 {
		return nil, 0
	}
	var own *Resource
	at := 0
	for i := range t.resources {
		r := &t.resources[i]
		if r.Type == Machine || r.Type == Level {
			continue
		}
		k := r.InstanceOf(host, o.CPUSet)
		if k < 0 || !r.Instances[k].CPUSet.Equal(o.CPUSet) {
			continue
		}
		if r.URI == numaNodes {
			return r, int(k)
		}
		if own == nil && r.Type == o.Type && r.Instances[k] == o {
			own, at = r, int(k)
		}
	}
	return own, at
}

// numaNodes is the resource type of ordinary NUMA nodes.
const numaNodes = "hwloc://NUMANode"

// NodeOf is the NUMA node that o's PUs belong to; nil where these are PUs of several, or of none.
func (t *Topology) NodeOf(o *Object) *Object {
	host := t.HostIndex(o)
	for i := range t.resources {
		if r := &t.resources[i]; r.URI == numaNodes && host >= 0 {
			if k := r.InstanceOf(host, o.CPUSet); k >= 0 && o.CPUSet.SubsetOf(r.Instances[k].CPUSet) {
				return r.Instances[k]
			}
		}
	}
	return nil
}

// The first bytes of classes of PCI devices that are of interest.
const (
	pciUnclassified = 0x00
	pciStorage      = 0x01
	pciNetwork      = 0x02
	pciDisplay      = 0x03
	pciBridge       = 0x06
	pciProcessor    = 0x0b
	pciAccelerator  = 0x12
)

// ImportantPCI reports whether hwloc looks at a PCI device of a class, such as 0x0302: what stores, talks to
// a network, draws or computes. leads says that devices hang below it.
func ImportantPCI(class uint16, leads bool) bool {
	switch class >> 8 {
	case pciUnclassified, pciStorage, pciNetwork, pciDisplay, pciProcessor, pciAccelerator:
		return true
	case pciBridge:
		return leads
	}
	return class == 0x0502 || class == 0x0c04 || class == 0x0c06
}

package hw

import (
	"cmp"
	"slices"
)

// Details are what few objects have: devices below any of them, what is not
// ours of its PUs, and of a Machine the kinds of its CPUs.
type Details struct {
	Devices    []*Device // for display: I/O devices that hang below the object, then Misc
	Infos      []Info    // "Backend" Linux, "CPUVendor" GenuineIntel, ...; names are in Object.Name
	Kinds      []Kind    // of a Machine: kinds of cores, the most energy-efficient first
	Offline    Set       // PUs of the object that exist and are switched off
	Disallowed Set       // PUs of the object that are online and not ours to use
}

// Info is a name with a value, as hwloc notes them beside objects.
type Info struct{ Name, Value string }

// Device is hwloc's Bridge, PCIDev, OSDev or Misc: it has no PUs, belongs to no
// level, and nobody can split by it.
type Device struct {
	Type    string // hwloc's type name
	Subtype string // "NVMe", "CUDA", ...; "" mostly
	Name    string // "eth0", "sda", ...; "" when unknown
	Attrs   []Info // hwloc's own attributes, as format 2 has them: "pci_busid", "osdev_type", ...
	Infos   []Info // "PCIVendor", "Address", ...
	Devices []*Device
}

// Misc is the type of devices that are none: notes that somebody hung into the
// tree.
const Misc = "Misc"

// SortDevices puts Misc behind I/O devices, as hwloc does.
func SortDevices(list []*Device) {
	place := func(d *Device) int {
		if d.isIO() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b *Device) int { return cmp.Compare(place(a), place(b)) })
}

func (d *Device) isIO() bool { return d.Type != Misc }

// Attr is the value of one of hwloc's attributes, "" when there is none.
func (d *Device) Attr(name string) string {
	if i := slices.IndexFunc(d.Attrs, func(a Info) bool { return a.Name == name }); i >= 0 {
		return d.Attrs[i].Value
	}
	return ""
}

// Complete is all PUs of the object: those in its CPUSet, and those that are
// off or not ours.
func (o *Object) Complete() Set {
	if o.Details == nil {
		return o.CPUSet
	}
	return o.CPUSet.Union(o.Details.Offline).Union(o.Details.Disallowed)
}

// Detailed returns o's details, which it makes if need be.
func (o *Object) Detailed() *Details {
	if o.Details == nil {
		o.Details = &Details{}
	}
	return o.Details
}

// Devices lists the devices below o, not those below its memory and children.
func (o *Object) Devices() []*Device {
	if o.Details == nil {
		return nil
	}
	return o.Details.Devices
}

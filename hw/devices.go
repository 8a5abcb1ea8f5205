package hw

import (
	"slices"
	"strconv"
	"strings"
)

// Located is a device that programs know by a name (hwloc's OSDev), with its PCI device and the object where it is.
type Located struct {
	*Device
	PCI    *Device // the PCI device that it is a function of; nil where there is none or nobody knows
	Object *Object // the object that the device is below: no smaller object has all PUs near to the device
}

// osdevTypes are hwloc's names of types of OS devices, by format 2's number.
var osdevTypes = []string{"Block", "GPU", "Network", "OpenFabrics", "DMA", "CoProcessor"}

// OSDevType returns the number of a type of OS devices in format 2 of hwloc's files, as the attribute "osdev_type"
// has it; "" for an unknown name.
func OSDevType(name string) string {
	if i := slices.Index(osdevTypes, name); i >= 0 {
		return strconv.Itoa(i)
	}
	return ""
}

// Kind returns "GPU", "Network", "OpenFabrics", "Block", "CoProcessor" or "DMA"; "" for a device that is not an OS
// device.
func (d *Device) Kind() string {
	i, err := strconv.Atoi(d.Attr("osdev_type"))
	if d.Type != "OSDev" || err != nil || i < 0 || i >= len(osdevTypes) {
		return ""
	}
	return osdevTypes[i]
}

// BusID returns the PCI address, "0000:c1:00.0"; "" when there is none.
func (l *Located) BusID() string {
	if l.PCI == nil {
		return ""
	}
	return l.PCI.Attr("pci_busid")
}

// Vendor returns the maker of the device; "" where the hardware's description does not name it.
func (l *Located) Vendor() string { return l.first("GPUVendor", "Vendor", "PCIVendor") }

// Model returns the name under which the device is sold; "" where the hardware's description does not tell it.
func (l *Located) Model() string { return l.first("GPUModel", "Model", "PCIDevice") }

// first returns the value of the first of these infos that the device or its PCI device has.
func (l *Located) first(names ...string) string {
	for _, name := range names {
		for _, d := range []*Device{l.Device, l.PCI} {
			if d == nil {
				continue
			}
			if value, ok := Find(d.Infos, name); ok {
				return strings.TrimSpace(value)
			}
		}
	}
	return ""
}

// Nearness says how many of a rank's PUs are near to a device: all, some or none.
type Nearness string

// The degrees of nearness.
const (
	NearToAll  Nearness = "all"
	NearToSome Nearness = "some"
	NearToNone Nearness = "none"
)

// NearTo returns how near the device is to PUs of its host.
func (l *Located) NearTo(set Set) Nearness {
	switch near := l.Object.CPUSet; {
	case set.SubsetOf(near):
		return NearToAll
	case near.Intersects(set):
		return NearToSome
	}
	return NearToNone
}

// DescribeGiven names the devices that a rank was given, each with how near it is: "GPU rsmi4 near", or "GPUs rsmi0 near,
// rsmi1 not near"; "" where no launcher gave devices.
func DescribeGiven(b *Binding) string {
	words := map[Nearness]string{NearToAll: " near", NearToSome: " partly near", NearToNone: " not near"}
	var text strings.Builder
	kind := ""
	for i := range b.Given {
		l := &b.Given[i]
		switch {
		case i > 0 && l.Kind() == kind:
			text.WriteString(", ")
		case i > 0:
			text.WriteString(", " + l.Kind() + " ")
		case len(b.Given) > 1 && b.Given[1].Kind() == l.Kind():
			text.WriteString(l.Kind() + "s ")
		default:
			text.WriteString(l.Kind() + " ")
		}
		kind = l.Kind()
		text.WriteString(l.Name + words[l.NearTo(b.CPUSet)])
	}
	return text.String()
}

// Located lists the OS devices of the topology in the order of the tree.
func (t *Topology) Located() []Located {
	var list []Located
	for _, o := range t.devices {
		list = located(list, o, nil, o.Devices())
	}
	return list
}

// LocatedOn lists the OS devices of a host, or with -1 those above the hosts, in the order of the tree.
func (t *Topology) LocatedOn(host int) []Located {
	var list []Located
	for _, o := range t.devices {
		if t.HostIndex(o) == host {
			list = located(list, o, nil, o.Devices())
		}
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

// Near returns the resource type and the index of its instance whose PUs are near to the devices below o: NUMA
// nodes if a node has exactly these PUs, otherwise o's own type. The resource is nil where nothing smaller than a
// machine with several NUMA nodes is known to be near.
func (t *Topology) Near(o *Object) (*Resource, int) {
	host := t.HostIndex(o)
	if host < 0 {
		return nil, 0
	}
	var own *Resource
	at := 0
	list := t.Resources()
	for i := range list {
		r := &list[i]
		if r.Type == Machine || r.Type == Level {
			continue
		}
		k := r.InstanceOf(host, o.CPUSet)
		if k < 0 || !r.Instances[k].CPUSet.Equal(o.CPUSet) {
			continue
		}
		if r.Type == NUMANode && r.Subtype == "" {
			return r, int(k)
		}
		if own == nil && r.Type == o.Type && r.Instances[k] == o {
			own, at = r, int(k)
		}
	}
	return own, at
}

// NodeOf returns the NUMA node that o's PUs belong to; nil where the PUs belong to several nodes, or to none.
func (t *Topology) NodeOf(o *Object) *Object {
	host := t.HostIndex(o)
	nodes := t.ResourceOf(NUMANode)
	if nodes == nil || host < 0 {
		return nil
	}
	k := nodes.InstanceOf(host, o.CPUSet)
	if k < 0 || !o.CPUSet.SubsetOf(nodes.Instances[k].CPUSet) {
		return nil
	}
	return nodes.Instances[k]
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

// ImportantPCI reports whether hwloc looks at PCI devices of a class, such as 0x0302: devices that store, talk to a
// network, draw or compute. leads tells that other devices hang below the device.
func ImportantPCI(class uint16, leads bool) bool {
	switch class >> 8 {
	case pciUnclassified, pciStorage, pciNetwork, pciDisplay, pciProcessor, pciAccelerator:
		return true
	case pciBridge:
		return leads
	}
	return class == 0x0502 || class == 0x0c04 || class == 0x0c06
}

// Locality is the devices that are near to the PUs of one object.
type Locality struct {
	Object   *Object   // the object that the devices are below
	Resource *Resource // the type whose instance has these PUs; nil where nobody knows what is near
	Instance int
	Devices  []Located
}

// Name returns the object that the devices are local to, "NUMANode L#1"; "" where nobody knows.
func (l *Locality) Name() string {
	if l.Resource == nil {
		return ""
	}
	o := l.Resource.Instances[l.Instance]
	name := o.TypeName()
	if o.Subtype != "" {
		name = o.Subtype
	}
	return name + " L#" + strconv.Itoa(o.LogicalIndex)
}

// Advice returns "rsmi0 and rsmi1 are local to NUMANode L#3: use hwloc://NUMANode": processes cannot be grouped by
// a device, but by the object that the device is near to.
func (l *Locality) Advice() string {
	where, use := l.told()
	return where + use
}

// told returns the two halves of the advice: where the devices are, and the resource type to use.
func (l *Locality) told() (where, use string) {
	names := make([]string, len(l.Devices))
	for i := range l.Devices {
		names[i] = l.Devices[i].Name
	}
	text, verb := names[0], " is"
	if last := len(names) - 1; last > 0 {
		text, verb = strings.Join(names[:last], ", ")+" and "+names[last], " are"
	}
	switch {
	case l.Resource == nil:
		return text + verb + " near no PUs in particular", ", as far as is known"
	case l.Resource.Instances[l.Instance].CPUSet.Equal(l.Object.Host().CPUSet):
		return text + verb + " local to " + l.Name(), ", the only one"
	}
	return text + verb + " local to " + l.Name(), ": use " + l.Resource.URI
}

// Advise returns the advice on several localities: "rsmi4 is local to L3Cache L#0, rsmi5 is local to L3Cache L#1:
// use hwloc://L3Cache". Localities in a row with the same advice get it once.
func Advise(list []Locality) string {
	text := ""
	for i := range list {
		where, use := list[i].told()
		if last := strings.TrimSuffix(text, use); last != text {
			text = last + ", " + where + use
		} else if text != "" {
			text += "; " + where + use
		} else {
			text = where + use
		}
	}
	return text
}

// Localities sorts devices by the objects that they are near to, in the order in which the objects come.
func (t *Topology) Localities(devices []Located) []Locality {
	var list []Locality
	for _, d := range devices {
		if n := len(list) - 1; n >= 0 && list[n].Object == d.Object {
			list[n].Devices = append(list[n].Devices, d)
			continue
		}
		r, i := t.Near(d.Object)
		list = append(list, Locality{d.Object, r, i, []Located{d}})
	}
	return list
}

// deviceKinds are the kinds of devices that people mean by a word; some words are MPICH's.
var deviceKinds = map[string][]string{
	"gpu": {"GPU", "CoProcessor"}, "cuda": {"GPU", "CoProcessor"}, "rocm": {"GPU", "CoProcessor"},
	"hip": {"GPU", "CoProcessor"}, "coprocessor": {"CoProcessor"}, "openfabrics": {"OpenFabrics"},
	"nic": {"Network", "OpenFabrics"}, "ib": {"OpenFabrics"}, "hfi": {"OpenFabrics"}, "mlx5": {"OpenFabrics"},
	"en": {"Network"}, "eth": {"Network"}, "hsn": {"Network"}, "network": {"Network"},
	"nvme": {"Block"}, "block": {"Block"}, "device": osdevTypes, "pci": osdevTypes,
}

// NamedDevices returns the devices of the first host that a name could mean when no resource type has that name:
// the device of that name, the functions of a PCI address ("pci:c1:00.0"), or all devices of a kind ("gpu", "gpu0",
// "ib"). device is true for a name of devices, also when the host has no such device.
func (t *Topology) NamedDevices(name string) (list []Located, device bool) {
	if _, bare, ok := strings.Cut(name, "://"); ok {
		name = bare
	}
	word, bus, _ := strings.Cut(strings.ToLower(name), ":")
	kinds, device := deviceKinds[word]
	if !device {
		kinds, device = deviceKinds[strings.TrimRight(word, "0123456789_")]
	}
	var alike []Located
	for _, d := range t.Located() {
		switch {
		case t.HostIndex(d.Object) > 0:
		case strings.EqualFold(d.Name, name), bus != "" && strings.HasSuffix(strings.ToLower(d.BusID()), bus):
			list = append(list, d)
		case bus == "" && slices.Contains(kinds, d.Kind()):
			alike = append(alike, d)
		}
	}
	if len(list) > 0 {
		return list, true
	}
	return alike, device
}

// PCIIDs returns the vendor and the device of a PCI device, four hexadecimal digits each, from "0302 [10de:20b0]
// ...".
func (d *Device) PCIIDs() (vendor, device string, ok bool) {
	fields := strings.Fields(d.Attr("pci_type"))
	if len(fields) < 2 {
		return "", "", false
	}
	return strings.Cut(strings.ToLower(strings.Trim(fields[1], "[]")), ":")
}

// Heard is a device as another program describes it.
type Heard struct {
	Kind  string // "PCI", "GPU", "Network"
	Name  string // "card0", "eth0"; "" of a PCI device
	BusID string
	Node  int // its NUMA node's number, or Unknown
}

// Contradiction is a difference between the topology and another program about a device.
type Contradiction struct{ Kind, Name, Why string }

func (c Contradiction) String() string { return c.Name + ": " + c.Why }

// Contradictions compares devices, as the program with the name by describes them, with the topology of one machine.
// It lists the differences in the order of the names: another NUMA node or another address of a device, and a GPU or
// network card that only the program knows.
func (t *Topology) Contradictions(heard []Heard, by string) (list []Contradiction) {
	ours := t.Located()
	for _, h := range heard {
		for i := range ours {
			d := &ours[i]
			node := t.NodeOf(d.Object)
			switch {
			case h.Name != "" && h.Name == d.Name && !strings.EqualFold(h.BusID, d.BusID()):
				list = append(list, Contradiction{d.Kind(), d.Name, "at " + d.BusID() + ", and " + by + " says " + h.BusID})
			case !strings.EqualFold(h.BusID, d.BusID()) || h.Node == Unknown || h.Kind == "PCI" && node == nil:
			case node == nil || node.OSIndex != h.Node:
				list = append(list, Contradiction{d.Kind(), d.Name,
					"local to " + nodeName(node) + ", and " + by + " says NUMA node " + strconv.Itoa(h.Node)})
			}
		}
		if h.Name != "" && !slices.ContainsFunc(ours, func(d Located) bool { return d.Name == h.Name }) {
			list = append(list, Contradiction{h.Kind, h.Name, "at " + h.BusID + ", only " + by + " knows it"})
		}
	}
	slices.SortFunc(list, func(a, b Contradiction) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(list)
}

func nodeName(node *Object) string {
	if node == nil {
		return "no NUMA node in particular"
	}
	return "NUMA node " + strconv.Itoa(node.OSIndex)
}

package outline

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Name names an object as lstopo's console does: "Package L#0", "NUMANode L#1 (P#1 30GB)", "L3 L#0 (32MB)",
// "Group0(Rack) L#0".
func Name(t *hw.Topology, o *hw.Object) string { return named(t, o, false) }

// PhysicalName names an object by the kernel's number, as lstopo -p does: "Package P#1", "L3 (32MB)".
func PhysicalName(t *hw.Topology, o *hw.Object) string { return named(t, o, true) }

// named names an object by its kind, its number, the name of its host where there are several, and in brackets the
// kernel's number of a PU or NUMA node, and the size of a memory, cache or machine.
func named(t *hw.Topology, o *hw.Object, physical bool) string {
	text := Kind(t, o)
	switch {
	case o == t.Root:
	case !physical:
		text += " L#" + strconv.Itoa(o.LogicalIndex)
	case o.Type != hw.Level && o.Type != hw.Machine && o.OSIndex != hw.Unknown:
		text += " P#" + strconv.Itoa(o.OSIndex)
	}
	if o.Type == hw.Machine && len(t.Hosts) > 1 {
		text += " " + o.Name
	}
	var facts []string
	if !physical && (o.Type == hw.PU || o.Type == hw.NUMANode) && o.OSIndex != hw.Unknown {
		facts = append(facts, "P#"+strconv.Itoa(o.OSIndex))
	}
	size, of := o.Bytes, ""
	if o.Type == hw.Machine {
		size, of = totalMemory(t, o), " total"
	}
	if size > 0 {
		facts = append(facts, hw.ByteSize(size)+of)
	}
	if len(facts) > 0 {
		text += " (" + strings.Join(facts, " ") + ")"
	}
	return text
}

// Kind returns the type of an object by hwloc's name on the console, where caches are L1d, L1i, L2 and so on, and the
// subtype: "Group0(Rack)".
func Kind(t *hw.Topology, o *hw.Object) string {
	name := o.Type.String()
	switch {
	case o.Type == hw.Level:
		return o.Subtype
	case o.Type == hw.Group:
		name += strconv.Itoa(t.GroupDepth(o))
	case o.Type == hw.L1Cache:
		name = "L1d"
	case o.Type.IsCache():
		name = strings.TrimSuffix(name, "Cache")
	}
	if o.Subtype != "" {
		name += "(" + o.Subtype + ")"
	}
	return name
}

// totalMemory returns the size of all memory of a machine.
func totalMemory(t *hw.Topology, machine *hw.Object) uint64 {
	sum, host, nodes := uint64(0), t.HostIndex(machine), t.Objects(hw.NUMANode)
	at, _ := slices.BinarySearchFunc(nodes, host, func(n *hw.Object, host int) int { return t.HostIndex(n) - host })
	for ; at < len(nodes) && t.HostIndex(nodes[at]) == host; at++ {
		sum += nodes[at].Bytes
	}
	return sum
}

// Label returns the text of a line, without control characters: the names of its objects and, where the line
// stands for more than these, what it stands for: "Package L#0 (8 Core 16 PU)".
func (o *Outline) Label(l *Line) string {
	n := l.Nodes[0]
	if len(l.Nodes) > 1 {
		return paint.OneLine(o.several(l.Nodes))
	}
	text := n.Device
	for i, x := range n.Objects {
		if i > 0 {
			text += " + "
		}
		text += named(o.Topology, x, o.Physical)
		if x.Type == hw.Core && n.kind != "" {
			text += " (" + n.kind + ")"
		}
	}
	if n.Barred {
		text += " not allowed"
	}
	if l.Closed {
		if in := n.Contents(); in != "" {
			text += " (" + in + ")"
		}
	}
	return paint.OneLine(text)
}

// between names siblings in short: "Package L#0", "Package L#0-3", "3 x PCI 01:00.0 (Ethernet)".
func (o *Outline) between(nodes []*Node) string {
	first, last := nodes[0].First(), nodes[len(nodes)-1].First()
	if first == nil {
		if len(nodes) == 1 {
			return nodes[0].Device
		}
		return strconv.Itoa(len(nodes)) + " x " + nodes[0].Device
	}
	text := Kind(o.Topology, first)
	from, to, sign := first.LogicalIndex, last.LogicalIndex, " L#"
	if o.Physical {
		from, to, sign = first.OSIndex, last.OSIndex, " P#"
	}
	if first == o.Topology.Root || from == hw.Unknown || to == hw.Unknown {
		return text
	}
	text += sign + strconv.Itoa(from)
	if first != last {
		text += "-" + strconv.Itoa(to)
	}
	return text
}

// several returns the text of a line for sibling subtrees: "Package L#0-3 (4 x Package, 8 Core 16 PU each)",
// "Machine L#0-1 cn01 to cn02 (2 x Machine)". It leaves out the name node2 of machine L#2.
func (o *Outline) several(nodes []*Node) string {
	if nodes[0].Device != "" {
		return strconv.Itoa(len(nodes)) + " x " + o.Label(&Line{Nodes: nodes[:1], Closed: true})
	}
	head, tail := nodes[0].First(), nodes[len(nodes)-1].First()
	text := o.between(nodes)
	if head.Type == hw.Machine && head.Name != "node"+strconv.Itoa(head.LogicalIndex) {
		text += " " + head.Name + " to " + tail.Name
	}
	text += " (" + strconv.Itoa(len(nodes)) + " x "
	for i, x := range nodes[0].Objects {
		if i > 0 {
			text += " + "
		}
		text += Kind(o.Topology, x)
	}
	if in := nodes[0].Contents(); in != "" {
		text += ", " + in + " each"
	}
	if kinds := nodes[0].kinds(); kinds != "" {
		text += ", " + kinds
	}
	if text += ")"; nodes[0].Barred {
		text += " not allowed"
	}
	return text
}

// Contents counts what is below a node: hosts, cores, and PUs where these are not one per core; below a
// device, all other devices. It is "" where nothing of that is below.
func (n *Node) Contents() string {
	if n.Devices > 0 {
		return spell.Plural(n.Devices, "device")
	}
	var list []string
	cores := n.count(hw.Core)
	for _, t := range []hw.Type{hw.Machine, hw.Core, hw.PU} {
		if k := n.count(t); k > 0 && (t != hw.PU || k != cores) {
			list = append(list, strconv.Itoa(k)+" "+t.String())
		}
	}
	return strings.Join(list, " ")
}

// kinds names the kind of the cores of a node, where all are of one kind and the machine has several.
func (n *Node) kinds() string {
	if first := n.First(); first != nil {
		if k := first.KindOfCores(); k != nil && !n.Memory {
			return k.Name()
		}
	}
	return ""
}

// count counts the objects of a type below a node.
func (f *Form) count(t hw.Type) int {
	k := 0
	for _, kid := range f.Below {
		if k += kid.count(t); kid.Has(t) {
			k++
		}
	}
	return k
}

package render

import (
	"strconv"
	"strings"

	"commsplit/hw"
)

// labeler names hardware objects as lstopo's console does.
type labeler struct{ topology *hw.Topology }

func newLabeler(t *hw.Topology) labeler { return labeler{t} }

// label is "Package L#0", "NUMANode L#1 (P#1 30GB)", "L3 L#0 (32MB)", "Group0(Rack) L#0".
func (l labeler) label(o *hw.Object) string {
	var b strings.Builder
	b.WriteString(l.kind(o))
	if o != l.topology.Root {
		b.WriteString(" L#" + strconv.Itoa(o.LogicalIndex))
	}
	if o.Type == hw.Machine && len(l.topology.Hosts) > 1 {
		b.WriteString(" " + o.Name)
	}
	if a := attributes(o); a != "" {
		b.WriteString(" (" + a + ")")
	}
	return b.String()
}

// kind is the type and the subtype.
func (l labeler) kind(o *hw.Object) string {
	name := shortType(o.Type)
	switch o.Type {
	case hw.Level:
		return o.Subtype
	case hw.Group:
		name += strconv.Itoa(l.topology.GroupDepth(o))
	}
	if o.Subtype != "" {
		name += "(" + o.Subtype + ")"
	}
	return name
}

// shortType is hwloc's name on the console, where caches are L1d, L1i, L2 and so on.
func shortType(t hw.Type) string {
	switch {
	case t == hw.L1Cache:
		return "L1d"
	case t.IsCache():
		return strings.TrimSuffix(t.String(), "Cache")
	}
	return t.String()
}

// attributes are the os index of PUs and NUMA nodes, and sizes.
func attributes(o *hw.Object) string {
	var list []string
	if (o.Type == hw.PU || o.Type == hw.NUMANode) && o.OSIndex != hw.Unknown {
		list = append(list, "P#"+strconv.Itoa(o.OSIndex))
	}
	switch {
	case o.Type == hw.Machine:
		if sum := totalMemory(o); sum > 0 {
			list = append(list, byteSize(sum)+" total")
		}
	case o.Bytes > 0:
		list = append(list, byteSize(o.Bytes))
	}
	return strings.Join(list, " ")
}

func totalMemory(machine *hw.Object) uint64 {
	sum := uint64(0)
	for o := range machine.All() {
		if o.Type == hw.NUMANode {
			sum += o.Bytes
		}
	}
	return sum
}

// byteSize rounds as hwloc does: below ten of a unit the next smaller one is used, and the
// binary units are called KB, MB, GB, TB.
func byteSize(n uint64) string {
	units := []string{"KB", "MB", "GB", "TB"}
	unit, shift := 0, 10
	for unit < len(units)-1 && n >= 10<<(shift+10) {
		unit++
		shift += 10
	}
	return strconv.Itoa(int((n>>(shift-1)+1)>>1)) + units[unit]
}

// chainLabel is a chain of objects that cover the same PUs, on one line: "Core L#0 + PU L#0 (P#0)".
func (l labeler) chainLabel(chain []*hw.Object) string {
	parts := make([]string, len(chain))
	for i, o := range chain {
		parts[i] = l.label(o)
	}
	return strings.Join(parts, " + ")
}

// nodeLabel is a whole line.
func (l labeler) nodeLabel(n *node) string {
	if n.device != "" {
		return n.device
	}
	return l.chainLabel(n.chain)
}

// chainKinds is the types of a chain: "Core + PU".
func (l labeler) chainKinds(chain []*hw.Object) string {
	parts := make([]string, len(chain))
	for i, o := range chain {
		parts[i] = l.kind(o)
	}
	return strings.Join(parts, " + ")
}

// foldedLabel is several sibling subtrees in one line:
// "Package L#0-3 (4 x Package, 8 Core 16 PU each)", "Machine L#0-1 cn01 to cn02 (2 x Machine)".
// That machine L#2 is called node2 goes without saying.
func (l labeler) foldedLabel(nodes []*node) string {
	first, last := nodes[0], nodes[len(nodes)-1]
	if first.device != "" {
		return strconv.Itoa(len(nodes)) + " x " + l.closedLabel(first)
	}
	head, tail := first.chain[0], last.chain[0]
	text := l.kind(head) + " L#" + strconv.Itoa(head.LogicalIndex) + "-" + strconv.Itoa(tail.LogicalIndex)
	if head.Type == hw.Machine && head.Name != "node"+strconv.Itoa(head.LogicalIndex) {
		text += " " + head.Name + " to " + tail.Name
	}
	text += " (" + strconv.Itoa(len(nodes)) + " x " + l.chainKinds(first.chain)
	if in := l.contents(first); in != "" {
		text += ", " + in + " each"
	}
	return text + ")"
}

// closedLabel is one subtree in one line: "Package L#0 (8 Core 16 PU)".
func (l labeler) closedLabel(n *node) string {
	if in := l.contents(n); in != "" {
		return l.nodeLabel(n) + " (" + in + ")"
	}
	return l.nodeLabel(n)
}

// contents counts what lies below a line: hosts, cores, and PUs where these are not one per core;
// below a device, all others.
func (l labeler) contents(n *node) string {
	if n.below > 0 {
		return Plural(n.below, "device")
	}
	var list []string
	cores := countType(n, hw.Core)
	for _, t := range []hw.Type{hw.Machine, hw.Core, hw.PU} {
		if k := countType(n, t); k > 0 && (t != hw.PU || k != cores) {
			list = append(list, strconv.Itoa(k)+" "+t.String())
		}
	}
	return strings.Join(list, " ")
}

func countType(n *node, t hw.Type) int {
	k := 0
	for _, kid := range n.kids {
		for _, o := range kid.chain {
			if o.Type == t {
				k++
			}
		}
		k += countType(kid, t)
	}
	return k
}

// Label names an object as lstopo's console does: "NUMANode L#1 (P#1 30GB)".
func Label(t *hw.Topology, o *hw.Object) string { return newLabeler(t).label(o) }

// Kind is the type and the subtype of an object: "Group0(Rack)".
func Kind(t *hw.Topology, o *hw.Object) string { return newLabeler(t).kind(o) }

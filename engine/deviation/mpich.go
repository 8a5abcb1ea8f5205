package deviation

import (
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// mpichWords are the names of resources that MPICH knows, in lower case, since MPICH ignores case. Devices (pci:, eth,
// gpu, ...) are left out: no topology of the engine has any.
var mpichWords = map[string]hw.Type{
	"node": hw.Machine, "machine": hw.Machine, "socket": hw.Package, "package": hw.Package, "cpu": hw.Package,
	"die": hw.Die, "group": hw.Group, "core": hw.Core, "hwthread": hw.PU, "pu": hw.PU,
	"l1cache": hw.L1Cache, "l1ucache": hw.L1Cache, "l1dcache": hw.L1Cache, "l1icache": hw.L1iCache,
	"l2cache": hw.L2Cache, "l2ucache": hw.L2Cache, "l2dcache": hw.L2Cache, "l2icache": hw.L2iCache,
	"l3cache": hw.L3Cache, "l3ucache": hw.L3Cache, "l3dcache": hw.L3Cache, "l3icache": hw.L3iCache,
	"l4cache": hw.L4Cache, "l4ucache": hw.L4Cache, "l4dcache": hw.L4Cache,
	"l5cache": hw.L5Cache, "l5ucache": hw.L5Cache, "l5dcache": hw.L5Cache,
	"numanode": hw.NUMANode, "numa": hw.NUMANode, "ddr": hw.NUMANode, "hbm": hw.NUMANode, "bindset": hw.PU,
}

// mpichLevels are the names that MPICH tries in this order in an unguided split inside a node.
var mpichLevels = []string{"package", "numanode", "cpu", "core", "hwthread", "bindset"}

// root is the color of a process that MPICH finds in no single instance. MPICH takes it for a color like any other.
const root = "root"

// mpichColor returns the color that MPICH gives a process when it splits by a resource name.
func (m *machine) mpichColor(rank int32, name string) string {
	b := m.bindings[rank]
	word := strings.ToLower(name)
	if word == "bindset" {
		return b.CPUSet.String()
	}
	typ, ok := mpichWords[word]
	if !ok || typ == hw.Machine {
		return root
	}
	for _, o := range m.on(typ, b.Host) {
		if typ == hw.NUMANode && (o.Subtype != "") != (word == "hbm") {
			continue
		}
		if b.CPUSet.SubsetOf(o.CPUSet) {
			return o.CPUSet.String()
		}
	}
	return root
}

// mpichGuided splits each node by mpichColor. Processes get MPI_COMM_NULL when their part is the whole node or the name
// is unknown.
func (m *machine) mpichGuided(asked []int32, name string) *answer {
	a := newAnswer()
	typ, known := mpichWords[strings.ToLower(name)]
	for _, node := range m.nodes(asked) {
		for _, part := range engine.ByKey(node, func(r int32) string { return m.mpichColor(r, name) }) {
			inNone := m.mpichColor(part[0], name) == root && typ != hw.Machine
			switch {
			case !known:
				a.null(part, unknown)
			case len(part) == len(node) && inNone:
				a.null(part, likeText)
			case len(part) == len(node):
				a.null(part, nodeShare)
			case inNone:
				a.give(part, bucket)
			case m.lookup(name) == nil:
				a.give(part, ownWord)
			default:
				a.give(part, likeText)
			}
		}
	}
	return a
}

func (m *machine) lookup(name string) *hw.Resource {
	r, _ := m.topology.Lookup(name)
	return r
}

// nodes groups the ranks by host.
func (m *machine) nodes(ranks []int32) [][]int32 {
	return engine.ByKey(ranks, func(r int32) int { return m.bindings[r].Host })
}

// mpichUnguided splits by node when there are several nodes, otherwise by the first name of
// mpichLevels that gives the processes different colors.
func (m *machine) mpichUnguided(asked []int32) *answer {
	a := newAnswer()
	parts, name := m.nodes(asked), "node"
	for i := 0; len(parts) < 2 && i < len(mpichLevels); i++ {
		name = mpichLevels[i]
		parts = engine.ByKey(asked, func(r int32) string { return m.mpichColor(r, name) })
	}
	if len(parts) < 2 {
		return a
	}
	a.value = name
	for _, p := range parts {
		a.give(p, likeText)
	}
	return a
}

// mpich returns the answer of MPICH to a hardware split.
func (m *machine) mpich(q *request) *answer {
	switch {
	case q.shared():
		a := newAnswer()
		for _, node := range m.nodes(q.asked) {
			a.give(node, likeText)
		}
		return a
	case q.kind == engine.TypeHWUnguided:
		return m.mpichUnguided(q.asked)
	case q.guided():
		return m.mpichGuided(q.asked, q.value)
	}
	return newAnswer()
}

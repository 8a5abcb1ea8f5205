package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

func (n node) file(name string) string { return n.folder + "/" + name }

// mask returns the file with the PUs of a node.
func (n node) mask() Said { return set(n.file("cpumap"), n.pus) }

func checkNodes(m *machine) (list []Breach) {
	file := nodeFolder + "/online"
	online, _ := m.list(file)
	possible, told := m.list(nodeFolder + "/possible")
	if told && !online.SubsetOf(possible) {
		list = append(list, nowhere(m.value(file), m.value(nodeFolder+"/possible")))
	}
	for _, n := range online.Minus(m.numbered(nodeFolder, "node")).Indexes() {
		list = append(list, nowhere(Said{fmt.Sprintf("%s/node%d", nodeFolder, n), ""}, m.value(file)))
	}
	masked := slices.IndexFunc(m.nodes, func(n node) bool { return m.has(n.file("cpumap")) })
	for _, n := range m.nodes {
		if masked >= 0 && !m.has(n.file("cpumap")) {
			list = append(list, nowhere(Said{n.file("cpumap"), ""}, m.nodes[masked].mask()))
		}
	}
	return list
}

// checkNodeLists compares the lists of nodes that have CPUs or memory with the files of each node,
// where those exist.
func checkNodeLists(m *machine) (list []Breach) {
	listed := func(name string, n node, told, has bool, said Said) {
		file := nodeFolder + "/" + name
		if s, ok := m.list(file); ok && told && s.Has(n.number) != has {
			list = append(list, nowhere(m.value(file), said))
		}
	}
	for _, n := range m.nodes {
		listed("has_cpu", n, m.has(n.file("cpumap")), n.pus.Intersects(m.online), n.mask())
		kB, told := m.amount(n.file("meminfo"), "MemTotal")
		listed("has_memory", n, told, kB > 0, Said{n.file("meminfo"), fmt.Sprintf("MemTotal %d kB", kB)})
	}
	return list
}

func checkOverlap(m *machine) (list []Breach) {
	for i, n := range m.nodes {
		for _, earlier := range m.nodes[:i] {
			if both := n.pus.Intersect(earlier.pus); !both.Empty() {
				list = append(list, at(both.First(), n.mask(), earlier.mask()))
				break
			}
		}
	}
	return list
}

// checkLinks compares the links to CPUs in a node's folder with the node's mask. Recordings
// without links pass.
func checkLinks(m *machine) (list []Breach) {
	for _, n := range m.nodes {
		links := m.numbered(n.folder, "cpu").Intersect(m.online)
		mask := n.pus.Intersect(m.online)
		if odd := links.Minus(mask).Union(mask.Minus(links)); !links.Empty() && !mask.Empty() && !odd.Empty() {
			list = append(list, at(odd.First(), set(n.file("cpu*"), links), n.mask()))
		}
	}
	return list
}

// inNodes compares masks of each PU with the node that has the PU.
func (m *machine) inNodes(right func(pu int, n node) []Said) (list []Breach) {
	for _, pu := range m.pus {
		for _, n := range m.nodes {
			if !n.pus.Has(pu) {
				continue
			}
			if said := right(pu, n); said != nil {
				list = append(list, at(pu, append(said, n.mask())...))
			}
		}
	}
	return list
}

func checkNodeCore(m *machine) []Breach {
	return m.inNodes(func(pu int, n node) []Said {
		if said, core, ok := m.core(pu); ok && !core.Intersect(m.online).SubsetOf(n.pus) {
			return []Said{said}
		}
		return nil
	})
}

func checkNodePackage(m *machine) []Breach {
	return m.inNodes(func(pu int, n node) []Said {
		cuts := func(s hw.Set) bool { return !nest(s.Intersect(m.online), n.pus.Intersect(m.online)) }
		if said, pack, ok := m.pack(pu); ok && cuts(pack) {
			return []Said{said}
		}
		for _, c := range m.caches[pu] {
			if cuts(c.shared) {
				return []Said{c.sharers()}
			}
		}
		return nil
	})
}

// row returns the distances of a node; nil when they are missing, or are not numbers.
func (m *machine) row(n node) (row []int) {
	for _, field := range strings.Fields(m.text(n.file("distance"))) {
		d, err := strconv.Atoi(field)
		if err != nil {
			return nil
		}
		row = append(row, d)
	}
	return row
}

// checkDistances checks machines with two nodes or more: kernels wrote 0 for a single node. A row
// may be longer, when nodes went offline.
func checkDistances(m *machine) (list []Breach) {
	if len(m.nodes) < 2 {
		return nil
	}
	for i, n := range m.nodes {
		row := m.row(n)
		wrong := len(row) < len(m.nodes)
		for j, d := range row {
			own := len(row) == len(m.nodes) && i == j
			wrong = wrong || own && d != 10 || !own && len(row) == len(m.nodes) && d <= 10
		}
		if row != nil && wrong {
			list = append(list, nowhere(m.value(n.file("distance"))))
		}
	}
	return list
}

func checkBothWays(m *machine) (list []Breach) {
	for j, n := range m.nodes {
		for i, earlier := range m.nodes[:j] {
			a, b := m.row(earlier), m.row(n)
			if len(a) == len(m.nodes) && len(b) == len(m.nodes) && a[j] != b[i] {
				list = append(list, nowhere(m.value(n.file("distance")), m.value(earlier.file("distance"))))
				break
			}
		}
	}
	return list
}

func checkMemory(m *machine) (list []Breach) {
	for _, n := range m.nodes {
		file := n.file("meminfo")
		total, a := m.amount(file, "MemTotal")
		free, b := m.amount(file, "MemFree")
		used, c := m.amount(file, "MemUsed")
		if a && b && (free > total || c && used != total-free) {
			value := fmt.Sprintf("MemTotal %d kB, MemFree %d kB", total, free)
			if c {
				value += fmt.Sprintf(", MemUsed %d kB", used)
			}
			list = append(list, nowhere(Said{file, value}))
		}
		if a {
			list = append(list, m.hugePages(n, total)...)
		}
	}
	return list
}

// hugePages compares the huge pages of a node with its memory in kB.
func (m *machine) hugePages(n node, total int) (list []Breach) {
	folder := n.file("hugepages")
	for _, size := range m.entries(folder) {
		var kB int
		file := folder + "/" + size + "/nr_hugepages"
		_, err := fmt.Sscanf(size, "hugepages-%dkB", &kB)
		if pages, ok := m.number(file); err == nil && ok && kB > 0 && pages > total/kB {
			list = append(list, nowhere(m.value(file), Said{n.file("meminfo"), fmt.Sprintf("MemTotal %d kB", total)}))
		}
	}
	return list
}

// checkDevices compares the NUMA nodes of PCI devices with the nodes of the machine. A negative
// number stands for no node.
func checkDevices(m *machine) (list []Breach) {
	nodes := m.numbered(nodeFolder, "node")
	if nodes.Empty() {
		return nil
	}
	for _, d := range m.entries(pciFolder) {
		file := pciFolder + "/" + d + "/numa_node"
		if n, ok := m.number(file); ok && n >= 0 && (n > maxPU || !nodes.Has(n)) {
			list = append(list, nowhere(m.value(file), set(nodeFolder+"/node*", nodes)))
		}
	}
	return list
}

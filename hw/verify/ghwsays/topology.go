package ghwsays

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// topologyModel predicts ghw.Topology.
type topologyModel struct {
	Machine
	folders []int // numbers of the node folders, in the order of names
	stop    int   // how many of these ghw reads before it gives up

	byFolder, byEntry, givesUp, byNode, coreIDs  *account.Limit
	perNode, cacheIDs, sizeOfLevel, offlineCache *account.Limit
}

// TopologyModel predicts what ghw.Topology says of a machine.
func TopologyModel(m Machine) account.Model {
	m = m.remembering()
	inNodes := slices.Concat([]account.Kind{cores, pus}, caches)
	all := slices.Concat([]account.Kind{nodes}, inNodes)
	t := topologyModel{
		Machine: m, folders: m.numbered(nodeFolder, "node"),
		byFolder:     &account.Limit{Words: "takes the nodeN folders for the NUMA nodes", Kinds: all},
		byEntry:      &account.Limit{Words: "takes the cpuN entries in a node's folder for its PUs", Kinds: all},
		byNode:       &account.Limit{Words: "lists cores and caches by NUMA node only", Kinds: inNodes},
		coreIDs:      &account.Limit{Words: "takes PUs of a NUMA node with equal core_id for one core", Kinds: []account.Kind{cores}},
		perNode:      &account.Limit{Words: "lists a cache once for each NUMA node that shares it", Kinds: caches},
		cacheIDs:     &account.Limit{Words: "merges caches of a node with equal level, type and id", Kinds: caches},
		sizeOfLevel:  &account.Limit{Words: "reads the size of a cache of level L in folder indexL", Kinds: caches},
		offlineCache: &account.Limit{Words: "counts the caches of PUs that are offline", Kinds: caches},
	}
	var why string
	t.stop, why = m.stops(t.folders)
	t.givesUp = &account.Limit{Words: why, Kinds: all}
	e := m.cacheEvidence()
	evidence := map[*account.Limit]bool{
		t.givesUp: why != "", t.byNode: why != "" || m.stray(), t.byFolder: m.oddFolders(), t.byEntry: m.oddEntries(),
		t.coreIDs:     m.ambiguousCores(true),
		t.sizeOfLevel: e.sizes, t.perNode: e.spans, t.cacheIDs: e.sameID, t.offlineCache: e.offline,
	}
	return account.Model{Predict: t.predict, Limits: triggered(evidence, t.givesUp, t.sizeOfLevel, t.perNode,
		t.cacheIDs, t.offlineCache, t.coreIDs, t.byNode, t.byFolder, t.byEntry)}
}

// stops tells at which of the nodes ghw gives up, and why; "" when it does not.
func (m Machine) stops(folders []int) (n int, why string) {
	for i, node := range folders {
		if lack := m.lack(nodePath(node)); lack != "" {
			return i, fmt.Sprintf("gives up, without an error, at node%d: %s", node, lack)
		}
	}
	return len(folders), ""
}

// lack names what ghw wants of a NUMA node and does not find, in its order.
func (m Machine) lack(folder string) string {
	distances, ok := m.text(folder + "/distance")
	for _, word := range strings.Fields(distances) {
		_, err := strconv.Atoi(word)
		ok = ok && err == nil
	}
	_, blocks := m.text("sys/devices/system/memory/block_size_bytes")
	switch {
	case !ok:
		return "no distances"
	case !m.field(folder+"/meminfo", "MemTotal"):
		return "no MemTotal in its meminfo"
	case blocks && !m.states(folder):
		return "a memory block without a state"
	case !m.exists(folder + "/hugepages"):
		return "no folder hugepages"
	case !m.field("proc/meminfo", "Hugepagesize"):
		return "no Hugepagesize in /proc/meminfo"
	case !m.field("proc/meminfo", "Hugetlb"):
		return "no Hugetlb in /proc/meminfo"
	}
	return ""
}

// field reports whether a meminfo file has a line with a name.
func (m Machine) field(path, name string) bool {
	text, _ := m.text(path)
	for line := range strings.Lines(text) {
		if key, _, ok := strings.Cut(line, ":"); ok && strings.Contains(key, name) {
			return true
		}
	}
	return false
}

func (m Machine) states(folder string) bool {
	for _, n := range m.numbered(folder, "memory") {
		if !m.exists(fmt.Sprintf("%s/memory%d/state", folder, n)) {
			return false
		}
	}
	return true
}

// node is a NUMA node as a prediction sees it.
type node struct {
	id      int
	pus     []int // those that are online, in ghw's order
	shelf   []int // those whose caches count
	entries bool  // its PUs are read through its own folder
}

// seen are the nodes that a prediction assumes. The last one, of id -1, holds the PUs of no
// node, if they count.
func (t topologyModel) seen(on account.On) []node {
	ids := t.folders
	own := map[int]hw.Set{}
	var list []int
	for _, n := range t.Whole[nodes] {
		own[n.OSIndex] = n.CPUSet
		list = append(list, n.OSIndex)
	}
	if !on[t.byFolder] {
		ids = list
	}
	if on[t.givesUp] {
		ids = slices.DeleteFunc(slices.Clone(ids), func(id int) bool {
			return !slices.Contains(t.folders[:t.stop], id)
		})
	}
	rest := t.online()
	var result []node
	for _, id := range ids {
		n := t.node(id, own[id], on)
		rest = rest.Minus(hw.SetOf(n.pus...))
		result = append(result, n)
	}
	if !on[t.byNode] && !rest.Empty() {
		result = append(result, node{id: -1, pus: rest.Indexes(), shelf: rest.Indexes()})
	}
	return result
}

// node finds the PUs of a node: those of the truth, or those whose entries are in its folder.
func (t topologyModel) node(id int, own hw.Set, on account.On) node {
	n := node{id: id, pus: own.Indexes(), entries: on[t.byEntry]}
	entries := t.numbered(nodePath(id), "cpu")
	if n.entries {
		n.pus = nil
		for _, pu := range entries {
			if t.on(t.puPath(n, pu)) {
				n.pus = append(n.pus, pu)
			}
		}
	}
	n.shelf = n.pus
	online := t.online()
	for _, pu := range entries {
		if on[t.offlineCache] && !online.Has(pu) && !slices.Contains(n.pus, pu) {
			n.shelf = append(n.shelf[:len(n.shelf):len(n.shelf)], pu)
		}
	}
	return n
}

// puPath is the folder of a PU in which a prediction reads.
func (t topologyModel) puPath(n node, pu int) string {
	if n.entries {
		return fmt.Sprintf("%s/cpu%d", nodePath(n.id), pu)
	}
	return cpuPath(pu)
}

package verify

import (
	"context"
	"fmt"
	"strings"

	"commsplit/hw"
	"commsplit/hw/sysfs"
)

// tolerance is how far amounts of memory may be apart, as a part of them: kernels keep
// back different amounts, and a virtual machine's memory changes between two looks.
const tolerance = 0.05

// memory compares amounts of memory. Who tells none is left out.
func (m *machine) memory(ctx context.Context) []Memory {
	total := m.total("proc/meminfo")
	if total == 0 {
		return nil
	}
	nodes := m.allNodes()
	list := []Memory{{Witness: "all NUMA nodes", Bytes: nodes, Expected: total}}
	if bytes, err := m.ghwMemory(ctx); err == nil {
		list = append(list, Memory{Witness: "ghw.Memory", Bytes: bytes, Expected: total})
	}
	list = append(list, Memory{Witness: "lstopo", Bytes: m.lstopoMemory, Expected: nodeMemory(m.whole.Root)})
	// What grew or shrank since the first witness was asked is no difference.
	drift := [2]float64{
		float64(m.total("proc/meminfo")) - float64(m.totalBefore), float64(m.allNodes()) - float64(m.nodesBefore),
	}
	var told []Memory
	for _, e := range list {
		if e.Bytes == 0 || e.Expected == 0 {
			continue
		}
		e.State = Agrees
		off, slack := float64(e.Bytes)-float64(e.Expected), tolerance*float64(e.Expected)
		if off > slack+max(drift[0], drift[1], 0) || off < -slack+min(drift[0], drift[1], 0) {
			e.State = Unexplained
		}
		told = append(told, e)
	}
	if len(told) > 0 && told[0].State == Unexplained && told[0].Witness == "all NUMA nodes" {
		told[0].State, told[0].Why = m.unmanaged(told[0])
	}
	return told
}

// unmanaged explains NUMA nodes that have less memory than the machine by pages that are there and
// that the kernel does not manage yet, or any more: /proc/zoneinfo counts both kinds.
func (m *machine) unmanaged(e Memory) (State, string) {
	if m.mountedOver("/proc/meminfo") {
		return Explained, "another file is mounted over /proc/meminfo, as lxcfs does"
	}
	var present, managed float64
	text, _ := m.text("proc/zoneinfo")
	for line := range strings.Lines(text) {
		var pages float64
		var name string
		if n, _ := fmt.Sscan(line, &name, &pages); n == 2 && name == "present" {
			present += pages
		} else if n == 2 && name == "managed" {
			managed += pages
		}
	}
	if managed == 0 {
		return Unexplained, ""
	}
	whole := float64(e.Bytes) / managed * present
	if float64(e.Bytes) < float64(e.Expected) && float64(e.Expected) < whole*(1+tolerance) {
		return Explained, fmt.Sprintf("the kernel has %.1f GiB present and manages %.1f GiB of them: memory that "+
			"a virtual machine gets and gives back", whole/(1<<30), float64(e.Bytes)/(1<<30))
	}
	return Unexplained, ""
}

// total is MemTotal of a meminfo file in bytes, read anew; 0 when it is not known.
func (m *machine) total(path string) uint64 {
	text, _ := m.text(path)
	bytes, _ := sysfs.ParseMemTotal(text)
	return bytes
}

// allNodes is the memory of all NUMA nodes, also of those that our reader leaves out.
func (m *machine) allNodes() uint64 {
	var sum uint64
	for n := range m.nodeMasks() {
		sum += m.total(fmt.Sprintf("sys/devices/system/node/node%d/meminfo", n))
	}
	return sum
}

// nodeMemory is the memory of the NUMA nodes of a tree.
func nodeMemory(root *hw.Object) uint64 {
	var sum uint64
	for o := range root.All() {
		if o.Type == hw.NUMANode {
			sum += o.Bytes
		}
	}
	return sum
}

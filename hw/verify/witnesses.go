package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/detect"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
	"codeberg.org/commsplit/commsplit/hw/verify/cpuinfo"
	"codeberg.org/commsplit/commsplit/hw/verify/programs"
)

// witnesses are in the order of the columns: first those that know how the machine is built, then those
// that know what this process may use of it. They are asked at the same time.
var witnesses = []func(context.Context, *machine) testimony{
	askCPUInfo, askLscpu, askLstopo, askGHWCPU, askGHWTopology,
	askAffinity, askStatus, askCgroup, askRuntime,
}

// notHere is the reason why a copy cannot tell what only a running system knows.
const notHere = "not for a recorded machine"

// cannot returns the state of a witness whose file is missing: Unable, or Skipped for a recording, which
// may lack files.
func (m *machine) cannot() State {
	if m.live {
		return Unable
	}
	return Skipped
}

// root returns the root that programs are told to read: "" for the machine that runs them.
func (m *machine) root() string {
	if m.live {
		return ""
	}
	return m.dir
}

// asked returns the testimony of a program.
func asked(name string, said account.Account, notes []string, err error) testimony {
	t := testimony{name: name, said: said, notes: notes, err: err}
	if errors.Is(err, programs.ErrAbsent) {
		t.state, t.why = Skipped, err.Error()
	}
	return t
}

// unformed returns the testimony of a program that is not asked: some programs never end on such files.
func unformed(name string) testimony {
	return testimony{name: name, state: Skipped, why: "a file is malformed"}
}

// askLscpu asks lscpu. It leaves out NUMA nodes without PUs: lscpu lists the node of each PU.
func askLscpu(ctx context.Context, m *machine) testimony {
	if m.unformed {
		return unformed("lscpu")
	}
	said, notes, err := programs.Lscpu(ctx, m.root())
	t := asked("lscpu", said, notes, err)
	t.limits = m.limitsOf("lscpu")
	for _, n := range m.full[account.Of(hw.NUMANode)] {
		if mask, ok := m.masks[n.OSIndex]; ok && mask.Empty() && err == nil {
			t.said.Add(account.Of(hw.NUMANode), n)
		}
	}
	return t
}

// askLstopo asks lstopo. It leaves out Groups, which depend on the release of hwloc.
func askLstopo(ctx context.Context, m *machine) testimony {
	if m.unformed {
		return unformed("lstopo")
	}
	said, bytes, err := programs.Lstopo(ctx, m.root())
	t := asked("lstopo", said, nil, err)
	if err == nil {
		m.lstopoMemory = bytes
		t.said.Speak(readable...)
		delete(t.said, account.Kind{Type: hw.Group})
		t.limits = m.limitsOf("lstopo")
	}
	return t
}

// affinity is the set of PUs that this process may run on.
var affinity = detect.Affinity

func askAffinity(_ context.Context, m *machine) testimony {
	t := testimony{name: "affinity", usable: true}
	if !m.live {
		t.state, t.why = Skipped, notHere
		return t
	}
	t.bound, t.err = affinity()
	t.said = account.Account{account.Of(hw.PU): singles(t.bound)}
	return t
}

// askStatus reads /proc/self/status of this process, or of the process that made the copy.
func askStatus(_ context.Context, m *machine) testimony {
	t := testimony{name: "status", usable: true, said: account.Account{}}
	text, _ := m.text("proc/self/status")
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		if name != "Cpus_allowed_list" && name != "Mems_allowed_list" {
			continue
		}
		set, err := hw.ParseList(strings.TrimSpace(value))
		switch {
		case err != nil:
			t.err = fmt.Errorf("/proc/self/status: %s: %w", name, err)
			return t
		case name == "Cpus_allowed_list":
			t.bound = set
			t.said[account.Of(hw.PU)] = singles(set)
		default:
			t.said[account.Of(hw.NUMANode)] = m.allowedNodes(set)
		}
	}
	if len(t.said) == 0 {
		t.state, t.why = m.cannot(), "its file does not list the PUs of this process"
	}
	return t
}

// allowedNodes returns the NUMA nodes of Mems_allowed_list, without the memory of GPUs, which the list
// includes, and with nodes without memory, which the list omits.
func (m *machine) allowedNodes(numbers hw.Set) []account.Thing {
	text, _ := m.text("sys/devices/system/node/has_memory")
	filled, err := hw.ParseList(text)
	list := []account.Thing{}
	for _, n := range m.full[account.Of(hw.NUMANode)] {
		if numbers.Has(n.OSIndex) || err == nil && !filled.Has(n.OSIndex) {
			list = append(list, account.Thing{OSIndex: n.OSIndex, CPUSet: n.CPUSet.Intersect(m.ours.Allowed)})
			numbers = numbers.Minus(hw.SetOf(n.OSIndex))
		}
	}
	for _, n := range numbers.Minus(m.gpuNodes()).Indexes() {
		list = append(list, account.Thing{OSIndex: n})
	}
	return list
}

func askCgroup(_ context.Context, m *machine) testimony {
	t := testimony{name: "cgroup", usable: true}
	if _, lost := m.text("proc/mounts"); lost {
		t.state, t.why = m.cannot(), "there is no /proc/mounts to find one"
		return t
	}
	t.said = account.Account{account.Of(hw.PU): singles(m.ours.Allowed)}
	return t
}

// askRuntime asks the Go runtime, which counts the PUs of the affinity when it starts.
func askRuntime(_ context.Context, m *machine) testimony {
	t := testimony{name: "Go", usable: true}
	if !m.live {
		t.state, t.why = Skipped, notHere
		return t
	}
	t.counts = map[account.Kind]int{account.Of(hw.PU): runtime.NumCPU()}
	t.bound, t.err = affinity()
	if n := runtime.GOMAXPROCS(0); n != runtime.NumCPU() {
		t.notes = []string{fmt.Sprintf("GOMAXPROCS is %d: at most that many threads run Go code "+
			"at a time (CPU quota of a cgroup, or environment); it forbids no PU", n)}
	}
	return t
}

// text reads a small file; lost is true when the file cannot be read.
func (m *machine) text(path string) (text string, lost bool) {
	data, err := fs.ReadFile(m.files, path)
	return strings.TrimSpace(strings.TrimRight(string(data), "\x00\n")), err != nil
}

// nodeMasks returns the PUs of the NUMA nodes by their own masks, for all node folders.
func (m *machine) nodeMasks() map[int]hw.Set {
	masks := map[int]hw.Set{}
	entries, _ := fs.ReadDir(m.files, "sys/devices/system/node")
	for _, e := range entries {
		var n int
		if _, err := fmt.Sscanf(e.Name(), "node%d", &n); err == nil && e.Name() == fmt.Sprintf("node%d", n) {
			text, _ := m.text("sys/devices/system/node/" + e.Name() + "/cpumap")
			masks[n], _ = sysfs.ParseMask(text) // our reader has reported a wrong mask already
		}
	}
	return masks
}

// leftOut returns the numbers of node folders without a node in the tree, if such holds for their masks.
func (m *machine) leftOut(such func(mask hw.Set) bool) (s hw.Set) {
	for n, mask := range m.masks {
		in := func(t account.Thing) bool { return t.OSIndex == n }
		if such(mask) && !slices.ContainsFunc(m.full[account.Of(hw.NUMANode)], in) {
			s.Add(n)
		}
	}
	return s
}

// gpuNodes returns the numbers of node folders without PUs that have no node in the tree, on machines whose
// GPUs have NUMA nodes.
func (m *machine) gpuNodes() (none hw.Set) {
	if entries, err := fs.ReadDir(m.files, "proc/driver/nvidia/gpus"); err != nil || len(entries) == 0 {
		return none
	}
	return m.leftOut(hw.Set.Empty)
}

// tolerance is by how much amounts of memory may differ, as a fraction: kernels reserve different amounts,
// and a virtual machine's memory changes between two reads.
const tolerance = 0.05

// memory compares amounts of memory. It omits witnesses that report none.
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
	// Memory that came or went since the first witness was asked is not a difference.
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

// unmanaged explains NUMA nodes that have less memory than the machine by pages that are present and that
// the kernel does not manage (yet, or any more): /proc/zoneinfo counts both.
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
		return Explained, fmt.Sprintf("the kernel has %.1f GiB present and manages %.1f GiB of it: memory that a "+
			"virtual machine gets and returns", whole/(1<<30), float64(e.Bytes)/(1<<30))
	}
	return Unexplained, ""
}

// total reads MemTotal of a meminfo file and returns bytes; 0 when it is not known.
func (m *machine) total(path string) uint64 {
	text, _ := m.text(path)
	bytes, _ := sysfs.ParseMemTotal(text)
	return bytes
}

// allNodes returns the memory of all NUMA nodes, including those that our reader leaves out.
func (m *machine) allNodes() uint64 {
	var sum uint64
	for n := range m.masks {
		sum += m.total(fmt.Sprintf("sys/devices/system/node/node%d/meminfo", n))
	}
	return sum
}

// nodeMemory returns the memory of the NUMA nodes of a tree.
func nodeMemory(root *hw.Object) uint64 {
	var sum uint64
	for o := range root.All() {
		if o.Type == hw.NUMANode {
			sum += o.Bytes
		}
	}
	return sum
}

// askCPUInfo reads /proc/cpuinfo. Its ids repeat on some machines, in dies or NUMA nodes of a package: where
// the ids give another number of packages and cores than the counts in the same file, the testimony has only
// those counts.
func askCPUInfo(_ context.Context, m *machine) testimony {
	t := testimony{name: "cpuinfo", limits: m.limitsOf("cpuinfo"), state: m.cannot()}
	text, lost := m.text("proc/cpuinfo")
	list, err := cpuinfo.Parse(text)
	switch {
	case lost:
		t.why = "there is no /proc/cpuinfo"
	case m.mountedOver("/proc/cpuinfo"):
		t.why = "another file is mounted over /proc/cpuinfo, as lxcfs does"
	case err != nil:
		t.state, t.err = "", err
	case len(list) == 0:
		t.why = "/proc/cpuinfo lists no processors"
	default:
		t.state = ""
	}
	if t.why != "" || t.err != nil {
		return t
	}
	// A kernel lists the PUs that are online. In a copy that was made in a hurry, or tampered with, some PUs
	// were switched off between two files.
	var off hw.Set
	for _, p := range list {
		if m.ours.Offline.Has(p.PU) {
			off.Add(p.PU)
		}
	}
	if !m.live && !off.Empty() {
		list = slices.DeleteFunc(list, func(p cpuinfo.Processor) bool { return off.Has(p.PU) })
		t.notes = []string{fmt.Sprintf("cpuinfo also lists %s, which are offline in sysfs: left out", pus(off))}
	}
	t.said = byID(list)
	for k, n := range count(list) {
		if len(t.said[k]) != n && off.Empty() { // otherwise the kernel's count includes PUs that are off
			delete(t.said, k)
			if t.counts == nil {
				t.counts = map[account.Kind]int{}
			}
			t.counts[k] = n
		}
	}
	return t
}

// count returns how many packages and cores the kernel counts, from the number of siblings that each PU has in
// its package. It omits a count that the file does not have for all PUs, or that is not a whole number because the
// file is incomplete.
func count(list []cpuinfo.Processor) map[account.Kind]int {
	packages, cores := 0.0, 0.0
	for _, p := range list {
		if p.Siblings <= 0 {
			return nil
		}
		packages += 1 / float64(p.Siblings)
		cores += float64(p.Cores) / float64(p.Siblings)
		if p.Cores <= 0 {
			cores = math.NaN()
		}
	}
	counted := map[account.Kind]int{}
	for k, n := range map[account.Kind]float64{account.Of(hw.Package): packages, account.Of(hw.Core): cores} {
		if math.Abs(n-math.Round(n)) < 0.01 {
			counted[k] = int(math.Round(n))
		}
	}
	return counted
}

// byID makes a package of PUs with the same id, and a core of PUs with the same pair of ids. The account has no
// packages or cores where no entry has an id.
func byID(list []cpuinfo.Processor) account.Account {
	a := account.Account{}
	packages, cores := map[int]hw.Set{}, map[[2]int]hw.Set{}
	for _, p := range list {
		a.Add(account.Of(hw.PU), account.Thing{OSIndex: p.PU, CPUSet: hw.SetOf(p.PU)})
		if p.Package >= 0 {
			packages[p.Package] = packages[p.Package].Union(hw.SetOf(p.PU))
		}
		if id := [2]int{p.Package, p.Core}; p.Package >= 0 && p.Core >= 0 {
			cores[id] = cores[id].Union(hw.SetOf(p.PU))
		}
	}
	for set := range maps.Values(packages) {
		a.Add(account.Of(hw.Package), account.Thing{OSIndex: hw.Unknown, CPUSet: set})
	}
	for set := range maps.Values(cores) {
		a.Add(account.Of(hw.Core), account.Thing{OSIndex: hw.Unknown, CPUSet: set})
	}
	return a
}

// mountedOver reports whether a container has something else mounted in place of a file.
func (m *machine) mountedOver(path string) bool {
	text, _ := m.text("proc/mounts")
	return sysfs.MountedOver(text, path)
}

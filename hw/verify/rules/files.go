package rules

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
	"codeberg.org/commsplit/commsplit/hw/verify/cpuinfo"
)

const (
	cpuFolder  = "sys/devices/system/cpu"
	nodeFolder = "sys/devices/system/node"
	pciFolder  = "sys/bus/pci/devices"

	maxPU = 1<<16 - 1 // the largest number of a PU or NUMA node that our reader takes
)

// machine is the raw files of one machine: each is read once, when a rule first asks for it. A file that cannot be
// read counts as missing, and so does a mask without PUs, which kernels before 2.6.30 have.
type machine struct {
	root   fs.FS
	texts  map[string]string
	blanks map[string]bool   // files that exist and are empty
	masks  map[string]hw.Set // by their text: all PUs of a package have the same
	online hw.Set
	pus    []int                    // online PUs that have a folder
	caches map[int][]cache          // by PU, in the order of their folders
	kinds  []string                 // of caches
	of     map[string]map[int]cache // caches with known sharers, by kind and PU
	nodes  []node
	lists  map[string][]string // entries of folders
	cpuset sysfs.Cpuset
	listed map[int]cpuinfo.Processor // by PU, where /proc/cpuinfo makes sense
}

// cache is one folder indexN of a PU.
type cache struct {
	folder string
	index  int
	level  int
	typ    string
	shared hw.Set // empty when it is not known
}

// kind returns level and type of a cache; no two caches of a PU may have the same.
func (c cache) kind() string { return fmt.Sprintf("L%d %s", c.level, c.typ) }

// node is one folder nodeN.
type node struct {
	number int
	folder string
	pus    hw.Set
}

func open(root fs.FS) *machine {
	m := &machine{root: root, texts: map[string]string{}, masks: map[string]hw.Set{}, lists: map[string][]string{},
		caches: map[int][]cache{}, blanks: map[string]bool{}, listed: map[int]cpuinfo.Processor{}}
	m.cpuset, _ = sysfs.ReadCpuset(root)                             // checkFormat reports an error in these files
	if !sysfs.MountedOver(m.text("proc/mounts"), "/"+cpuinfo.File) { // else a container numbers its PUs anew
		list, _ := cpuinfo.Parse(m.text(cpuinfo.File))
		for _, p := range list {
			m.listed[p.PU] = p
		}
	}
	folders := m.numbered(cpuFolder, "cpu")
	online, ok := m.list(cpuFolder + "/online")
	if !ok {
		online = folders
		for _, pu := range folders.Indexes() {
			if m.text(cpuFile(pu, "online")) == "0" {
				online = online.Minus(hw.SetOf(pu))
			}
		}
	}
	m.online = online
	m.pus = online.Intersect(folders).Indexes()
	for _, pu := range m.pus {
		m.caches[pu] = m.cachesOf(pu)
	}
	m.sortCaches()
	numbers, listed := m.list(nodeFolder + "/online")
	for _, n := range m.numbered(nodeFolder, "node").Indexes() {
		if listed && !numbers.Has(n) {
			continue
		}
		folder := fmt.Sprintf("%s/node%d", nodeFolder, n)
		pus, _ := m.mask(folder + "/cpumap")
		m.nodes = append(m.nodes, node{n, folder, pus})
	}
	return m
}

func cpuHome(pu int) string { return cpuFolder + "/cpu" + strconv.Itoa(pu) }

func cpuFile(pu int, name string) string { return cpuHome(pu) + "/" + name }

func (m *machine) cachesOf(pu int) []cache {
	var list []cache
	for _, i := range m.numbered(cpuFile(pu, "cache"), "index").Indexes() {
		c := cache{folder: fmt.Sprintf("%s/cpu%d/cache/index%d", cpuFolder, pu, i), index: i}
		c.level, _ = m.number(c.folder + "/level")
		c.typ = m.text(c.folder + "/type")
		c.shared, _ = m.mask(c.folder + "/shared_cpu_map")
		list = append(list, c)
	}
	return list
}

// text returns a small file without surrounding blanks, up to the NUL byte that some kernels end it with; "" when
// there is no such file.
func (m *machine) text(name string) string {
	text, known := m.texts[name]
	if !known {
		data, err := fs.ReadFile(m.root, name)
		text, _, _ = strings.Cut(string(data), "\x00")
		text = strings.TrimSpace(text)
		m.texts[name], m.blanks[name] = text, err == nil && text == ""
	}
	return text
}

// blank reports whether a file exists, can be read, and is empty.
func (m *machine) blank(name string) bool { return m.text(name) == "" && m.blanks[name] }

// mask reads a file such as shared_cpu_map.
func (m *machine) mask(name string) (s hw.Set, ok bool) {
	text := m.text(name)
	s, known := m.masks[text]
	if !known && text != "" {
		s, _ = sysfs.ParseMask(text) // our reader refuses one that is none
		m.masks[text] = s
	}
	return s, !s.Empty()
}

// list reads a file such as online.
func (m *machine) list(name string) (s hw.Set, ok bool) {
	s, err := hw.ParseListUpTo(m.text(name), maxPU)
	return s, err == nil && !s.Empty()
}

func (m *machine) number(name string) (n int, ok bool) {
	n, err := strconv.Atoi(m.text(name))
	return n, err == nil
}

// amount reads "Node 0 MemTotal: 1024 kB" of a meminfo file, in kB.
func (m *machine) amount(name, what string) (kB int, ok bool) {
	for line := range strings.Lines(m.text(name)) {
		if _, value, found := strings.Cut(line, what+":"); found {
			if n, _ := fmt.Sscan(value, &kB); n == 1 {
				return kB, true
			}
		}
	}
	return 0, false
}

// entries lists the names in a folder.
func (m *machine) entries(folder string) []string {
	list, known := m.lists[folder]
	if !known {
		entries, _ := fs.ReadDir(m.root, folder)
		for _, e := range entries {
			list = append(list, e.Name())
		}
		m.lists[folder] = list
	}
	return list
}

func (m *machine) has(name string) bool {
	return slices.Contains(m.entries(path.Dir(name)), path.Base(name))
}

// numbered lists the numbers N of the entries prefixN of a folder.
func (m *machine) numbered(folder, prefix string) (s hw.Set) {
	for _, name := range m.entries(folder) {
		digits, ok := strings.CutPrefix(name, prefix)
		if n, err := strconv.Atoi(digits); ok && err == nil && n >= 0 && n <= hw.MaxIndex && digits == strconv.Itoa(n) {
			s.Add(n)
		}
	}
	return s
}

// x86 reports whether /proc/cpuinfo is that of an x86 machine: its kernel derives packages, dies and caches from what
// the processor reports, where other kernels take them from the firmware's tables.
func (m *machine) x86() bool {
	text := m.text(cpuinfo.File)
	return cpuinfo.Has(text, "vendor_id") && cpuinfo.Has(text, "cpu family")
}

// other reports whether /proc/cpuinfo is that of an architecture other than x86.
func (m *machine) other() bool { return m.text(cpuinfo.File) != "" && !m.x86() }

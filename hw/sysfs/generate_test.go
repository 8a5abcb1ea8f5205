package sysfs_test

import (
	"fmt"
	"testing/fstest"

	"codeberg.org/commsplit/commsplit/hw"
)

// shape is a regular machine: every count is per object of the line above.
// Cores are numbered through the machine; thread t of core c is PU
// c + t x (number of cores), which is how Linux numbers siblings.
type shape struct {
	packages, dies, nodes, l3, cores, threads int
}

func (s shape) total() int { return s.packages * s.dies * s.nodes * s.l3 * s.cores }

// pus returns the PUs of the g-th group of n consecutive cores.
func (s shape) pus(g, n int) hw.Set {
	var set hw.Set
	for core := g * n; core < (g+1)*n; core++ {
		for t := range s.threads {
			set.Add(core + t*s.total())
		}
	}
	return set
}

// tree is a generated /sys and /proc.
type tree fstest.MapFS

func (f tree) put(path, format string, args ...any) {
	f[path] = &fstest.MapFile{Data: []byte(fmt.Sprintf(format, args...) + "\n"), Mode: 0o444}
}

func cpu(i int, file string) string {
	return fmt.Sprintf("sys/devices/system/cpu/cpu%d/%s", i, file)
}

func node(i int, file string) string {
	return fmt.Sprintf("sys/devices/system/node/node%d/%s", i, file)
}

// files writes the machine as a recent kernel would. Offline PUs keep only
// their folder.
func (s shape) files(offline hw.Set) tree {
	f := tree{}
	online := s.pus(0, s.total()).Minus(offline)
	f.put("sys/devices/system/cpu/online", "%v", online)
	f.put("proc/meminfo", "MemTotal: %d kB\nMemFree: 1 kB", 1<<20)
	for _, i := range offline.Indexes() {
		f.put(cpu(i, "online"), "0")
	}
	perNode := s.l3 * s.cores
	perDie := s.nodes * perNode
	perPackage := s.dies * perDie
	for _, i := range online.Indexes() {
		core := i % s.total()
		among := func(n int) string { return mask(s.pus(core/n, n).Minus(offline)) }
		f.put(cpu(i, "topology/core_id"), "%d", core%perPackage)
		f.put(cpu(i, "topology/die_id"), "%d", core/perDie%s.dies)
		f.put(cpu(i, "topology/physical_package_id"), "%d", core/perPackage)
		f.put(cpu(i, "topology/core_cpus"), "%s", among(1))
		f.put(cpu(i, "topology/die_cpus"), "%s", among(perDie))
		f.put(cpu(i, "topology/package_cpus"), "%s", among(perPackage))
		f.cache(i, 0, 1, "Data", "32K", among(1))
		f.cache(i, 1, 1, "Instruction", "64K", among(1))
		f.cache(i, 2, 2, "Unified", "1024K", among(1))
		f.cache(i, 3, 3, "Unified", "32768K", among(s.cores))
	}
	nodes := s.total() / perNode
	f.put("sys/devices/system/node/online", "0-%d", nodes-1)
	for n := range nodes {
		f.put(node(n, "cpumap"), "%s", mask(s.pus(n, perNode).Minus(offline)))
		f.put(node(n, "meminfo"), "Node %d MemTotal:  %d kB", n, 1024*(n+1))
	}
	return f
}

func (f tree) cache(pu, index, level int, kind, size, set string) {
	folder := fmt.Sprintf("cache/index%d/", index)
	f.put(cpu(pu, folder+"level"), "%d", level)
	f.put(cpu(pu, folder+"type"), "%s", kind)
	f.put(cpu(pu, folder+"size"), "%s", size)
	f.put(cpu(pu, folder+"shared_cpu_map"), "%s", set)
	f.put(cpu(pu, folder+"coherency_line_size"), "64")
	f.put(cpu(pu, folder+"number_of_sets"), "64")
}

// mask writes a set in the kernel's format: groups of 32 bits.
func mask(s hw.Set) string {
	groups := 1
	for i := s.First(); i >= 0; i = s.Next(i + 1) {
		groups = i/32 + 1
	}
	text := ""
	for g := groups - 1; g >= 0; g-- {
		word := uint32(0)
		for bit := range 32 {
			if s.Has(32*g + bit) {
				word |= 1 << bit
			}
		}
		if text != "" {
			text += ","
		}
		text += fmt.Sprintf("%08x", word)
	}
	return text
}

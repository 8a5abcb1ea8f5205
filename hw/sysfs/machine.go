// Package sysfs reads the hardware of a Linux machine from its /sys and /proc,
// live or recorded, by hwloc's rules: PUs, cores, clusters, dies, packages,
// caches, NUMA nodes, and what the cgroup of the process leaves of them.
//
// Model: masks decide which PUs belong together, ids are only labels; every
// object is made by its first online PU. What is offline or disallowed is not
// in the tree, and a note says so.
//
// It does not look at CPUID, device trees, PCI, kinds of cores or memory-side
// caches, does not group NUMA nodes by distance, and knows no CPU affinity.
package sysfs

import (
	"errors"
	"fmt"
	"io/fs"

	"commsplit/hw"
)

// ErrAbsent says that the file system has no description of CPUs.
var ErrAbsent = errors.New("no sys/devices/system/cpu with CPUs in it")

// Machine is what sysfs says of one machine.
type Machine struct {
	Root    *hw.Object   // of type Machine; its tree lacks what is offline or disallowed
	Online  hw.Set       // PUs that are online
	Offline hw.Set       // PUs that are there but not online
	Allowed hw.Set       // PUs of Online that the cgroup allows
	Memory  uint64       // MemTotal of the host in bytes; 0 when unknown
	Dropped []*hw.Object // objects that overlap others without nesting, and are not in the tree
	Notes   []string     // clear lines about what is restricted or not known
}

// Read reads the machine whose root directory is root. The error is
// ErrAbsent when there is nothing to read, and otherwise names the file that
// makes no sense and what is in it. Missing files are not errors.
func Read(root fs.FS) (*Machine, error) {
	r := reader{root}
	present, online, err := r.cpuSets()
	if err != nil {
		return nil, err
	}
	if online.Empty() {
		return nil, ErrAbsent
	}
	m := &Machine{Online: online, Offline: present.Minus(online), Allowed: online}
	if m.Memory, err = r.memTotal("proc/meminfo"); err != nil {
		return nil, err
	}
	if err := m.grow(r); err != nil {
		return nil, err
	}
	if !m.Offline.Empty() {
		m.note("offline: %s", pus(m.Offline))
	}
	return m, m.applyCgroup(r)
}

// grow reads the objects of the online PUs and builds the tree.
func (m *Machine) grow(r reader) error {
	objects, bare, err := r.cores(m.Online)
	if err != nil {
		return err
	}
	caches, err := r.caches(m.Online)
	if err != nil {
		return err
	}
	nodes, notes, err := r.nodes(m.Online)
	if err != nil {
		return err
	}
	m.Notes = append(m.Notes, notes...)
	if !bare.Empty() {
		m.note("cores and packages of %s are not known: no topology files", pus(bare))
	}
	m.Root = &hw.Object{Type: hw.Machine, OSIndex: 0, CPUSet: m.Online.Clone()}
	m.Dropped = hw.Build(m.Root, dropRepeats(append(objects, caches...), m.Online), nodes)
	for _, o := range m.Dropped {
		m.note("contradictory sysfs: %s with PUs %v overlaps others and is left out",
			title(o), o.CPUSet)
	}
	if len(nodes) == 0 {
		m.fillFabricatedNode()
	}
	return nil
}

// fillFabricatedNode gives all memory to the one NUMA node that stands for a
// machine whose kernel knows no nodes.
func (m *Machine) fillFabricatedNode() {
	m.note("the kernel knows no NUMA nodes: one node stands for the machine")
	for o := range m.Root.All() {
		if o.Type == hw.NUMANode {
			o.Bytes = m.Memory
		}
	}
}

// applyCgroup leaves out of the tree what the cgroup does not allow. That
// nothing is known of the cgroup is a note, not an error.
func (m *Machine) applyCgroup(r reader) error {
	l, err := r.limits()
	if err != nil {
		m.note("cgroup limits are not known: %v", err)
		return nil
	}
	if l.hasCPUs {
		m.Allowed = m.Online.Intersect(l.cpus)
	}
	if m.Allowed.Empty() {
		return fmt.Errorf("cgroup %s allows %s, but only %s are online",
			l.group, pus(l.cpus), pus(m.Online))
	}
	if !m.Allowed.Equal(m.Online) {
		m.note("cgroup allows %s of %v", pus(m.Allowed), m.Online)
	}
	nodes := m.nodeNumbers()
	mems := nodes
	if l.hasMems {
		mems = nodes.Intersect(l.mems)
	}
	if !mems.Equal(nodes) {
		m.note("cgroup allows NUMA nodes %v of %v", mems, nodes)
	}
	hw.Restrict(m.Root, m.Allowed, mems)
	return nil
}

// nodeNumbers lists the os indexes of the NUMA nodes in the tree.
func (m *Machine) nodeNumbers() hw.Set {
	var s hw.Set
	for o := range m.Root.All() {
		if o.Type == hw.NUMANode && o.OSIndex >= 0 {
			s.Add(o.OSIndex)
		}
	}
	return s
}

func (m *Machine) note(format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// title names an object in a note: "Package P#1", "L3Cache".
func title(o *hw.Object) string {
	name := o.TypeName()
	if o.Subtype != "" {
		name = o.Subtype
	}
	if o.OSIndex != hw.Unknown {
		name += fmt.Sprintf(" P#%d", o.OSIndex)
	}
	return name
}

// pus names a set of PUs: "PU 3", "PUs 0-3,8".
func pus(s hw.Set) string {
	if s.Len() == 1 {
		return "PU " + s.String()
	}
	return "PUs " + s.String()
}

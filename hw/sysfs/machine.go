// Package sysfs reads the hardware of a Linux machine from its /sys and /proc,
// live or recorded, by hwloc's rules: PUs, cores, clusters, dies, packages,
// books, caches, NUMA nodes with their caches and Groups, kinds of cores, and
// what the cgroup of the process leaves of them; then its PCI devices and what
// hangs on them.
//
// Model: masks decide which PUs belong together, ids are only labels; every
// object is made by its first online PU, and what comes first stays where files
// contradict each other. What is offline or disallowed is not in the tree, and a
// note says so.
//
// It does not look at CPUID or device trees, and knows no CPU affinity.
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
func Read(root fs.FS) (*Machine, error) { return ReadUsed(root, hw.Set{}) }

// ReadUsed is Read for a machine of which somebody used PUs: these are allowed whatever the cgroup says.
func ReadUsed(root fs.FS, used hw.Set) (*Machine, error) {
	r := &reader{root: root, used: used}
	m, err := r.machine()
	if err != nil {
		return nil, err
	}
	m.Notes = r.notes
	return m, nil
}

func (r *reader) machine() (*Machine, error) {
	present, online, err := r.cpuSets()
	if err != nil {
		return nil, err
	}
	if online.Empty() {
		return nil, ErrAbsent
	}
	m := &Machine{Online: online, Offline: present.Minus(online)}
	if m.Memory, err = r.memTotal("proc/meminfo"); err != nil {
		return nil, err
	}
	if r.cpu, err = r.cpuinfo(); err != nil {
		return nil, err
	}
	if err := r.grow(m); err != nil {
		return nil, err
	}
	kinds, err := r.kinds(m.Root.CPUSet)
	if err != nil {
		return nil, err
	}
	m.Root.Details = &hw.Details{Kinds: kinds, Offline: present.Minus(m.Root.CPUSet)}
	if !m.Offline.Empty() {
		r.note("offline: %s", pus(m.Offline))
	}
	if err := r.applyCgroup(m); err != nil {
		return nil, err
	}
	hw.MergeGroups(m.Root)
	if err := r.nameNodes(m.Root); err != nil {
		return nil, err
	}
	if err := r.devices(m.Root); err != nil {
		r.note("devices are not known: %v", err)
	}
	return m, nil
}

// nameNodes gives the nodes that are left their kinds of memory.
func (r *reader) nameNodes(root *hw.Object) error {
	var nodes []*hw.Object
	for o := range root.All() {
		if o.Type != hw.NUMANode {
			continue
		}
		nodes = append(nodes, o)
		if s := r.speed[o]; !o.CPUSet.SubsetOf(s.cpus) || o.CPUSet.Empty() {
			delete(r.speed, o) // it hangs elsewhere: these are not its PUs
		}
	}
	return r.nameMemory(nodes, r.speed)
}

// applyCgroup leaves out of the tree what the cgroup does not allow. That
// nothing is known of the cgroup is a note, not an error.
func (r *reader) applyCgroup(m *Machine) error {
	m.Allowed = m.Online
	l, err := r.limits()
	if err != nil {
		r.note("cgroup limits are not known: %v", err)
		return nil
	}
	if l.hasCPUs {
		m.Allowed = m.Online.Intersect(l.cpus.Union(r.used))
	}
	if !m.Allowed.Intersects(m.Root.CPUSet) {
		return fmt.Errorf("cgroup %s allows %s, but only %s are online",
			l.group, pus(l.cpus), pus(m.Root.CPUSet))
	}
	if !m.Allowed.Equal(m.Online) {
		r.note("cgroup allows %s of %v", pus(m.Allowed), m.Online)
	}
	nodes := m.Root.NodeSet
	mems := nodes
	if l.hasMems {
		mems = nodes.Intersect(l.mems)
	}
	if !mems.Equal(nodes) {
		r.note("cgroup allows NUMA nodes %v of %v", mems, nodes)
	}
	hw.Restrict(m.Root, m.Allowed, mems, hw.NotAllowed)
	return nil
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

// Package sysfs reads the hardware of a Linux machine from its /sys and /proc, live or recorded,
// by hwloc's rules: PUs, cores, clusters, dies, packages, books, caches, NUMA nodes with their
// caches and Groups, kinds of cores, and which of them the cgroup of the process allows; then its
// PCI devices and the named devices on them.
//
// Model: masks decide which PUs belong together, ids are only labels; every object is made for
// its first online PU, and where files contradict each other the earlier object stays. Offline
// and disallowed PUs are not in the tree, and a note lists them.
//
// The package does not look at CPUID or device trees, and knows no CPU affinity.
package sysfs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"codeberg.org/commsplit/commsplit/hw"
)

// ErrAbsent is the error for a file system that has no description of CPUs.
var ErrAbsent = errors.New("there are no CPUs in sys/devices/system/cpu")

// Machine is one machine as sysfs describes it.
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

// ReadUsed reads a machine as Read does, but allows the PUs in used, which a process used, whatever the cgroup says.
func ReadUsed(root fs.FS, used hw.Set) (*Machine, error) {
	return (&reader{root: root, used: used}).machine()
}

// ReadWhole reads a machine as Read does, but without the limits of cgroups.
func ReadWhole(root fs.FS) (*Machine, error) { return (&reader{root: root, whole: true}).machine() }

func (r *reader) machine() (*Machine, error) {
	present, online := r.cpuSets()
	if r.err != nil || online.Empty() {
		return nil, cmp.Or(r.err, ErrAbsent)
	}
	m := &Machine{Online: online, Offline: present.Minus(online), Memory: r.memTotal("proc/meminfo")}
	r.cpu = r.cpuinfo()
	r.grow(m)
	kinds := r.kinds(m.Root.CPUSet)
	if r.err != nil {
		return nil, r.err
	}
	m.Root.Details = &hw.Details{Kinds: kinds, Matrices: r.far, MemAttrs: r.slow, Offline: present.Minus(m.Root.CPUSet)}
	if !m.Offline.Empty() {
		r.note("offline: %s", pus(m.Offline))
	}
	r.applyCgroup(m)
	hw.MergeGroups(m.Root, true)
	r.nameNodes(m.Root)
	if r.err != nil {
		return nil, r.err
	}
	r.devices(m.Root)
	if err := r.failed(); err != nil {
		r.note("devices are unknown: %v", err)
	}
	r.finishWhole(m.Root)
	m.Notes = r.notes
	return m, nil
}

// finishWhole adds the devices and the names of NUMA nodes to the whole machine, which includes PUs and nodes that are not
// allowed. It adds no notes: the usable machine has them already.
func (r *reader) finishWhole(root *hw.Object) {
	whole := root.Details.Whole
	if whole == nil {
		return
	}
	hw.MergeGroups(whole, true)
	r.devices(whole)
	_ = r.failed() // as for root
	names := map[int]string{}
	for o := range root.All() {
		if o.Type == hw.NUMANode {
			names[o.OSIndex] = o.Subtype
		}
	}
	for o := range whole.All() {
		if o.Type == hw.NUMANode {
			o.Subtype = names[o.OSIndex]
		}
	}
}

// nameNodes gives the remaining nodes their kinds of memory.
func (r *reader) nameNodes(root *hw.Object) {
	var nodes []*hw.Object
	for o := range root.All() {
		if o.Type != hw.NUMANode {
			continue
		}
		nodes = append(nodes, o)
		if s := r.speed[o]; !o.CPUSet.SubsetOf(s.cpus) || o.CPUSet.Empty() {
			delete(r.speed, o) // the node was attached elsewhere: the speed is not for its PUs
		}
	}
	r.nameMemory(nodes, r.speed)
}

// applyCgroup removes from the tree what the cgroup does not allow. An unreadable cgroup is a
// note, not an error.
func (r *reader) applyCgroup(m *Machine) {
	m.Allowed = m.Online
	if r.whole {
		return
	}
	l := r.limits()
	if err := r.failed(); err != nil {
		r.note("cgroup limits are unknown: %v", err)
		return
	}
	if !l.CPUs.Empty() {
		m.Allowed = m.Online.Intersect(l.CPUs.Union(r.used))
	}
	if !m.Allowed.Intersects(m.Root.CPUSet) {
		r.fail("cgroup %s allows %s, but only %s are online", l.group, pus(l.CPUs), pus(m.Root.CPUSet))
		return
	}
	if !m.Allowed.Equal(m.Online) {
		r.note("cgroup allows %s of %v", pus(m.Allowed), m.Online)
	}
	nodes := m.Root.NodeSet
	mems := nodes
	if !l.Mems.Empty() {
		mems = nodes.Intersect(l.Mems)
	}
	if !mems.Equal(nodes) {
		r.note("cgroup allows NUMA nodes %v of %v", mems, nodes)
	}
	hw.Restrict(m.Root, m.Allowed, mems, hw.NotAllowed)
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

// maxSpan is the size that the sets of all objects may have, in bits: 64 MB.
const maxSpan = 64 << 23

// grow reads the objects of the online PUs and builds the tree.
func (r *reader) grow(m *Machine) {
	usable := r.described(m.Online)
	switch bare := m.Online.Minus(usable); {
	case usable.Empty():
		usable = m.Online
		r.note("cores and packages are unknown: no PU has topology files")
	case !bare.Empty():
		r.note("left out, because they have no topology files: %s", pus(bare))
	}
	p := &places{reader: r, names: r.siblings(usable), pus: usable, units: r.cpu.computeUnits()}
	m.Root = &hw.Object{Type: hw.Machine, OSIndex: 0, CPUSet: usable.Clone()}
	nest := hw.NewNest(m.Root)
	var found []*hw.Object
	span := 0
	for pu := usable.First(); pu >= 0; pu = usable.Next(pu + 1) {
		around := append(p.above(pu), p.caches(pu)...)
		for _, o := range around {
			span += o.CPUSet.Last() - o.CPUSet.First()
		}
		if span > maxSpan {
			r.fail("the PUs of cores, caches and packages are spread too widely for a real machine")
		}
		if r.err != nil {
			return
		}
		found = append(found, around...)
	}
	for _, o := range found {
		if nest.Insert(o) == nil {
			m.Dropped = append(m.Dropped, o)
			r.note("contradictory sysfs: %s with PUs %v overlaps others and is left out",
				title(o), o.CPUSet)
		}
	}
	r.noteWithoutPackage(found, usable)
	r.growMemory(nest, m)
}

// growMemory reads the NUMA nodes and adds them to the tree.
func (r *reader) growMemory(nest *hw.Nest, m *Machine) {
	mem := r.readMemory()
	if r.cpu.knightsLanding() {
		r.attachKnightsLanding(nest, mem)
	} else {
		r.attach(nest, mem)
	}
	nest.Finish()
	if !r.cpu.knightsLanding() { // whose distances tell what hangs where, and are not distances
		r.far, r.slow = mem.matrices(), mem.attributes(r.speed)
	}
	for _, n := range mem.nodes {
		if n != nil {
			return
		}
	}
	r.note("the kernel has no NUMA nodes: one node represents the machine")
	for o := range m.Root.All() {
		if o.Type == hw.NUMANode {
			o.Bytes = m.Memory
		}
	}
}

// attach hangs the NUMA nodes to the tree, where their PUs and initiators are.
func (r *reader) attach(nest *hw.Nest, mem memory) {
	nodes := r.locate(mem)
	r.speed = r.memorySpeeds(nodes)
	for _, n := range nodes {
		nest.Attach(r.memoryCaches(n))
	}
	mem.group(nest)
}

// noteWithoutPackage adds a note on PUs that are in no package although others are: the mask of a
// package's first PU decides which PUs the package holds.
func (r *reader) noteWithoutPackage(found []*hw.Object, usable hw.Set) {
	var packed hw.Set
	for _, o := range found {
		if o.Type == hw.Package {
			packed.Merge(o.CPUSet)
		}
	}
	if left := usable.Minus(packed); !packed.Empty() && !left.Empty() {
		r.note("contradictory sysfs: no package holds %s", pus(left))
	}
}

// Package hw models the hardware that ranks run on: a tree of objects with
// hwloc's types, names and numbering, on one host or on several below levels of
// our own such as racks; and the resource types that MPI can split by. Package
// placement decides where ranks run on the hardware.
//
// The package reads nothing: packages below it detect machines, parse
// descriptions and hold presets, and call Build for one machine and New for the
// whole. The model: an object is a set of PUs, objects nest by inclusion, memory
// objects are beside the tree; I/O devices, distances and figures of memories are
// kept for display only.
package hw

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// Topology is one machine, or several under levels of our own. It is complete
// and immutable once New returns it.
type Topology struct {
	Name  string    // what the user asked for: a preset, a synthetic string, "this", a file
	Root  *Object   // a Machine, or a Level above several machines
	Hosts []*Object // the Machine objects, in logical order; at least one

	// Ranks are the bindings of a job's ranks, when this is the hardware of a
	// job; nil otherwise.
	Ranks []*Binding

	// Slurm is the Slurm settings of the machines' site; nil where they are not
	// known.
	Slurm *Slurm

	// Notes are clear lines about what is restricted or not known
	// ("cgroup allows PUs 0-3 of 0-7", "no sysfs: caches unknown").
	Notes []string

	levels    []level
	devices   []*Object // those with devices
	resources func() []Resource
}

// New finishes the tree below root: it sets parents and logical indexes, names
// hosts that have no name node0, node1, .... The objects must not be changed afterwards.
func New(name string, root *Object, notes ...string) *Topology {
	t := &Topology{Name: name, Root: root, Notes: notes}
	root.Parent = nil
	var all census
	all.take(root)
	t.Hosts = all.hosts
	for i, h := range t.Hosts {
		if h.Name == "" {
			h.Name = "node" + strconv.Itoa(i)
		}
	}
	t.levels = findLevels(root)
	for _, memory := range [][]*Object{all.nodes, all.caches} {
		if len(memory) > 0 {
			t.levels = append(t.levels, level{key: keyOf(memory[0]), objects: memory})
		}
	}
	for i, l := range t.levels {
		for j, o := range l.objects {
			o.level, o.LogicalIndex = int32(i), j
		}
	}
	if slices.ContainsFunc(t.Hosts, func(h *Object) bool { return h.Details.figures() }) {
		keepFigures(root)
	}
	(&likeness{t: t, known: map[string]int32{}}).number(root, root)
	t.resources = sync.OnceValue(t.deriveResources) // most programs never ask
	return t
}

// At returns t with the Slurm settings of a site.
func (t *Topology) At(site *Slurm) *Topology {
	at := *t
	at.Slurm = site
	return &at
}

// census lists the machines, the NUMA nodes and the memory-side caches of a tree. As in hwloc the
// memory of an object is counted after the memory of everything below the object.
type census struct{ hosts, nodes, caches []*Object }

// take takes the census of o and all below, and sets their hosts and the parents below o.
func (t *census) take(o *Object) {
	switch o.Type {
	case Machine:
		t.hosts = append(t.hosts, o)
	case NUMANode:
		t.nodes = append(t.nodes, o)
	case MemCache:
		t.caches = append(t.caches, o)
	}
	o.host = int32(len(t.hosts) - 1)
	if o.Type == Level {
		o.host = none
	}
	for _, list := range [][]*Object{o.Children, o.Memory} {
		for _, c := range list {
			c.Parent = o
			t.take(c)
		}
	}
}

// Objects returns all objects of type t in logical order. Groups and our own
// levels may be nested: their outermost level comes first. Do not modify the list.
func (t *Topology) Objects(typ Type) []*Object {
	var r []*Object
	for _, l := range t.levels {
		switch {
		case l.key.typ != typ:
		case r == nil:
			r = slices.Clip(l.objects)
		default:
			r = append(r, l.objects...)
		}
	}
	return r
}

// Levels returns the levels of the tree from the root down, then those of the
// memory objects. A level is a list of like objects in logical order.
func (t *Topology) Levels() [][]*Object {
	r := make([][]*Object, len(t.levels))
	for i, l := range t.levels {
		r[i] = l.objects
	}
	return r
}

// GroupDepth returns the number in hwloc's names Group0, Group1, ...: 0 for the
// outermost level of Groups. It returns -1 for an object that is not a Group.
func (t *Topology) GroupDepth(o *Object) int {
	if o.Type != Group {
		return -1
	}
	return t.levels[o.level].groupDepth
}

// HostIndex returns the index in Hosts of the machine that o belongs to, or -1
// for a level above the hosts.
func (t *Topology) HostIndex(o *Object) int { return int(o.host) }

// Copy returns a copy of o and of all objects below o, for another host. The copies
// share sets and details, so nobody may change these.
func (o *Object) Copy() *Object {
	n := 0
	for range o.All() {
		n++
	}
	c := copier{make([]Object, n), make([]*Object, n)}
	r := c.copy(o)
	if slices.ContainsFunc(machinesBelow(r), func(h *Object) bool { return h.Details.figures() }) {
		copies := map[*Object]*Object{}
		notePairs(copies, o, r)
		moveFigures(r, copies)
	}
	return r
}

// notePairs notes for o and each object below the copy in the tree r, a copy of o.
func notePairs(copies map[*Object]*Object, o, r *Object) {
	copies[o] = r
	for i := range o.Memory {
		notePairs(copies, o.Memory[i], r.Memory[i])
	}
	for i := range o.Children {
		notePairs(copies, o.Children[i], r.Children[i])
	}
}

// copier allocates the objects of a copy, and the slots of their lists of
// children.
type copier struct {
	objects []Object
	links   []*Object
}

func (c *copier) copy(o *Object) *Object {
	n := &c.objects[0]
	c.objects = c.objects[1:]
	*n = *o
	n.Parent, n.Memory, n.Children = nil, c.copyAll(o.Memory), c.copyAll(o.Children)
	return n
}

func (c *copier) copyAll(list []*Object) []*Object {
	if len(list) == 0 {
		return nil
	}
	links := c.links[:len(list):len(list)]
	c.links = c.links[len(list):]
	for i, o := range list {
		links[i] = c.copy(o)
	}
	return links
}

// Alone returns one host of t as a topology of its own, of the same name.
func (t *Topology) Alone(host *Object) *Topology {
	alone := New(t.Name, host.Copy(), t.Notes...)
	alone.Slurm = t.Slurm
	return alone
}

// Binding is some PUs of one host, where ranks run. All ranks with the same
// binding share one Binding, so values derived from it are computed once.
type Binding struct {
	Host   int // index into Topology.Hosts
	CPUSet Set // os indexes of PUs of that host

	// Given are the devices that a launcher gives the rank; nil where no launcher said.
	Given []Located

	once       sync.Once
	of         *Topology // the topology that restricted was computed for
	restricted []int32
}

// Bindings has the Binding to each place, which is a host and PUs.
type Bindings map[place]*Binding

type place struct {
	host int
	set  string
}

// Of returns the Binding to PUs of a host; it makes one only for the first rank there.
func (b Bindings) Of(host int, set Set) *Binding {
	at := place{host, set.String()}
	if b[at] == nil {
		b[at] = &Binding{Host: host, CPUSet: set}
	}
	return b[at]
}

// DescribeBinding describes b in the words of mpirun 5: for each package its
// whole cores "package[0][core:0-3]" by logical index on the host, or, where the
// binding cuts through a core, the PUs "package[0][hwt:8]" by os index.
func DescribeBinding(t *Topology, b *Binding) string {
	host := t.Hosts[b.Host]
	if host.CPUSet.SubsetOf(b.CPUSet) {
		return "not bound (or bound to all available processors)"
	}
	var parts []string
	rest := b.CPUSet
	if packages := t.ResourceOf(Package); packages != nil {
		first := packages.firstOn(t, b.Host)
		for i := first; i < len(packages.Instances); i++ {
			o := packages.Instances[i]
			if t.HostIndex(o) != b.Host || rest.Empty() {
				break
			}
			if cut := rest.Intersect(o.CPUSet); !cut.Empty() {
				parts = append(parts, fmt.Sprintf("package[%d][%s]", i-first, t.units(b.Host, cut)))
				rest = rest.Minus(cut)
			}
		}
	}
	if !rest.Empty() {
		parts = append(parts, fmt.Sprintf("machine[0][%s]", t.units(b.Host, rest)))
	}
	return strings.Join(parts, " ")
}

// units names PUs of one host, as cores when set consists of whole cores.
func (t *Topology) units(host int, set Set) string {
	cores := t.ResourceOf(Core)
	if cores == nil {
		return "hwt:" + set.String()
	}
	first := cores.firstOn(t, host)
	var indexes Set
	for rest := set; !rest.Empty(); {
		i := cores.InstanceOf(host, SetOf(rest.First()))
		if i == none || !cores.Instances[i].CPUSet.SubsetOf(set) {
			return "hwt:" + set.String()
		}
		indexes.Add(int(i) - first)
		rest = rest.Minus(cores.Instances[i].CPUSet)
	}
	return "core:" + indexes.String()
}

// firstOn returns the index of the first instance on the given host or a later
// host.
func (r *Resource) firstOn(t *Topology, host int) int {
	return sort.Search(len(r.Instances), func(i int) bool {
		return t.HostIndex(r.Instances[i]) >= host
	})
}

package hw

import "strconv"

// Topology is one machine, or several under levels of our own. It is complete
// and immutable once New returns it.
type Topology struct {
	Name  string    // what the user asked for: a preset, a synthetic string, "this", a file
	Root  *Object   // a Machine, or a Level above several machines
	Hosts []*Object // the Machine objects, in logical order; at least one

	// Ranks are where the ranks of a job ran, when this is the hardware of one; nil otherwise.
	Ranks []*Binding

	// Notes are clear lines about what is restricted or not known
	// ("cgroup allows PUs 0-3 of 0-7", "no sysfs: caches unknown").
	Notes []string

	levels    []level
	resources []Resource
}

// New finishes the tree below root: it sets parents and logical indexes,
// names hosts that have no name node0, node1, ..., and derives the resource
// types. The objects must not be changed afterwards.
func New(name string, root *Object, notes ...string) *Topology {
	t := &Topology{Name: name, Root: root, Notes: notes}
	t.number()
	t.resources = deriveResources(t)
	return t
}

// number sets Parent and LogicalIndex in the whole tree and finds the hosts.
func (t *Topology) number() {
	t.Root.Parent = nil
	hosts := int32(-1)
	setParents(t.Root, &hosts)
	t.levels = findLevels(t.Root)
	for i, l := range t.levels {
		for j, o := range l.objects {
			o.level, o.LogicalIndex = int32(i), j
		}
	}
	t.Hosts = t.Objects(Machine)
	for i, h := range t.Hosts {
		if h.Name == "" {
			h.Name = "node" + strconv.Itoa(i)
		}
	}
}

// setParents sets the parents below o, and the hosts, of which *host is the last
// one so far.
func setParents(o *Object, host *int32) {
	if o.Type == Machine {
		*host++
	}
	o.host = *host
	for _, m := range o.Memory {
		m.Parent = o
		setParents(m, host)
	}
	for _, c := range o.Children {
		c.Parent = o
		setParents(c, host)
	}
}

// Objects returns all objects of type t in logical order. Groups and our own
// levels may be nested: their outermost level comes first.
func (t *Topology) Objects(typ Type) []*Object {
	var r []*Object
	for _, l := range t.levels {
		if l.key.typ == typ {
			r = append(r, l.objects...)
		}
	}
	return r
}

// Levels returns the levels of the tree from the root down, then those of the
// memory objects. Each is a list of like objects in logical order.
func (t *Topology) Levels() [][]*Object {
	r := make([][]*Object, len(t.levels))
	for i, l := range t.levels {
		r[i] = l.objects
	}
	return r
}

// GroupDepth is the number in hwloc's names Group0, Group1, ...: 0 for the
// outermost level of Groups. It is -1 for what is not a Group.
func (t *Topology) GroupDepth(o *Object) int {
	if o.Type != Group {
		return -1
	}
	return t.levels[o.level].groupDepth
}

// HostIndex is the index in Hosts of the machine that o belongs to, or -1 for
// a level above the hosts.
func (t *Topology) HostIndex(o *Object) int {
	if o.Type == Level {
		return -1
	}
	return int(o.host)
}

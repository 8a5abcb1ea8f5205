package render

import (
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/outline"
)

// Which ranks use an object of the hardware, and sentences on the object.

// Use finds which ranks use an object. For an object of a host, it looks only at the ranks of that host.
type Use struct {
	topology *hw.Topology
	bindings []*hw.Binding
	hosts    map[int][]int32 // the ranks on each host
	all      []int32
}

// NewUse makes a Use for ranks with the given bindings.
func NewUse(t *hw.Topology, bindings []*hw.Binding) *Use {
	u := &Use{topology: t, bindings: bindings, hosts: map[int][]int32{}, all: ascendingRanks(len(bindings))}
	for r, b := range bindings {
		u.hosts[b.Host] = append(u.hosts[b.Host], int32(r))
	}
	return u
}

// Of returns the ranks that are restricted to an object, so that a split by its type gives them the object's
// communicator, and the ranks that may also use other objects of its type.
func (u *Use) Of(o *hw.Object) (to, beyond []int32) {
	t := u.topology
	resource, instance := instanceOf(t, o)
	host, ranks := -1, u.all
	if o.Host() != nil {
		host = t.HostIndex(o)
		ranks = u.hosts[host]
	}
	var last *hw.Binding // neighbors often share a binding
	kind := outside
	for _, r := range ranks {
		b := u.bindings[r]
		if b != last {
			last, kind = b, use(t, b, o, host, resource, instance)
		}
		switch kind {
		case inside:
			to = append(to, r)
		case across:
			beyond = append(beyond, r)
		}
	}
	return to, beyond
}

// How a binding uses an object.
const (
	outside int8 = iota
	inside
	across
)

func use(t *hw.Topology, b *hw.Binding, o *hw.Object, host, resource, instance int) int8 {
	switch {
	case resource >= 0 && int(t.Restricted(b)[resource]) == instance:
		return inside
	case host != b.Host || !b.CPUSet.Intersects(o.CPUSet):
		return outside
	case resource < 0 && b.CPUSet.SubsetOf(o.CPUSet):
		return inside
	}
	return across
}

// instanceOf returns the indexes of the resource type and of the instance that an object is; -1, -1 when it is
// none.
func instanceOf(t *hw.Topology, o *hw.Object) (resource, instance int) {
	for i, r := range t.Resources() {
		if r.Type != o.Type || r.Subtype != "" && r.Subtype != o.Subtype {
			continue
		}
		if k := slices.Index(r.Instances, o); k >= 0 {
			return i, k
		}
	}
	return -1, -1
}

// ResourceOf returns the URI of an object's resource type, "" for none.
func ResourceOf(t *hw.Topology, o *hw.Object) string {
	if i, _ := instanceOf(t, o); i >= 0 {
		return t.Resources()[i].URI
	}
	return ""
}

// NoResource is the sentence on an object that no split can ask for.
const NoResource = "It is not a resource type, so no split can use it."

// ObjectWords is the sentences on an object.
type ObjectWords struct {
	Label  string   // "Package L#0"
	Also   string   // ", PUs 0-7 of node1, AMD EPYC 9654"
	Facts  []string // the kind of its cores, on a machine with several kinds; its distances; figures of a memory
	To     string   // the ranks that are restricted to it
	Beyond string   // the ranks that may use it and other objects, too; "" for none
}

// Object describes an object, with the ranks restricted to it and the ranks that may use other objects, too: to
// and beyond are as Use.Of returns them.
func Object(t *hw.Topology, o *hw.Object, to, beyond []int32, width int) ObjectWords {
	w := ObjectWords{Label: outline.Name(t, o), Facts: figuresOf(t, o), To: "no rank is restricted to it"}
	if kind := coresOf(o); kind != "" {
		w.Facts = append([]string{kind}, w.Facts...)
	}
	if o.Type != hw.PU && o.CPUSet.Len() > 0 {
		w.Also = ", PUs " + o.CPUSet.String()
	}
	if h := o.Host(); h != nil && h != o && len(t.Hosts) > 1 {
		w.Also += " of " + h.Name
	}
	if o.Type == hw.Package && o.Name != "" {
		w.Also += ", " + o.Name
	}
	if len(to) > 0 {
		w.To = RankNoun(to, width-24) + choose(len(to) == 1, " is restricted to it", " are restricted to it")
	}
	if len(beyond) > 0 {
		w.Beyond = RankNoun(beyond, width/2) + " may also use others of its type: not restricted, " +
			"so a split by the type gives MPI_COMM_NULL [MPI-5.0 §7.4.2]"
	}
	return w
}

// coresOf returns the kind of an object's cores in words, on a machine with several kinds; "" where the object has
// cores of several kinds.
func coresOf(o *hw.Object) string {
	k := o.KindOfCores()
	if k == nil {
		return ""
	}
	if k.Efficiency == 0 {
		return "its cores are of " + KindLabel(k) + ", the most energy-efficient"
	}
	return "its cores are of " + KindLabel(k)
}

// Where returns the place of a rank in words: home, which is the smallest object that has all its PUs, and the PUs
// if they are fewer than those of home.
func Where(s *engine.Snapshot, rank int, home *hw.Object) string {
	o := home
	if p := o.Parent; o.Type == hw.PU && p != nil && p.Type == hw.Core && p.CPUSet.Equal(o.CPUSet) {
		o = p // the only PU of a core
	}
	text := o.TypeName() + " L#" + strconv.Itoa(o.LogicalIndex)
	if set := s.Bindings[rank].CPUSet; !set.Equal(o.CPUSet) {
		text += " PUs " + set.String()
	}
	if len(s.Topology.Hosts) > 1 {
		if h := o.Host(); h != nil && h != o {
			text = h.Name + " " + text
		}
	}
	return text
}

package outline

import (
	"cmp"
	"slices"
	"sort"

	"codeberg.org/commsplit/commsplit/hw"
)

// Seat holds ranks with the same binding, at the smallest object that has the PUs of the binding.
type Seat struct {
	PUs   string  // the PUs of the binding; "" when they are all PUs of the object
	Ranks []int32 // world ranks, ascending
}

// seating is where ranks run. A node is known by its number among all nodes, in the order of the tree, so that finding
// the ranks on it takes two look-ups, whether or not the node was made.
type seating struct {
	bindings []*hw.Binding
	ofPU     [][]int32 // the logical numbers of the PUs of each host
	places   []place   // by node
	hosts    []int32   // the node of each host
	pus      []int32   // the node of each PU, by the PU's logical number
	cores    []int32   // the node of each core
	start    []int32   // by node: how many ranks are on the nodes before it; nil: there are no ranks
	wide     []int32   // the nodes that hold several cores and have ranks of their own, ascending
}

// place is a node in the order of the tree.
type place struct {
	up   int32 // the node around it
	end  int32 // the first node behind it and all below it
	core int32 // how many cores are before it; of a part of a core, how many are before the core
}

// number gives the nodes of a form their numbers.
func (s *seating) number(f *Form, up int32, inCore bool) {
	self := int32(len(s.places))
	at := place{up, self + f.nodes, int32(len(s.cores))}
	switch {
	case inCore:
		at.core--
	case f.Cores > 0 && f.Leaf:
		inCore = true
		s.cores = append(s.cores, self)
	}
	s.places = append(s.places, at)
	if f.pu {
		s.pus = append(s.pus, self)
	}
	if f.host {
		s.hosts = append(s.hosts, self)
	}
	for _, k := range f.Below {
		s.number(k, self, inCore)
	}
}

// home returns the smallest node that has all PUs of a binding. outside is true where the host has not all of them, or
// there are none: then that is the host itself, not what shares its node.
func (s *seating) home(b *hw.Binding) (node int32, outside bool) {
	lo, hi := int32(len(s.places)), int32(-1)
	ofPU := s.ofPU[b.Host]
	for pu := b.CPUSet.First(); pu >= 0; pu = b.CPUSet.Next(pu + 1) {
		if pu >= len(ofPU) || ofPU[pu] < 0 {
			return s.hosts[b.Host], true
		}
		n := s.pus[ofPU[pu]]
		lo, hi = min(lo, n), max(hi, n)
	}
	if hi < 0 {
		return s.hosts[b.Host], true
	}
	for hi >= s.places[lo].end {
		lo = s.places[lo].up
	}
	return lo, false
}

// seat puts the ranks in order.
func (o *Outline) seat(root *Form, bindings []*hw.Binding) {
	if len(bindings) == 0 {
		return
	}
	o.seating = seating{bindings: bindings, ofPU: o.Topology.ByPU(o.Topology.Objects(hw.PU)), places: make([]place, 0, root.nodes), cores: make([]int32, 0, root.Cores)}
	o.number(root, 0, false)
	on, known := make([]int32, len(bindings)), map[*hw.Binding]int32{}
	o.start = make([]int32, o.nodes+1)
	for r, b := range bindings {
		n, ok := known[b]
		if !ok {
			if n, _ = o.home(b); b.CPUSet.Len() > 8 { // many ranks may have the binding
				known[b] = n
			}
		}
		on[r] = n
		o.start[n+1]++
		if core := o.places[n].core; int(core) < len(o.cores) && o.cores[core] > n { // neither a core nor in one
			o.wide = append(o.wide, n)
		}
	}
	for i := range o.nodes {
		o.start[i+1] += o.start[i]
	}
	free := slices.Clone(o.start)
	for r, n := range on {
		o.Order[free[n]] = int32(r)
		free[n]++
	}
	for lo := int32(0); int(lo) < len(on); {
		hi := o.start[on[o.Order[lo]]+1]
		if hi-lo > 1 {
			o.together(o.Order[lo:hi])
		}
		lo = hi
	}
	slices.Sort(o.wide)
	o.wide = slices.Compact(o.wide)
}

// same reports whether two ranks of a node are bound to the same PUs.
func (o *Outline) same(a, b int32) bool {
	return o.bindings[a] == o.bindings[b] || o.bindings[a].CPUSet.Equal(o.bindings[b].CPUSet)
}

// together puts those ranks of a node beside each other that have the same PUs, in the order of their lowest ranks; first
// those on the outermost object.
func (o *Outline) together(ranks []int32) {
	if o.alike(ranks) == len(ranks) {
		return
	}
	var seats []int32 // the lowest rank of each
	place := map[int32]int{}
	for _, r := range ranks {
		k := slices.IndexFunc(seats, func(s int32) bool { return o.same(s, r) })
		if k < 0 {
			k = len(seats)
			seats = append(seats, r)
		}
		place[r] = k
		if _, outside := o.home(o.bindings[r]); !outside {
			place[r] += len(ranks)
		}
	}
	slices.SortStableFunc(ranks, func(a, b int32) int { return cmp.Compare(place[a], place[b]) })
}

// span returns the ranks on n nodes, from the one with that number on.
func (o *Outline) span(node, n int32) Span {
	if o.start == nil {
		return Span{}
	}
	return Span{o.start[node], o.start[node+n]}
}

// Seats returns the ranks on the objects of a node, not below them.
func (n *Node) Seats() (list []Seat) {
	for ranks, k := n.o.Order[n.Own.Lo:n.Own.Hi], 0; len(ranks) > 0; ranks = ranks[k:] {
		k = n.o.alike(ranks)
		seat := Seat{Ranks: ranks[:k:k]}
		if set := n.o.bindings[ranks[0]].CPUSet; !n.Objects[0].CPUSet.Equal(set) {
			seat.PUs = set.String()
		}
		list = append(list, seat)
	}
	return list
}

// alike returns how many of some ranks of a node, from the first on, are bound to the same PUs.
func (o *Outline) alike(ranks []int32) int {
	n := 1
	for n < len(ranks) && o.same(ranks[n], ranks[0]) {
		n++
	}
	return n
}

// On returns the smallest object that has all PUs of a rank's binding.
func (o *Outline) On(rank int) *hw.Object {
	node, outside := o.home(o.bindings[rank])
	n := o.Root
	for n.index != node {
		kids := n.Kids()
		n = kids[sort.Search(len(kids), func(i int) bool { return kids[i].index > node })-1]
	}
	if outside {
		return n.Objects[0]
	}
	return n.Objects[len(n.Objects)-1]
}

// Cores returns how many ranks are on each core and its parts, in the order of the tree.
func (o *Outline) Cores() []int32 {
	list := make([]int32, o.Root.Cores)
	for i, n := range o.cores {
		list[i] = o.start[o.places[n].end] - o.start[n]
	}
	return list
}

// Wide calls tell for each binding to more than a core, with its ranks and the numbers of its cores.
func (o *Outline) Wide(tell func(ranks, cores []int32)) {
	for _, node := range o.wide {
		for ranks, n := o.Ranks(o.span(node, 1)), 0; len(ranks) > 0; ranks = ranks[n:] {
			n = o.alike(ranks)
			var cores []int32
			b := o.bindings[ranks[0]]
			ofPU := o.ofPU[b.Host]
			for pu := b.CPUSet.First(); pu >= 0 && pu < len(ofPU); pu = b.CPUSet.Next(pu + 1) {
				if k := ofPU[pu]; k >= 0 {
					cores = append(cores, o.places[o.pus[k]].core)
				}
			}
			if b.CPUSet.Empty() {
				end := o.places[node].end
				for c := o.places[node].core; int(c) < len(o.cores) && o.cores[c] < end; c++ {
					cores = append(cores, c)
				}
			}
			slices.Sort(cores) // the PUs of a core need not have numbers in a row
			tell(ranks[:n:n], slices.Compact(cores))
		}
	}
}

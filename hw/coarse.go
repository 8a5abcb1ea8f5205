package hw

// step is an object on the way from the root down, as its resource type.
type step struct {
	resource int
	size     int // in PUs, over all hosts
}

// nesting finds which resource types have an instance that really contains
// one of another type: above[a][b].
type nesting struct {
	t       *Topology
	ofLevel []int // the resource of each level, or none
	counted map[*Object]bool
	above   [][]bool
}

// coarsestFirst orders the resources found, which come in the order of the
// types: containment decides, the given order breaks ties.
func coarsestFirst(t *Topology, found []Resource, ofLevel []int) []int {
	n := nesting{t: t, ofLevel: ofLevel, counted: map[*Object]bool{}}
	n.above = make([][]bool, len(found))
	for i, r := range found {
		n.above[i] = make([]bool, len(found))
		if r.Type == NUMANode {
			for _, o := range r.Instances {
				n.counted[o] = true
			}
		}
	}
	n.visit(t.Root, make([]step, 0, 64)) // room, so that no step allocates
	return n.sorted()
}

func (n *nesting) visit(o *Object, path []step) {
	size := puCount(o)
	if r := n.ofLevel[o.level]; r != none {
		path = n.enter(path, step{r, size})
	}
	for _, m := range o.Memory {
		for node := range m.All() {
			if n.counted[node] && node.CPUSet.Len() == size {
				path = n.enter(path, step{n.ofLevel[node.level], size})
			} else if n.counted[node] {
				n.enter(path, step{n.ofLevel[node.level], node.CPUSet.Len()})
			}
		}
	}
	for _, c := range o.Children {
		n.visit(c, path)
	}
}

// enter notes what contains the object of s and returns the path through it.
func (n *nesting) enter(path []step, s step) []step {
	for _, outer := range path {
		if outer.size > s.size {
			n.above[outer.resource][s.resource] = true
		}
	}
	return append(path, s)
}

func puCount(o *Object) int {
	if o.Type != Level {
		return o.CPUSet.Len()
	}
	sum := 0
	for _, c := range o.Children {
		sum += puCount(c)
	}
	return sum
}

// sorted takes, again and again, the first resource that no remaining one is
// coarser than. Should odd hardware make a circle, the first remaining one.
func (n *nesting) sorted() []int {
	var left, order []int
	for i := range n.above {
		left = append(left, i)
	}
	for len(left) > 0 {
		pick := 0
		for i, b := range left {
			if !n.hasCoarser(b, left) {
				pick = i
				break
			}
		}
		order = append(order, left[pick])
		left = append(left[:pick:pick], left[pick+1:]...)
	}
	return order
}

func (n *nesting) hasCoarser(b int, among []int) bool {
	for _, a := range among {
		if n.above[a][b] && !n.above[b][a] {
			return true
		}
	}
	return false
}

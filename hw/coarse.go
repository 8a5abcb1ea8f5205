package hw

import "slices"

// step is an object on the path from the root down: its resource type and its
// size.
type step struct {
	resource int
	size     int // in PUs, over all hosts
}

// nesting finds pairs of resource types where an instance of one really
// contains an instance of the other: above[a][b] tells that a contains b.
type nesting struct {
	*derivation
	above [][]bool
	host  *Object // the last one that was visited, and the way to it: a host that is like it tells nothing new
	way   []step
}

// coarsestFirst orders the resources found, which come in the order of the
// types: containment decides, the given order breaks ties. Resources that are
// found by name only come in among the others and do not change their order.
func coarsestFirst(d *derivation) []int {
	n := nesting{derivation: d}
	n.above = make([][]bool, len(d.found))
	var main, beside []int
	for i, r := range d.found {
		n.above[i] = make([]bool, len(d.found))
		if r.ByNameOnly {
			beside = append(beside, i)
		} else {
			main = append(main, i)
		}
	}
	n.visit(d.t.Root, make([]step, 0, 64)) // room, so that no step allocates
	n.uneven(main)
	order := n.sorted(main)
	for _, i := range beside {
		order = slices.Insert(order, n.place(i, order), i)
	}
	return order
}

func (n *nesting) visit(o *Object, path []step) {
	if o.Type == Machine {
		if n.host != nil && slices.Equal(n.way, path) && alike(n.host, o) {
			return
		}
		n.host, n.way = o, slices.Clone(path)
	}
	size := puCount(o)
	if r := n.ofLevel[o.level]; r != none {
		path = n.enter(path, step{r, size})
	}
	for _, m := range o.Memory {
		for node := range m.All() {
			local := path
			for _, r := range n.ofMemory[node] {
				local = n.enter(local, step{r, node.CPUSet.Len()})
			}
			if node.CPUSet.Len() == size {
				path = local
			}
		}
	}
	for _, c := range o.Children {
		n.visit(c, path)
	}
}

// alike reports whether two objects and all below them are alike: the same
// levels, os indexes, subtypes and cpusets.
func alike(a, b *Object) bool {
	return a.level == b.level && a.OSIndex == b.OSIndex && a.Subtype == b.Subtype && a.CPUSet.Equal(b.CPUSet) &&
		slices.EqualFunc(a.Memory, b.Memory, alike) && slices.EqualFunc(a.Children, b.Children, alike)
}

// enter notes which resources on the path contain the object of s, and returns
// the path with s.
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

// uneven compares two levels of which no object is really larger than an object
// of the other: the level that has all objects of the other, and more, contains
// the other. Packages are coarser than NUMA nodes where a cgroup takes away
// some nodes.
func (n *nesting) uneven(levels []int) {
	for _, a := range levels {
		for _, b := range levels {
			if a != b && !n.above[a][b] && !n.above[b][a] && n.found[a].usable > n.found[b].usable && n.covers(a, b) {
				n.above[a][b] = true
			}
		}
	}
}

// covers reports whether each instance of b lies in an instance of a.
func (n *nesting) covers(a, b int) bool {
	outer, inner := &n.found[a], &n.found[b]
	if outer.byHost != nil || inner.byHost != nil {
		return false // hosts and what is above them are a tree of their own
	}
	return !slices.ContainsFunc(inner.Instances, func(o *Object) bool {
		table := outer.byPU[o.host]
		first := o.CPUSet.First()
		for pu := first; pu >= 0; pu = o.CPUSet.Next(pu + 1) {
			if pu >= len(table) || table[pu] < 0 || table[pu] != table[first] {
				return true
			}
		}
		return false
	})
}

// sorted orders resources: again and again it takes the first resource that no
// remaining resource contains. Should odd hardware make a circle, it takes the
// first remaining resource.
func (n *nesting) sorted(left []int) []int {
	var order []int
	for len(left) > 0 {
		pick := max(0, slices.IndexFunc(left, func(b int) bool {
			return !slices.ContainsFunc(left, func(a int) bool { return n.contains(a, b) })
		}))
		order = append(order, left[pick])
		left = slices.Delete(left, pick, pick+1)
	}
	return order
}

// place returns the index at which r goes into an order: behind all resources
// that contain r, and then behind the resources that r does not contain and
// whose types do not come after the type of r.
func (n *nesting) place(r int, order []int) int {
	at := 0
	for i, o := range order {
		if n.contains(o, r) {
			at = i + 1
		}
	}
	for at < len(order) && !n.above[r][order[at]] && n.found[order[at]].Type <= n.found[r].Type {
		at++
	}
	return at
}

// contains reports whether a contains b, and b does not contain a.
func (n *nesting) contains(a, b int) bool { return n.above[a][b] && !n.above[b][a] }

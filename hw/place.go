package hw

import (
	"fmt"
	"strings"
)

// MaxRanks is the largest number of ranks that Place accepts.
const MaxRanks = 1 << 24

// Default is the number of ranks of a world when nobody says: one per core, or
// one per PU on hardware without cores.
func Default(t *Topology) int {
	if r := t.coresOrPUs(); r != nil {
		return len(r.Instances)
	}
	return 1
}

// Place gives each of n ranks its binding. Rank i goes to object i mod K of
// the K objects of the map level, over all hosts, in its (i div K)-th visit.
// Where the bind level contains the mapped object, the rank is bound to that;
// otherwise to the visit-th object of the bind level inside the mapped one,
// wrapping round. By slot each host in turn is filled with one rank per core.
// Ranks with the same binding share one Binding.
//
// Errors: n outside of 1..MaxRanks, an unknown or ambiguous word, a level that
// the topology lacks, a list that names PUs that do not exist.
func Place(t *Topology, n int, p Policy) ([]*Binding, error) {
	switch {
	case n < 1:
		return nil, fmt.Errorf("number of ranks is %d: want at least 1", n)
	case n > MaxRanks:
		return nil, fmt.Errorf("number of ranks is %d: want at most %d", n, MaxRanks)
	case p.List != "":
		return placeList(t, n, p)
	case t.coresOrPUs() == nil:
		return nil, fmt.Errorf("cannot place ranks: the topology has no PUs")
	}
	if !strings.HasPrefix("slot", strings.ToLower(p.RankBy)) {
		return nil, fmt.Errorf("--rank-by %q is not supported: only slot is", p.RankBy)
	}
	bindTo, err := t.bindLevel(p.BindTo)
	if err != nil {
		return nil, err
	}
	mapBy, err := t.placeLevel("--map-by", p.MapBy, "slot")
	if err != nil {
		return nil, err
	}
	if mapBy == nil {
		return t.placeBySlot(n, bindTo)
	}
	return t.placeByLevel(n, mapBy, bindTo)
}

// bindLevel is the resource to bind to; none is the whole machine.
func (t *Topology) bindLevel(text string) (*Resource, error) {
	r, err := t.placeLevel("--bind-to", text, "none")
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return t.resourceOf(Machine), nil
	case r.Type == Level:
		return nil, fmt.Errorf("--bind-to %s: a %s is no part of one machine", text, r.Subtype)
	}
	return r, nil
}

// placeByLevel visits the objects of a level in turn.
func (t *Topology) placeByLevel(n int, mapBy, bindTo *Resource) ([]*Binding, error) {
	spots := t.spots(mapBy, bindTo)
	for i := range min(n, len(spots)) {
		if len(spots[i]) == 0 {
			return nil, t.nothingToBind(mapBy.Instances[i], bindTo)
		}
	}
	ranks := make([]*Binding, n)
	for first, visit := 0, 0; first < n; first, visit = first+len(spots), visit+1 {
		for k := range min(len(spots), n-first) {
			ranks[first+k] = spots[k][visit%len(spots[k])]
		}
	}
	return ranks, nil
}

func (t *Topology) nothingToBind(o *Object, bindTo *Resource) error {
	where := o.TypeName()
	if h := o.Host(); h != nil {
		where = fmt.Sprintf("%s L#%d (PUs %s of %s)", where, o.LogicalIndex, o.CPUSet, h.Name)
	}
	return fmt.Errorf("cannot bind to %s: %s neither lies in one nor holds one",
		bindTo.Instances[0].TypeName(), where)
}

// placeBySlot fills one host after the other with as many ranks as it has
// cores, then starts again.
func (t *Topology) placeBySlot(n int, bindTo *Resource) ([]*Binding, error) {
	machines := t.resourceOf(Machine)
	spots := t.spots(machines, bindTo)
	slots := make([]int, len(t.Hosts))
	for _, o := range t.coresOrPUs().Instances {
		slots[t.HostIndex(o)]++
	}
	ranks := make([]*Binding, 0, n)
	for round := 0; len(ranks) < n; round++ {
		for h := range t.Hosts {
			if len(spots[h]) == 0 {
				return nil, t.nothingToBind(t.Hosts[h], bindTo)
			}
			for i := range min(slots[h], n-len(ranks)) {
				visit := round*slots[h] + i
				ranks = append(ranks, spots[h][visit%len(spots[h])])
			}
		}
	}
	return ranks, nil
}

// spots lists, for every object of the map level, the bindings that its visits
// take in turn.
func (t *Topology) spots(mapBy, bindTo *Resource) [][]*Binding {
	bindings := make([]Binding, len(bindTo.Instances))
	spots := make([][]*Binding, len(mapBy.Instances))
	for i, o := range bindTo.Instances {
		b := &bindings[i]
		b.Host, b.CPUSet = t.HostIndex(o), o.CPUSet
		k := mapBy.instanceOf(b.Host, b.CPUSet)
		if k != none && inside(o, mapBy.Instances[k]) {
			spots[k] = append(spots[k], b)
		}
	}
	for k, o := range mapBy.Instances {
		if o.Type == Level {
			continue
		}
		i := bindTo.instanceOf(t.HostIndex(o), o.CPUSet)
		if i != none && inside(o, bindTo.Instances[i]) {
			spots[k] = []*Binding{&bindings[i]}
		}
	}
	return spots
}

// inside reports whether o's PUs are all in outer, which is on o's host or
// above it.
func inside(o, outer *Object) bool {
	return outer.Type == Level || o.CPUSet.SubsetOf(outer.CPUSet)
}

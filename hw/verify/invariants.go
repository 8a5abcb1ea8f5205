package verify

import (
	"fmt"

	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// invariants checks what holds on every machine.
func (m *machine) invariants() []Invariant {
	return []Invariant{
		{"no two objects overlap without nesting", m.dropped()},
		{"objects of one type share no PU", m.shared()},
		{"an object lies within the one above it", m.escaped(m.ours.Root, nil)},
		{"a core and a cache that share a PU nest", m.split()},
		{"the packages together hold the PUs that are online", m.uncovered()},
		{"allowed PUs are online, and online PUs are possible", m.impossible()},
		{"the PUs of the tree are those that are allowed", m.missing()},
	}
}

// dropped are the objects that our reader had to leave out.
func (m *machine) dropped() []string {
	var list []string
	for _, o := range m.ours.Dropped {
		list = append(list, fmt.Sprintf("%s with PUs %v", o.TypeName(), o.CPUSet))
	}
	return list
}

// shared finds PUs in two objects of a type. NUMA nodes are looked at by their own masks, because
// the PUs of a node without any are those of its neighbours; nodes that our reader left out,
// as hwloc does, are in its notes.
func (m *machine) shared() []string {
	var list []string
	for _, k := range account.Kinds(m.full) {
		if k.Type == hw.Group || k.Type == hw.MemCache {
			continue // they nest in each other
		}
		var seen hw.Set
		masks := map[int]hw.Set{}
		if k.Type == hw.NUMANode {
			masks = m.nodeMasks()
		}
		for _, t := range m.full[k] {
			set := t.CPUSet
			if own, ok := masks[t.OSIndex]; ok {
				set = own
			}
			if both := set.Intersect(seen); !both.Empty() {
				list = append(list, fmt.Sprintf("%s: PUs %v", k, both))
			}
			seen.Merge(set)
		}
	}
	return list
}

func (m *machine) escaped(o, above *hw.Object) []string {
	var list []string
	if above != nil && !o.CPUSet.SubsetOf(above.CPUSet) {
		list = append(list, fmt.Sprintf("%s with PUs %v in %s with PUs %v",
			o.TypeName(), o.CPUSet, above.TypeName(), above.CPUSet))
	}
	for _, c := range o.Memory {
		list = append(list, m.escaped(c, o)...)
	}
	for _, c := range o.Children {
		list = append(list, m.escaped(c, o)...)
	}
	return list
}

// split finds cores that a cache cuts. A cache within a core is right: some virtual machines say so.
func (m *machine) split() []string {
	var list []string
	for _, k := range account.Kinds(m.full) {
		if !k.Type.IsCache() {
			continue
		}
		for _, cache := range m.full[k] {
			for _, core := range m.full[account.Of(hw.Core)] {
				nest := core.CPUSet.SubsetOf(cache.CPUSet) || cache.CPUSet.SubsetOf(core.CPUSet)
				if !nest && core.CPUSet.Intersects(cache.CPUSet) {
					list = append(list, fmt.Sprintf("%s with PUs %v, core with PUs %v", k, cache.CPUSet, core.CPUSet))
				}
			}
		}
	}
	return list
}

// uncovered is for machines that tell packages at all.
func (m *machine) uncovered() []string {
	packages := m.full[account.Of(hw.Package)]
	if rest := m.ours.Online.Minus(account.Union(packages)); len(packages) > 0 && !rest.Empty() {
		return []string{fmt.Sprintf("PUs %v are in none", rest)}
	}
	return nil
}

func (m *machine) impossible() []string {
	var list []string
	if rest := m.ours.Allowed.Minus(m.ours.Online); !rest.Empty() {
		list = append(list, fmt.Sprintf("PUs %v are allowed and not online", rest))
	}
	text, gone := m.text("sys/devices/system/cpu/possible")
	if possible, err := hw.ParseList(text); !gone && err == nil {
		if rest := m.ours.Online.Minus(possible); !rest.Empty() {
			list = append(list, fmt.Sprintf("PUs %v are online and not possible", rest))
		}
	}
	return list
}

func (m *machine) missing() []string {
	if pus := account.Union(m.said[account.Of(hw.PU)]); !pus.Equal(m.ours.Allowed) {
		return []string{fmt.Sprintf("PUs %v in the tree, %v allowed", pus, m.ours.Allowed)}
	}
	return nil
}

//go:build !js

package detect

import "codeberg.org/commsplit/commsplit/hw"

// guess builds the tree of a machine without sysfs: packages and cores from
// ghw when it knows the logical processors of the cores, or else PUs alone,
// numbered as the affinity has them or from 0 on. The notes say what is not
// known.
func guess(id identity, affinity hw.Set) (*hw.Object, []string) {
	objects, all := ghwTree(id)
	note := "there is no sysfs: NUMA nodes, dies and caches are unknown"
	if len(objects) == 0 {
		note = "there is no sysfs: packages, cores, NUMA nodes, dies and caches are unknown"
		all = affinity.Clone()
		if all.Empty() {
			all = hw.SetRange(0, id.cpus-1)
		}
	}
	for _, pu := range all.Indexes() {
		objects = append(objects, &hw.Object{Type: hw.PU, OSIndex: pu, CPUSet: hw.SetOf(pu)})
	}
	notes := []string{note}
	if !affinity.Empty() && !all.SubsetOf(affinity) {
		notes = append(notes, affinityNote(affinity))
	}
	machine := &hw.Object{Type: hw.Machine, OSIndex: 0, CPUSet: all}
	for _, o := range hw.Build(machine, objects, nil) {
		notes = append(notes, "ghw contradicts itself: "+o.TypeName()+" with PUs "+
			o.CPUSet.String()+" overlaps others and is left out")
	}
	fillMemory(machine, 0, id)
	return machine, notes
}

// ghwTree makes packages and cores from what ghw found, and the set of their
// PUs.
func ghwTree(id identity) (objects []*hw.Object, all hw.Set) {
	for i, p := range id.packages {
		var set hw.Set
		for j, core := range p.cores {
			pus := hw.SetOf(core...)
			set = set.Union(pus)
			objects = append(objects, &hw.Object{Type: hw.Core, OSIndex: j, CPUSet: pus})
		}
		if !set.Empty() {
			objects = append(objects,
				&hw.Object{Type: hw.Package, OSIndex: i, Name: p.model, CPUSet: set})
		}
		all = all.Union(set)
	}
	return objects, all
}

package sysfs

import (
	"fmt"
	"strings"

	"commsplit/hw"
)

const cpuFolder = "sys/devices/system/cpu"

// cpuSets reads which PUs the machine has and which of them are online.
func (r reader) cpuSets() (present, online hw.Set, err error) {
	present, err = r.numbered(cpuFolder, "cpu")
	if err != nil {
		return present, online, err
	}
	online, ok, err := r.list(cpuFolder + "/online")
	if err != nil || ok {
		return present.Union(online), online, err
	}
	for _, i := range present.Indexes() {
		// cpu0 has no such file on most machines: it cannot be put offline.
		path := fmt.Sprintf("%s/cpu%d/online", cpuFolder, i)
		on, ok, err := r.number(path)
		if err != nil {
			return present, online, err
		}
		if !ok || on != 0 {
			online.Add(i)
		}
	}
	return present, online, nil
}

// kind says how the kernel tells of one type of object above the PUs. The
// masks decide which PUs belong together; the id is only the os index,
// because ids repeat (a core_id in every die, a package id of -1).
type kind struct {
	typ     hw.Type
	subtype string
	masks   []string // file names, preferred first
	id      string
}

// kinds lists the innermost type first.
var kinds = []kind{
	{hw.Core, "", []string{"core_cpus", "thread_siblings", "core_cpus_list",
		"thread_siblings_list"}, "core_id"},
	{hw.Group, "Cluster", []string{"cluster_cpus", "cluster_cpus_list"}, "cluster_id"},
	{hw.Die, "", []string{"die_cpus", "die_cpus_list"}, "die_id"},
	{hw.Package, "", []string{"package_cpus", "core_siblings", "package_cpus_list",
		"core_siblings_list"}, "physical_package_id"},
	{hw.Group, "Book", []string{"book_siblings", "book_siblings_list"}, "book_id"},
	{hw.Group, "Drawer", []string{"drawer_siblings", "drawer_siblings_list"}, "drawer_id"},
}

// cores reads PUs, cores, clusters, dies, packages, books and drawers. The
// second result holds the online PUs that say nothing of where they sit.
func (r reader) cores(online hw.Set) (objects []*hw.Object, bare hw.Set, err error) {
	units, err := r.computeUnits()
	if err != nil {
		return nil, bare, err
	}
	for pu := online.First(); pu >= 0; pu = online.Next(pu + 1) {
		found, err := r.above(pu, online, units)
		if err != nil {
			return nil, bare, err
		}
		if found == nil {
			bare.Add(pu)
		}
		objects = append(objects, found...)
		objects = append(objects, &hw.Object{Type: hw.PU, OSIndex: pu, CPUSet: hw.SetOf(pu)})
	}
	return objects, bare, nil
}

// above returns the objects that pu is the first PU of. The result is nil
// when pu has no topology files, and empty when others came first.
func (r reader) above(pu int, online hw.Set, units bool) ([]*hw.Object, error) {
	folder := fmt.Sprintf("%s/cpu%d/topology", cpuFolder, pu)
	var objects []*hw.Object
	for _, k := range kinds {
		set, ok, err := r.set(folder, k.masks...)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if objects == nil {
			objects = []*hw.Object{}
		}
		set = set.Intersect(online)
		first := set.First() == pu
		if k.typ == hw.Core && units && set.Len() > 1 {
			if first, set, err = r.splitUnit(pu, set); err != nil {
				return nil, err
			}
		}
		if first && !k.vain(set) {
			id, err := r.index(folder + "/" + k.id)
			if err != nil {
				return nil, err
			}
			objects = append(objects,
				&hw.Object{Type: k.typ, Subtype: k.subtype, OSIndex: id, CPUSet: set})
		}
	}
	return objects, nil
}

// vain reports whether an object says nothing: kernels that know no clusters
// or dies fill cluster_cpus and die_cpus with the PU itself.
func (k kind) vain(set hw.Set) bool {
	return (k.typ == hw.Group || k.typ == hw.Die) && set.Len() == 1
}

// computeUnits reports whether this is an AMD processor of family 15h, whose
// thread_siblings are the two cores of a compute unit.
func (r reader) computeUnits() (bool, error) {
	text, _, _, err := r.head("proc/cpuinfo")
	if err != nil {
		return false, err
	}
	vendor, family := "", ""
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(name) {
		case "vendor_id":
			vendor = strings.TrimSpace(value)
		case "cpu family":
			family = strings.TrimSpace(value)
		}
		if vendor != "" && family != "" {
			break
		}
	}
	return vendor == "AuthenticAMD" && family == "21", nil
}

// splitUnit decides whether the siblings of pu are cores of their own, which
// they are when their core_id differ, and returns the core's set.
func (r reader) splitUnit(pu int, siblings hw.Set) (first bool, core hw.Set, err error) {
	other := siblings.First()
	if other == pu {
		other = siblings.Next(pu + 1)
	}
	mine, err := r.index(fmt.Sprintf("%s/cpu%d/topology/core_id", cpuFolder, pu))
	if err != nil {
		return false, siblings, err
	}
	theirs, err := r.index(fmt.Sprintf("%s/cpu%d/topology/core_id", cpuFolder, other))
	if err != nil {
		return false, siblings, err
	}
	if mine != theirs {
		return true, hw.SetOf(pu), nil
	}
	return siblings.First() == pu, siblings, nil
}

package sysfs

import "commsplit/hw"

// Counts says how many objects the online part of the machine has.
type Counts struct {
	Packages, Cores, PUs int

	// PackageIDs and CoreIDs count the different physical_package_id, and the
	// different pairs of it with core_id: what a reader finds that takes ids
	// for identities. A PU whose ids are not known counts with the id -1.
	PackageIDs, CoreIDs int
}

// count counts packages, cores and PUs, by set and by id.
func count(objects []*hw.Object) Counts {
	var c Counts
	packageOf, coreOf := map[int]int{}, map[int]int{}
	for _, o := range objects {
		switch o.Type {
		case hw.Package:
			c.Packages++
			label(packageOf, o)
		case hw.Core:
			c.Cores++
			label(coreOf, o)
		}
	}
	packages, cores := map[int]bool{}, map[[2]int]bool{}
	for _, o := range objects {
		if o.Type != hw.PU {
			continue
		}
		c.PUs++
		p, core := idOf(packageOf, o), idOf(coreOf, o)
		packages[p] = true
		cores[[2]int{p, core}] = true
	}
	c.PackageIDs, c.CoreIDs = len(packages), len(cores)
	return c
}

// label notes o's os index for each of its PUs.
func label(ids map[int]int, o *hw.Object) {
	for pu := o.CPUSet.First(); pu >= 0; pu = o.CPUSet.Next(pu + 1) {
		ids[pu] = o.OSIndex
	}
}

func idOf(ids map[int]int, pu *hw.Object) int {
	if id, ok := ids[pu.OSIndex]; ok {
		return id
	}
	return hw.Unknown
}

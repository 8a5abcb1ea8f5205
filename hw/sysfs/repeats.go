package sysfs

import "commsplit/hw"

// dropRepeats leaves out what repeats other objects: dies when every die is a
// package, and groups that cover exactly what the machine, another type or an
// earlier group covers. A cluster of cores that share an L2 is that L2.
func dropRepeats(objects []*hw.Object, machine hw.Set) []*hw.Object {
	packages, covered := map[string]bool{}, map[string]bool{machine.String(): true}
	for _, o := range objects {
		if o.Type == hw.Package {
			packages[o.CPUSet.String()] = true
		}
		if o.Type != hw.Group {
			covered[o.CPUSet.String()] = true
		}
	}
	dieIsPackage := true
	for _, o := range objects {
		dieIsPackage = dieIsPackage && (o.Type != hw.Die || packages[o.CPUSet.String()])
	}
	var kept []*hw.Object
	for _, o := range objects {
		if o.Type == hw.Die && dieIsPackage {
			continue
		}
		if o.Type == hw.Group {
			set := o.CPUSet.String()
			if covered[set] {
				continue
			}
			covered[set] = true
		}
		kept = append(kept, o)
	}
	return kept
}

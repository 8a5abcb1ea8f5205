package hw

import (
	"cmp"
	"slices"
	"strconv"
)

// Kind is a set of PUs that are alike on a hybrid machine.
type Kind struct {
	CPUSet     Set
	Barred     Set    // PUs of the kind that this process may not use
	Efficiency int    // 0 is the most energy-efficient kind; Unknown when nobody ranks them
	Infos      []Info // "CoreType" IntelAtom, "FrequencyMaxMHz" 3400, ...
}

// Bar removes from the kind the PUs outside cpus.
func (k *Kind) Bar(cpus Set) {
	if out := k.CPUSet.Minus(cpus); !out.Empty() {
		k.CPUSet, k.Barred = k.CPUSet.Intersect(cpus), k.Barred.Union(out)
	}
}

// Info returns the value of the info with that name, "" when there is none.
func (k *Kind) Info(name string) string {
	value, _ := Find(k.Infos, name)
	return value
}

// RankKinds orders the kinds of a machine by hwloc's rule and sets their
// Efficiency to 0, 1, ... from the most energy-efficient kind on. Before,
// Efficiency is the platform's number for a kind, or Unknown. Where these
// numbers do not tell all kinds apart, the type of core decides, and then the
// frequency (the base frequency if all kinds have one). When these do not
// decide either, the order stays and Efficiency is Unknown.
func RankKinds(kinds []Kind) {
	ranks := make([]int, len(kinds))
	for i := range kinds {
		ranks[i] = kinds[i].Efficiency
	}
	if slices.Contains(ranks, Unknown) || !distinct(ranks) {
		ranks = ranksByInfo(kinds)
	}
	if !distinct(ranks) {
		for i := range kinds {
			kinds[i].Efficiency = Unknown
		}
		return
	}
	for i := range kinds {
		kinds[i].Efficiency = ranks[i]
	}
	slices.SortFunc(kinds, func(a, b Kind) int { return cmp.Compare(a.Efficiency, b.Efficiency) })
	for i := range kinds {
		kinds[i].Efficiency = i
	}
}

// coreTypes are Intel's types of cores. hwloc 2.9 does not know the low-power
// cores, which came later, and would not rank a machine with such cores.
var coreTypes = map[string]int{"IntelLowPower": 1, "IntelAtom": 2, "IntelCore": 3}

// ranksByInfo gives each kind a number by type of core and frequency. All
// numbers are equal when the type or the frequency of some kind is not known.
func ranksByInfo(kinds []Kind) []int {
	ranks := make([]int, len(kinds))
	all := func(value func(k *Kind) int) bool {
		return !slices.ContainsFunc(kinds, func(k Kind) bool { return value(&k) == 0 })
	}
	core := func(k *Kind) int { return coreTypes[k.Info("CoreType")] }
	base := func(k *Kind) int { return frequency(k, "FrequencyBaseMHz") }
	most := func(k *Kind) int { return frequency(k, "FrequencyMaxMHz") }
	if !all(core) && !all(base) && !all(most) {
		return ranks
	}
	mhz := most
	if all(base) {
		mhz = base
	}
	for i := range kinds {
		ranks[i] = core(&kinds[i])<<20 + mhz(&kinds[i])
	}
	return ranks
}

// frequency returns the frequency of that name in MHz, 0 when unknown.
func frequency(k *Kind, name string) int {
	if n, err := strconv.Atoi(k.Info(name)); err == nil && n > 0 && n < 1<<20 {
		return n
	}
	return 0
}

func distinct(ranks []int) bool {
	sorted := slices.Sorted(slices.Values(ranks))
	return len(slices.Compact(sorted)) == len(ranks)
}

// restrictKinds bars the PUs outside cpus from the kinds. When kinds become
// empty, the others are ranked anew.
func restrictKinds(kinds []Kind, cpus Set) []Kind {
	before := len(kinds)
	for i := range kinds {
		kinds[i].Bar(cpus)
	}
	kinds = slices.DeleteFunc(kinds, func(k Kind) bool { return k.CPUSet.Empty() })
	if len(kinds) < before {
		RankKinds(kinds)
	}
	return kinds
}

// KindOfCores returns the kind that all cores of o have, on a machine with several kinds; nil otherwise.
func (o *Object) KindOfCores() *Kind {
	host := o.Host()
	if host == nil || host.Details == nil || len(host.Details.Kinds) < 2 || o.CPUSet.First() < 0 {
		return nil
	}
	for i := range host.Details.Kinds {
		if k := &host.Details.Kinds[i]; o.CPUSet.SubsetOf(k.CPUSet) {
			return k
		}
	}
	return nil
}

// Name returns what a kind of cores is called: "IntelAtom", "kind 1" where it has no name.
func (k *Kind) Name() string {
	switch name := k.Info("CoreType"); {
	case name != "":
		return name
	case k.Efficiency != Unknown:
		return "kind " + strconv.Itoa(k.Efficiency)
	}
	return ""
}

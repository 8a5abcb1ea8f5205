package sysfs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/hw"
)

// speed is how fast a PU is, as the kernel describes it; 0 for what the kernel
// does not tell.
type speed struct {
	max, base int // MHz
	capacity  int // of 1024, which the fastest PU has
	core      int // intelAtom or intelCore
}

const (
	intelAtom = 1
	intelCore = 2
)

// closeEnough is by how many percent the highest frequencies of PUs with the
// same base frequency may differ within a kind: some cores boost higher than
// others.
const closeEnough = 10

// kinds sorts PUs by their speed into kinds, the most energy-efficient first if
// the kinds can be ranked. PUs of unknown speed are in no kind.
func (r *reader) kinds(pus hw.Set) ([]hw.Kind, error) {
	speeds, err := r.speeds(pus)
	if err != nil {
		return nil, err
	}
	sets := map[speed]hw.Set{}
	for pu, s := range speeds {
		s.max, s.base = s.max/1000, s.base/1000
		if s != (speed{}) {
			set := sets[s]
			set.Add(pu)
			sets[s] = set
		}
	}
	order := make([]speed, 0, len(sets))
	for s := range sets {
		order = append(order, s)
	}
	ranked := rank(order)
	var kinds []hw.Kind
	for i, s := range order {
		k := hw.Kind{CPUSet: sets[s], Efficiency: i, Infos: s.infos()}
		if !ranked {
			k.Efficiency = hw.Unknown
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

// speeds reads the speed of each PU; the files have frequencies in kHz.
func (r *reader) speeds(pus hw.Set) (map[int]speed, error) {
	types, err := r.coreTypes()
	if err != nil {
		return nil, err
	}
	speeds := map[int]speed{}
	withoutBase := false
	for pu := pus.First(); pu >= 0; pu = pus.Next(pu + 1) {
		s := speed{core: types[pu]}
		for name, to := range map[string]*int{"cpufreq/cpuinfo_max_freq": &s.max,
			"cpufreq/base_frequency": &s.base, "cpu_capacity": &s.capacity} {
			n, _, err := r.number(fmt.Sprintf("%s/cpu%d/%s", cpuFolder, pu, name))
			if err != nil {
				return nil, err
			}
			*to = max(n, 0)
		}
		withoutBase = withoutBase || s.max > 0 && s.base == 0
		speeds[pu] = s
	}
	if !withoutBase {
		level(speeds)
	}
	return speeds, nil
}

// coreTypes reads which PUs are Intel's performance and efficiency cores.
func (r *reader) coreTypes() (map[int]int, error) {
	types := map[int]int{}
	for name, core := range map[string]int{"cpu_atom": intelAtom, "cpu_core": intelCore} {
		set, _, err := r.list("sys/devices/"+name+"/cpus", maxCPUs)
		if err != nil {
			return nil, err
		}
		for pu := set.First(); pu >= 0; pu = set.Next(pu + 1) {
			types[pu] = core
		}
	}
	return types, nil
}

// level gives PUs with the same base frequency the same highest frequency,
// where these frequencies are close enough: the PUs are of one kind.
func level(speeds map[int]speed) {
	type bounds struct{ low, high int }
	of := map[int]bounds{}
	for _, s := range speeds {
		b, ok := of[s.base]
		if !ok {
			b.low = s.max
		}
		of[s.base] = bounds{min(b.low, s.max), max(b.high, s.max)}
	}
	for pu, s := range speeds {
		if b := of[s.base]; b.low > 0 && (b.high-b.low)*100/b.low < closeEnough {
			s.max = b.low
			speeds[pu] = s
		}
	}
}

// rank sorts kinds, slow ones first, and reports whether the order is a
// ranking: by capacity, or else by Intel's core type and a frequency that all
// kinds have, when these distinguish all kinds.
func rank(kinds []speed) bool {
	all := func(has func(speed) int) bool {
		return !slices.ContainsFunc(kinds, func(s speed) bool { return has(s) == 0 })
	}
	capacity := func(s speed) int { return s.capacity }
	base := func(s speed) int { return s.base }
	highest := func(s speed) int { return s.max }
	core := func(s speed) int { return s.core }
	slices.SortFunc(kinds, func(a, b speed) int {
		return cmp.Or(cmp.Compare(a.max, b.max), cmp.Compare(a.base, b.base),
			cmp.Compare(a.capacity, b.capacity), cmp.Compare(a.core, b.core))
	})
	frequency := highest
	if all(base) {
		frequency = base
	}
	switch {
	case len(kinds) == 1:
		return true
	case all(capacity) && sortBy(kinds, capacity):
		return true
	case all(core), all(frequency):
		return sortBy(kinds, func(s speed) int { return s.core<<20 + frequency(s) })
	}
	return false
}

// sortBy sorts kinds by a value. When two kinds have the same value it sorts
// nothing and returns false.
func sortBy(kinds []speed, value func(speed) int) bool {
	sorted := slices.Clone(kinds)
	slices.SortFunc(sorted, func(a, b speed) int { return cmp.Compare(value(a), value(b)) })
	for i := 1; i < len(sorted); i++ {
		if value(sorted[i]) == value(sorted[i-1]) {
			return false
		}
	}
	copy(kinds, sorted)
	return true
}

// infos returns the known values under hwloc's names.
func (s speed) infos() []hw.Info {
	var infos []hw.Info
	for _, i := range []struct {
		name  string
		value int
	}{{"FrequencyMaxMHz", s.max}, {"FrequencyBaseMHz", s.base}, {"LinuxCapacity", s.capacity}} {
		if i.value > 0 {
			infos = append(infos, hw.Info{Name: i.name, Value: strconv.Itoa(i.value)})
		}
	}
	if s.core > 0 {
		name := map[int]string{intelAtom: "IntelAtom", intelCore: "IntelCore"}[s.core]
		infos = append(infos, hw.Info{Name: "CoreType", Value: name})
	}
	return infos
}

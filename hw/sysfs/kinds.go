package sysfs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/hw"
)

// speed is how fast a PU is, as the kernel describes it; 0 for what the kernel
// does not tell.
type speed struct {
	max, base int    // MHz
	capacity  int    // of 1024, which the fastest PU has
	core      string // hwloc's name of Intel's type
}

// closeEnough is by how many percent the highest frequencies of PUs with the
// same base frequency may differ within a kind: some cores boost higher than
// others.
const closeEnough = 10

// kinds sorts PUs by their speed into kinds, the most energy-efficient first if
// the kinds can be ranked. PUs of unknown speed are in no kind.
func (r *reader) kinds(pus hw.Set) (kinds []hw.Kind) {
	sets := map[speed]hw.Set{}
	for pu, s := range r.speeds(pus) {
		s.max, s.base = s.max/1000, s.base/1000
		if s != (speed{}) {
			set := sets[s]
			set.Add(pu)
			sets[s] = set
		}
	}
	for _, s := range slices.SortedFunc(maps.Keys(sets), speed.compare) {
		kinds = append(kinds, hw.Kind{CPUSet: sets[s], Efficiency: cmp.Or(s.capacity, hw.Unknown), Infos: s.infos()})
	}
	hw.RankKinds(kinds)
	return kinds
}

// speeds reads the speed of each PU; the files have frequencies in kHz.
func (r *reader) speeds(pus hw.Set) map[int]speed {
	types, speeds := r.coreTypes(), map[int]speed{}
	withoutBase := false
	for pu := pus.First(); pu >= 0; pu = pus.Next(pu + 1) {
		s := speed{core: types[pu]}
		for name, to := range map[string]*int{"cpufreq/cpuinfo_max_freq": &s.max,
			"cpufreq/base_frequency": &s.base, "cpu_capacity": &s.capacity} {
			n, _ := r.number(fmt.Sprintf("%s/cpu%d/%s", cpuFolder, pu, name))
			*to = max(n, 0)
		}
		withoutBase = withoutBase || s.max > 0 && s.base == 0
		speeds[pu] = s
	}
	if !withoutBase {
		level(speeds)
	}
	return speeds
}

// coreTypes reads which PUs are Intel's performance and efficiency cores.
func (r *reader) coreTypes() map[int]string {
	types := map[int]string{}
	for name, core := range map[string]string{"cpu_atom": "IntelAtom", "cpu_core": "IntelCore"} {
		set, _ := r.list("sys/devices/"+name+"/cpus", maxCPUs)
		for pu := set.First(); pu >= 0; pu = set.Next(pu + 1) {
			types[pu] = core
		}
	}
	return types
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

// compare orders kinds that cannot be ranked, slow ones first.
func (s speed) compare(t speed) int {
	return cmp.Or(cmp.Compare(s.max, t.max), cmp.Compare(s.base, t.base),
		cmp.Compare(s.capacity, t.capacity), cmp.Compare(s.core, t.core))
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
	if s.core != "" {
		infos = append(infos, hw.Info{Name: "CoreType", Value: s.core})
	}
	return infos
}

package synthetic

import (
	"cmp"
	"slices"
	"strconv"

	"commsplit/hw"
)

// kindOf gathers the cores of one kind.
type kindOf struct {
	kind
	cpus hw.Set
}

// addKind notes that the PUs of an object of l are of l's kind, if it has one.
func (p *plan) addKind(l *level, cpus hw.Set) {
	if l.kind.name == "" {
		return
	}
	for _, k := range p.kinds {
		if k.name == l.kind.name {
			k.cpus.Merge(cpus)
			return
		}
	}
	p.kinds = append(p.kinds, &kindOf{l.kind, cpus.Clone()})
}

// setKinds gives the machine its kinds of cores: by efficiency, the least
// power first, or as written when the text does not say.
func (d *description) setKinds(kinds []*kindOf, machine *hw.Object) error {
	ranked := 0
	for _, k := range kinds {
		if k.rankAt > 0 {
			ranked++
		}
	}
	for _, k := range kinds {
		if k.rankAt == 0 && ranked > 0 {
			return d.errorAt(k.at, "this kind wants an efficiency= as others have one")
		}
	}
	slices.SortStableFunc(kinds, func(a, b *kindOf) int { return cmp.Compare(a.rank, b.rank) })
	for i, k := range kinds {
		if i > 0 && ranked > 0 && k.rank == kinds[i-1].rank {
			return d.errorAt(k.rankAt, "two kinds have efficiency "+strconv.Itoa(k.rank))
		}
	}
	for _, k := range kinds {
		cpus := k.cpus.Intersect(machine.CPUSet)
		if cpus.Empty() {
			continue
		}
		if machine.Details == nil {
			machine.Details = &hw.Details{}
		}
		rank := hw.Unknown
		if ranked > 0 {
			rank = len(machine.Details.Kinds)
		}
		machine.Details.Kinds = append(machine.Details.Kinds, hw.Kind{
			CPUSet: cpus, Efficiency: rank, Infos: []hw.Info{{Name: "CoreType", Value: k.name}},
		})
	}
	return nil
}

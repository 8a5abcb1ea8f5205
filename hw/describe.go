package hw

import (
	"fmt"
	"sort"
	"strings"
)

// DescribeBinding says where b is in the words of mpirun 5: per package its
// whole cores "package[0][core:0-3]" by logical index on the host, or, where
// the binding cuts through a core, the PUs "package[0][hwt:8]" by os index.
func DescribeBinding(t *Topology, b *Binding) string {
	host := t.Hosts[b.Host]
	if host.CPUSet.SubsetOf(b.CPUSet) {
		return "not bound (or bound to all available processors)"
	}
	var parts []string
	rest := b.CPUSet
	if packages := t.ResourceOf(Package); packages != nil {
		first := packages.firstOn(t, b.Host)
		for i := first; i < len(packages.Instances); i++ {
			o := packages.Instances[i]
			if t.HostIndex(o) != b.Host || rest.Empty() {
				break
			}
			if cut := rest.Intersect(o.CPUSet); !cut.Empty() {
				parts = append(parts, fmt.Sprintf("package[%d][%s]", i-first, t.units(b.Host, cut)))
				rest = rest.Minus(cut)
			}
		}
	}
	if !rest.Empty() {
		parts = append(parts, fmt.Sprintf("machine[0][%s]", t.units(b.Host, rest)))
	}
	return strings.Join(parts, " ")
}

// units names PUs of one host as cores when set is made of whole cores.
func (t *Topology) units(host int, set Set) string {
	cores := t.ResourceOf(Core)
	if cores == nil {
		return "hwt:" + set.String()
	}
	first := cores.firstOn(t, host)
	var indexes Set
	for rest := set; !rest.Empty(); {
		i := cores.InstanceOf(host, SetOf(rest.First()))
		if i == none || !cores.Instances[i].CPUSet.SubsetOf(set) {
			return "hwt:" + set.String()
		}
		indexes.Add(int(i) - first)
		rest = rest.Minus(cores.Instances[i].CPUSet)
	}
	return "core:" + indexes.String()
}

// firstOn is the index of the first instance on the given host or a later one.
func (r *Resource) firstOn(t *Topology, host int) int {
	return sort.Search(len(r.Instances), func(i int) bool {
		return t.HostIndex(r.Instances[i]) >= host
	})
}

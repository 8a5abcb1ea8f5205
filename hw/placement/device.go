package placement

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// deviceWords are PRRTE's words for kinds of devices, as in --map-by device=gpu.
var deviceWords = []struct {
	words []string
	kinds []string // hwloc's
}{
	{[]string{"gpu"}, []string{"GPU", "CoProcessor"}},
	{[]string{"network", "nic", "fabric", "openfabrics"}, []string{"Network", "OpenFabrics"}},
	{[]string{"block"}, []string{"Block"}},
}

// deviceWord returns the name in "device=gpu", or gpu for the word gpu alone.
func deviceWord(word string) (name string, ok bool) {
	if word == "gpu" {
		return word, true
	}
	key, name, valued := strings.Cut(word, "=")
	return name, valued && len(key) >= len("dev") && strings.HasPrefix("device", key)
}

// mapToDevices maps processes to the objects near to devices, on each host one device after the other, in the order of
// PCI addresses and with each function of a card once, as PRRTE's plan of device= has it. With ndev=N a process has N
// devices; interleave takes devices of one package after the other.
func (m *mapping) mapToDevices(t *hw.Topology, d directive, name string, set modifiers) error {
	list := devicesOf(t, name)
	if len(list) == 0 {
		return fmt.Errorf("%s %s: there is no such device here: %s", d.flag, d.text, deviceNames(t))
	}
	hosts := make([][]hw.Located, len(t.Hosts))
	for _, l := range list {
		h := t.HostIndex(l.Object)
		hosts[h] = append(hosts[h], l)
	}
	m.devices, m.given = make([][]int32, len(t.Hosts)), make([][][]hw.Located, len(t.Hosts))
	each := max(set["ndev"], 1)
	for h, list := range hosts {
		if set.has("interleave") {
			list = interleaved(t, h, list)
		}
		if len(list) > 0 && len(list) < each {
			return fmt.Errorf("%s %s: %s has %s", d.flag, d.text, t.Hosts[h].Name, spell.Plural(len(list), "such device"))
		}
		for ; len(list) >= each; list = list[each:] {
			m.given[h] = append(m.given[h], list[:each])
		}
	}
	var err error
	if m.by, err = nearTo(t, list); err == nil && each > 1 {
		m.by = aroundAll(t, m.given)
	}
	if err != nil || m.by == nil {
		return fmt.Errorf("%s %s: %w", d.flag, d.text, cmp.Or(err, errors.New("no object of the hardware contains the devices of a process")))
	}
	for h, groups := range m.given {
		for _, g := range groups {
			m.devices[h] = append(m.devices[h], m.by.InstanceOf(h, together(g)))
		}
	}
	return nil
}

// together returns the PUs that devices are near to.
func together(devices []hw.Located) hw.Set {
	var set hw.Set
	for _, l := range devices {
		set.Merge(l.Object.CPUSet)
	}
	return set
}

// aroundAll returns the smallest type of objects of which, for each group of devices, one object has all PUs near to the
// group; nil where there is none.
func aroundAll(t *hw.Topology, hosts [][][]hw.Located) *hw.Resource {
	for _, w := range objectWords {
		r, fits := t.ResourceOf(w.typ), true
		for h := 0; r != nil && h < len(hosts); h++ {
			for _, g := range hosts[h] {
				set := together(g)
				k := r.InstanceOf(h, set)
				fits = fits && k >= 0 && set.SubsetOf(r.Instances[k].CPUSet)
			}
		}
		if r != nil && fits {
			return r
		}
	}
	return nil
}

// interleaved returns a host's devices in turn from each package.
func interleaved(t *hw.Topology, host int, list []hw.Located) []hw.Located {
	packages := t.ResourceOf(hw.Package)
	if packages == nil {
		return list
	}
	var of [][]hw.Located
	at := map[int32]int{}
	for _, l := range list {
		k := packages.InstanceOf(host, l.Object.CPUSet)
		i, known := at[k]
		if !known {
			i, at[k] = len(of), len(of)
			of = append(of, nil)
		}
		of[i] = append(of[i], l)
	}
	mixed := make([]hw.Located, 0, len(list))
	for round := 0; len(mixed) < len(list); round++ {
		for _, l := range of {
			if round < len(l) {
				mixed = append(mixed, l[round])
			}
		}
	}
	return mixed
}

// giveDevices adds to the bindings of processes the devices that the processes are mapped to. bound is in the order in
// which processes are created.
func (m *mapping) giveDevices(bound []*hw.Binding) {
	type gift struct {
		of    *hw.Binding
		group int
	}
	shared := map[gift]*hw.Binding{}
	count := make([]int, len(m.given))
	for i, b := range bound {
		turn := count[b.Host]
		count[b.Host]++
		if m.order == byObject {
			turn /= m.each
		}
		g := gift{b, turn % len(m.given[b.Host])}
		if shared[g] == nil {
			shared[g] = &hw.Binding{Host: b.Host, CPUSet: b.CPUSet, Given: m.given[b.Host][g.group]}
		}
		bound[i] = shared[g]
	}
}

// devicesOf lists the devices of all hosts that a word names, host by host, by PCI address.
func devicesOf(t *hw.Topology, name string) []hw.Located {
	var kinds []string
	for _, w := range deviceWords {
		if slices.Contains(w.words, name) {
			kinds = w.kinds
		}
	}
	var list []hw.Located
	display := displays(t)
	type function struct {
		host int
		pci  *hw.Device // copies of a machine share them
	}
	seen := map[function]bool{}
	for _, l := range t.Located() {
		wanted := strings.EqualFold(l.Name, name) || slices.Contains(kinds, l.Kind()) && !display[l.PCI]
		at := function{t.HostIndex(l.Object), l.PCI}
		if at.host < 0 || !wanted || at.pci != nil && seen[at] {
			continue
		}
		seen[at] = true
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b hw.Located) int {
		return cmp.Or(t.HostIndex(a.Object)-t.HostIndex(b.Object), len(a.BusID())-len(b.BusID()), strings.Compare(a.BusID(), b.BusID()),
			len(a.Name)-len(b.Name), strings.Compare(a.Name, b.Name))
	})
	return list
}

// drawsOnly matches Linux's names of a device that draws; a device that also computes has another name besides, such as
// renderD128.
var drawsOnly = regexp.MustCompile(`^(card\d+|controlD\d+|:\d+\.\d+)$`)

// displays returns the PCI functions of GPUs, with true for those that only draw, such as a board's console.
func displays(t *hw.Topology) map[*hw.Device]bool {
	only := map[*hw.Device]bool{}
	for _, l := range t.Located() {
		if l.PCI == nil || l.Kind() != "GPU" {
			continue
		}
		before, known := only[l.PCI]
		only[l.PCI] = (before || !known) && drawsOnly.MatchString(l.Name)
	}
	return only
}

// nearTo returns the resource type with an instance near to each of the devices: the smallest type that all devices
// share, else NUMA nodes.
func nearTo(t *hw.Topology, list []hw.Located) (*hw.Resource, error) {
	var common *hw.Resource
	for i, l := range list {
		r, _ := t.Near(l.Object)
		if i == 0 {
			common = r
		}
		if r == nil || r != common {
			common = nil
			break
		}
	}
	if common != nil {
		return common, nil
	}
	nodes := t.ResourceOf(hw.NUMANode)
	for _, l := range list {
		if nodes == nil || t.NodeOf(l.Object) == nil || nodes.InstanceOf(t.HostIndex(l.Object), l.Object.CPUSet) < 0 {
			return nil, fmt.Errorf("no NUMA node or cache is known to be near %s: use --map-by with an object", l.Name)
		}
	}
	return nodes, nil
}

// deviceNames lists the devices of the first host for a message.
func deviceNames(t *hw.Topology) string {
	var names []string
	for _, l := range t.Located() {
		if t.HostIndex(l.Object) == 0 && l.Kind() != "" {
			names = append(names, l.Name)
		}
	}
	if len(names) == 0 {
		return "the hardware has no devices"
	}
	return "it has " + strings.Join(names, ", ")
}

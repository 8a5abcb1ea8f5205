package placement

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"commsplit/hw"
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

// deviceWord returns the name in "device=gpu"; gpu alone is short for that.
func deviceWord(word string) (name string, ok bool) {
	if word == "gpu" {
		return word, true
	}
	key, name, valued := strings.Cut(word, "=")
	return name, valued && len(key) >= len("dev") && strings.HasPrefix("device", key)
}

// mapToDevices maps processes to the objects near to devices, on each host one device after the other, in the order of
// PCI addresses and with each function of a card once, as PRRTE's plan of device= has it.
func (m *mapping) mapToDevices(t *hw.Topology, d directive, name string) error {
	list := devicesOf(t, name)
	if len(list) == 0 {
		return fmt.Errorf("%s %s: there is no such device here: %s", d.flag, d.text, deviceNames(t))
	}
	near, err := nearTo(t, list)
	if err != nil {
		return fmt.Errorf("%s %s: %w", d.flag, d.text, err)
	}
	m.by, m.devices = near, make([][]int32, len(t.Hosts))
	for _, l := range list {
		h := t.HostIndex(l.Object)
		m.devices[h] = append(m.devices[h], near.InstanceOf(h, l.Object.CPUSet))
	}
	return nil
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
		return cmp.Or(t.HostIndex(a.Object)-t.HostIndex(b.Object), len(a.BusID())-len(b.BusID()), strings.Compare(a.BusID(), b.BusID()))
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
			return nil, fmt.Errorf("no NUMA node or cache is known to be near to %s: use --map-by with an object", l.Name)
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
		return "the hardware has none"
	}
	return "it has " + strings.Join(names, ", ")
}

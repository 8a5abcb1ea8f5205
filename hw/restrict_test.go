package hw_test

import (
	"fmt"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
)

// halves returns a machine of two packages with a core of two PUs each. A note
// and a card are below the second package and its core. The machine has two kinds
// of cores, which frequency alone would rank.
func halves() *hw.Object {
	object := func(typ hw.Type, lo, hi int, below ...*hw.Object) *hw.Object {
		return &hw.Object{Type: typ, OSIndex: lo, CPUSet: hw.SetRange(lo, hi), NodeSet: hw.SetOf(0), Children: below}
	}
	mhz := func(n string) []hw.Info { return []hw.Info{{Name: "FrequencyMaxMHz", Value: n}} }
	second := object(hw.Core, 2, 3, object(hw.PU, 2, 2), object(hw.PU, 3, 3))
	second.Children[1].Details = &hw.Details{Devices: []*hw.Device{{Type: hw.Misc, Name: "inner"}}}
	second.Details = &hw.Details{Devices: []*hw.Device{{Type: hw.Misc, Name: "note"}}}
	machine := object(hw.Machine, 0, 3,
		object(hw.Package, 0, 1, object(hw.Core, 0, 1, object(hw.PU, 0, 0), object(hw.PU, 1, 1))),
		object(hw.Package, 2, 3, second))
	machine.Memory = []*hw.Object{object(hw.NUMANode, 0, 3)}
	machine.Children[1].Details = &hw.Details{Devices: []*hw.Device{{Type: "Bridge"}}}
	machine.Details = &hw.Details{Offline: hw.SetOf(4), Kinds: []hw.Kind{
		{CPUSet: hw.SetOf(0), Efficiency: hw.Unknown, Infos: mhz("9")},
		{CPUSet: hw.SetOf(1), Efficiency: hw.Unknown, Infos: mhz("8")},
		{CPUSet: hw.SetRange(2, 3), Efficiency: hw.Unknown, Infos: mhz("9")},
	}}
	return machine
}

// An object that goes leaves its PUs as disallowed PUs and its notes to its
// parent; its PUs leave their kinds, and the kinds are ranked anew when one
// becomes empty. A package with a card stays (seen with lstopo 2.9).
func TestRestrictDetails(t *testing.T) {
	t.Parallel()
	machine := halves()
	hw.Restrict(machine, hw.SetOf(0, 1), hw.SetOf(0), hw.NotAllowed)
	first, second := machine.Children[0], machine.Children[1]
	if len(second.Children) != 0 || !second.CPUSet.Empty() || second.Complete().String() != "2-3" {
		t.Errorf("the package has %d children, PUs %v of %v", len(second.Children), second.CPUSet, second.Complete())
	}
	if d := second.Devices(); len(d) != 3 || d[0].Type != "Bridge" || d[1].Name != "note" || d[2].Name != "inner" {
		t.Errorf("devices %v", d)
	}
	if first.Details != nil {
		t.Errorf("details %v of what lost nothing", first.Details)
	}
	d := machine.Details
	if got := fmt.Sprint(d.Offline, " ", d.Disallowed, " ", machine.Complete()); got != "4 2-3 0-4" {
		t.Error(got)
	}
	if got := fmt.Sprint(d.Kinds); got != "[{1  0 [{FrequencyMaxMHz 8}]} {0  1 [{FrequencyMaxMHz 9}]}]" {
		t.Error(got)
	}
}

// Where all kinds keep some PUs, they keep their ranks, and know the PUs that are barred.
func TestRestrictKinds(t *testing.T) {
	t.Parallel()
	machine := halves()
	hw.Restrict(machine, hw.SetOf(0, 1, 3), hw.SetOf(0), hw.NotAllowed)
	if got := fmt.Sprint(machine.Details.Kinds[2]); got != "{3 2 -1 [{FrequencyMaxMHz 9}]}" {
		t.Error(got)
	}
}

// One host of several is a topology of its own, and the others do not change.
func TestAlone(t *testing.T) {
	t.Parallel()
	all := hw.New("two", &hw.Object{Type: hw.Level, Subtype: "Cluster", Children: []*hw.Object{halves(), halves()}}, "a note")
	one := all.Alone(all.Hosts[1])
	if one.Root.Name != "node1" || one.Root.Parent != nil || len(one.Objects(hw.PU)) != 4 || one.Notes[0] != "a note" {
		t.Errorf("%v", one)
	}
	if pu := one.Objects(hw.PU)[0]; pu.LogicalIndex != 0 || all.Objects(hw.PU)[4].LogicalIndex != 4 {
		t.Error("the topologies share objects")
	}
}

// A PU that is not allowed cannot stay for its card: the card goes to the core,
// which stays, before the core's notes.
func TestRestrictDeviceOfPU(t *testing.T) {
	t.Parallel()
	machine := halves()
	core := machine.Children[1].Children[0]
	core.Children[0].Details = &hw.Details{Devices: []*hw.Device{{Type: "Bridge", Name: "card"}}}
	hw.Restrict(machine, hw.SetOf(0, 1), hw.SetOf(0), hw.NotAllowed)
	var names []string
	for _, d := range core.Devices() {
		names = append(names, d.Name)
	}
	if got := fmt.Sprint(names, len(machine.Children[1].Children), len(core.Children)); got != "[card note inner] 1 0" {
		t.Error(got)
	}
}

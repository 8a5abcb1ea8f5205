package hw_test

import (
	"slices"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
	"github.com/google/go-cmp/cmp"
)

// A name that means devices finds devices of the first host: a device by its name or address, in any case of
// letters, or all devices of a kind by the kind's common names. The name of a kind means devices also where the
// host has none.
func TestNamedDevices(t *testing.T) {
	t.Parallel()
	top, _ := preset.Lookup("dgx-a100")
	for _, c := range []struct {
		name   string
		want   []string
		device bool
	}{
		{"nvml3", []string{"nvml3"}, true}, {"commsplit://NVML3", []string{"nvml3"}, true},
		{"pci:47:00.0", []string{"nvml2"}, true}, {"mlx5_9", []string{"mlx5_9"}, true},
		{"gpu", []string{"nvml2", "nvml3", "nvml0", "nvml1", "nvml6", "nvml7", "nvml4", "nvml5"}, true},
		{"ib", []string{"mlx5_2", "mlx5_3", "mlx5_0", "mlx5_1", "mlx5_8", "mlx5_9", "mlx5_6", "mlx5_7"}, true},
		{"eth0", nil, true}, {"NUMANode", nil, false}, {"L3", nil, false}, {"", nil, false},
	} {
		list, device := top.NamedDevices(c.name)
		var names []string
		for _, d := range list {
			names = append(names, d.Name)
		}
		if diff := cmp.Diff(c.want, names); diff != "" || device != c.device {
			t.Errorf("%q: device %t, %s", c.name, device, diff)
		}
	}
}

// Another program contradicts us where it has another NUMA node or another address for a device, or a device that
// we do not know. A device without a node, or without a name, contradicts nothing.
func TestContradictions(t *testing.T) {
	t.Parallel()
	top, _ := preset.Lookup("dgx-a100")
	got := top.Contradictions([]hw.Heard{
		{Kind: "PCI", BusID: "0000:07:00.0", Node: 3}, {Kind: "PCI", BusID: "0000:47:00.0", Node: 2},
		{Kind: "PCI", BusID: "0000:4E:00.0", Node: hw.Unknown}, {Kind: "PCI", BusID: "0000:ff:00.0", Node: 9},
		{Kind: "GPU", Name: "nvml7", BusID: "0000:be:00.0", Node: hw.Unknown},
		{Kind: "Network", Name: "eth9", BusID: "0000:01:00.0", Node: hw.Unknown},
	}, "ghw")
	want := []hw.Contradiction{
		{Kind: "Network", Name: "eth9", Why: "at 0000:01:00.0, only ghw knows it"},
		{Kind: "GPU", Name: "nvml2", Why: "local to NUMA node 1, and ghw says NUMA node 2"},
		{Kind: "GPU", Name: "nvml7", Why: "at 0000:bd:00.0, and ghw says 0000:be:00.0"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Localities in a row with the same advice get the advice once.
func TestAdvise(t *testing.T) {
	t.Parallel()
	top, _ := preset.Lookup("frontier")
	var few []hw.Located
	for _, d := range top.Located() {
		if slices.Contains([]string{"rsmi4", "rsmi5", "hsn2", "rsmi2"}, d.Name) {
			few = append(few, d)
		}
	}
	const want = "hsn2 is local to NUMANode L#0: use hwloc://NUMANode; rsmi4 is local to L3Cache L#0, " +
		"rsmi5 is local to L3Cache L#1, rsmi2 is local to L3Cache L#2: use hwloc://L3Cache"
	if got := hw.Advise(top.Localities(few)); got != want {
		t.Error(got)
	}
}

// Devices below an object are local to the NUMA node with the object's PUs, if there is one, otherwise to the
// object itself. Below a machine of several nodes devices are local to nothing; below a machine of one node, to
// that node.
func TestLocalities(t *testing.T) {
	t.Parallel()
	device := func() *hw.Details {
		return &hw.Details{Devices: []*hw.Device{{Type: "OSDev", Name: "x", Attrs: []hw.Info{{Name: "osdev_type", Value: "1"}}}}}
	}
	for text, want := range map[string][]string{
		"pack:2 [numa] l3:2 core:2 pu:1": {"x is near no PUs in particular, as far as is known",
			"x is local to NUMANode L#0: use hwloc://NUMANode", "x is local to L3Cache L#0: use hwloc://L3Cache",
			"x is local to L3Cache L#1: use hwloc://L3Cache", "x is local to NUMANode L#1: use hwloc://NUMANode",
			"x is local to L3Cache L#2: use hwloc://L3Cache", "x is local to L3Cache L#3: use hwloc://L3Cache"},
		"pack:1 numa:2 core:1": {"x is near no PUs in particular, as far as is known", "x is local to Package L#0, the only one"},
		"pack:1 core:2":        {"x is local to NUMANode L#0, the only one", "x is local to NUMANode L#0, the only one"},
	} {
		root, _, err := synthetic.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for o := range root.All() {
			if slices.Contains([]hw.Type{hw.Machine, hw.Package, hw.L3Cache}, o.Type) {
				o.Details = device()
			}
		}
		top := hw.New("", root)
		var got []string
		for _, l := range top.Localities(top.Located()) {
			got = append(got, l.Advice())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

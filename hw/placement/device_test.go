package placement_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/hw/source"
)

// turin returns the machine of PRRTE's plan of --map-by device=: two packages of four NUMA nodes of 16 cores, GPUs at
// the nodes 1, 2, 6 and 7, each known by two names, and at node 0 a console that only draws.
func turin() *hw.Topology {
	gpu := func(node int, name, bus string) preset.Device {
		return preset.Device{At: hw.NUMANode, Index: node, Kind: "GPU", Name: name, BusID: "0000:" + bus + ":00.0", PCI: "0302 [10de:2335]"}
	}
	top := preset.Preset{Name: "turin", Spec: "pack:2 numa:4 l3:2 core:8 pu:2(indexes=2*128:1*2)", Devices: []preset.Device{
		gpu(7, "renderD131", "e6"), gpu(0, "card0", "53"), gpu(1, "renderD128", "06"), gpu(6, "renderD130", "96"), gpu(2, "renderD129", "16"),
		{At: hw.NUMANode, Index: 1, Kind: "OpenFabrics", Name: "mlx5_0", BusID: "0000:03:00.0", PCI: "0207 [15b3:1021]"},
		{At: hw.NUMANode, Index: 0, Kind: "Network", Name: "eno6", BusID: "0000:51:00.0", PCI: "0200 [14e4:1751]"},
	}}.Topology()
	for _, l := range top.Located() {
		if strings.HasPrefix(l.Name, "render") {
			second := *l.Device
			second.Name = "card1" + l.Name[len("renderD12"):]
			l.PCI.Devices = append([]*hw.Device{&second}, l.PCI.Devices...)
		}
	}
	return top
}

// --map-by device= gives ranks to devices in turn, in the order of PCI addresses: the table of PRRTE's plan, and the GPUs
// of a DGX A100, which are near to the NUMA nodes 3, 1, 7 and 5 in pairs (nvidia-smi topo -m).
func TestDevices(t *testing.T) {
	t.Parallel()
	dgx, err := source.Load(t.Context(), "dgx-a100")
	if err != nil {
		t.Fatal(err)
	}
	two, err := source.Load(t.Context(), "dgx-a100+core:4+dgx-a100")
	if err != nil {
		t.Fatal(err)
	}
	frontier, err := source.Load(t.Context(), "frontier-56")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		top    *hw.Topology
		n      int
		by, to string
		want   string
	}{
		{turin(), 1, "device=gpu", "core", "16,144"},
		{turin(), 1, "device=gpu", "l3cache", "16-23,144-151"},
		{turin(), 1, "device=gpu", "numa", "16-31,144-159"},
		{turin(), 2, "device=gpu", "core", "16,144 32,160"},
		{turin(), 5, "gpu", "core", "16,144 32,160 96,224 112,240 17,145"},
		{turin(), 2, "dev=gpu:pe=2", "", "16-17,144-145 32-33,160-161"},
		{turin(), 4, "device=renderD129", "core", "32,160 33,161 34,162 35,163"},
		{turin(), 2, "device=network", "numa", "16-31,144-159 0-15,128-143"},
		{dgx, 8, "gpu", "numa", "48-63,176-191 48-63,176-191 16-31,144-159 16-31,144-159 " +
			"112-127,240-255 112-127,240-255 80-95,208-223 80-95,208-223"},
		{dgx, 8, "device=gpu", "", "48,176 49,177 16,144 17,145 112,240 113,241 80,208 81,209"},
		{dgx, 3, "device=mlx5_1:hwtcpus", "", "48 176 49"},
		{dgx, 4, "ppr:2:gpu", "core", "48,176 49,177 50,178 51,179"},
		{two, 3, "device=gpu:span", "core", "node0:48,176 node0:49,177 node0:16,144"},
		// GPUs of Frontier are at its L3: rsmi0 and rsmi1 at the seventh and eighth.
		{frontier, 3, "device=gpu", "l3cache", "49-55,113-119 57-63,121-127 17-23,81-87"},
	} {
		ranks, err := placement.Place(c.top, c.n, placement.Policy{MapBy: c.by, BindTo: c.to})
		if diff := cmp.Diff(c.want, cpusets(c.top, ranks)); diff != "" || err != nil {
			t.Errorf("%s, %d, %s, %s: %v, -want +got:\n%s", c.top.Name, c.n, c.by, c.to, err, diff)
		}
	}
	// A host without a GPU gets no rank: 128 fit on the first, the next on the last.
	ranks, err := placement.Place(two, 130, placement.Policy{MapBy: "device=gpu"})
	if err != nil || ranks[127].Host != 0 || ranks[128].Host != 2 || ranks[129].Host != 2 {
		t.Errorf("three hosts: %v", err)
	}
	if n, err := placement.Default(dgx, placement.Policy{MapBy: "ppr:2:device=gpu"}); n != 16 || err != nil {
		t.Errorf("two ranks for each GPU: %d, %v", n, err)
	}
}

// The error for a device that cannot be mapped to lists the devices that there are.
func TestDevicesRefused(t *testing.T) {
	t.Parallel()
	dgx, err := source.Load(t.Context(), "dgx-a100")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		top  *hw.Topology
		p    placement.Policy
		want string
	}{
		{topology(t, "core:4"), placement.Policy{MapBy: "gpu"}, "--map-by gpu: there is no such device here: the hardware has no devices"},
		{dgx, placement.Policy{MapBy: "device=nvml9"}, "there is no such device here: it has nvml"},
		{dgx, placement.Policy{MapBy: "device"}, "--map-by device=gpu, device=network or device=NAME"},
		{dgx, placement.Policy{MapBy: "device=gpu:shard"}, `there is no modifier "shard"`},
		{dgx, placement.Policy{MapBy: "device=gpu:nooversubscribe"}, "9 ranks on 8 devices: each rank takes one"},
		{dgx, placement.Policy{MapBy: "device=gpu:ndev=9"}, "node0 has 8 such devices"},
		{dgx, placement.Policy{MapBy: "device=gpu", BindTo: "package"}, "PUs that are not near the device"},
		{topology(t, "core:4"), placement.Policy{MapBy: "core:shared"}, `there is no modifier "shared"`},
		{dgx, placement.Policy{BindTo: "gpu"}, "a process is not bound to a device"},
		{dgx, placement.Policy{MapBy: "ppr:1:gpu"}, "8 devices; use -n 8 or less"},
	} {
		_, err := placement.Place(c.top, 9, c.p)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.p, err, c.want)
		}
	}
}

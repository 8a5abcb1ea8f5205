package launch_test

import (
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/preset"
)

// turin is the machine of PRRTE's examples of device=: two packages of four NUMA nodes of 16 cores, GPUs at the nodes 1,
// 2, 6 and 7.
func turin() *hw.Topology {
	gpu := func(i, node int, bus string) preset.Device {
		return preset.Device{At: hw.NUMANode, Index: node, Kind: "GPU", Name: "nvml" + string(rune('0'+i)),
			BusID: "0000:" + bus + ":00.0", PCI: "0302 [10de:2335]"}
	}
	return preset.Preset{Name: "turin", Spec: "pack:2 numa:4 l3:2 core:8 pu:2(indexes=2*128:1*2)", Devices: []preset.Device{
		gpu(0, 1, "06"), gpu(1, 2, "16"), gpu(2, 6, "96"), gpu(3, 7, "e6"),
		{At: hw.NUMANode, Index: 1, Kind: "OpenFabrics", Name: "mlx5_0", BusID: "0000:03:00.0", PCI: "0207 [15b3:1021]"},
	}}.Topology()
}

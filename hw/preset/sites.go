package preset

import (
	"fmt"

	"codeberg.org/commsplit/commsplit/hw"
)

// sites are nodes of large machines as their sites' guides describe them, with their GPUs and network cards. Where a guide
// says nothing of Slurm's settings, there are none, and srun's words are placed by Slurm's own defaults.
var sites = []Preset{
	{
		Name:   "lumi-g",
		Source: "a LUMI-G node (EPYC 7A53, 4 MI250X) as jobs get it, without the first core of each L3: LUMI's user guide",
		Spec:   frontier + " disallow=0-127:1/8", Devices: frontierDevices,
		Slurm: &hw.Slurm{Threads: 1, Within: "block"},
	},
	{
		Name:   "perlmutter-gpu",
		Source: "a GPU node of Perlmutter (EPYC 7763, 4 A100): NERSC's documentation, GPUs against the order of NUMA nodes",
		Spec: "pack:1 numa:4(memory=64GiB) l3:2(size=32MiB) l2:8(size=512KiB) l1d:1(size=32KiB) " +
			"core:1 pu:2(indexes=2*64:1*2)",
		Devices: beside(hw.NUMANode, []int{3, 2, 1, 0}, gpu("nvml", "NVIDIA", "A100-SXM4-40GB"),
			card("hsn", "HPE", "Slingshot 200 Gb/s")),
	},
	{
		Name:   "aurora",
		Source: "an Aurora node (2 x Xeon Max 9470, 6 GPU Max 1550), its HBM as NUMA nodes: ALCF's user guide, GPUs and cards by halves; its mpiexec is PALS, without Slurm",
		Spec: "pack:2 [numa(memory=512GiB indexes=0,2,1,3)] [numa(memory=64GiB subtype=HBM)] l3:1(size=105MiB) " +
			"l2:52(size=2MiB) l1d:1(size=48KiB) core:1 pu:2(indexes=2*104:1*2)",
		Devices: append(
			beside(hw.Package, []int{0, 0, 0, 1, 1, 1}, gpu("ze", "Intel", "Data Center GPU Max 1550, two tiles",
				"0000:18", "0000:42", "0000:6c", "0001:18", "0001:42", "0001:6c").inParts(2)),
			beside(hw.Package, []int{0, 0, 0, 0, 1, 1, 1, 1}, card("hsn", "HPE", "Slingshot 200 Gb/s"))...),
	},
	{
		Name:   "el-capitan",
		Source: "an El Capitan node (4 MI300A), CPUs and GPU of a package share its memory: LLNL's and AMD's descriptions; it runs Flux, without Slurm",
		Spec: "pack:4 [numa(memory=128GiB)] l3:3(size=32MiB) l2:8(size=1MiB) l1d:1(size=32KiB) " +
			"core:1 pu:2(indexes=2*96:1*2)",
		Devices: beside(hw.Package, []int{0, 1, 2, 3}, gpu("rsmi", "AMD", "Instinct MI300A, the GPU"),
			card("hsn", "HPE", "Slingshot 200 Gb/s")),
	},
	{
		Name:   "leonardo-booster",
		Source: "a Booster node of Leonardo (Xeon 8358 in two clusters, 4 A100): CINECA's description; nearness of GPUs by halves assumed",
		Spec: "pack:1 l3:1(size=48MiB) numa:2(memory=256GiB) l2:16(size=1280KiB) l1d:1(size=48KiB) " +
			"core:1 pu:1",
		Devices: beside(hw.NUMANode, []int{0, 0, 1, 1}, gpu("nvml", "NVIDIA", "A100 custom, 64 GB",
			"0000:10", "0000:52", "0000:8a", "0000:cb"), card("mlx5_", "NVIDIA Mellanox", "HDR 100 Gb/s")),
	},
	{
		Name:   "leonardo-dcgp",
		Source: "a DCGP node of Leonardo, 2 x Xeon 8480+: CINECA's description; a NUMA node for each package assumed",
		Spec: "pack:2 numa:1(memory=256GiB) l3:1(size=105MiB) l2:56(size=2MiB) l1d:1(size=48KiB) " +
			"core:1 pu:1",
	},
	{
		Name:   "marenostrum5-acc",
		Source: "an accelerated node of MareNostrum 5 (2 x Xeon 8460Y+, 4 H100): BSC's description; nearness of GPUs by halves assumed",
		Spec: "pack:2 numa:1(memory=256GiB) l3:1(size=105MiB) l2:40(size=2MiB) l1d:1(size=48KiB) " +
			"core:1 pu:1",
		Devices: beside(hw.Package, []int{0, 0, 1, 1}, gpu("nvml", "NVIDIA", "H100, 64 GB"),
			card("mlx5_", "NVIDIA Mellanox", "NDR 200 Gb/s")),
	},
	{
		Name:   "marenostrum5-gpp",
		Source: "a general node of MareNostrum 5, 2 x Xeon 8480+: BSC's description",
		Spec: "pack:2 numa:1(memory=128GiB) l3:1(size=105MiB) l2:56(size=2MiB) l1d:1(size=48KiB) " +
			"core:1 pu:1",
	},
	{
		Name:   "gh200-quad",
		Source: "4 x NVIDIA GH200, as in Alps, the GPUs' memory as NUMA nodes: hwloc's output, CSCS's documentation; GPUs without slices, whose NUMA nodes are left out",
		Spec: "pack:4 [numa(memory=120GB indexes=0,4,1,12,2,20,3,28)] [numa(memory=96GB subtype=GPUMemory)] l3:1(size=114MiB) " +
			"l2:72(size=1MiB) l1d:1(size=64KiB) core:1 pu:1",
		Devices: beside(hw.Package, []int{0, 1, 2, 3}, gpu("nvml", "NVIDIA", "GH200 120GB",
			"0009:01", "0019:01", "0029:01", "0039:01"), card("hsn", "HPE", "Slingshot 200 Gb/s")),
		Slurm: &hw.Slurm{},
	},
}

// kindOfDevice is what devices beside objects have in common: they are numbered, and have the PCI addresses of buses where
// these are known.
type kindOfDevice struct {
	kind, name, pci, vendor, model string
	buses                          []string
	parts                          int
}

func gpu(name, vendor, model string, buses ...string) kindOfDevice {
	return kindOfDevice{"GPU", name, map[string]string{"NVIDIA": "0302 [10de:2335]", "Intel": "0380 [8086:0bd5]"}[vendor], vendor, model, buses, 0}
}

// inParts is devices of k, each of which is in parts.
func (k kindOfDevice) inParts(parts int) kindOfDevice {
	k.parts = parts
	return k
}

func card(name, vendor, model string) kindOfDevice {
	return kindOfDevice{kind: "Network", name: name, vendor: vendor, model: model}
}

// beside lists devices of some kinds: the i-th of each kind is near to the object at[i].
func beside(typ hw.Type, at []int, kinds ...kindOfDevice) []Device {
	var list []Device
	for _, k := range kinds {
		for i, object := range at {
			d := Device{At: typ, Index: object, Kind: k.kind, Name: fmt.Sprint(k.name, i), Vendor: k.vendor, Model: k.model, Parts: k.parts}
			if i < len(k.buses) {
				d.BusID, d.PCI = k.buses[i]+":00.0", k.pci
			}
			list = append(list, d)
		}
	}
	return list
}

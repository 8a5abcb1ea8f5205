package preset

import (
	"fmt"

	"codeberg.org/commsplit/commsplit/hw"
)

// presets is the table of machines. Where only a part of a machine is known, its Source names the
// assumptions.
var presets = []Preset{
	{
		Name:   "figure-7.3",
		Source: "the machine of MPI 5.0, Figure 7.3 and Examples 7.3 to 7.5; made as hwloc's users make it",
		Spec:   "group:2(subtype=Rack) numa:2(memory=32GB) pack:2 core:2 pu:1 restrict=0-11",
	},
	{
		Name:   "laptop-hybrid",
		Source: "Intel Core i7-1370P, 6 fast and 8 small cores: hwloc's dump; memory unknown",
		Spec: "pack:1 [numa] l3:1(size=24MiB) {" +
			"l2:6(size=1280KiB kind=IntelCore efficiency=1) l1d:1(size=48KiB) l1i:1(size=32KiB) " +
			"core:1(indexes=0,4,8,12,16,20) pu:2 ; " +
			"l2:2(size=2MiB kind=IntelAtom efficiency=0) l1d:4(size=32KiB) l1i:1(size=64KiB) " +
			"core:1(indexes=24-31) pu:1}",
	},
	{
		Name:   "laptop-arrowlake",
		Source: "Intel Core Ultra 5 225U, 2 cores are beside the L3: hwloc's dump; memory unknown",
		Spec: "pack:1 [numa] {l3:1(size=12MiB) {" +
			"l2:2(size=2MiB kind=IntelCore efficiency=2) l1d:1(size=48KiB) l1i:1(size=64KiB) " +
			"core:1(indexes=8,12) pu:2 ; " +
			"l2:2(size=2MiB kind=IntelAtom efficiency=1) l1d:4(size=32KiB) l1i:1(size=64KiB) " +
			"core:1(indexes=0-7) pu:1} ; " +
			"l2:1(size=2MiB kind=IntelLowPower efficiency=0) l1d:2(size=32KiB) l1i:1(size=64KiB) " +
			"core:1(indexes=32-33) pu:1}",
	},
	{
		Name:   "nvidia-dgx-gb10",
		Source: "NVIDIA DGX Spark (GB10), two uneven clusters of Arm cores: hwloc's recording",
		Spec: "pack:1(indexes=36) [numa(memory=128520671232)] {" + gb10Cluster("8MiB") + " ; " +
			gb10Cluster("16MiB") + "}",
	},
	{
		Name:   "raspberry-pi-4",
		Source: "Broadcom BCM2711: its description; the board with 8 GB",
		Spec:   "[numa(memory=8GB)] pack:1 l2:1(size=1MiB) l1d:4(size=32KiB) core:1 pu:1",
	},
	{
		Name:   "epyc-9654-nps4",
		Source: "2 x AMD EPYC 9654: hwloc's dump; 4 NUMA nodes a package as AMD describes, memory assumed",
		Spec: "pack:2 numa:4(memory=96GiB) l3:3(size=32MiB) l2:8(size=1MiB) l1d:1(size=32KiB) " +
			"core:1 pu:2(indexes=2*192:1*2)",
	},
	{
		Name:   "xeon-snc2",
		Source: "2 x Intel Xeon Gold 6542Y, an L3 over two NUMA nodes: lscpu in a bug report; memory assumed",
		Spec: "pack:2 l3:1(size=60MiB) numa:2(memory=128GiB) l2:12(size=2MiB) l1d:1(size=48KiB) " +
			"core:1 pu:2(indexes=2*48:1*2)",
	},
	{
		Name:   "knl-snc4-flat",
		Source: "Intel Xeon Phi 7210 in four clusters: hwloc's dump and documentation; memory as sold",
		Spec: "pack:1 group:4(subtype=Cluster) [numa(memory=24GiB)] [numa(memory=4GiB subtype=MCDRAM)] " +
			"l2:8(size=1MiB) l1d:2(size=32KiB) l1i:1(size=32KiB) core:1 pu:4(indexes=4*64:1*4)",
	},
	{
		Name:   "kunpeng-920",
		Source: "2 x HiSilicon Kunpeng 920, clusters of 4 cores: hwloc's recording; memory rounded",
		Spec: "pack:2(indexes=36,8442) l3:2(size=32MiB) [numa(memory=135GB)] group:8(subtype=Cluster) " +
			"l2:4(size=512KiB) l1d:1(size=64KiB) l1i:1(size=64KiB) core:1 pu:1",
	},
	{
		Name:   "ibm-z-drawers",
		Source: "a guest on IBM z, no two books alike: hwloc's recording",
		Spec: "[numa(memory=2103287808)] {group:1(subtype=Drawer) {group:1(subtype=Book) pack:2 core:3 ; " +
			"group:1(subtype=Book) {pack:1 core:4 ; pack:1 core:3}} ; group:1(subtype=Drawer) " +
			"{group:1(subtype=Book) {pack:1 core:2 ; pack:1 core:1} ; " +
			"group:1(subtype=Book) {pack:1 core:1 ; pack:1 core:3}}}(indexes=0-2,10-12,3-9,13-19)",
	},
	{
		Name:   "frontier",
		Source: "a Frontier node (EPYC 7A53, 4 MI250X), all cores: OLCF's user guide",
		Spec:   frontier, Devices: frontierDevices, Slurm: &hw.Slurm{Socket: hw.L3Cache, Threads: 1, Reserved: 8},
	},
	{
		Name:   "frontier-56",
		Source: "the same as jobs get it, without the first core of each L3: OLCF's user guide",
		Spec:   frontier + " disallow=0-127:1/8", Devices: frontierDevices, Slurm: frontierSlurm,
	},
	{
		Name:   "lumi-c",
		Source: "a LUMI-C node, 2 x AMD EPYC 7763: LUMI's user guide",
		Spec: "pack:2 numa:4(memory=32GiB) l3:2(size=32MiB) l2:8(size=512KiB) l1d:1(size=32KiB) " +
			"core:1 pu:2(indexes=2*128:1*2)",
		Slurm: &hw.Slurm{Threads: 1, Within: "block"}, // from its guide: distribution-binding.md
	},
	{
		Name:   "dgx-a100",
		Source: "NVIDIA DGX A100, 2 x EPYC 7742, its GPUs in pairs: nvidia-smi topo -m; cards for storage left out",
		Spec: "pack:2 numa:4(memory=128GiB) l3:4(size=16MiB) l2:4(size=512KiB) l1d:1(size=32KiB) " +
			"core:1 pu:2(indexes=2*128:1*2)",
		Devices: dgxA100Devices,
	},
	{
		Name:   "perlmutter-cpu",
		Source: "a CPU node of Perlmutter, 2 x AMD EPYC 7763, 4 NUMA nodes a package: NERSC's documentation",
		Spec: "pack:2 numa:4(memory=64GiB) l3:2(size=32MiB) l2:8(size=512KiB) l1d:1(size=32KiB) " +
			"core:1 pu:2(indexes=2*128:1*2)",
	},
	{
		Name:   "fugaku",
		Source: "a Fugaku node (A64FX), without assistant cores: Fujitsu's description",
		Spec:   "pack:1 l2:4(size=8MiB) [numa(memory=8GiB)] l1d:12(size=64KiB) core:1 pu:1",
	},
	{
		Name:   "bluegene-q",
		Source: "a Blue Gene/Q node, without the 17th core: hwloc's support of it",
		Spec:   "pack:1 [numa(memory=16GiB)] l2:1(size=32MiB) l1d:16(size=16KiB) core:1 pu:4",
	},
}

const frontier = "pack:1 numa:4(memory=128GiB) l3:2(size=32MiB) l2:8(size=512KiB) l1d:1(size=32KiB) " +
	"core:1 pu:2(indexes=2*64:1*2)"

// frontierSlurm is the settings in OLCF's guide: sockets are L3 regions, and tasks get one PU of a core. With all cores
// there is a fourth: the system keeps the first core of each L3, unless --core-spec 0 (-S 0) gives it to jobs.
var frontierSlurm = &hw.Slurm{Socket: hw.L3Cache, Threads: 1}

// frontierDevices are the 8 dies of the 4 GPUs, each at its L3, in the order of the guide, and the network
// cards, one on each GPU, at the GPU's NUMA node.
var frontierDevices = func() []Device {
	var list []Device
	at := []int{6, 7, 2, 3, 0, 1, 4, 5} // the L3 of each die
	for i, bus := range []string{"c1", "c6", "c9", "ce", "d1", "d6", "d9", "de"} {
		list = append(list, Device{At: hw.L3Cache, Index: at[i], Kind: "GPU", Name: fmt.Sprintf("rsmi%d", i),
			BusID: "0000:" + bus + ":00.0", PCI: "0380 [1002:7408]", Vendor: "AMD", Model: "Instinct MI250X, one of two dies"})
	}
	for i, node := range []int{3, 1, 0, 2} {
		list = append(list, Device{At: hw.NUMANode, Index: node, Kind: "Network", Name: fmt.Sprintf("hsn%d", i),
			Vendor: "HPE", Model: "Slingshot 200 Gb/s"})
	}
	return list
}()

// dgxA100Devices are the GPUs and the network cards beside them, a pair of each behind the switches of a
// NUMA node; the network cards for storage are left out.
var dgxA100Devices = func() []Device {
	var list []Device
	nodes := []int{3, 1, 7, 5}
	for i, bus := range []string{"07", "0f", "47", "4e", "87", "90", "b7", "bd"} {
		list = append(list, Device{At: hw.NUMANode, Index: nodes[i/2], Kind: "GPU", Name: fmt.Sprintf("nvml%d", i),
			BusID: "0000:" + bus + ":00.0", PCI: "0302 [10de:20b0]", Vendor: "NVIDIA", Model: "A100-SXM4-40GB"})
	}
	for i, n := range []int{0, 1, 2, 3, 6, 7, 8, 9} {
		list = append(list, Device{At: hw.NUMANode, Index: nodes[i/2], Kind: "OpenFabrics", Name: fmt.Sprintf("mlx5_%d", n),
			Vendor: "NVIDIA Mellanox", Model: "ConnectX-6 200 Gb/s"})
	}
	return list
}()

// gb10Cluster describes five small and five fast cores below an L3 of that size.
func gb10Cluster(l3 string) string {
	return "l3:1(size=" + l3 + ") {" +
		"l2:5(size=512KiB kind=CortexA725 efficiency=0) l1d:1(size=64KiB) l1i:1(size=64KiB) core:1 pu:1 ; " +
		"l2:5(size=2MiB kind=CortexX925 efficiency=1) l1d:1(size=64KiB) l1i:1(size=64KiB) core:1 pu:1}"
}

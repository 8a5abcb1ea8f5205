package render

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/detect"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/outline"
)

// deviceZoo is a machine of one core with the devices that are special on lstopo's console: equal
// neighbours, classes of no interest, bridges to nowhere, DMA, and what hangs below them.
func deviceZoo(t *testing.T) (top *hw.Topology, file string) {
	t.Helper()
	card := func(bus, class, vendor, below string) string {
		return fmt.Sprintf(`<object type="PCIDev" pci_busid="0000:%s" pci_type="%s [%s:8c3c] [0000:0000] 00">%s</object>`,
			bus, class, vendor, below)
	}
	device := func(name, kind string) string {
		return fmt.Sprintf(`<object type="OSDev" name="%s" osdev_type="%s"/>`, name, kind)
	}
	below := `<object type="Misc" name="before" subtype="Note"><object type="Misc" name="inner"/></object>` +
		`<object type="Bridge" bridge_type="0-1" depth="0" bridge_pci="0000:[00-ff]">` +
		card("01:00.0", "0200", "1", "") + card("01:00.1", "0200", "1", "") +
		card("02:00.0", "0108", "2", "") + card("02:01.0", "0108", "2", "") + card("02:01.1", "0108", "2", "") +
		card("03:00.0", "0280", "3", "") + card("03:00.1", "0280", "4", device("e0", "2")) +
		card("04:00.0", "0403", "5", device("sound", "1")) + card("04:00.1", "0c03", "5", "") + card("04:02.0", "0601", "8", "") +
		`<object type="Bridge" bridge_type="1-1" depth="1" bridge_pci="0000:[05-05]" pci_busid="0000:00:01.0" ` +
		`pci_type="0604 [8086:3c0a] [00ff:0000] 07">` + card("05:00.0", "0700", "6", "") + `</object>` +
		card("06:00.0", "1200", "7", device("b0", "0")+device("o0", "3")+device("dma0", "4")+device("c0", "5")) +
		`</object><object type="Bridge" bridge_type="0-1" depth="0" bridge_pci="0000:[10-10]"/>`
	below = strings.NewReplacer("[1:", "[0001:", "[2:", "[0002:", "[3:", "[0003:", "[4:", "[0004:", "[5:", "[0005:",
		"[6:", "[0006:", "[7:", "[0007:", "[8:", "[0008:").Replace(below)
	sets := `cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1"`
	text := `<topology version="2.0"><object type="Machine" os_index="0" ` + sets + ` allowed_cpuset="0x1" allowed_nodeset="0x1">` +
		`<object type="NUMANode" os_index="0" ` + sets + ` local_memory="9"/><object type="Core" os_index="0" ` + sets + `>` +
		`<object type="PU" os_index="0" ` + sets + `/>` + below + `</object></object></topology>`
	file = filepath.Join(t.TempDir(), "devices.xml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	top, err := hwlocxml.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return top, file
}

func hardwareOf(t *testing.T, top *hw.Topology, devices bool) []string {
	return lines(t, 100, func(b *strings.Builder, st Style) error {
		st.Whole = true
		return Hardware(b, top, Look{Devices: devices}, st)
	})
}

// Devices are named as lstopo 2.9 names them for that machine; without them, the core and its PU are one
// line again.
func TestHardwareDevices(t *testing.T) {
	t.Parallel()
	top, _ := deviceZoo(t)
	want := []string{
		"Machine (0KB total)",
		"  NUMANode L#0 (P#0 0KB)",
		"  Core L#0",
		"    PU L#0 (P#0)",
		"    HostBridge",
		"      2 x { PCI 01:00.0-1 (Ethernet) }",
		"      3 x { PCI 02:00.0-01.1 (NVMExp) }",
		"      PCI 03:00.0 (Network)",
		"      PCI 03:00.1 (Network)",
		`        Net "e0"`,
		`      GPU "sound"`,
		"      PCI 06:00.0 (ProcessingAccelerator)",
		`        Block "b0"`,
		`        OpenFabrics "o0"`,
		`        CoProc "c0"`,
		"    Misc(Note) before",
		"      Misc inner",
	}
	if diff := cmp.Diff(want, hardwareOf(t, top, true)); diff != "" {
		t.Error(diff)
	}
	want = append(want[:2:2], "  Core L#0 + PU L#0 (P#0)")
	if diff := cmp.Diff(want, hardwareOf(t, top, false)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, treeOf(t, bare(top), 100)); diff != "" {
		t.Errorf("the picture with ranks: %s", diff)
	}
}

// On a terminal no bridge shows, and a PCI device is one line with what is known by a name on it.
func TestHardwareShort(t *testing.T) {
	t.Parallel()
	top, _ := deviceZoo(t)
	want := []string{
		"    2 x { PCI 01:00.0-1 (Ethernet) }",
		"    3 x { PCI 02:00.0-01.1 (NVMExp) }",
		"    PCI 03:00.0 (Network)",
		`    PCI 03:00.1 (Network) + Net "e0"`,
		`    GPU "sound"`,
		`    PCI 06:00.0 (ProcessingAccelerator) + Block "b0" + OpenFabrics "o0" + CoProc "c0"`,
		"    Misc(Note) before",
	}
	got := lines(t, 100, func(b *strings.Builder, st Style) error { return Hardware(b, top, Look{Devices: true}, st) })
	if diff := cmp.Diff(want, got[4:len(got)-1]); diff != "" {
		t.Error(diff)
	}
}

// The table of devices tells the NUMA node near to each, and beside it what another program says.
func TestDeviceTable(t *testing.T) {
	t.Parallel()
	top, _ := preset.Lookup("dgx-a100")
	heard := []hw.Heard{{Kind: "PCI", BusID: "0000:47:00.0", Node: 1}, {Kind: "PCI", BusID: "0000:4e:00.0", Node: 0}}
	got := lines(t, 100, func(b *strings.Builder, st Style) error {
		return Devices(b, top, heard, "ghw", errors.New("ghw is new"), st)
	})
	want := []string{"",
		"device              bus           NUMA node  ghw  what it is",
		"GPU nvml2           0000:47:00.0          1    1  NVIDIA A100-SXM4-40GB",
		"GPU nvml3           0000:4e:00.0          1    0  NVIDIA A100-SXM4-40GB",
		"OpenFabrics mlx5_2  -                     1    -  NVIDIA Mellanox ConnectX-6 200 Gb/s",
	}
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
		t.Error(diff)
	}
	want = []string{"note: nvml3: local to NUMA node 1, and ghw says NUMA node 0", "note: ghw is new"}
	if diff := cmp.Diff(want, got[len(got)-2:]); diff != "" {
		t.Error(diff)
	}
}

// The devices of this machine, read from /sys, are at their places as lstopo has them.
func TestDevicesAreLstopos(t *testing.T) {
	t.Parallel()
	lstopo := exec.Command(judge.Ask(t, "lstopo-no-graphics"), "--of", "console")
	lstopo.Env = append(os.Environ(), judge.HwlocComponents+"="+judge.OnlySys)
	out, err := lstopo.Output()
	if err != nil {
		t.Fatal(err)
	}
	top, err := detect.This(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// What udev says of disks, their sort, is not read.
	sort := strings.NewReplacer("Block(Disk)", "Block", "Block(Removable Media Device)", "Block")
	o := outline.New(top, outline.AllDevices)
	whole, _ := o.Fit(unbounded, nil)
	labels, _, _ := newPage(Style{}).labelsOf(o, whole)
	got := strings.Join(labels, "\n")
	memory := regexp.MustCompile(`\d+(KB|MB|GB)`) // of a virtual machine it changes
	if diff := cmp.Diff(memory.ReplaceAllString(sort.Replace(strings.TrimSpace(string(out))), ""),
		memory.ReplaceAllString(got, "")); diff != "" {
		t.Errorf("-lstopo +ours:\n%s", diff)
	}
}

// A picture that is not folded is lstopo's, line by line, for that machine and the recorded ones.
func TestHardwareIsLstopos(t *testing.T) {
	t.Parallel()
	lstopo := judge.Ask(t, "lstopo-no-graphics")
	folder := os.Getenv("COMMSPLIT_TOPOLOGIES")
	if folder == "" {
		folder = filepath.Join("..", "..", "shared", "topologies")
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*", "*.xml"))
	_, zoo := deviceZoo(t)
	for _, file := range append(files, zoo) {
		if strings.Contains(file, ".v3.") {
			continue // lstopo 2.9 does not read it
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		top, err := hwlocxml.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, devices := range []bool{true, false} {
			args := []string{"-i", file}
			if !devices {
				args = append(args, "--no-io", "--filter", "Misc:none")
			}
			out, err := exec.Command(lstopo, args...).Output()
			if err != nil {
				t.Fatal(err)
			}
			o := outline.New(top, devicesFor(devices, true))
			whole, _ := o.Fit(unbounded, nil)
			labels, _, _ := newPage(Style{}).labelsOf(o, whole)
			got := strings.Join(labels, "\n")
			if host := top.Hosts[0]; host.Details != nil {
				for i := range host.Details.Kinds { // lstopo's console does not name the kinds of cores
					got = strings.ReplaceAll(got, " ("+host.Details.Kinds[i].Name()+")", "")
				}
			}
			if diff := cmp.Diff(strings.TrimSpace(string(out)), got); diff != "" {
				t.Errorf("%s (-lstopo +ours):\n%s", filepath.Base(file), diff)
			}
		}
	}
}

// Kinds of cores come after the tree, a line each, with what tells them apart; where nobody ranks
// them they have no number, and one kind for all PUs is none.
func TestHardwareKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kinds []hw.Kind
		want  []string
	}{
		{[]hw.Kind{
			{CPUSet: hw.SetRange(2, 3), Efficiency: 0, Infos: []hw.Info{{Name: "FrequencyMaxMHz", Value: "3400"}, {Name: "CoreType", Value: "IntelAtom"}}},
			{CPUSet: hw.SetRange(0, 1), Efficiency: 1, Infos: []hw.Info{{Name: "FrequencyBaseMHz", Value: "2000"}}},
		}, []string{"kind 0 (IntelAtom, up to 3400 MHz): PUs 2-3", "kind 1 (2000 MHz): PUs 0-1"}},
		{[]hw.Kind{
			{CPUSet: hw.SetRange(0, 1), Efficiency: hw.Unknown, Infos: []hw.Info{{Name: "LinuxCapacity", Value: "512"}}},
			{CPUSet: hw.SetOf(2), Efficiency: hw.Unknown},
		}, []string{"kind (capacity 512): PUs 0-1", "kind: PUs 2"}},
		{[]hw.Kind{{CPUSet: hw.SetRange(0, 3)}}, nil},
		{[]hw.Kind{{CPUSet: hw.SetRange(0, 2)}}, []string{"kind 0: PUs 0-2"}},
	} {
		top := worlds.Synthesized(t, "core:4")
		top.Root.Details = &hw.Details{Kinds: c.kinds}
		got := hardwareOf(t, top, true)[6:]
		if diff := cmp.Diff(strings.Join(c.want, "\n"), strings.Join(got, "\n")); diff != "" {
			t.Error(diff)
		}
	}
}

// MPI_Get_hw_resource_info in Figure 7.3: P6 and P7 may run on two cores, so they are restricted to
// one of everything but Core and PU.
func TestHWInfo(t *testing.T) {
	t.Parallel()
	topo, b := worlds.Figure73(t)
	v := newSession(t, topo, b).view()
	want := []string{
		`resource type     instances  "true" on ranks  "false" on ranks`,
		"hwloc://Machine           1  0-11             -",
		"commsplit://Rack          2  0-11             -",
		"hwloc://Group             3  0-11             -",
		"hwloc://NUMANode          3  0-11             -",
		"hwloc://Package           6  0-11             -",
		"hwloc://Core             12  0-5,8-11         6-7",
		"hwloc://PU               12  0-5,8-11         6-7",
		"HW_UNGUIDED passes over hwloc://Group",
	}
	if d := cmp.Diff(want, lines(t, 80, func(b *strings.Builder, st Style) error { return HWInfo(b, v, st) })); d != "" {
		t.Error(d)
	}
}

// Devices show with what they are local to, what groups the ranks there, and who these are: on Frontier
// the GPUs 4 and 5 are beside the first cores [OLCF user guide]. A rank on two NUMA nodes is near to none.
func TestHWInfoDevices(t *testing.T) {
	t.Parallel()
	topo, _ := preset.Lookup("frontier")
	v := newSession(t, topo, worlds.Place(t, topo, 8, placement.Policy{List: "0-7,8-15,16-23,24-31,32-39,40-47,48-55,0-31"})).view()
	got := lines(t, 100, func(b *strings.Builder, st Style) error { return HWInfo(b, v, st) })
	want := []string{
		"hsn2 is local to NUMANode L#0: use hwloc://NUMANode (ranks 0-1)",
		"rsmi4 is local to L3Cache L#0: use hwloc://L3Cache (rank 0)",
		"rsmi5 is local to L3Cache L#1: use hwloc://L3Cache (rank 1)",
		"hsn1 is local to NUMANode L#1: use hwloc://NUMANode (ranks 2-3)",
		"rsmi2 is local to L3Cache L#2: use hwloc://L3Cache (rank 2)",
		"rsmi3 is local to L3Cache L#3: use hwloc://L3Cache (rank 3)",
		"hsn3 is local to NUMANode L#2: use hwloc://NUMANode (ranks 4-5)",
		"rsmi6 is local to L3Cache L#4: use hwloc://L3Cache (rank 4)",
		"rsmi7 is local to L3Cache L#5: use hwloc://L3Cache (rank 5)",
		"hsn0 is local to NUMANode L#3: use hwloc://NUMANode (rank 6)",
		"rsmi0 is local to L3Cache L#6: use hwloc://L3Cache (rank 6)",
		"rsmi1 is local to L3Cache L#7: use hwloc://L3Cache",
	}
	if d := cmp.Diff(want, got[len(got)-len(want):]); d != "" {
		t.Error(d)
	}
}

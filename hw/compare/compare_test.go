package compare_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/compare"
	"codeberg.org/commsplit/commsplit/hw/source"
)

func machine(t *testing.T, spec string) *hw.Topology {
	t.Helper()
	m, err := source.Load(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// lines are the differences of two machines, in words.
func lines(a, b *hw.Topology) []string {
	var list []string
	for _, d := range compare.Of(a, b) {
		list = append(list, d.Text("A", "B"))
	}
	return list
}

// What is the same on many objects is one difference, and what goes with PUs is told with them.
func TestDifferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about, a, b string
		want        []string
	}{
		{"two parsings of one text", "pack:2 [numa] l3:1 core:4 pu:2", "pack:2 [numa] l3:1 core:4 pu:2", nil},
		{"SMT, PUs of a core far apart", "core:4 pu:2(indexes=2*4:4*1)", "core:4 pu:2(indexes=2*4:4*1) offline=4-7",
			[]string{"PU: 8 in A, 4 in B; only in A: 4-7; SMT is off in B"}},
		{"SMT, PUs of a core side by side", "pack:2 core:2 pu:2", "pack:2 core:2",
			[]string{"PU: 8 (2 a core) in A, 4 (1 a core) in B; SMT is off in B"}},
		{"SMT, the other way round", "pack:2 core:2", "pack:2 core:2 pu:2",
			[]string{"PU: 4 (1 a core) in A, 8 (2 a core) in B; SMT is off in A"}},
		{"a PU switched off", "core:8", "core:8 offline=3",
			[]string{"PU: 8 in A, 7 in B; only in A: 3, with 1 Core; they are switched off in B"}},
		{"PUs not allowed", "core:4 disallow=0-1", "core:4",
			[]string{"PU: 2 in A, 4 in B; only in B: 0-1, with 2 Cores; they are not allowed in A"}},
		{"PUs that neither may use", "core:4 offline=0", "core:4 restrict=1-3", []string{"PU out of use: 0 in A, none in B"}},
		{"a package less", "pack:2 [numa] l3:1 core:2", "pack:2 [numa] l3:1 core:2 restrict=0-1",
			[]string{"PU: 4 in A, 2 in B; only in A: 2-3, with 1 Package, 1 NUMANode, 1 L3Cache, 2 Cores"}},
		{"memory and caches", "pack:2 [numa(memory=64GiB)] l3:1(size=32MiB) core:2", "pack:2 [numa(memory=48GiB)] l3:1(size=16MiB) core:2",
			[]string{"NUMANode L#0-1 memory: 64GB in A, 48GB in B", "L3Cache L#0-1 size: 32MB in A, 16MB in B"}},
		{"memory less than a hundredth apart", "pack:1 [numa(memory=1000MiB)] core:2", "pack:1 [numa(memory=991MiB)] core:2", nil},
		{"memory more than a hundredth apart", "pack:1 [numa(memory=1000MiB)] core:2", "pack:1 [numa(memory=989MiB)] core:2",
			[]string{"NUMANode L#0 memory: 1000MB in A, 989MB in B"}},
		{"other NUMA nodes", "pack:2 numa:2(memory=1GiB) core:4", "pack:2 [numa(memory=2GiB)] core:8",
			[]string{"NUMANode: 4 of 4 PUs in A, 2 of 8 PUs in B"}},
		{"numbers of PUs", "pack:2 core:2 pu:2", "pack:2 core:2 pu:2(indexes=2*4:4*1)",
			[]string{"PU L#1-6 number: P#1, P#2, P#3 and 3 more in A, P#4, P#1, P#5 and 3 more in B"}},
		{"all PUs have other numbers", "core:4 pu:1(indexes=4-7)", "core:4",
			[]string{"PU L#0-3 number: P#4, P#5, P#6 and 1 more in A, P#0, P#1, P#2 and 1 more in B"}},
		{"kinds of cores", "{core:2(kind=IntelCore efficiency=1) ; core:2(kind=IntelAtom efficiency=0)}", "core:4",
			[]string{"kind of cores: 2 in A, 1 in B"}},
		{"a host less", "machine:3 core:2", "machine:2 core:2", []string{"Machine: 3 in A, 2 in B; only in A: node2"}},
		{"one host of three", "cn[1-3]=core:2", "cn[1,2]=core:2+cn3=core:3", []string{
			"cn3: PU: 2 in A, 3 in B; only in B: 2, with 1 Core"}},
		{"names alone", "cn1=core:2", "cn2=core:2", nil},
		{"distances", "../../cmd/testdata/figures.xml", "../../cmd/testdata/figures.xml", nil},
		{"devices", "dgx-a100", "dgx-a100 slurm(socket=numa)", nil},
	} {
		if diff := cmp.Diff(c.want, lines(machine(t, c.a), machine(t, c.b))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.about, diff)
		}
	}
}

// device is a network card below a PCI device at an address.
func device(name, bus string) *hw.Device {
	return &hw.Device{Type: "PCIDev", Attrs: []hw.Info{{Name: "pci_busid", Value: bus}, {Name: "pci_type", Value: "0200 [15b3:101b] [15b3:0007] 00"}},
		Devices: []*hw.Device{{Type: "OSDev", Name: name, Attrs: []hw.Info{{Name: "osdev_type", Value: "2"}}}}}
}

// packages is a machine of two packages of one PU, with devices on each.
func packages(devices [2][]*hw.Device, infos ...hw.Info) *hw.Topology {
	root := &hw.Object{Type: hw.Machine}
	var list []*hw.Object
	for i := range 2 {
		list = append(list, &hw.Object{Type: hw.Package, OSIndex: i, CPUSet: hw.SetOf(i)}, &hw.Object{Type: hw.PU, OSIndex: i, CPUSet: hw.SetOf(i)})
	}
	hw.Build(root, list, nil)
	for i, d := range devices {
		root.Children[i].Detailed().Devices = d
	}
	root.Detailed().Infos = infos
	return hw.New("", root)
}

// Devices are compared by presence, address and place, infos where both machines have them.
func TestDevicesAndInfos(t *testing.T) {
	t.Parallel()
	eth0, moved := device("eth0", "0000:01:00.0"), device("eth0", "0000:02:00.0")
	eth1 := device("eth1", "0000:81:00.0")
	bios := func(version string) hw.Info { return hw.Info{Name: "DMIBIOSVersion", Value: version} }
	for _, c := range []struct {
		about string
		a, b  *hw.Topology
		want  []string
	}{
		{"equal", packages([2][]*hw.Device{{eth0}, {eth1}}), packages([2][]*hw.Device{{eth0}, {eth1}}), nil},
		{"one less", packages([2][]*hw.Device{{eth0}, {eth1}}), packages([2][]*hw.Device{{eth0}, nil}),
			[]string{"Network eth1: there in A, not there in B"}},
		{"another address", packages([2][]*hw.Device{{eth0}}), packages([2][]*hw.Device{{moved}}),
			[]string{"Network eth0 bus: 0000:01:00.0 in A, 0000:02:00.0 in B"}},
		{"another place", packages([2][]*hw.Device{{eth0}}), packages([2][]*hw.Device{nil, {eth0}}),
			[]string{"Network eth0 near to: Package L#0 in A, Package L#1 in B"}},
		{"a description without devices", packages([2][]*hw.Device{{eth0}, {eth1}}), packages([2][]*hw.Device{}),
			[]string{"devices: 2 in A, 0 in B"}},
		{"firmware", packages([2][]*hw.Device{}, bios("1.2"), hw.Info{Name: "Backend", Value: "Linux"}),
			packages([2][]*hw.Device{}, bios("1.3"), hw.Info{Name: "Backend", Value: "x86"}),
			[]string{"Machine DMIBIOSVersion: 1.2 in A, 1.3 in B"}},
	} {
		if diff := cmp.Diff(c.want, lines(c.a, c.b)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.about, diff)
		}
	}
}

// Matrices of one name are compared by their values.
func TestDistances(t *testing.T) {
	t.Parallel()
	far := func(values ...uint64) *hw.Topology {
		m := packages([2][]*hw.Device{})
		root := m.Root.Copy()
		root.Detailed().Matrices = []hw.Matrix{{Name: "NUMALatency", Kind: hw.FromOS, Ends: []hw.End{{Object: root.Children[0]}, {Object: root.Children[1]}}, Values: values}}
		return hw.New("", root)
	}
	want := []string{"distances NUMALatency: 10 21 21 10 in A, 10 32 32 10 in B"}
	if diff := cmp.Diff(want, lines(far(10, 21, 21, 10), far(10, 32, 32, 10))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := lines(far(10, 21, 21, 10), far(10, 21, 21, 10)); got != nil {
		t.Errorf("equal: %q", got)
	}
}

// Machines that have nothing in common make a list that is short all the same.
func TestUnlikeMachinesAreShort(t *testing.T) {
	t.Parallel()
	list := lines(machine(t, "frontier"), machine(t, "laptop-hybrid"))
	if len(list) == 0 || len(list) > 14 {
		t.Errorf("%d differences:\n%s", len(list), strings.Join(list, "\n"))
	}
}

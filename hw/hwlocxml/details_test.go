package hwlocxml_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// devicesAndKinds is a machine with every kind of device, infos, serial numbers
// and three kinds of cores; PU 4 is off.
const devicesAndKinds = `<topology version="2.0">
<object type="Machine" os_index="0" cpuset="0xf" complete_cpuset="0x1f" nodeset="0x1">
 <info name="Backend" value="Linux"/><info name="DMIProductSerial" value="1"/><info name="HostName" value="alpha"/>
 <object type="NUMANode" os_index="0" cpuset="0xf" nodeset="0x1"><object type="Misc" name="dimm"/></object>
 <object type="Package" os_index="0" cpuset="0x3" complete_cpuset="0x13" nodeset="0x1">
  <info name="CPUVendor" value="a &lt; b"/><info name="CPUModel" value="Model"/>
  <object type="PU" os_index="0" cpuset="0x1" nodeset="0x1"/>
  <object type="PU" os_index="1" cpuset="0x2" nodeset="0x1"/>
 </object>
 <object type="Package" os_index="1" cpuset="0xc" nodeset="0x1">
  <object type="Misc" subtype="Note" name="first"><object type="Misc" name="inner"/></object>
  <object type="PU" os_index="2" cpuset="0x4" nodeset="0x1"/>
  <object type="PU" os_index="3" cpuset="0x8" nodeset="0x1"/>
  <object type="Bridge" gp_index="9" bridge_type="0-1" depth="0" bridge_pci="0000:[00-01]">
   <object type="PCIDev" pci_busid="0000:01:00.0" pci_type="0200 [8086:1521] [00ff:0000] 01" pci_link_speed="0.250000">
    <info name="PCIDevice" value="I350"/>
    <object type="Misc" name="tag"/><object type="OSDev" name="eth0" osdev_type="2"><info name="Address" value="00:11"/></object>
   </object>
  </object>
 </object>
</object>
<cpukind cpuset="0x1"><info name="CoreType" value="IntelCore"/></cpukind>
<cpukind cpuset="0x12"><info name="CoreType" value="IntelAtom"/></cpukind>
<cpukind cpuset="0xf00"><info name="CoreType" value="IntelLowPower"/></cpukind>
</topology>
`

// Devices are below their object, I/O before Misc; serial numbers are left out;
// kinds are ranked, and only have PUs that the machine has.
func TestDetails(t *testing.T) {
	t.Parallel()
	top, err := hwlocxml.Read(strings.NewReader(devicesAndKinds))
	if err != nil {
		t.Fatal(err)
	}
	machine := top.Root
	if got := fmt.Sprint(machine.Details.Infos, " ", machine.Name, " ", machine.Details.Offline); got != "[{Backend Linux}] alpha 4" {
		t.Error(got)
	}
	if got := fmt.Sprint(machine.Memory[0].Devices()[0].Name); got != "dimm" {
		t.Error(got)
	}
	first, second := machine.Children[0], machine.Children[1]
	if got := fmt.Sprint(first.Details.Infos, " ", first.Name, " ", first.Details.Offline); got != "[{CPUVendor a < b}] Model 4" {
		t.Error(got)
	}
	eth := &hw.Device{Type: "OSDev", Name: "eth0", Attrs: []hw.Info{{Name: "osdev_type", Value: "2"}},
		Infos: []hw.Info{{Name: "Address", Value: "00:11"}}}
	card := &hw.Device{Type: "PCIDev", Devices: []*hw.Device{eth, {Type: "Misc", Name: "tag"}}, Infos: []hw.Info{{Name: "PCIDevice", Value: "I350"}},
		Attrs: []hw.Info{{Name: "pci_busid", Value: "0000:01:00.0"},
			{Name: "pci_type", Value: "0200 [8086:1521] [00ff:0000] 01"}, {Name: "pci_link_speed", Value: "0.250000"}}}
	bridge := &hw.Device{Type: "Bridge", Devices: []*hw.Device{card}, Attrs: []hw.Info{{Name: "bridge_type", Value: "0-1"},
		{Name: "depth", Value: "0"}, {Name: "bridge_pci", Value: "0000:[00-01]"}}}
	note := &hw.Device{Type: "Misc", Subtype: "Note", Name: "first", Devices: []*hw.Device{{Type: "Misc", Name: "inner"}}}
	if diff := cmp.Diff([]*hw.Device{bridge, note}, second.Devices()); diff != "" {
		t.Error(diff)
	}
	kinds := fmt.Sprint(machine.Details.Kinds)
	if want := "[{1 4 0 [{CoreType IntelAtom}]} {0  1 [{CoreType IntelCore}]}]"; kinds != want {
		t.Errorf("kinds %s, want %s", kinds, want)
	}
}

// An object with devices stays, as in hwloc, when the file does not allow the
// object's PUs; a kind whose PUs are all gone goes, too.
func TestDetailsRestricted(t *testing.T) {
	t.Parallel()
	text := strings.Replace(devicesAndKinds, "complete_cpuset", `allowed_cpuset="0x1" complete_cpuset`, 1)
	top, err := hwlocxml.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(top.Objects(hw.Package)); n != 2 {
		t.Errorf("%d packages", n)
	}
	d := top.Root.Details
	if got := fmt.Sprint(d.Kinds, d.Offline, d.Disallowed); got != "[{0  0 [{CoreType IntelCore}]}] 4 1-3" {
		t.Error(got)
	}
}

// In format 3 a device may be several things at once. In hwloc 3's own description
// of the recorded machine, dax0.0 is memory, enp0s2 a network, sda a disk, mem0
// memory and storage.
func TestFormat3Devices(t *testing.T) {
	t.Parallel()
	for bits, want := range map[string]string{"1": "0", "2": "0", "3": "0", "4": "1", "12": "5", "16": "2", "48": "3", "64": "4", "128": "128"} {
		text := strings.Replace(strings.Replace(devicesAndKinds, "2.0", "3.0", 1), `osdev_type="2"`, `osdev_type="`+bits+`"`, 1)
		top, err := hwlocxml.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		eth := top.Root.Children[1].Devices()[0].Devices[0].Devices[0]
		if got := eth.Attr("osdev_type"); got != want {
			t.Errorf("%s is %s, want %s", bits, got, want)
		}
	}
}

// Kinds are those of lstopo, in lstopo's order, with the PUs that the machine has.
func TestKindsLstopo(t *testing.T) {
	t.Parallel()
	lstopo := judge.Ask(t, "lstopo-no-graphics")
	core, base, most := ` name="CoreType" value="Intel`, ` name="FrequencyBaseMHz" value="`, ` name="FrequencyMaxMHz" value="`
	one, _, err := synthetic.Parse("core:4")
	if err != nil {
		t.Fatal(err)
	}
	bare := written(t, hw.New("", one))
	files, _ := filepath.Glob(filepath.Join(recordings(), "*", "*.xml"))
	for i, kinds := range []string{
		kind("0x1", "", core+"Core") + kind("0xe", "", core+"Atom"),
		kind("0x3", "", most+"3000") + kind("0xc", "", most+"2000"),
		kind("0x3", "", most+"3000", base+"1000") + kind("0xc", "", most+"2000", base+"1500"),
		kind("0x3", "", most+"3000", base+"1000") + kind("0xc", "", most+"2000"),
		kind("0x3", "3", most+"3000") + kind("0xc", "", most+"2000"),
		kind("0x3", "7", most+"1000") + kind("0xc", "2", most+"2000"),
		kind("0x3", "2", most+"3000") + kind("0xc", "2", most+"2000"),
		kind("0x3", "", most+"1") + kind("0xc", "", most+"1"),
		kind("0x1", "", core+"Core", most+"10") + kind("0x2", "", core+"Core", most+"9") + kind("0xc", "", core+"Atom", most+"20"),
		kind("0x1", "", core+"Core") + kind("0x2", "", core+"Core") + kind("0xc", "", core+"Atom"),
		kind("0x1", "", core+"Core", most+"10") + kind("0x2", "", most+"9") + kind("0xc", "", core+"Atom", most+"20"),
		kind("0x1", "", core+"Core", most+"10") + kind("0x2", "", core+"Atom"),
		kind("0x1", "") + kind("0x6", ""), kind("0x7", ""),
	} {
		file := filepath.Join(t.TempDir(), fmt.Sprint(i)+".xml")
		text := strings.Replace(bare, "</topology>", kinds+"</topology>", 1)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		top, err := hwlocxml.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(lstopo, "-i", file, "--cpukinds").Output()
		if err != nil && !strings.Contains(file, ".v3.") {
			t.Fatal(err)
		}
		if diff := cmp.Diff(kindsInText(t, string(out), top.Root.CPUSet), kindsInTree(top)); diff != "" {
			t.Errorf("%s (-lstopo +ours):\n%s", filepath.Base(file), diff)
		}
	}
}

func kind(cpuset, forced string, infos ...string) string {
	text := `<cpukind cpuset="` + cpuset + `"`
	if forced != "" {
		text += ` forced_efficiency="` + forced + `"`
	}
	text += ">"
	for _, i := range infos {
		text += "<info" + i + `"/>`
	}
	return text + "</cpukind>"
}

func kindsInTree(top *hw.Topology) (list []string) {
	if top.Root.Details == nil {
		return nil
	}
	for _, k := range top.Root.Details.Kinds {
		list = append(list, fmt.Sprint(k.Efficiency, " ", k.CPUSet))
	}
	return list
}

// kindsInText reads lines such as "CPU kind #0 efficiency 0 cpuset 0x00003000".
func kindsInText(t *testing.T, text string, machine hw.Set) (list []string) {
	t.Helper()
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if i := slices.Index(words, "cpuset"); i >= 0 {
			list = append(list, fmt.Sprint(words[i-1], " ", listedSet(t, words[i+1]).Intersect(machine)))
		}
	}
	return list
}

// hwloc writes the parts of a GPU below the GPU: each part is a device of its own, at the GPU's address and near to the
// GPU's PUs, and a file that is written has the part there again.
func TestPartsOfDevices(t *testing.T) {
	t.Parallel()
	const text = `<topology version="2.0">
<object type="Machine" os_index="0" cpuset="0x3" nodeset="0x3" gp_index="1">
 <object type="Package" os_index="0" cpuset="0x1" nodeset="0x1" gp_index="2">
  <object type="NUMANode" os_index="0" cpuset="0x1" nodeset="0x1" gp_index="3"/>
  <object type="PU" os_index="0" cpuset="0x1" nodeset="0x1" gp_index="4"/></object>
 <object type="Package" os_index="1" cpuset="0x2" nodeset="0x2" gp_index="5">
  <object type="NUMANode" os_index="1" cpuset="0x2" nodeset="0x2" gp_index="6"/>
  <object type="PU" os_index="1" cpuset="0x2" nodeset="0x2" gp_index="7"/>
  <object type="PCIDev" gp_index="8" pci_busid="0000:18:00.0" pci_type="0380 [8086:0bd6] [8086:0000] 00">
   <object type="OSDev" gp_index="9" name="ze0" subtype="LevelZero" osdev_type="5">
    <object type="OSDev" gp_index="10" name="ze0.0" subtype="LevelZero" osdev_type="5"/>
    <object type="OSDev" gp_index="11" name="ze0.1" subtype="LevelZero" osdev_type="5"/>
</object></object></object></object></topology>`
	top, err := hwlocxml.Read(strings.NewReader(text))
	for range 2 { // as read, and as read from what is written
		if err != nil {
			t.Fatal(err)
		}
		whole := top.Located()[0]
		for i, name := range []string{"ze0", "ze0.0", "ze0.1"} {
			list, _ := top.NamedDevices(name)
			if len(list) != 1 || list[0].Name != name || list[0].BusID() != "0000:18:00.0" ||
				list[0].Object.CPUSet.String() != "1" || i > 0 && whole.Devices[i-1] != list[0].Device {
				t.Errorf("%s: %+v", name, list)
			}
		}
		var b strings.Builder
		if err = hwlocxml.Write(&b, top); err == nil {
			top, err = hwlocxml.Read(strings.NewReader(b.String()))
		}
	}
}

package sysfs_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
	"github.com/google/go-cmp/cmp"
)

// devices returns the I/O of a machine with two NUMA nodes of four PUs beside its CPUs: a GPU behind two
// bridges at node 0, an adapter with two names at node 1, a disk with several paths, on a bus that only
// has a list of PUs, some of each package; and devices of no interest.
func devices() tree {
	f := shape{packages: 2, dies: 1, nodes: 1, l3: 1, cores: 2, threads: 2}.files(hw.Set{})
	pci := func(path, class, vendor, device string) {
		id := path[strings.LastIndex(path, "/")+1:]
		f["sys/bus/pci/devices/"+id] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("../../../devices/" + path)}
		f.put("sys/devices/"+path+"/class", "0x%s00", class)
		f.put("sys/devices/"+path+"/vendor", "0x%s", vendor)
		f.put("sys/devices/"+path+"/device", "0x%s", device)
	}
	class := func(folder, name, path string) {
		f["sys/class/"+folder+"/"+name] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("../../devices/" + path + "/" + folder + "/" + name)}
		f.put("sys/devices/"+path+"/"+folder+"/"+name+"/uevent", "")
	}
	pci("pci0000:00/0000:00:00.0", "0600", "8086", "0001")
	pci("pci0000:00/0000:00:01.0", "0604", "8086", "0002")
	pci("pci0000:00/0000:00:01.0/0000:01:00.0", "0604", "10b5", "8796")
	pci("pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:00.0", "0302", "10de", "20b0")
	pci("pci0000:00/0000:00:02.0", "0604", "8086", "0003") // leads nowhere
	pci("pci0000:00/0000:00:14.0", "0c03", "8086", "0004") // USB
	f.put("sys/devices/pci0000:00/0000:00:00.0/numa_node", "0")
	class("drm", "card0", "pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:00.0")
	class("drm", "card0-DP-1", "pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:00.0")
	pci("pci0000:80/0000:81:00.0", "0207", "15b3", "101b")
	f.put("sys/devices/pci0000:80/0000:81:00.0/numa_node", "1")
	class("net", "ib0", "pci0000:80/0000:81:00.0")
	class("infiniband", "mlx5_0", "pci0000:80/0000:81:00.0")
	class("net", "lo", "virtual")
	pci("pci0000:c0/0000:c1:00.0", "0108", "144d", "a808")
	f.put("sys/devices/pci0000:c0/0000:c1:00.0/numa_node", "-1")
	f.put("sys/devices/pci0000:c0/0000:c1:00.0/local_cpus", "0f")
	class("nvme", "nvme3", "pci0000:c0/0000:c1:00.0")
	class("block", "nvme3n1", "virtual/nvme-subsystem/nvme-subsys3")
	f.put("sys/devices/virtual/nvme-subsystem/nvme-subsys3/block/nvme3n1/device/model", "SAMSUNG MZ  \n")
	class("block", "nvme3n1p1", "virtual/nvme-subsystem/nvme-subsys3")
	f.put("sys/devices/virtual/nvme-subsystem/nvme-subsys3/block/nvme3n1p1/partition", "1")
	class("block", "loop0", "virtual")
	return f
}

// hanging lists the devices with the objects above them: "Package L#0: Bridge 0000:[00-02] > ...".
func hanging(top *hw.Topology) (lines []string) {
	var write func(d *hw.Device) string
	write = func(d *hw.Device) string {
		words := []string{d.Type}
		for _, a := range []string{"bridge_pci", "pci_busid", "pci_type", "osdev_type"} {
			if v := d.Attr(a); v != "" {
				words = append(words, v)
			}
		}
		text := strings.TrimSpace(strings.Join(append(words, d.Name), " "))
		for _, below := range d.Devices {
			text += " > " + write(below)
		}
		return text
	}
	for o := range top.Root.All() {
		for _, d := range o.Devices() {
			lines = append(lines, o.TypeName()+" P#"+hw.SetOf(max(o.OSIndex, 0)).String()+": "+write(d))
		}
	}
	return lines
}

// Devices are below the object that the kernel calls near to their bus, with the bridges on the way and
// the names that the kernel gives them. Left out are devices that hwloc finds of no interest, bridges to
// nowhere, partitions, connectors, and devices that exist only in software, but not a disk with several
// paths.
func TestDevices(t *testing.T) {
	t.Parallel()
	m, err := sysfs.Read(fstest.MapFS(devices()))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Machine P#0: Bridge 0000:[c1-c1] > PCIDev 0000:c1:00.0 0108 [144d:a808] [0000:0000] 00 > OSDev 0 nvme3n1",
		"Package P#0: Bridge 0000:[00-02] > Bridge 0000:[01-02] 0000:00:01.0 0604 [8086:0002] [0000:0000] 00" +
			" > Bridge 0000:[02-02] 0000:01:00.0 0604 [10b5:8796] [0000:0000] 00" +
			" > PCIDev 0000:02:00.0 0302 [10de:20b0] [0000:0000] 00 > OSDev 1 card0",
		"Package P#1: Bridge 0000:[81-81] > PCIDev 0000:81:00.0 0207 [15b3:101b] [0000:0000] 00 > OSDev 2 ib0 > OSDev 3 mlx5_0",
	}
	top := hw.New("", m.Root, m.Notes...)
	if d := cmp.Diff(want, hanging(top)); d != "" {
		t.Error(d)
	}
	disk := top.Located()[0]
	if disk.Name != "nvme3n1" || disk.Model() != "SAMSUNG MZ" || disk.BusID() != "0000:c1:00.0" || len(m.Notes) > 0 {
		t.Errorf("%s, model %q, at %q; %q", disk.Name, disk.Model(), disk.BusID(), m.Notes)
	}
}

// When files of devices make no sense, the devices are left out, with a note; the tree stays.
func TestDevicesDamaged(t *testing.T) {
	t.Parallel()
	for path, text := range map[string]string{
		"sys/devices/pci0000:80/0000:81:00.0/class":      "network",
		"sys/devices/pci0000:80/0000:81:00.0/numa_node":  "many",
		"sys/devices/pci0000:c0/0000:c1:00.0/local_cpus": "xyz",
	} {
		f := devices()
		f.put(path, "%s", text)
		m, err := sysfs.Read(fstest.MapFS(f))
		if err != nil || len(m.Notes) != 1 || !strings.HasPrefix(m.Notes[0], "devices are unknown: sys/bus/pci/devices/0000:") {
			t.Fatalf("%s: %v, %q", path, err, m.Notes)
		}
		if top := hw.New("", m.Root); len(hanging(top)) > 0 || len(top.Objects(hw.PU)) != 8 {
			t.Errorf("%s: %q", path, hanging(top))
		}
	}
}

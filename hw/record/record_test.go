package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
)

// secret marks text that must not be in an archive.
const secret = "XYZZY"

// machine returns a /proc and /sys of two cores with a cgroup that allows PU 1, full of private data.
func machine() fstest.MapFS {
	f := fstest.MapFS{}
	put := func(path, text string) { f[path] = &fstest.MapFile{Data: []byte(text + "\n"), Mode: 0o444} }
	put(cpu+"online", "0-1")
	put(cpu+"modalias", secret)
	put("proc/cpuinfo", "processor\t: 0\nmicrocode\t: "+secret+"\nphysical id\t: 0\n\nprocessor\t: 1\n\n"+
		"Hardware\t: "+secret+"\nSerial\t\t: "+secret)
	put("proc/meminfo", "MemTotal:  4096 kB\nMemFree: 77"+secret+" kB")
	put("proc/mounts", "/dev/"+secret+" / ext4 rw 0 0\nx /cg"+secret+" cgroup rw,cpuset,release_agent=/"+secret+" 0 0")
	put("proc/self/cgroup", "5:name="+secret+":/\n3:cpuset:/pod"+secret)
	put("cg"+secret+"/pod"+secret+"/cpuset.cpus", "1")
	put("cg"+secret+"/cpuset.mems", "0")
	put("proc/self/status", "Name:\t"+secret+"\nPid:\t77\nCpus_allowed_list:\t1\nMems_allowed_list:\t0")
	put("proc/self/cmdline", secret)
	put("proc/sys/kernel/hostname", secret)
	put("proc/driver/nvidia/gpus/"+secret+"/numa_status", "Node: 9\nSerial: "+secret)
	put("sys/class/dmi/id/product_uuid", secret)
	put("sys/class/net/eth0/address", secret)
	for i := range 2 {
		c := fmt.Sprintf("%scpu%d/", cpu, i)
		put(c+"topology/core_id", fmt.Sprint(i))
		put(c+"topology/ppin", secret)
		put(c+"topology/core_cpus", fmt.Sprint(1<<i))
		put(c+"topology/package_cpus", "3")
		put(c+"crash_notes", secret)
		f[fmt.Sprintf("%snode0/cpu%d", node, i)] = &fstest.MapFile{Mode: fs.ModeDir}
	}
	put(node+"online", "0,9")
	put(node+"node0/cpumap", "3")
	put(node+"node0/meminfo", "Node 0 MemTotal: 4096 kB\nNode 0 Active: "+secret)
	put(node+"node0/vmstat", secret)
	put(node+"node9/cpumap", "0")
	put(node+"node9/meminfo", "Node 9 MemTotal: 1 kB")
	return f
}

// The copy reads back as the machine, cgroup and GPU's node included, has no private data, and is the same
// every time.
func TestOf(t *testing.T) {
	t.Parallel()
	var archives [2]bytes.Buffer
	for i := range archives {
		r, err := Of(t.Context(), machine())
		if err != nil {
			t.Fatal(err)
		}
		if err := r.WriteTar(&archives[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(archives[0].Bytes(), archives[1].Bytes()) {
		t.Error("two archives of one machine differ")
	}
	if at := strings.Index(archives[0].String(), secret); at >= 0 {
		t.Errorf("the archive holds %q", archives[0].String()[max(0, at-300):at+40])
	}
	m, err := fsroot.ReadArchive(t.Context(), &archives[0])
	if err != nil {
		t.Fatal(err)
	}
	want := "cgroup allows PU 1 of 0-1"
	if len(m.Notes) != 1 || m.Notes[0] != want || m.Allowed.String() != "1" || m.Memory != 4096<<10 {
		t.Errorf("notes %q, allowed %v, memory %d", m.Notes, m.Allowed, m.Memory)
	}
}

// Memory that the kernel took over from a device keeps its kind in the copy, without the device's address.
func TestDAX(t *testing.T) {
	t.Parallel()
	f := machine()
	delete(f, "proc/mounts")
	for i, device := range []string{"ndbus0/" + secret, "ACPI/" + secret} {
		name, n := fmt.Sprintf("dax%d.0", i), 10+i
		f["sys/bus/dax/devices/"+name] = &fstest.MapFile{Data: []byte("../../../devices/" + device + "/" + name), Mode: fs.ModeSymlink}
		f["sys/bus/dax/drivers/kmem/"+name] = &fstest.MapFile{}
		f["sys/devices/"+device+"/"+name+"/target_node"] = &fstest.MapFile{Data: []byte(fmt.Sprint(n))}
		f[fmt.Sprintf("%snode%d/cpumap", node, n)] = &fstest.MapFile{Data: []byte("3")}
		f[fmt.Sprintf("%snode%d/meminfo", node, n)] = &fstest.MapFile{Data: fmt.Appendf(nil, "Node %d MemTotal: 1 kB", n)}
	}
	f["sys/bus/dax/drivers/kmem/bind"] = &fstest.MapFile{Data: []byte(secret)}
	f[node+"online"] = &fstest.MapFile{Data: []byte("0,9-11")}
	f[node+"node0/cpumap"] = &fstest.MapFile{Data: []byte("0")}
	f[node+"node10/cpumap"] = &fstest.MapFile{Data: []byte("1")}
	f[node+"node11/cpumap"] = &fstest.MapFile{Data: []byte("2")}
	r, err := Of(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	if err := r.WriteTar(&archive); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(archive.String(), secret) {
		t.Error("the archive tells the device's path")
	}
	m, err := fsroot.ReadArchive(t.Context(), &archive)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[int]string{}
	for o := range m.Root.All() {
		if o.Type == hw.NUMANode {
			kinds[o.OSIndex] = o.Subtype
		}
	}
	if kinds[10] != "NVM" || kinds[11] != "SPM" {
		t.Errorf("kinds of memory %v", kinds)
	}
}

// Devices are read back at their places, with the names that programs know. Text that identifies the machine
// stays behind: network addresses, in names too, serial numbers, and the UUIDs of paths.
func TestDevices(t *testing.T) {
	t.Parallel()
	f := machine()
	put := func(path, text string) { f[path] = &fstest.MapFile{Data: []byte(text + "\n"), Mode: 0o444} }
	link := func(path, to string) { f[path] = &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	const bridge = "pci0000:00/0000:00:01.0"
	for path, class := range map[string]string{bridge: "060400", bridge + "/0000:01:00.0": "030200", bridge + "/0000:01:00.1": "020000",
		"VMBUS:00/" + secret + "/pcif00d:00/f00d:00:02.0": "010802"} {
		link("sys/bus/pci/devices/"+path[strings.LastIndexByte(path, '/')+1:], "../../../devices/"+path)
		put("sys/devices/"+path+"/class", "0x"+class)
		put("sys/devices/"+path+"/numa_node", "0")
		put("sys/devices/"+path+"/vpd", secret)
	}
	name := func(class, name, path string) string {
		link("sys/class/"+class+"/"+name, "../../devices/"+path+"/"+class+"/"+name)
		return "sys/devices/" + path + "/" + class + "/" + name + "/"
	}
	name("drm", "card0", bridge+"/0000:01:00.0")
	put(name("net", "enx00decafc0ffe", bridge+"/0000:01:00.1")+"address", secret)
	put(name("net", "enx00decafc0fff", bridge+"/0000:01:00.1")+"address", secret)
	put(name("infiniband", "mlx5_0", bridge+"/0000:01:00.1")+"node_guid", secret)
	disk := name("block", "nvme0n1", "virtual/nvme-subsystem/nvme-subsys0")
	put(disk+"wwid", secret)
	put(disk+"device/serial", secret)
	put(disk+"device/model", "Disk")
	name("nvme", "nvme0", "VMBUS:00/"+secret+"/pcif00d:00/f00d:00:02.0")
	put(name("block", "dm-0", "virtual")+"dm/name", secret)
	put(name("block", "sda", "platform/host-"+secret)+"device/numa_node", "0")
	r, err := Of(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	if err := r.WriteTar(&archive); err != nil {
		t.Fatal(err)
	}
	for _, private := range []string{secret, "decaf"} {
		if strings.Contains(archive.String(), private) {
			t.Errorf("the archive tells %s", private)
		}
	}
	m, err := fsroot.ReadArchive(t.Context(), &archive)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range hw.New("", m.Root).Located() {
		got = append(got, strings.TrimSpace(d.Name+" "+d.BusID()+" "+d.Model()))
	}
	slices.Sort(got)
	want := []string{"card0 0000:01:00.0", "enx0 0000:01:00.1", "enx1 0000:01:00.1", "mlx5_0 0000:01:00.1", "nvme0n1 f00d:00:02.0 Disk", "sda"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// denied refuses to open one file.
type denied struct {
	fs.FS
	path string
}

func (d denied) Open(name string) (fs.File, error) {
	if name == d.path {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.FS.Open(name)
}

// Unreadable files are listed. There is no recording without the files that every reader needs, nor where the
// copy differs from the machine.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	f := machine()
	f[cpu+"cpu1/acpi_cppc/highest_perf"] = &fstest.MapFile{Data: []byte("1024\n")}
	r, err := Of(t.Context(), denied{f, cpu + "cpu1/acpi_cppc/highest_perf"})
	if err != nil {
		t.Fatal(err)
	}
	want := "/sys/devices/system/cpu/cpu1/acpi_cppc/highest_perf: permission denied"
	if len(r.Skipped) != 1 || r.Skipped[0] != want {
		t.Errorf("skipped %q, want %s", r.Skipped, want)
	}
	_, err = Of(t.Context(), denied{f, cpu + "cpu1/topology/core_cpus"})
	want = "cannot read /sys/devices/system/cpu/cpu1/topology/core_cpus, which every recording needs: permission denied"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// The serial number at the end of the old line of an s390 processor is cut off.
func TestCPULines(t *testing.T) {
	t.Parallel()
	in := "vendor_id       : IBM/S390\n# processors    : 1\nprocessor 0: version = FF,  identification = 0117C9,  machine = 2964\n"
	want := "vendor_id       : IBM/S390\nprocessor 0: version = FF\n"
	if got := cpuLines.of(in); got != want {
		t.Errorf("%q", got)
	}
}

// The suffix tells the format; an existing file stays unless it is to be replaced, and no other file is left
// behind.
func TestSave(t *testing.T) {
	t.Parallel()
	r, err := Of(t.Context(), machine())
	if err != nil {
		t.Fatal(err)
	}
	var tar bytes.Buffer
	if err := r.WriteTar(&tar); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "m.tar"), filepath.Join(dir, "m.tar.gz")
	if err := errors.Join(r.Save(plain, false), r.Save(packed, false)); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(plain); !bytes.Equal(data, tar.Bytes()) {
		t.Error("m.tar is not the archive")
	}
	if data := unzip(t, packed); !bytes.Equal(data, tar.Bytes()) {
		t.Error("m.tar.gz is not the archive")
	}
	if err := os.WriteFile(plain, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.Save(plain, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v, want that the file exists", err)
	}
	if data, _ := os.ReadFile(plain); string(data) != "mine" {
		t.Error("the file that was there is overwritten")
	}
	if err := r.Save(plain, true); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(plain); !bytes.Equal(data, tar.Bytes()) {
		t.Error("the file was to be replaced")
	}
	for _, name := range []string{"m.tar.bz2", "m.zip", "m"} {
		if err := r.Save(filepath.Join(dir, name), false); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

func unzip(t *testing.T, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

package probe_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/record"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
)

func asExit(err error, exit **exec.ExitError) bool { return errors.As(err, exit) }

// unpacked returns the files of an archive below a folder, and its links as "-> TARGET".
func unpacked(t *testing.T, r io.Reader, below string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		name, ok := strings.CutPrefix(h.Name, below)
		switch {
		case !ok || h.Typeflag == tar.TypeDir:
		case h.Typeflag == tar.TypeSymlink:
			files[name] = "-> " + h.Linkname
		default:
			files[name] = string(text)
		}
	}
}

// listed returns the files of a list, as unpacked does.
func listed(t *testing.T, list string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for list != "" {
		name, rest, _ := strings.Cut(list, "\n")
		number, rest, _ := strings.Cut(rest, "\n")
		size, err := strconv.Atoi(number)
		if err != nil || size > len(rest) {
			t.Fatalf("%q of %q", number, name)
		}
		text := rest[:size]
		if name[0] == '2' {
			text = "-> " + text
		}
		files[name[2:]], list = text, rest[size:]
	}
	return files
}

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// listOf returns the job.txt of an archive.
func listOf(t *testing.T, path string) string {
	t.Helper()
	return unpacked(t, open(t, path), "")["job.txt"]
}

// same compares two topologies, one kind of object after the other.
func same(t *testing.T, a, b *hw.Topology) {
	t.Helper()
	x, y := account.FromTree(a.Root.All()), account.FromTree(b.Root.All())
	for _, k := range account.Kinds(x, y) {
		if !account.Same(x[k], y[k]) {
			t.Errorf("%s: got %v, want %v", k, x[k], y[k])
		}
	}
}

// The hardware of a job on this machine is the same as lstopo's, both from hwloc and from /proc and
// /sys.
func TestHardwareLstopoHydra(t *testing.T) {
	t.Setenv(judge.HwlocComponents, judge.OnlySys)
	binary := hydra.build(t, "")
	out, err := exec.Command(judge.Ask(t, "lstopo", "lstopo-no-graphics"), "--of", "xml").Output()
	if err != nil {
		t.Skipf("no lstopo: %v", err)
	}
	want, err := hwlocxml.Read(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range sources(binary) {
		top, said := hydra.probed(t, append([]string{"-n", "2", "-bind-to", "core"}, from...)...)
		if hwloc := strings.Contains(said, "the hardware of 1 from hwloc"); hwloc != (len(from) == 1) {
			t.Errorf("%q: %s", from, said)
		}
		same(t, top, want)
	}
}

// own removes the files about the process, and the cgroup's limits: they differ in another process.
func own(files map[string]string) map[string]string {
	for name := range files {
		if strings.HasPrefix(name, "sys/fs/cgroup/") || name == "proc/self/status" || name == "proc/self/cgroup" || name == "proc/mounts" {
			delete(files, name)
		}
	}
	return files
}

// From /proc and /sys the program copies what "hw record" copies, byte by byte, on this machine and on
// recorded ones with GPUs, memory of devices, s390's cpuinfo and links between nodes.
func TestFilesHydra(t *testing.T) {
	t.Parallel()
	roots := map[string]string{"this": "/"}
	for _, name := range []string{"fakeheteromemtiers", "nvidiagpunumanodes", "20s390-2g6s4c", "64intel64-fakeKNL-SNC4-hybrid", "2arm-2c"} {
		if dir := recorded(t, name); dir != "" {
			roots[name] = dir
		}
	}
	for name, root := range roots {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary := hydra.build(t, strings.TrimSuffix(root, "/"))
			file := filepath.Join(t.TempDir(), "job.tar")
			if out, err := hydra.launch(t, "-n", "1", binary, "--sysfs", file); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			host, err := os.Hostname()
			if err != nil {
				t.Fatal(err)
			}
			r, err := record.Of(t.Context(), os.DirFS(root))
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := r.WriteTar(&b); err != nil {
				t.Fatal(err)
			}
			want := own(unpacked(t, &b, "machine/"))
			if len(want) < 20 {
				t.Fatalf("%d files", len(want))
			}
			if d := cmp.Diff(want, own(listed(t, unpacked(t, open(t, file), "hosts/")[host+".files"]))); d != "" {
				t.Errorf("-hw record +probe:\n%s", d)
			}
		})
	}
}

// recorded returns a folder with the files of a recorded machine, "" where there is none.
func recorded(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv("COMMSPLIT_TOPOLOGIES")
	for _, end := range []string{".tar.bz2", ".tar.gz"} {
		dir, remove, err := fsroot.OnDisk(t.Context(), filepath.Join(folder, "sysfs", name+end))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := remove(); err != nil {
				t.Error(err)
			}
		})
		return dir
	}
	return ""
}

// tattling is a file of hwloc's that reveals the machine's owner, and the addresses of its network
// cards.
const tattling = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0xf" complete_cpuset="0xf" allowed_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
    <info name="DMIProductSerial" value="XYZZY"/>
    <info name="DMIProductUUID" value="XYZZY"/>
    <info name="LinuxCgroup" value="/user.slice/XYZZY &lt;/>"/>
    <info name="HostName" value="XYZZY"/>
    <info name="Architecture" value="m68k"/>
    <object type="NUMANode" os_index="0" cpuset="0xf" complete_cpuset="0xf" nodeset="0x1" complete_nodeset="0x1" gp_index="2" local_memory="274877906944"/>
    <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="3"/>
    <object type="PU" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" gp_index="4"/>
    <object type="PU" os_index="2" cpuset="0x4" complete_cpuset="0x4" nodeset="0x1" complete_nodeset="0x1" gp_index="5"/>
    <object type="PU" os_index="3" cpuset="0x8" complete_cpuset="0x8" nodeset="0x1" complete_nodeset="0x1" gp_index="6"/>
    <object type="Bridge" gp_index="7" bridge_type="0-1" depth="0" bridge_pci="0000:[00-00]">
      <object type="PCIDev" gp_index="8" pci_busid="0000:00:02.0" pci_type="0200 [8086:1521] [00ff:0000] 01" pci_link_speed="0.000000">
        <info name="PCIVendor" value="Intel"/>
        <object type="OSDev" gp_index="9" name="enx00decafc0ffee0" osdev_type="2">
          <info name="Address" value="00:de:ca:fc:0f:fe"/>
        </object>
      </object>
    </object>
  </object>
</topology>
`

// Of hwloc's infos only harmless ones are kept; PUs that the job may not use are in the file, and so
// is the allowed set.
func TestPrivacyHydra(t *testing.T) {
	t.Parallel()
	binary := hydra.build(t, "")
	dir := t.TempDir()
	machine, file := filepath.Join(dir, "machine.xml"), filepath.Join(dir, "job.tar")
	if err := os.WriteFile(machine, []byte(tattling), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := hydra.launch(t, "-env", "HWLOC_XMLFILE", machine, "-env", "HWLOC_THISSYSTEM", "1", "-n", "1", binary, file)
	if err != nil || !strings.Contains(out, "of 1 from hwloc") {
		t.Fatalf("%v\n%s", err, out)
	}
	all := ""
	for _, text := range unpacked(t, open(t, file), "hosts/") {
		all += text
	}
	for _, secret := range []string{"XYZZY", "decaf", "de:ca", "DMI", "HostName", "user.slice"} {
		if strings.Contains(all, secret) {
			t.Errorf("the archive tells %q", secret)
		}
	}
	for _, kept := range []string{`value="m68k"`, `value="Intel"`, `name="enx" osdev_type`, `"274877906944"`, `allowed_cpuset="0x00000003"`,
		`type="PU" os_index="3"`} {
		if !strings.Contains(all, kept) {
			t.Errorf("the archive lacks %s:\n%s", kept, all)
		}
	}
}

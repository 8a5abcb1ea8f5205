//go:build linux

package record

import (
	"cmp"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/detect"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
)

// archive records this machine.
func archive(t *testing.T) string {
	t.Helper()
	r, err := Of(t.Context(), os.DirFS("/"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "this.tar.gz")
	if err := r.Save(file, false); err != nil {
		t.Fatal(err)
	}
	return file
}

// This machine's recording gives the tree that detection gives.
func TestThisReadsBack(t *testing.T) {
	t.Parallel()
	m, err := fsroot.Read(t.Context(), archive(t))
	if err != nil {
		t.Fatal(err)
	}
	here, err := detect.This(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a, b := account.FromTree(m.Root.All()), account.FromTree(here.Root.All())
	for _, k := range account.Kinds(a, b) {
		if !account.Same(a[k], b[k]) {
			t.Errorf("%v: recorded %v, here %v", k, a[k], b[k])
		}
	}
}

// The recording of this machine does not hold the machine's names and numbers.
func TestThisIsAnonymous(t *testing.T) {
	t.Parallel()
	dir, remove, err := fsroot.OnDisk(t.Context(), archive(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = remove() })
	host, _ := os.Hostname()
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		if found := identity(path + "\n" + string(text)); found != "" {
			t.Errorf("%s holds %q", path, found)
		}
		if len(host) > 3 && strings.Contains(string(text), host) {
			t.Errorf("%s holds the host's name", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// numbered matches UUIDs, addresses of networks and the like; owner matches a field, or a file, that identifies
// the machine. A CPU's flags are a field of words, and "serialize", which many processors have, is an
// instruction.
var (
	numbered = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{32}|([0-9a-f]{2}:){5}`)
	owner    = regexp.MustCompile(`(?im)(^[^:\n]*|/)\b(serial|uuid|asset|ppin)\b[^:\n]*(:.*)?$`)
)

// identity returns the part of a text that identifies the machine, "" for none.
func identity(text string) string {
	return cmp.Or(numbered.FindString(text), strings.TrimSpace(owner.FindString(text)))
}

// The test above finds the fields that identify a machine, and no flag of a processor: here in the words of a
// Raspberry Pi, of NVIDIA's driver, of a Xeon, whose flag "serialize" is an instruction, and of a GPU's folder.
func TestIdentity(t *testing.T) {
	t.Parallel()
	const flags = "processor\t: 0\nflags\t\t: fpu vme pconfig serialize arch_lbr amx_bf16 tsxldtrk\nbugs\t\t: spectre_v1\n"
	for text, want := range map[string]string{
		flags:                       "",
		"features\t: serial uuid\n": "", // flags, whatever their names
		flags + "Hardware\t: BCM2835\nSerial\t\t: 1000d\n": "Serial\t\t: 1000d",
		"Model: A100\nGPU UUID: \t GPU-1b\n":               "GPU UUID: \t GPU-1b",
		"chassis serial number\t: 12\n":                    "chassis serial number\t: 12",
		"sys/devices/system/cpu/cpu0/topology/ppin\n12\n":  "sys/devices/system/cpu/cpu0/topology/ppin",
		"sys/class/net/eth0/address\n02:42:ac:11:00:02\n":  "02:42:ac:11:00:",
	} {
		if got := identity(text); got != want {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
}

// lstopo finds the same in the unpacked recording as in /proc and /sys themselves; sizes of memory are not
// compared, because they change between two reads.
func TestThisLstopo(t *testing.T) {
	t.Parallel()
	lstopo := judge.Ask(t, "lstopo-no-graphics")
	dir, remove, err := fsroot.OnDisk(t.Context(), archive(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = remove() })
	memory := regexp.MustCompile(`(\([0-9]+.B total\)|P#[0-9]+ [0-9]+.B)`)
	look := func(root string) string {
		c := exec.CommandContext(t.Context(), lstopo, "--if", "fsroot", "-i", root, "--no-io", "--of", "console")
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		return memory.ReplaceAllString(string(out), "")
	}
	if there, here := look(dir), look("/"); there != here {
		t.Errorf("recorded:\n%s\nhere:\n%s", there, here)
	}
}

//go:build linux

package record

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"commsplit/hw/detect"
	"commsplit/hw/fsroot"
	"commsplit/hw/verify/account"
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

// Nor does it hold the names and numbers of this machine.
func TestThisIsAnonymous(t *testing.T) {
	t.Parallel()
	dir, remove, err := fsroot.OnDisk(t.Context(), archive(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = remove() })
	secrets := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{32}|([0-9a-f]{2}:){5}|(?i)serial`)
	host, _ := os.Hostname()
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		if found := secrets.Find(text); found != nil {
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

// lstopo finds the same in the unpacked recording as in /proc and /sys themselves; sizes of memory
// change between two looks.
func TestThisLstopo(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("lstopo-no-graphics"); err != nil {
		t.Skip("lstopo is not installed")
	}
	dir, remove, err := fsroot.OnDisk(t.Context(), archive(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = remove() })
	memory := regexp.MustCompile(`(\([0-9]+.B total\)|P#[0-9]+ [0-9]+.B)`)
	look := func(root string) string {
		c := exec.CommandContext(t.Context(), "lstopo-no-graphics", "--if", "fsroot", "-i", root, "--no-io", "--of", "console")
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

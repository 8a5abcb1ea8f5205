package fsroot

import (
	"archive/tar"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packMachine writes an archive of a machine with some more entries.
func packMachine(t *testing.T, more ...tar.Header) string {
	t.Helper()
	var b strings.Builder
	w := tar.NewWriter(&b)
	list := append([]tar.Header{{Name: "m/sys/devices/system/cpu/online", Typeflag: tar.TypeReg, Size: 3}}, more...)
	for _, h := range list {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := w.Write([]byte("0-1")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "m.tar")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// An archive becomes a folder with its files, and with the links that stay in it: a link that leaves,
// or leads nowhere, would make other programs read files that are not the machine's.
func TestOnDisk(t *testing.T) {
	t.Parallel()
	link := func(name, to string) tar.Header {
		return tar.Header{Name: "m/" + name, Typeflag: tar.TypeSymlink, Linkname: to}
	}
	file := packMachine(t, link("in", "sys/devices"), link("sys/up", "../sys/devices/system"), link("out", "../../../etc/passwd"),
		link("root", "/etc"), link("lost", "nowhere"), link("loop", "loop"), link("through", "out"))
	dir, remove, err := OnDisk(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"in": true, "sys/up": true, "out": false, "root": false, "lost": false,
		"loop": false, "through": false} {
		if _, err := os.Lstat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("link %s: there is %v, want %v", name, err == nil, want)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "in/system/cpu/online")); string(text) != "0-1" {
		t.Errorf("read %q", text)
	}
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is still there", dir)
	}
}

// OnDisk returns a folder itself, and does not remove it; the error for a path without a machine is
// Read's.
func TestOnDiskFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, _, err := OnDisk(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "it contains no machine") {
		t.Errorf("error %v", err)
	}
	inside := filepath.Join(dir, "m")
	if err := os.MkdirAll(filepath.Join(inside, system), 0o700); err != nil {
		t.Fatal(err)
	}
	got, remove, err := OnDisk(t.Context(), dir)
	if err != nil || got != inside || remove() != nil {
		t.Errorf("%s %v", got, err)
	}
	if _, err := os.Stat(inside); err != nil {
		t.Error(err)
	}
}

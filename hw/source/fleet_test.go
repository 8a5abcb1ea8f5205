package source_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/source"
)

// Files are machines by their names, a folder is all that are in it, and what cannot be read is told with its name.
func TestFleet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m, err := source.Load(t.Context(), "core:2")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := hwlocxml.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"cn1.xml": b.String(), "cn2.XML": b.String(), "bad.tar.gz": "x", "notes.txt": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	topology := filepath.Join(dir, "cn3/sys/devices/system/cpu/cpu0/topology")
	if err := os.MkdirAll(topology, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{filepath.Join(topology, "core_cpus"): "1", filepath.Join(dir, "cn3/sys/devices/system/cpu/online"): "0"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := source.Fleet(t.Context(), []string{dir, "a=core:2+b=core:3", filepath.Join(dir, "cn1.xml")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		text := m.Name + " unreadable"
		if m.Err == nil {
			text = m.Name + " " + m.Topology.Root.CPUSet.String()
		}
		got = append(got, text)
	}
	if got, want := strings.Join(got, "; "), "bad unreadable; cn1 0-1; cn2 0-1; cn3 0; a 0-1; b 0-2; cn1 0-1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var gone *source.Unavailable
	for _, text := range []string{"nothing.tar", t.TempDir()} {
		if _, err := source.Fleet(t.Context(), []string{text}); !errors.As(err, &gone) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

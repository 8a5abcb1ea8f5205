package fsroot

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const cpus = "sys/devices/system/cpu/"

// Small archives that unpack to much are refused in one line, or read without
// harm.
func TestHostileArchives(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		items func() []item
		want  string // of the error; "" when the machine is read
	}{
		"sets spread over all PUs": {func() []item {
			items := []item{{name: cpus + "cpu65535/topology/core_id", data: "0"}}
			for i := range 9500 {
				groups := slices.Repeat([]string{"0"}, 2048)
				groups[0], groups[2047-i/32] = "80000000", fmt.Sprintf("%x", 1<<(i%32))
				items = append(items, item{name: fmt.Sprintf("%scpu%d/topology/core_cpus", cpus, i),
					data: strings.Join(groups, ",")})
			}
			return items
		}, "the PUs of cores, caches and packages are spread too widely for a real machine"},
		"one long file under many names": {func() []item {
			first := cpus + "cpu0/topology/core_cpus"
			items := []item{{name: first, data: strings.Repeat("0", 65530)}}
			for i := range 5000 {
				items = append(items, item{name: fmt.Sprintf("%scpu%d/topology/core_cpus", cpus, i+1),
					kind: tar.TypeLink, link: first})
			}
			return items
		}, "more than 256 MB of files about one machine"},
		"large files": {func() []item {
			var items []item
			for i := range 17 {
				items = append(items, item{name: fmt.Sprint(i), data: strings.Repeat("0", 4<<20)})
			}
			return items
		}, "more than 64 MB of files in it"},
		"links in a circle": {func() []item {
			return []item{{name: cpus + "cpu0/topology/core_cpus", kind: tar.TypeSymlink, link: "core_cpus"}}
		}, "cannot open " + cpus + "cpu0/topology/core_cpus: the symbolic links in the path never end"},
		"a hard link to itself": {func() []item {
			return []item{{name: "a", kind: tar.TypeLink, link: "a"}}
		}, `"a" is a hard link to "a", which is not a file before it in the archive`},
		"a link out of the root": {func() []item {
			return []item{{name: cpus + "cpu0/topology/core_cpus", kind: tar.TypeSymlink, link: "/etc/passwd"}}
		}, "cannot open " + cpus + "cpu0/topology/core_cpus: a symbolic link in the path leaves the root"},
		"a folder in the place of a file": {func() []item {
			return []item{{name: cpus + "online/", kind: tar.TypeDir}}
		}, "cannot read " + cpus + "online: is a directory"},
		"a file in the place of a folder": {func() []item {
			return []item{{name: "sys/devices/system/node", data: "0"}, {name: cpus + "cpu0/cache", data: "0"}}
		}, "cannot read " + cpus + "cpu0/cache: not a directory"},
		"a PU beyond all numbers": {func() []item {
			return []item{{name: cpus + "cpu99999999999999999999/online"}}
		}, cpus + "cpu99999999999999999999: numbers end at 65535"},
		"deep folders": {func() []item {
			return []item{{name: strings.Repeat("d/", 2000) + "x"}}
		}, ""},
		"a device and a pipe": {func() []item {
			return []item{{name: cpus + "cpu0/topology/core_cpus", kind: tar.TypeFifo},
				{name: cpus + "cpu1/topology/core_cpus", kind: tar.TypeChar}}
		}, ""},
	} {
		path := filepath.Join(t.TempDir(), "archive")
		if err := os.WriteFile(path, pack(t, append(few, c.items()...)...), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(t.Context(), path)
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "fsroot:"+path+": ")
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", rule, got, c.want)
		}
	}
}

// few are two PUs.
var few = []item{{name: cpus + "cpu0/topology/core_id", data: "0"}, {name: cpus + "cpu1/topology/core_id", data: "1"}}

// Folders in which some files are not regular, or lead elsewhere, are refused
// in one line.
func TestHostileFolders(t *testing.T) {
	t.Parallel()
	const file = cpus + "cpu0/topology/core_cpus"
	for rule, c := range map[string]struct {
		make func(path string) error
		want string
	}{
		"a folder": {func(path string) error { return os.Mkdir(path, 0o700) },
			file + ": is a directory"},
		"a link to itself": {func(path string) error { return os.Symlink("core_cpus", path) },
			file + ": too many levels of symbolic links"},
		"a link out of the root": {func(path string) error { return os.Symlink("/etc/passwd", path) },
			file + ": path escapes from parent"},
		"a link that climbs out": {func(path string) error {
			return os.Symlink(strings.Repeat("../", 20)+"etc/passwd", path)
		}, file + ": path escapes from parent"},
		"an endless file": {func(path string) error {
			return os.WriteFile(path, bytes.Repeat([]byte("0"), 1<<20), 0o600)
		}, file + ": longer than 65536 bytes"},
	} {
		folder := lay(t, few...)
		if err := c.make(filepath.Join(folder, file)); err != nil {
			t.Skip(err)
		}
		_, err := Read(t.Context(), folder)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", rule, err, c.want)
		}
	}
}

// The tree of a folder ends at that folder: a link out of it, which is valid in
// the whole archive, leads nowhere.
func TestUnpackSub(t *testing.T) {
	t.Parallel()
	archive := pack(t, item{name: "a/file", data: "x", kind: '0'}, item{name: "b/out", kind: '2', link: "../a/file"},
		item{name: "b/in", kind: '2', link: "here"}, item{name: "b/here", data: "y", kind: '0'})
	whole, err := Unpack(t.Context(), bytes.NewReader(archive), "the test", oneMachine)
	if err != nil {
		t.Fatal(err)
	}
	b, err := fs.Sub(whole, "b")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := fs.ReadFile(whole, "b/out"); string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := fs.ReadFile(b, "in"); string(text) != "y" {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := fs.ReadFile(b, "out"); err == nil {
		t.Errorf("the folder leads to %q", text)
	}
	if _, err := fs.Sub(whole, "a/file"); err == nil {
		t.Error("a file is a folder")
	}
}

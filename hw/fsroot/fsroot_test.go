package fsroot

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"codeberg.org/commsplit/commsplit/hw"
)

// item is an entry of a generated archive; its kind is a file unless told.
type item struct {
	name, data, link string
	kind             byte
}

// pack writes a tar archive.
func pack(t testing.TB, items ...item) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, i := range items {
		h := &tar.Header{Name: i.name, Typeflag: i.kind, Linkname: i.link, Size: int64(len(i.data)), Mode: 0o644}
		if i.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(i.data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zip(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// content returns the content of a file, or the error.
func content(root fs.FS, path string) string {
	data, err := fs.ReadFile(root, path)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// dual is a machine of two PUs, in its top folder.
var dual = []item{
	{name: "dual/", kind: tar.TypeDir},
	{name: "dual/sys/devices/system/cpu/online", data: "0-1\n"},
	{name: "dual/sys/devices/system/cpu/cpu0/topology/core_id", data: "0\n"},
	{name: "dual/sys/devices/system/cpu/cpu1/topology/core_id", data: "1\n"},
}

// save writes items as an archive.
func save(t *testing.T, items ...item) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copy.tar")
	if err := os.WriteFile(path, pack(t, items...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// lay writes items as files in a folder.
func lay(t *testing.T, items ...item) string {
	t.Helper()
	dir := t.TempDir()
	for _, i := range items {
		path := filepath.Join(dir, i.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		var err error
		switch i.kind {
		case 0:
			err = os.WriteFile(path, []byte(i.data), 0o600)
		case tar.TypeSymlink:
			err = os.Symlink(i.link, path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A machine is found in an archive, in a folder, and in a folder inside a folder.
func TestRead(t *testing.T) {
	t.Parallel()
	folder := lay(t, dual...)
	packed := filepath.Join(t.TempDir(), "any name")
	if err := os.WriteFile(packed, zip(t, pack(t, dual...)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, filepath.Join(folder, "dual"), save(t, dual...), packed} {
		m, err := Read(t.Context(), path)
		if err != nil {
			t.Error(err)
			continue
		}
		pus := 0
		for o := range m.Root.All() {
			if o.Type == hw.PU {
				pus++
			}
		}
		if pus != 2 || m.Online.String() != "0-1" {
			t.Errorf("%s: %d PUs, %v online, want 2 and 0-1", path, pus, m.Online)
		}
	}
}

// A path without a machine, or with two, is an error that names the path once.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	other := item{name: "other/sys/devices/system/cpu/online", data: "0"}
	missing := "it contains no machine: there is no sys/devices/system at its top or in a top folder"
	for _, c := range []struct{ path, want string }{
		{filepath.Join(t.TempDir(), "no"), "no such file or directory"},
		{os.DevNull, "neither a folder nor a tar archive"},
		{t.TempDir(), missing},
		{save(t, item{name: "a", data: "x"}), missing},
		{save(t), missing},
		{save(t, append(dual, other)...), `it contains 2 machines instead of one: "dual", "other"`},
		{lay(t, append(dual, other)...), `it contains 2 machines instead of one: "dual", "other"`},
		{save(t, item{name: "sys/devices/system/", kind: tar.TypeDir}), "there are no CPUs in sys/devices/system/cpu"},
	} {
		_, err := Read(t.Context(), c.path)
		if want := "fsroot:" + c.path + ": " + c.want; err == nil || err.Error() != want {
			t.Errorf("\n got %v\nwant %s", err, want)
		}
	}
	_, err := Read(t.Context(), "/not/there")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
}

// Symbolic links lead within the machine, in a folder as in an archive: a link that leaves the machine, or
// never ends, is an error if its file is needed, and only then.
func TestLinks(t *testing.T) {
	t.Parallel()
	const topology = "dual/sys/devices/system/cpu/cpu0/topology"
	secret := filepath.Join(lay(t, item{name: "secret", data: "0-3"}), "secret")
	for _, c := range []struct{ name, link, archive, folder string }{
		{topology + "/core_cpus", "../../cpu1/../cpu0/./topology/mask", "", ""},
		{topology + "/core_cpus", "nothing", "", ""},
		{topology + "/thread_siblings_list", "/etc/passwd", "", ""}, // not needed: core_cpus is there
		{topology + "/core_cpus_list", secret, "", ""},
		{topology + "/package_cpus", secret, "leaves the root", "path escapes from parent"},
		{topology + "/package_cpus", "../../../../../../../outside", "leaves the root", "path escapes from parent"},
		{topology + "/package_cpus", "package_cpus", "never end", "too many levels of symbolic links"},
	} {
		items := append([]item{{name: c.name, kind: tar.TypeSymlink, link: c.link},
			{name: topology + "/mask", data: "1"}, {name: "outside", data: "3"}}, dual...)
		if !strings.HasSuffix(c.name, "/core_cpus") {
			items = append(items, item{name: topology + "/core_cpus", data: "1"})
		}
		for path, want := range map[string]string{save(t, items...): c.archive, lay(t, items...): c.folder} {
			_, err := Read(t.Context(), path)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s -> %s: %v, want %q", c.name, c.link, err, want)
			}
		}
	}
}

// A tree obeys the rules of file systems (testing/fstest), links included.
func TestTree(t *testing.T) {
	t.Parallel()
	build := func(links ...item) tree {
		made, err := unpack(t.Context(), bytes.NewReader(pack(t, append(links, dual...)...)), oneMachine)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	const online = "sys/devices/system/cpu/online"
	inside := item{name: "link", kind: tar.TypeSymlink, link: "dual/sys"}
	if err := fstest.TestFS(build(inside), "dual/"+online, "link"); err != nil {
		t.Error(err)
	}
	odd := build(inside, item{name: "dual/round", kind: tar.TypeSymlink, link: "../link/../round"},
		item{name: "dual/up", kind: tar.TypeSymlink, link: "../.."})
	for path, want := range map[string]string{
		"link/devices/system/cpu/online": "0-1\n",
		"dual/round":                     "open dual/round: the symbolic links in the path never end",
		"dual/up":                        "open dual/up: a symbolic link in the path leaves the root",
		"../x":                           "open ../x: invalid argument",
	} {
		if got := content(odd, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if got := content(odd.below("dual"), online); got != "0-1\n" {
		t.Errorf("below its top folder: %q", got)
	}
}

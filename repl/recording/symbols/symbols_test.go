package symbols_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl/recording/symbols"
)

// id is the build id of the files of testdata.
const id = "d86050015a1be79ed07fcbace1216a3e9b561d01"

// unpacked unpacks the files of testdata into a folder.
func unpacked(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Open("testdata/places.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return dir
		}
		text, err2 := io.ReadAll(r)
		if err := errors.Join(err, err2, os.WriteFile(filepath.Join(dir, filepath.Base(h.Name)), text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// places lists the functions at an address, with their lines.
func places(f *symbols.Finder, file, id string, offset uint64) string {
	list, err := f.Places(file, id, offset)
	var words []string
	for _, p := range list {
		words = append(words, fmt.Sprintf("%s+%#x %s:%d", p.Function, p.Offset, p.File, p.Line))
	}
	if err != nil {
		words = append(words, err.Error())
	}
	return strings.Join(words, " < ")
}

// The offsets are those behind the calls of made in split, work and apart, and behind the call of split in work, as
// objdump prints them; the lines are those of places.cpp. The compiler inlined inner into split, and made a part of
// split a function of its own.
func TestPlaces(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	for _, c := range []struct {
		file   string
		offset uint64
		want   string
	}{
		{"places.so", 0x1077, "inner+0xb places.cpp:7 < _ZNK4grid4RowsIiE5splitEi+0xb places.cpp:14"},
		{"places.so", 0x104d, "work+0xd places.cpp:27"},
		{"places.so", 0x1059, "work+0x19 places.cpp:28"},
		{"places.so", 0x1089, "_Z5apartIiET_S0_+0x9 places.cpp:21"},
		{"stripped.so", 0x1077, "inner+0xb places.cpp:7 < _ZNK4grid4RowsIiE5splitEi+0xb places.cpp:14"},
		{"places.so", 0x10, ""},
	} {
		var f symbols.Finder
		if got := places(&f, filepath.Join(dir, c.file), id, c.offset); got != c.want {
			t.Errorf("%s %#x: %q, want %q", c.file, c.offset, got, c.want)
		}
		f.Close()
	}
}

// A stripped file still has its dynamic symbols; a file of another build, and a file that is not a program, is not used.
func TestNotUsed(t *testing.T) {
	t.Parallel()
	dir := unpacked(t)
	if err := errors.Join(os.Remove(filepath.Join(dir, "places.debug")), os.WriteFile(filepath.Join(dir, "text"), []byte("no program"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, id, want string }{
		{filepath.Join(dir, "stripped.so"), id, "work+0xd :0"},
		{filepath.Join(dir, "places.so"), id[:38] + "00", symbols.ErrOther.Error()},
		{filepath.Join(dir, "places.so"), "", symbols.ErrOther.Error()},
		{filepath.Join(dir, "text"), id, symbols.ErrGone.Error()},
		{filepath.Join(dir, "gone.so"), id, symbols.ErrGone.Error()},
		{dir, id, symbols.ErrGone.Error()},
		{"places.so", id, symbols.ErrGone.Error()},
	} {
		var f symbols.Finder
		if got := places(&f, c.file, c.id, 0x104d); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.file, c.id, got, c.want)
		}
		f.Close()
	}
}

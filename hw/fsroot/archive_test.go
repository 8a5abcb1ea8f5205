package fsroot

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// A cut, foreign or hostile archive is refused in one line that says what is wrong.
func TestUnpackRefuses(t *testing.T) {
	t.Parallel()
	whole := pack(t, dual...)
	// A header's sums are checked: byte 148 of the second header is of its sum.
	broken := bytes.Clone(pack(t, item{name: "a/", kind: tar.TypeDir}, item{name: "b/", kind: tar.TypeDir}))
	broken[512+148]++
	wrongSum := bytes.Clone(zip(t, whole))
	wrongSum[len(wrongSum)-8]++
	for rule, c := range map[string]struct {
		archive []byte
		want    string
	}{
		"nothing":       {nil, "neither a folder nor a tar archive (plain, gzip or bzip2)"},
		"text":          {[]byte(strings.Repeat("text ", 300)), "neither a folder nor a tar archive (plain, gzip or bzip2)"},
		"cut in a file": {whole[:700], "the archive is truncated"},
		// The rest is whole blocks; only the two blocks of zeros at the end are gone.
		"cut between":      {whole[:len(whole)-1024], "the archive is truncated"},
		"cut gzip":         {zip(t, whole)[:100], "the archive is truncated"},
		"cut gzip's sum":   {zip(t, whole)[:len(zip(t, whole))-4], "the archive is truncated"},
		"gzip's head only": {zip(t, whole)[:5], "the archive is truncated"},
		"gzip's sum":       {wrongSum, "the archive is damaged: gzip: invalid checksum"},
		"bzip2":            {[]byte("BZh9 is not an archive"), "the archive is damaged: bzip2 data invalid: bad magic value found"},
		"header":           {broken, "the archive is damaged: archive/tar: invalid tar header"},
		"climbing name": {pack(t, item{name: "top/../../etc/passwd"}),
			`"top/../../etc/passwd" leaves the archive: names in it are relative and have no ".."`},
		"absolute name": {pack(t, item{name: "/etc/passwd"}),
			`"/etc/passwd" leaves the archive: names in it are relative and have no ".."`},
		"climbing hard link": {pack(t, item{name: "a", kind: tar.TypeLink, link: "../passwd"}),
			`"../passwd" leaves the archive: names in it are relative and have no ".."`},
		"hard link to nothing": {pack(t, item{name: "a", kind: tar.TypeLink, link: "b"}),
			`"a" is a hard link to "b", which is not a file before it in the archive`},
		"through a link": {pack(t, item{name: "a", kind: tar.TypeSymlink, link: "/etc"}, item{name: "a/passwd"}),
			`"a" is in the archive as a folder and as something else`},
		"over a folder": {pack(t, item{name: "a/b"}, item{name: "a"}),
			`"a" is in the archive as a folder and as something else`},
		"top": {pack(t, item{name: "."}), "the top of the archive is not a folder"},
		"long name": {pack(t, item{name: strings.Repeat("a/", 2048) + "ab"}),
			"a name has 4098 bytes: at most 4096 are possible"},
		"long link": {pack(t, item{name: "a", kind: tar.TypeSymlink, link: strings.Repeat("a/", 2049)}),
			`"a" is a symbolic link to a name of 4098 bytes: 1 to 4096 are possible`},
		"unknown kind": {pack(t, item{name: "a", kind: 'V'}), `"a" is of type 'V', which is not a file, folder or link`},
		"large file": {pack(t, item{name: "kcore", data: strings.Repeat("\x00", 4<<20+1)}),
			`"kcore" has 4194305 bytes: a file in it has at most 4 MB`},
	} {
		_, err := unpack(t.Context(), bytes.NewReader(c.archive), oneMachine)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", rule, err, c.want)
		}
	}
}

// Names with and without "./", hard links and repeated names are unpacked as tar does; the comment that git
// writes, and devices, become no files.
func TestUnpack(t *testing.T) {
	t.Parallel()
	archive := pack(t,
		item{name: "./", kind: tar.TypeDir},
		item{name: "./a/b", data: "first"},
		item{name: "a/b", data: "second"},
		item{name: "a/", kind: tar.TypeDir},
		item{name: "c", kind: tar.TypeLink, link: "./a/b"},
		item{name: "dev/null", kind: tar.TypeChar},
		item{name: "pipe", kind: tar.TypeFifo},
	)
	for name, packed := range map[string][]byte{"plain": archive, "gzip": zip(t, archive)} {
		tree, err := unpack(t.Context(), bytes.NewReader(packed), oneMachine)
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]string{"a/b": "second", "c": "second"} {
			if got := content(tree, path); got != want {
				t.Errorf("%s: %s holds %q, want %q", name, path, got, want)
			}
		}
		for _, path := range []string{"dev/null", "pipe", "a/b/x"} {
			if got := content(tree, path); got != "open "+path+": file does not exist" {
				t.Errorf("%s: %s holds %q", name, path, got)
			}
		}
	}
}

// zeros is an endless reader of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Reading stops at 256 MB of a small archive that unpacks to more, wherever the excess is; an archive of
// exactly 256 MB is read.
func TestUnpackBomb(t *testing.T) {
	t.Parallel()
	whole := pack(t, dual...)
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, io.MultiReader(bytes.NewReader(whole), io.LimitReader(zeros{}, 256<<20))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > 8<<20 {
		t.Fatalf("the bomb has %d bytes", packed.Len())
	}
	if _, err = unpack(t.Context(), &packed, oneMachine); err == nil || err.Error() != "more than 256 MB unpacked" {
		t.Error(err)
	}
	for _, more := range []int64{0, 1} {
		rest := io.LimitReader(zeros{}, 256<<20-int64(len(whole))+more)
		_, err := unpack(t.Context(), io.MultiReader(bytes.NewReader(whole), rest), oneMachine)
		if errors.Is(err, errTooLarge) != (more == 1) {
			t.Errorf("256 MB and %d bytes: %v", more, err)
		}
	}
}

// The holes of sparse files count as bytes, and folders that names imply count as entries.
func TestUnpackingCounts(t *testing.T) {
	t.Parallel()
	u := unpacking{tree: tree{newFolder()}, bytes: oneMachine.Content - 1, bounds: oneMachine}
	_, err := u.content(&tar.Header{Name: "sparse", Size: 2}, strings.NewReader(""))
	if !errors.Is(err, errTooLarge) {
		t.Error(err)
	}
	u = unpacking{tree: tree{newFolder()}, entries: oneMachine.Entries - 2, bounds: oneMachine}
	for i, want := range []string{"<nil>", "more than 524288 files and folders"} {
		err := u.add(&tar.Header{Name: fmt.Sprintf("%d/x", i), Typeflag: tar.TypeReg}, strings.NewReader(""))
		if fmt.Sprint(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Ctrl-C ends the reading.
func TestUnpackCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := unpack(ctx, bytes.NewReader(pack(t, dual...)), oneMachine); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A list has files and links, whatever their bytes; what is cut, or leaves its folder, is refused.
func TestListed(t *testing.T) {
	t.Parallel()
	const good = "0/sys/a\n4\n1\n2\n0/proc/b\n0\n2/sys/bus/c\n4\n../a"
	for _, c := range []struct{ list, want string }{
		{good, "1\n2\n 1\n2\n"},
		{good[:len(good)-1], "the list is cut"},
		{"0/sys/a\n4", `"0/sys/a" begins no file of a list: want a type and an absolute name, and below a size`},
		{"0/sys/../../a\n0\n", `"sys/../../a" leaves the archive: names in it are relative and have no ".."`},
		{"9/a\n0\n", `"a" is of type '9', which is not a file, folder or link`},
	} {
		root, err := Listed([]byte(c.list), Bounds{File: 100, Content: 100, Entries: 9})
		got := fmt.Sprint(err)
		if err == nil {
			got = content(root, "sys/a") + " " + content(root, "sys/bus/c")
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.list, got, c.want)
		}
	}
}

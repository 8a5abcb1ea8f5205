package record

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/wholefile"
)

// top is the folder in the archive that holds proc and sys, so that unpacking it leaves one folder.
const top = "machine"

// CheckName returns an error when no archive can be written under a name: the suffix of the name
// tells the format.
func CheckName(name string) error {
	switch {
	case plain(name), compressed(name):
		return nil
	case strings.HasSuffix(name, ".bz2"):
		return fmt.Errorf("%s: bzip2 can only be read: use FILE.tar.gz", name)
	}
	return fmt.Errorf("%s: the name must give the format: use FILE.tar or FILE.tar.gz", name)
}

func plain(name string) bool { return strings.HasSuffix(name, ".tar") }
func compressed(name string) bool {
	return strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz")
}

// Save writes the archive to a file. An existing file is an error (fs.ErrExist); with overwrite,
// the new file replaces it once the new one is complete.
func (r *Recording) Save(name string, overwrite bool) error {
	if err := CheckName(name); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := r.write(&b, compressed(name)); err != nil {
		return err
	}
	write := wholefile.Create
	if overwrite {
		write = wholefile.Write
	}
	return write(name, b.Bytes(), 0o644)
}

func (r *Recording) write(w io.Writer, compress bool) error {
	if !compress {
		return r.WriteTar(w)
	}
	z := gzip.NewWriter(w) // the header of gzip then has no time
	return errors.Join(r.WriteTar(z), z.Close())
}

// WriteTar writes a tar archive. The same files give the same bytes: entries are in order of names,
// with no times and no owners.
func (r *Recording) WriteTar(w io.Writer) error {
	t := tar.NewWriter(w)
	made := map[string]bool{}
	for _, p := range r.paths() {
		if err := folders(t, path.Dir(path.Join(top, p)), made); err != nil {
			return err
		}
		h := &tar.Header{Name: path.Join(top, p), Mode: 0o644, Typeflag: tar.TypeReg, Size: int64(len(r.files[p]))}
		if to, ok := r.links[p]; ok {
			h.Typeflag, h.Linkname, h.Size, h.Mode = tar.TypeSymlink, to, 0, 0o777
		}
		if err := t.WriteHeader(h); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if _, err := io.WriteString(t, r.files[p]); err != nil {
			return err
		}
	}
	return t.Close()
}

// folders writes a folder and the folders above it, unless they are in made already.
func folders(t *tar.Writer, folder string, made map[string]bool) error {
	var todo []string
	for ; folder != "." && !made[folder]; folder = path.Dir(folder) {
		todo = append(todo, folder)
		made[folder] = true
	}
	for _, f := range slices.Backward(todo) {
		h := &tar.Header{Name: f + "/", Mode: int64(fs.FileMode(0o755)), Typeflag: tar.TypeDir}
		if err := t.WriteHeader(h); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
	}
	return nil
}

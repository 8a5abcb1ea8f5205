// Package record makes an archive of the files of /proc and /sys that describe the hardware of a Linux machine: CPUs,
// caches, NUMA nodes, I/O devices, and which of them the process may use. Package fsroot, hwloc's lstopo and lscpu
// read the archive.
//
// Model: a list names the files to copy, and for files of /proc the lines; nothing else is copied. So serial numbers,
// UUIDs, network addresses, names of hosts, users, processes and containers stay behind. Of a device, the archive has
// the PCI address, the vendor and model, the NUMA node and the name; a number replaces a network address in the name.
// The cgroup's limits are written as limits of a root group, because the names of groups tell too much.
//
// The package does not copy the device tree, from which hwloc knows the caches of some POWER machines.
package record

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
)

// Recording is a copy of the files in memory.
type Recording struct {
	Skipped []string // files that are there and cannot be read, with the reason

	files map[string]string // by path, without a leading slash
	links map[string]string // symbolic links and their targets
}

// Files returns the number of files in the recording.
func (r *Recording) Files() int { return len(r.files) }

// Of copies the machine whose root folder is root. It returns an error when a file that every reader needs cannot be
// read, or when the copy does not read back as the machine.
func Of(ctx context.Context, root fs.FS) (*Recording, error) {
	r := &Recording{files: map[string]string{}, links: map[string]string{}}
	for _, s := range selection {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := r.take(root, s); err != nil {
			return nil, err
		}
	}
	for _, take := range []func(fs.FS) error{r.takeGPUs, r.takeDAX, r.takeDevices, r.takeCpuset} {
		if err := take(root); err != nil {
			return nil, err
		}
	}
	return r, r.check(ctx, root)
}

// take copies the files of one entry of the selection.
func (r *Recording) take(root fs.FS, s Selected) error {
	paths, err := fs.Glob(root, s.Pattern)
	if err != nil {
		return fmt.Errorf("pattern %s: %w", s.Pattern, err)
	}
	for _, name := range paths {
		if s.Link != "" {
			r.links[name] = s.Link + path.Base(name)
			continue
		}
		data, err := fs.ReadFile(root, name)
		switch {
		case err == nil:
			r.files[name] = s.Filter.of(string(data))
		case s.Essential:
			return fmt.Errorf("cannot read /%s, which every recording needs: %w", name, sysfs.Cause(err))
		case !errors.Is(err, fs.ErrNotExist):
			r.Skipped = append(r.Skipped, fmt.Sprintf("/%s: %v", name, sysfs.Cause(err)))
		}
	}
	return nil
}

// check reads the copy back and compares it with the machine.
func (r *Recording) check(ctx context.Context, root fs.FS) error {
	here, err := sysfs.Read(root)
	if err != nil {
		return fmt.Errorf("cannot detect this machine: %w", err)
	}
	var b bytes.Buffer
	if err := r.WriteTar(&b); err != nil {
		return err
	}
	there, err := fsroot.ReadArchive(ctx, &b)
	if err != nil {
		return fmt.Errorf("the recording cannot be read back: %w", err)
	}
	a, c := account.FromTree(here.Root.All()), account.FromTree(there.Root.All())
	for _, k := range account.Kinds(a, c) {
		if !account.Same(a[k], c[k]) {
			return fmt.Errorf("the recording has other objects of type %s than the machine: the machine "+
				"changed meanwhile, or a file is missing", k)
		}
	}
	if h, t := places(here.Root), places(there.Root); !slices.Equal(h, t) {
		return fmt.Errorf("the recording has the devices %q, but the machine has %q", t, h)
	}
	if !slices.Equal(here.Notes, there.Notes) {
		return fmt.Errorf("the recording has the notes %q, but the machine has %q", there.Notes, here.Notes)
	}
	return nil
}

// places lists the named devices, a line each: kind, bus, near PUs.
func places(root *hw.Object) (list []string) {
	t := hw.New("", root)
	for _, d := range t.Located() {
		list = append(list, fmt.Sprintf("%s at %q near %v", d.Kind(), d.BusID(), d.Object.CPUSet))
	}
	slices.Sort(list)
	return list
}

// paths lists the paths of all files and links in order.
func (r *Recording) paths() []string {
	list := slices.AppendSeq(slices.Collect(maps.Keys(r.files)), maps.Keys(r.links))
	slices.Sort(list)
	return list
}

// top is the folder in the archive that holds proc and sys, so that unpacking it leaves one folder.
const top = "machine"

// CheckName returns an error when no archive can be written under a name: the suffix of the name
// tells the format.
func CheckName(name string) error {
	switch {
	case strings.HasSuffix(name, ".tar"), compressed(name):
		return nil
	case strings.HasSuffix(name, ".bz2"):
		return fmt.Errorf("%s: bzip2 can only be read: use FILE.tar.gz", name)
	}
	return fmt.Errorf("%s: the name must give the format: use FILE.tar or FILE.tar.gz", name)
}

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

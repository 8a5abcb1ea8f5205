package fsroot

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// unpacking is the state of unpacking an archive into a tree.
type unpacking struct {
	tree
	bounds  Bounds
	entries int   // so far
	bytes   int64 // of the files so far
}

// add takes in an entry of the archive; r is its content. Devices and pipes are left out: nothing in them
// describes hardware.
func (u *unpacking) add(h *tar.Header, r io.Reader) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil // comments on the archive as a whole
	}
	parts, err := split(h.Name)
	if err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		_, err := u.folder(parts)
		return err
	case tar.TypeReg, tar.TypeCont, tar.TypeGNUSparse:
		data, err := u.content(h, r)
		if err != nil {
			return err
		}
		return u.put(parts, &entry{data: data})
	case tar.TypeSymlink:
		if h.Linkname == "" || len(h.Linkname) > maxPath {
			return fmt.Errorf("%q is a symbolic link to a name of %d bytes: 1 to %d are possible",
				h.Name, len(h.Linkname), maxPath)
		}
		return u.put(parts, &entry{link: h.Linkname})
	case tar.TypeLink:
		e, err := u.linked(h)
		if err != nil {
			return err
		}
		return u.put(parts, e)
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		return nil
	}
	return fmt.Errorf("%q is of type %q, which is not a file, folder or link", h.Name, h.Typeflag)
}

// split returns the parts of a name. A name that is absolute or that has .. is an error: no honest archive has
// such names.
func split(name string) ([]string, error) {
	parts := strings.Split(name, "/")
	switch {
	case len(name) > maxPath:
		return nil, fmt.Errorf("a name has %d bytes: at most %d are possible", len(name), maxPath)
	case path.IsAbs(name), slices.Contains(parts, ".."):
		return nil, fmt.Errorf("%q leaves the archive: names in it are relative and have no \"..\"", name)
	}
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" || p == "." }), nil
}

// content reads a file. Its size includes holes: a sparse file is small in the archive only.
func (u *unpacking) content(h *tar.Header, r io.Reader) ([]byte, error) {
	if h.Size > u.bounds.File {
		return nil, fmt.Errorf("%q has %d bytes: a file in it has at most %d MB",
			h.Name, h.Size, u.bounds.File>>20)
	}
	if u.bytes += h.Size; u.bytes > u.bounds.Content {
		return nil, tooLarge{u.bounds.Content, "of files in it"}
	}
	data, err := io.ReadAll(r)
	return data, damage(err)
}

// linked returns the file that a hard link names, which comes before the link in the archive.
func (u *unpacking) linked(h *tar.Header) (*entry, error) {
	target, err := split(h.Linkname)
	if err != nil {
		return nil, err
	}
	e := u.root
	for _, part := range target {
		if e = e.children[part]; e == nil {
			break
		}
	}
	if e == nil || e.isFolder() {
		return nil, fmt.Errorf("%q is a hard link to %q, which is not a file before it in the archive",
			h.Name, h.Linkname)
	}
	return e, nil
}

// folder returns a folder; it makes the folder and those above it if they do not exist.
func (u *unpacking) folder(parts []string) (*entry, error) {
	at := u.root
	for i, part := range parts {
		next := at.children[part]
		if next == nil {
			next = newFolder()
			if err := u.count(); err != nil {
				return nil, err
			}
			at.children[strings.Clone(part)] = next // a clone, so as not to keep the whole name
		}
		if !next.isFolder() {
			return nil, fmt.Errorf("%q is in the archive as a folder and as something else",
				strings.Join(parts[:i+1], "/"))
		}
		at = next
	}
	return at, nil
}

// put sets a file or link into its folder. A later entry replaces an earlier entry of the same name, as tar
// does.
func (u *unpacking) put(parts []string, e *entry) error {
	if len(parts) == 0 {
		return errors.New("the top of the archive is not a folder")
	}
	last := len(parts) - 1
	in, err := u.folder(parts[:last])
	if err != nil {
		return err
	}
	switch before := in.children[parts[last]]; {
	case before == nil:
		if err := u.count(); err != nil {
			return err
		}
	case u.bounds.Once:
		return fmt.Errorf("%q is in the archive twice", strings.Join(parts, "/"))
	case before.isFolder():
		return fmt.Errorf("%q is in the archive as a folder and as something else", strings.Join(parts, "/"))
	}
	in.children[strings.Clone(parts[last])] = e
	return nil
}

func (u *unpacking) count() error {
	if u.entries++; u.entries > u.bounds.Entries {
		return fmt.Errorf("more than %d files and folders", u.bounds.Entries)
	}
	return nil
}

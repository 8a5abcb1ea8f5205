package fsroot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"

	"codeberg.org/commsplit/commsplit/hw/sysfs"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
)

// OnDisk gives other programs a folder from which to read the /proc and /sys of the machine at path. For
// a folder it returns the machine's root in that folder. It unpacks an archive into a temporary folder:
// folders, files, and the symbolic links that stay within the machine. remove deletes the temporary
// folder. The errors are those of Read.
func OnDisk(ctx context.Context, path string) (dir string, remove func() error, err error) {
	dir, remove, err = onDisk(ctx, path)
	if err != nil {
		return "", nil, fmt.Errorf("fsroot:%s: %w", path, withoutPath(err, path))
	}
	return dir, remove, nil
}

func onDisk(ctx context.Context, path string) (dir string, remove func() error, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, err
	}
	if info.IsDir() {
		dir, err = machineBelow(path)
		return dir, func() error { return nil }, err
	}
	t, err := archived(ctx, path)
	if err != nil {
		return "", nil, err
	}
	if dir, err = scratch(); err != nil {
		return "", nil, err
	}
	remove = func() error { return os.RemoveAll(dir) }
	if err := t.writeTo(ctx, dir); err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return dir, remove, nil
}

// scratch makes a temporary folder in /dev/shm, or in TMPDIR where it is set. A machine is thousands of
// small files, and memory takes them ten times as fast as a disk.
func scratch() (string, error) {
	if os.Getenv("TMPDIR") == "" {
		if dir, err := os.MkdirTemp("/dev/shm", "commsplit-"); err == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", "commsplit-")
}

// archived reads the machine in an archive.
func archived(ctx context.Context, path string) (tree, error) {
	f, err := wholefile.Open(path)
	switch {
	case errors.Is(err, wholefile.ErrNotOrdinary):
		return tree{}, errors.New("neither a folder nor a tar archive")
	case err != nil:
		return tree{}, err
	}
	defer f.Close()
	return machineOf(ctx, f)
}

// machineOf reads the machine in the archive r.
func machineOf(ctx context.Context, r io.Reader) (tree, error) {
	t, err := unpack(ctx, r, oneMachine)
	if err != nil {
		return tree{}, err
	}
	top, err := machineIn(t)
	if err != nil {
		return tree{}, err
	}
	return t.below(top), nil
}

// ReadArchive reads the machine in an archive that is not in a file.
func ReadArchive(ctx context.Context, r io.Reader) (*sysfs.Machine, error) {
	t, err := machineOf(ctx, r)
	if err != nil {
		return nil, err
	}
	return sysfs.Read(t)
}

// writeTo writes the tree into an empty folder. The operating system keeps all writes below that folder.
func (t tree) writeTo(ctx context.Context, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return t.writeFolder(ctx, root, t.root, ".")
}

// writeFolder writes the entries of the folder e into root; at is the path of e in the tree.
func (t tree) writeFolder(ctx context.Context, root *os.Root, e *entry, at string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(e.children)) { // so that errors do not depend on chance
		child, from := e.children[name], path.Join(at, name)
		var err error
		switch {
		case child.isFolder():
			err = t.writeSub(ctx, root, name, from)
		case child.link == "":
			err = root.WriteFile(name, child.data, 0o644)
		default:
			if _, lost := t.find(from); lost == nil {
				err = root.Symlink(child.link, name)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeSub writes the folder at a path of the tree into a new folder of root.
func (t tree) writeSub(ctx context.Context, root *os.Root, name, from string) error {
	if err := root.Mkdir(name, 0o755); err != nil {
		return err
	}
	sub, err := root.OpenRoot(name)
	if err != nil {
		return err
	}
	defer sub.Close()
	e, err := t.find(from)
	if err != nil {
		return err
	}
	return t.writeFolder(ctx, sub, e, from)
}

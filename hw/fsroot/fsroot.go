// Package fsroot reads the hardware of a Linux machine from a copy of its /proc and /sys: a folder, or a tar
// archive (plain, gzip or bzip2; its content tells which). It holds archives in memory and never writes them to
// disk.
//
// Model: the machine's root is the folder that has sys/devices/system in it: the top of the copy, or one folder
// of it. Nothing outside that root is ever read: symbolic links are followed within the root, as in package os's
// Root, and the sizes of archives are bounded. Everything below the root is kept, not only proc and sys, because
// cpusets may be mounted anywhere (dev/cpuset, cgroup).
//
// Package sysfs knows what the files mean.
package fsroot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

// system is the folder by which Read recognizes the root of a machine.
const system = "sys/devices/system"

// Read reads the machine whose /proc and /sys are at path, a folder or an archive. The error names path and
// tells the reason: path does not exist (fs.ErrNotExist), is not an archive, is truncated, damaged or too large, or
// a file in it makes no sense.
func Read(ctx context.Context, path string) (*sysfs.Machine, error) {
	m, err := read(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("fsroot:%s: %w", path, withoutPath(err, path))
	}
	return m, nil
}

func read(ctx context.Context, path string) (*sysfs.Machine, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return readFolder(path)
	}
	t, err := archived(ctx, path)
	if err != nil {
		return nil, err
	}
	return sysfs.Read(t)
}

func readFolder(path string) (*sysfs.Machine, error) {
	dir, err := machineBelow(path)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return sysfs.Read(Regular{root.FS()})
}

// machineBelow returns the root of the only machine in the folder at path.
func machineBelow(path string) (string, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return "", err
	}
	defer root.Close()
	top, err := machineIn(root.FS())
	return filepath.Join(path, top), err
}

// machineIn finds the root of the only machine in a copy: "." or the name of a folder.
func machineIn(root fs.FS) (string, error) {
	if isMachine(root, ".") {
		return ".", nil
	}
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return "", err
	}
	var found []string
	for _, e := range entries {
		if e.IsDir() && isMachine(root, e.Name()) {
			found = append(found, e.Name())
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("it contains no machine: there is no %s at its top or in a top folder", system)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("it contains %d machines instead of one: %s",
		len(found), strings.Join(quoted(found), ", "))
}

// quoted quotes the first names of a list of foreign names.
func quoted(names []string) []string {
	const most = 4
	var list []string
	for i, name := range names {
		if i == most {
			return append(list, "...")
		}
		list = append(list, fmt.Sprintf("%q", name))
	}
	return list
}

func isMachine(root fs.FS, folder string) bool {
	path := system
	if folder != "." {
		path = folder + "/" + system
	}
	info, err := fs.Stat(root, path)
	return err == nil && info.IsDir()
}

// ReadLink returns where a symbolic link leads.
func (r Regular) ReadLink(name string) (string, error) { return fs.ReadLink(r.FS, name) }

// Lstat describes a file; it does not follow a symbolic link.
func (r Regular) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(r.FS, name) }

// Regular is a file system that opens folders and regular files only: to open a pipe in the copy would wait for
// a writer forever.
type Regular struct{ fs.FS }

// Open opens a file or a folder; it returns an error for all other files.
func (r Regular) Open(name string) (fs.File, error) {
	info, err := fs.Stat(r.FS, name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("neither a folder nor a regular file")}
	}
	return r.FS.Open(name)
}

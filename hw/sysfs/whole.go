package sysfs

import "io/fs"

// ReadWhole reads a machine as Read does, but as if no cgroup held anything of it back.
func ReadWhole(root fs.FS) (*Machine, error) { return Read(uncontained{root}) }

// uncontained is a machine's files without its cgroups.
type uncontained struct{ fs.FS }

// ReadLink returns where a symbolic link leads.
func (u uncontained) ReadLink(name string) (string, error) { return fs.ReadLink(u.FS, name) }

// Lstat describes a file without following it when it is a link.
func (u uncontained) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(u.FS, name) }

// Open opens a file, but for the list of mounts, without which no cgroup is found.
func (u uncontained) Open(name string) (fs.File, error) {
	if name == "proc/mounts" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return u.FS.Open(name)
}

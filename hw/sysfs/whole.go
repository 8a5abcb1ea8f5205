package sysfs

import "io/fs"

// ReadWhole reads a machine as Read does, but as if no cgroup held anything of it back.
func ReadWhole(root fs.FS) (*Machine, error) { return Read(uncontained{root}) }

// uncontained is a machine's files without its cgroups.
type uncontained struct{ fs.FS }

// Open opens a file, but for the list of mounts, without which no cgroup is found.
func (u uncontained) Open(name string) (fs.File, error) {
	if name == "proc/mounts" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return u.FS.Open(name)
}

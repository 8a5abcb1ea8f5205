package fsroot

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// maxLinks bounds the symbolic links on the way to one file, as Linux does.
const maxLinks = 40

var (
	errLeaves = errors.New("a symbolic link on its way leaves the root")
	errCycle  = errors.New("the symbolic links on its way never end")
)

// entry is a folder, a file or a symbolic link of a tree.
type entry struct {
	children map[string]*entry // of a folder, otherwise nil
	data     []byte            // of a file
	link     string            // of a symbolic link: its target; otherwise ""
}

func newFolder() *entry { return &entry{children: map[string]*entry{}} }

func (e *entry) isFolder() bool { return e.children != nil }

// tree is a file system in memory. Symbolic links are followed within it: one that is absolute or climbs
// above root is an error where it is used. Safe for concurrent use once it is filled.
type tree struct{ root *entry }

// below is the tree of a folder at its top, or for "." the tree itself.
func (t tree) below(top string) tree {
	if top == "." {
		return t
	}
	return tree{t.root.children[top]}
}

// Sub is the tree of a folder, whose links cannot leave it.
func (t tree) Sub(name string) (fs.FS, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	e, err := t.find(name)
	if err == nil && !e.isFolder() {
		err = errors.New("it is no folder")
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return tree{e}, nil
}

// Open opens a file or folder for reading.
func (t tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	e, err := t.find(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	at := info{path.Base(name), e}
	if !e.isFolder() {
		return &file{at, bytes.NewReader(e.data)}, nil
	}
	f := &folder{info: at}
	for child, e := range e.children {
		f.rest = append(f.rest, fs.FileInfoToDirEntry(info{child, e}))
	}
	slices.SortFunc(f.rest, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return f, nil
}

// find walks to a file or folder, through symbolic links.
func (t tree) find(name string) (*entry, error) {
	way := []*entry{t.root} // folders from the root to here, for ".."
	links := 0
	for todo := strings.Split(name, "/"); len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		here := way[len(way)-1]
		if !here.isFolder() {
			return nil, fs.ErrNotExist
		}
		switch part {
		case "", ".":
			continue
		case "..":
			if len(way) == 1 {
				return nil, errLeaves
			}
			way = way[:len(way)-1]
			continue
		}
		next := here.children[part]
		switch {
		case next == nil:
			return nil, fs.ErrNotExist
		case next.link == "":
			way = append(way, next)
			continue
		case path.IsAbs(next.link):
			return nil, errLeaves
		}
		if links++; links > maxLinks {
			return nil, errCycle
		}
		todo = append(strings.Split(next.link, "/"), todo...)
	}
	return way[len(way)-1], nil
}

// at finds a file, folder or link by its name; only links on the way to it are
// followed.
func (t tree) at(op, name string) (*entry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	parent, err := t.find(path.Dir(name))
	if err != nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: err}
	}
	e := parent.children[path.Base(name)]
	if name == "." {
		e = t.root
	}
	if e == nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return e, nil
}

// ReadLink returns where a symbolic link leads.
func (t tree) ReadLink(name string) (string, error) {
	e, err := t.at("readlink", name)
	if err == nil && e.link == "" {
		err = &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return "", err
	}
	return e.link, nil
}

// Lstat describes a file without following it when it is a link.
func (t tree) Lstat(name string) (fs.FileInfo, error) {
	e, err := t.at("lstat", name)
	if err != nil {
		return nil, err
	}
	return info{path.Base(name), e}, nil
}

// info describes an entry under the name by which it was asked for.
type info struct {
	name string
	*entry
}

// Name is the last part of the path.
func (i info) Name() string { return i.name }

// Size is in bytes.
func (i info) Size() int64 { return int64(len(i.data)) }

// Mode is read-only.
func (i info) Mode() fs.FileMode {
	switch {
	case i.isFolder():
		return fs.ModeDir | 0o555
	case i.link != "":
		return fs.ModeSymlink | 0o777
	}
	return 0o444
}

// ModTime is not kept.
func (i info) ModTime() time.Time { return time.Time{} }

// IsDir tells folders.
func (i info) IsDir() bool { return i.isFolder() }

// Sys has nothing to tell.
func (i info) Sys() any { return nil }

// file is an open file.
type file struct {
	info
	*bytes.Reader
}

// Stat describes the file.
func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }

// ReadDir fails: a file has no entries.
func (f *file) ReadDir(int) ([]fs.DirEntry, error) {
	return nil, &fs.PathError{Op: "readdir", Path: f.name, Err: errors.New("not a directory")}
}

// Size is the file's, not what is left to read.
func (f *file) Size() int64 { return f.info.Size() }

// Close has nothing to free.
func (f *file) Close() error { return nil }

// folder is an open folder.
type folder struct {
	info
	rest []fs.DirEntry // in order of names
}

// Stat describes the folder.
func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }

// Read fails: a folder has no bytes.
func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: errors.New("is a directory")}
}

// Close has nothing to free.
func (f *folder) Close() error { return nil }

// ReadDir lists the next n entries, in order of names; all that are left when n is not positive.
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(f.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(f.rest) {
		n = len(f.rest)
	}
	list := f.rest[:n]
	f.rest = f.rest[n:]
	return list, nil
}

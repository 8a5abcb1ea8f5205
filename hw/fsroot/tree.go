package fsroot

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/hw"
)

// maxLinks is the largest number of symbolic links on the way to one file, as on Linux.
const maxLinks = 40

var (
	errLeaves = errors.New("a symbolic link in the path leaves the root")
	errCycle  = errors.New("the symbolic links in the path never end")
)

// entry is a folder, a file or a symbolic link of a tree.
type entry struct {
	children map[string]*entry // of a folder, otherwise nil
	data     []byte            // of a file
	link     string            // of a symbolic link: its target; otherwise ""
}

func newFolder() *entry { return &entry{children: map[string]*entry{}} }

func (e *entry) isFolder() bool { return e.children != nil }

// tree is a file system in memory. Symbolic links are followed within the tree: opening a link that is
// absolute or climbs above root is an error. A tree is safe for concurrent use once it is filled.
type tree struct{ root *entry }

// below returns the tree of a folder at the top, or for "." the tree itself.
func (t tree) below(top string) tree {
	if top == "." {
		return t
	}
	return tree{t.root.children[top]}
}

// Sub returns the tree of a folder, whose links cannot leave the folder.
func (t tree) Sub(name string) (fs.FS, error) {
	e, err := t.open(name)
	if err == nil && !e.isFolder() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("it is not a folder")}
	}
	return tree{e}, err
}

// Open opens a file or folder for reading.
func (t tree) Open(name string) (fs.File, error) {
	e, err := t.open(name)
	if err != nil {
		return nil, err
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

// open finds a file or folder for the methods of package fs.
func (t tree) open(name string) (*entry, error) {
	err := fs.ErrInvalid
	var e *entry
	if fs.ValidPath(name) {
		e, err = t.find(name)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return e, nil
}

// find returns the file or folder at a path; it follows symbolic links.
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

// at returns the file, folder or link at a path; it follows only the links on the way there.
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

// Lstat describes a file; it does not follow a symbolic link.
func (t tree) Lstat(name string) (fs.FileInfo, error) {
	e, err := t.at("lstat", name)
	if err != nil {
		return nil, err
	}
	return info{path.Base(name), e}, nil
}

// info describes an entry under the name by which the caller asked for it.
type info struct {
	name string
	*entry
}

// Name returns the last part of the path.
func (i info) Name() string { return i.name }

// Size returns the size in bytes.
func (i info) Size() int64 { return int64(len(i.data)) }

// Mode returns the type of the entry, with read-only permissions.
func (i info) Mode() fs.FileMode {
	switch {
	case i.isFolder():
		return fs.ModeDir | 0o555
	case i.link != "":
		return fs.ModeSymlink | 0o777
	}
	return 0o444
}

// ModTime returns the zero time: the tree keeps no times.
func (i info) ModTime() time.Time { return time.Time{} }

// IsDir reports whether the entry is a folder.
func (i info) IsDir() bool { return i.isFolder() }

// Sys returns nil.
func (i info) Sys() any { return nil }

// file is an open file.
type file struct {
	info
	*bytes.Reader
}

// Stat describes the file.
func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }

// ReadDir returns an error: a file has no entries.
func (f *file) ReadDir(int) ([]fs.DirEntry, error) {
	return nil, &fs.PathError{Op: "readdir", Path: f.name, Err: errors.New("not a directory")}
}

// Size returns the size of the file, not of what is left to read.
func (f *file) Size() int64 { return f.info.Size() }

// Close does nothing: there is nothing to free.
func (f *file) Close() error { return nil }

// folder is an open folder.
type folder struct {
	info
	rest []fs.DirEntry // in order of names
}

// Stat describes the folder.
func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }

// Read returns an error: a folder has no bytes.
func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: errors.New("is a directory")}
}

// Close does nothing: there is nothing to free.
func (f *folder) Close() error { return nil }

// ReadDir lists the next n entries, in order of names; all remaining entries when n is not positive.
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

// Listed reads a list of files into memory, as Unpack reads an archive. For each file the list has a line with its type
// ('0', a file; '2', a symbolic link) and its absolute name, a line with a size, and that number of bytes: the content, or
// the link's target.
func Listed(list []byte, b Bounds) (fs.FS, error) {
	u := unpacking{tree: tree{newFolder()}, bounds: b}
	for len(list) > 0 {
		name, rest, _ := bytes.Cut(list, []byte("\n"))
		number, rest, ended := bytes.Cut(rest, []byte("\n"))
		size, err := strconv.Atoi(string(number))
		switch {
		case !ended, err != nil, size < 0, len(name) < 2, name[1] != '/':
			return nil, fmt.Errorf("%q begins no file of a list: want a type and an absolute name, and below a size", hw.Clip(string(name)))
		case size > len(rest):
			return nil, errors.New("the list is cut")
		}
		h := &tar.Header{Typeflag: name[0], Name: string(name[2:]), Size: int64(size)}
		if h.Typeflag == tar.TypeSymlink {
			h.Linkname = string(rest[:size])
		}
		if err := u.add(h, bytes.NewReader(rest[:size])); err != nil {
			return nil, err
		}
		list = rest[size:]
	}
	return u.tree, nil
}

// Package wholefile writes files whole, and opens files that can be read whole. After a full disk or a kill, and
// for a reader meanwhile, a file has the old text or the new text, never a part of it and never nothing.
package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Write writes text to a file. An existing file keeps its mode, its owner and the links to it. A new file gets
// perm, before umask. A file that is not ordinary, such as a FIFO or /dev/stdout, is written directly.
func Write(path string, text []byte, perm fs.FileMode) error {
	return write(path, text, perm, true)
}

// Create writes a file as Write does, but returns fs.ErrExist if the file exists. A file that is not ordinary may
// exist, because writing to it loses nothing.
func Create(path string, text []byte, perm fs.FileMode) error {
	return write(path, text, perm, false)
}

func write(path string, text []byte, perm fs.FileMode, over bool) error {
	at, old, err := find(path)
	switch {
	case err != nil:
		return err
	case old != nil && !old.Mode().IsRegular():
		return straight(at, text)
	case old != nil && !over:
		return &fs.PathError{Op: "write", Path: path, Err: fs.ErrExist}
	case old == nil:
		err = replace(at, nil, text, perm)
	default:
		err = rewrite(at, old, text)
	}
	return named(err, path)
}

// mostLinks is how many symbolic links may lead to a file, as in Linux.
const mostLinks = 40

// find follows symbolic links to the file that will be written; old is nil where the file does not exist yet. The
// links of /proc stand for open files: find returns such a link itself, which is not ordinary.
func find(path string) (at string, old fs.FileInfo, err error) {
	for range mostLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return "", nil, named(err, path)
		}
		at = filepath.Join(dir, filepath.Base(path))
		info, err := os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return at, nil, nil
		case err != nil:
			return "", nil, err
		case info.IsDir():
			return "", nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("this is a folder")}
		case info.Mode()&fs.ModeSymlink == 0, strings.HasPrefix(at, "/proc/"):
			return at, info, nil
		}
		to, err := os.Readlink(at)
		if err != nil {
			return "", nil, err
		}
		if path = to; !filepath.IsAbs(to) {
			path = filepath.Join(dir, to)
		}
	}
	return "", nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("too many symbolic links")}
}

// straight writes directly to a FIFO, a device, or an open file by way of /proc.
func straight(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// rewrite gives a file another text. It replaces the file by a new one, or, where that is not possible, because
// the file has other names, another owner, or a folder that may not be changed, writes into the file itself.
func rewrite(path string, old fs.FileInfo, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0) // may we?
	if err != nil {
		return err
	}
	f.Close()
	if names(old) > 1 {
		return inPlace(path, text)
	}
	var kept *unreplaceable
	err = replace(path, old, text, old.Mode().Perm())
	if errors.As(err, &kept) {
		return inPlace(path, text)
	}
	return err
}

// unreplaceable is the error for a file that cannot be replaced by a new one.
type unreplaceable struct{ error }

func (u *unreplaceable) Unwrap() error { return u.error }

// replace writes a new file in the same folder, which then takes the name.
func replace(path string, old fs.FileInfo, text []byte, perm fs.FileMode) (err error) {
	f, err := beside(path, perm)
	if err != nil {
		return &unreplaceable{err}
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if old == nil {
		return enter(f.Name(), path)
	}
	if err := errors.Join(sameOwner(f.Name(), old), os.Chmod(f.Name(), old.Mode())); err != nil {
		return &unreplaceable{err}
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return &unreplaceable{err}
	}
	return nil
}

// enter gives a written file its name; it returns an error if the name was taken meanwhile.
func enter(temporary, path string) error {
	err := os.Link(temporary, path)
	switch {
	case err == nil:
		return os.Remove(temporary)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return os.Rename(temporary, path) // a file system without hard links
}

// unfinished begins the name of an incomplete file: .commsplit-PID-N.
const unfinished = ".commsplit-"

// beside makes a file with a free name in the folder of path. It also removes from that folder the files that
// killed processes left.
func beside(path string, perm fs.FileMode) (*os.File, error) {
	dir := filepath.Dir(path)
	sweep(dir)
	for i := 0; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf("%s%d-%d", unfinished, os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// sweep removes the incomplete files of processes that no longer exist. On a file system of several hosts it may
// remove a file that another host is writing: that writer then fails, and the old file stays.
func sweep(dir string) {
	files, _ := os.ReadDir(dir) //nolint:errcheck // what cannot be listed stays as it is
	for _, file := range files {
		rest, ours := strings.CutPrefix(file.Name(), unfinished)
		pid, _, _ := strings.Cut(rest, "-")
		if n, err := strconv.Atoi(pid); ours && err == nil && n > 0 && file.Type().IsRegular() && !lives(n) {
			os.Remove(filepath.Join(dir, file.Name())) //nolint:errcheck // the next sweep tries again
		}
	}
}

// inPlace writes text into an existing file. If the new text does not fit, it puts the old text back: the old
// text's space is not released before.
func inPlace(path string, text []byte) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err = put(f, text); err != nil {
		err = errors.Join(err, put(f, old))
	}
	return errors.Join(err, f.Close())
}

// put replaces the content of a file by text.
func put(f *os.File, text []byte) error {
	if _, err := f.WriteAt(text, 0); err != nil {
		return err
	}
	return errors.Join(f.Truncate(int64(len(text))), f.Sync())
}

// named returns err as an error about path, the file that the caller asked for, whatever file err names.
func named(err error, path string) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return &fs.PathError{Op: "write", Path: path, Err: at.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "write", Path: path, Err: link.Err}
	}
	return err
}

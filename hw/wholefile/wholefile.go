// Package wholefile writes files whole, and opens those that can be read whole. A reader, a full disk or a process
// that is killed meanwhile finds the old text or the new one, never a part of it and never an empty file.
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

// Write writes text to a file, which may be there: then its mode, its owner and the links to it stay
// as they are. A new file gets perm, before umask. What is no ordinary file, such as a FIFO or
// /dev/stdout, is written to as it is.
func Write(path string, text []byte, perm fs.FileMode) error {
	return write(path, text, perm, true)
}

// Create is Write for a file that must not be there: otherwise the error is fs.ErrExist. What is no
// ordinary file loses nothing when it is written to, and may be there.
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

// find follows symbolic links to the file that will be written; old is nil where there is none yet. The
// links of /proc stand for open files: those are returned themselves, as what is no ordinary file.
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

// straight writes to a FIFO, a device, or an open file by way of /proc.
func straight(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// rewrite gives a file another text. Where another file cannot take its place, because it has other
// names, another owner, or a folder that may not be changed, it is rewritten where it is.
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

// unreplaceable is the error that a file cannot be replaced by another one.
type unreplaceable struct{ error }

func (u *unreplaceable) Unwrap() error { return u.error }

// replace writes another file in the same folder, which then takes the name.
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

// enter gives a written file its name, which nobody else may have taken meanwhile.
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

// unfinished begins the name of a file that is not complete: .commsplit-PID-N.
const unfinished = ".commsplit-"

// beside makes a file of a name that is free, in the folder of path, and clears that folder of what processes that
// were killed left there.
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

// sweep removes the incomplete files of processes that live no more. On a file system of several hosts, one that
// another host writes right now may be among them: its writer then fails, and the old file stays.
func sweep(dir string) {
	files, _ := os.ReadDir(dir) //nolint:errcheck // what cannot be listed stays as it is
	for _, file := range files {
		rest, ours := strings.CutPrefix(file.Name(), unfinished)
		pid, _, _ := strings.Cut(rest, "-")
		if n, err := strconv.Atoi(pid); ours && err == nil && n > 0 && file.Type().IsRegular() && !lives(n) {
			os.Remove(filepath.Join(dir, file.Name())) //nolint:errcheck // the next one tries again
		}
	}
}

// inPlace rewrites a file where it is. The old text is put back when the new one does not fit: its space
// is not given away before.
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

// put makes text all that is in a file.
func put(f *os.File, text []byte) error {
	if _, err := f.WriteAt(text, 0); err != nil {
		return err
	}
	return errors.Join(f.Truncate(int64(len(text))), f.Sync())
}

// named is an error about the file that was asked for, whatever file it came from.
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

//go:build unix

package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// names returns the number of names of a file: its hard links.
func names(f fs.FileInfo) uint64 {
	if s, ok := f.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// sameOwner gives the file at path the owner and the group of the old file.
func sameOwner(path string, old fs.FileInfo) error {
	want, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if has, ok := info.Sys().(*syscall.Stat_t); ok && has.Uid == want.Uid && has.Gid == want.Gid {
		return nil
	}
	return os.Chown(path, int(want.Uid), int(want.Gid))
}

// lives reports whether a process with that id exists, whoever owns it.
func lives(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package edit

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks an open file for this process alone, until the file is closed or the process ends in
// any way. It returns errLocked when another process has the lock.
func tryLock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}

package edit

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks an open file for this process alone, until the file is closed or the process ends in
// any way. It returns errLocked when another process has the lock. The locked byte lies behind the end of any
// file, so that other processes may read all of the file.
func tryLock(f *os.File) error {
	behind := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, behind)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errLocked
	}
	return err
}

//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package edit

import (
	"errors"
	"os"
)

// tryLock returns an error: it cannot lock files on this system.
func tryLock(*os.File) error { return errors.ErrUnsupported }

//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package edit

import (
	"errors"
	"os"
)

// tryLock cannot lock files here.
func tryLock(*os.File) error { return errors.ErrUnsupported }

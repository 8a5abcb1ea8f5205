package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// ErrNotOrdinary says that a path leads to a FIFO, a device or the like: opening one may wait for its writer for
// ever, and reading it may never end.
var ErrNotOrdinary = errors.New("want an ordinary file")

// notOrdinary is ErrNotOrdinary with what the path leads to.
type notOrdinary string

// Error says what it is, and what would be right.
func (n notOrdinary) Error() string { return "this is a " + string(n) + ": " + ErrNotOrdinary.Error() }

// Is makes it an ErrNotOrdinary.
func (n notOrdinary) Is(target error) bool { return target == ErrNotOrdinary }

// Open opens a file that a person named for reading, when Readable lets it.
func Open(path string) (*os.File, error) {
	if err := Readable(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Readable is the error why a file cannot be read to its end without waiting for anybody: it is not there, or no
// ordinary file. A pipe that this process has open already, as a shell hands over in <(COMMAND), has its writer, and
// can be read, too.
func Readable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		if failed, ok := errors.AsType[*fs.PathError](err); ok {
			failed.Op = "open"
		}
		return err
	}
	if mode := info.Mode(); !mode.IsRegular() && (mode&fs.ModeNamedPipe == 0 || !handedOver(path)) {
		return &fs.PathError{Op: "open", Path: path, Err: notOrdinary(kind(mode))}
	}
	return nil
}

// Read reads all of a file that Open opens.
func Read(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// handedOver reports whether a path leads to an open file of a process.
func handedOver(path string) bool {
	at, _, err := find(path)
	return err == nil && (strings.HasPrefix(at, "/proc/") || strings.HasPrefix(at, "/dev/fd/"))
}

// kind is what a person calls a file that is no ordinary one.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "directory"
	case mode&fs.ModeNamedPipe != 0:
		return "FIFO"
	case mode&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}

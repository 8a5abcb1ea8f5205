package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// ErrNotOrdinary is the error for a path that leads to a FIFO, a device or the like: opening such a file may wait
// forever for a writer, and reading it may never end.
var ErrNotOrdinary = errors.New("want an ordinary file")

// notOrdinary is ErrNotOrdinary with the kind of file that the path leads to.
type notOrdinary string

// Error tells the kind of file, and what would be right.
func (n notOrdinary) Error() string { return "this is a " + string(n) + ": " + ErrNotOrdinary.Error() }

// Is reports whether target is ErrNotOrdinary.
func (n notOrdinary) Is(target error) bool { return target == ErrNotOrdinary }

// Open opens a file that a person named for reading, if Readable returns no error.
func Open(path string) (*os.File, error) {
	if err := Readable(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Readable returns an error if a file cannot be read to its end without waiting for another process: the file does
// not exist, or is not ordinary. A pipe that this process has open already, as a shell passes for <(COMMAND), has a
// writer, and can be read, too.
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

// Read returns the content of a file that Open opens.
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

// kind returns the common name for a file that is not ordinary.
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

package repl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// WriteNew makes a file, all of it or none. It only writes over one that is there with force; otherwise
// the error says that instead would be right.
func WriteNew(path string, text []byte, force bool, instead string) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, flags, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: %s", path, instead)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil && !force {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

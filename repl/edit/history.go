package edit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// mostKept is how many lines the history keeps.
const mostKept = 1000

// LoadHistory reads the lines of a history file, the oldest first. A file that cannot be read is an
// empty one.
func LoadHistory(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
}

// SaveHistory writes the last lines to a history file that only its owner may read; "" is none.
func SaveHistory(file string, lines []string) error {
	if file == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	lines = lines[max(0, len(lines)-mostKept):]
	_, err = f.WriteString(strings.Join(append(lines[:len(lines):len(lines)], ""), "\n"))
	return errors.Join(err, f.Close())
}

// Keeps reports whether a line goes into the history: as in shells, one that begins with a blank or
// repeats the last one does not.
func Keeps(line, last string) bool {
	return strings.TrimSpace(line) != "" && line[0] != ' ' && line != last
}

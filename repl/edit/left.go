package edit

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Left is a journal that a session left behind.
type Left struct {
	Path string
	Time time.Time // of its last record
	Seen bool      // a person has got its session back
}

// How many journals that were left behind are kept and for how long, and how many bytes a journal may have.
const (
	mostLeft  = 20
	keptLeft  = 30 * 24 * time.Hour
	mostBytes = 64 << 20
)

// LeftBehind lists the journals in a folder whose sessions no longer live: the newest first, and after these the
// journals that a person has seen. Where files cannot be locked, every session counts as living. LeftBehind removes the
// journals beyond the first mostLeft, and those older than keptLeft.
func LeftBehind(dir string) []Left {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil // no folder yet, or an unreadable one: writing to it reports the error
	}
	var list []Left
	for _, file := range files {
		name := file.Name()
		if !strings.HasPrefix(name, journalPrefix) || !strings.HasSuffix(name, journalSuffix) || !file.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, name)
		f, err := openLocked(path)
		if err != nil {
			continue
		}
		if info, err := f.Stat(); err == nil {
			list = append(list, Left{path, info.ModTime(), strings.HasSuffix(name, journalSeen)})
		}
		f.Close()
	}
	slices.SortFunc(list, func(a, b Left) int {
		seen := map[bool]int{true: 1}
		return cmp.Or(seen[a.Seen]-seen[b.Seen], b.Time.Compare(a.Time))
	})
	kept := list[:0]
	for _, l := range list {
		if len(kept) == mostLeft || time.Since(l.Time) > keptLeft {
			os.Remove(l.Path) //nolint:errcheck // the next call tries again
		} else {
			kept = append(kept, l)
		}
	}
	return kept
}

// openLocked opens and locks a journal that was left behind: until it is closed, other processes get errLocked.
func openLocked(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := tryLock(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Taken is a journal that was left behind, locked for this process until Done.
type Taken struct {
	Lines []string // of the file; each whole record is a line
	file  *os.File
	left  Left
}

// Take reads a journal that was left behind, and locks it.
func (l Left) Take() (*Taken, error) {
	f, err := openLocked(l.Path)
	if errors.Is(err, errLocked) {
		err = errors.New("another session takes it right now")
	}
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err == nil && len(text) > mostBytes {
		err = fmt.Errorf("%s has more than %d MB, which is too much for a journal", l.Path, mostBytes>>20)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	return &Taken{Lines: lines, file: f, left: l}, nil
}

// Done unlocks the journal and leaves it as it is.
func (t *Taken) Done() { t.file.Close() }

// Seen unlocks the journal and marks it as seen by a person.
func (t *Taken) Seen() {
	t.Done()
	if !t.left.Seen {
		to := strings.TrimSuffix(t.left.Path, journalSuffix) + journalSeen
		os.Rename(t.left.Path, to) //nolint:errcheck // without the mark it is offered again, which loses nothing
	}
}

// Drop unlocks and removes the journal.
func (t *Taken) Drop() error {
	t.Done()
	return os.Remove(t.left.Path)
}

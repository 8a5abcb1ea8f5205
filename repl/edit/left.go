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
	Seen bool      // a person has got what it holds
}

// What is left behind is kept for a while, and the newest ones.
const (
	mostLeft  = 20
	keptLeft  = 30 * 24 * time.Hour
	mostBytes = 64 << 20
)

// LeftBehind lists the journals in a folder whose sessions live no more: the newest first, and behind these the ones
// that a person has seen. Where nobody can tell, for files cannot be locked, a session counts as one that lives.
// Journals beyond the first ones and very old ones are removed.
func LeftBehind(dir string) []Left {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil // there is none yet, or it cannot be read: writing to it tells
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
			os.Remove(l.Path) //nolint:errcheck // the next one tries again
		} else {
			kept = append(kept, l)
		}
	}
	return kept
}

// openLocked opens a journal that is left behind, and keeps others from doing the same until it is closed.
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

// Taken is a journal that is left behind, and that nobody else can take before Done.
type Taken struct {
	Lines []string // of the file; a record that was written whole is one of them
	file  *os.File
	left  Left
}

// Take reads a journal that is left behind.
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

// Done leaves the journal as it is.
func (t *Taken) Done() { t.file.Close() }

// Seen marks the journal as one that a person has seen, and is Done.
func (t *Taken) Seen() {
	t.Done()
	if !t.left.Seen {
		to := strings.TrimSuffix(t.left.Path, journalSuffix) + journalSeen
		os.Rename(t.left.Path, to) //nolint:errcheck // then it is offered again, which loses nothing
	}
}

// Drop removes the journal.
func (t *Taken) Drop() error {
	t.Done()
	return os.Remove(t.left.Path)
}

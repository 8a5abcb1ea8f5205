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
	"sync"
	"time"
)

// Journal is a file of the lines of a session while the session lives. A session that ends properly removes its
// journal; a session that a signal, the end of its window, or a crash of the machine ends leaves it behind. The
// file is locked as long as its session lives.
type Journal struct {
	// Create makes the file, which must not exist; nil: createLocked. Tests make files that fail.
	Create func(path string) (JournalFile, error)

	dir  string // "": nothing is kept
	path string
	file JournalFile // nil before the first record
	size int64       // of the whole records in the file
	torn bool        // a part of a record follows the whole records
	lost error       // the latest record is not in the file

	syncing sync.Mutex
}

// JournalFile is the open file of a journal; Write appends.
type JournalFile interface {
	io.WriteCloser
	Truncate(size int64) error
	Sync() error
}

// NewJournal begins a journal in a folder; the first record makes the file. With "" nothing is kept.
func NewJournal(dir string) *Journal { return &Journal{dir: dir} }

// JournalDir returns the folder of the journals; "" when there is no home.
func JournalDir() string {
	if file := StateFile("history"); file != "" {
		return filepath.Dir(file)
	}
	return ""
}

// Add writes a record, a line without its newline, to the end of the journal. When Add returns, the system has the
// record, whatever happens to the process; soon after, the disk has it. A record that could not be written can be
// added again.
func (j *Journal) Add(record []byte) error {
	if j.dir == "" {
		return nil
	}
	if j.lost = j.write(append(slices.Clip(record), '\n')); j.lost != nil {
		return j.lost
	}
	if j.syncing.TryLock() {
		go func(f JournalFile) {
			defer j.syncing.Unlock()
			f.Sync() //nolint:errcheck // the system has it
		}(j.file)
	}
	return nil
}

// write appends a line. It cuts off the part that a failed write left; where it cannot, the next line begins with a
// newline.
func (j *Journal) write(line []byte) error {
	if err := j.open(); err != nil {
		return err
	}
	if j.torn {
		line = slices.Concat([]byte("\n"), line)
	}
	n, err := j.file.Write(line)
	if err == nil {
		j.size, j.torn = j.size+int64(n), false
		return nil
	}
	if n > 0 && j.file.Truncate(j.size) != nil {
		j.size, j.torn = j.size+int64(n), true
	}
	return err
}

// open makes the file when it does not exist yet.
func (j *Journal) open() error {
	if j.file != nil {
		return nil
	}
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return err
	}
	create := j.Create
	if create == nil {
		create = createLocked
	}
	path := filepath.Join(j.dir, journalName(time.Now()))
	f, err := create(path)
	if err == nil {
		j.path, j.file = path, f
	}
	return err
}

// createLocked makes the file of a journal, and locks it.
func createLocked(path string) (JournalFile, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	tryLock(f) //nolint:errcheck // no other process knows the file yet
	return f, nil
}

// A journal is called session-TIME.journal, and session-TIME.seen.journal once a person has got its session back.
const journalPrefix, journalSuffix, journalSeen = "session-", ".journal", ".seen.journal"

// journalName returns the name of a journal's file; names sort by time.
func journalName(t time.Time) string {
	return journalPrefix + t.UTC().Format("20060102T150405.000000000Z") + journalSuffix
}

// Kept reports whether the journal has all records that it got.
func (j *Journal) Kept() bool { return j.file != nil && j.lost == nil }

// Done removes the journal of a session that ended properly.
func (j *Journal) Done() {
	if j.file != nil {
		j.syncing.Lock() // nothing is synced any more
		j.file.Close()
		os.Remove(j.path) //nolint:errcheck // a file that stays is offered, which loses nothing
		j.file = nil
		j.syncing.Unlock()
	}
}

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

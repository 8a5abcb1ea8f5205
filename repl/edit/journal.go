package edit

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// errLocked says that another process has the lock of a file.
var errLocked = errors.New("another process has locked it")

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

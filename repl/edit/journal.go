package edit

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// errLocked says that another process has the lock of a file.
var errLocked = errors.New("another process has locked it")

// Journal is a file that tells, while a session lives, what it was told. It goes with a session that ends as
// it should, and is left by one that does not: by a signal, with its window, killed, with the machine. It is
// locked as long as its session lives.
type Journal struct {
	dir  string // "": nothing is kept
	file *os.File
	lost error

	syncing sync.Mutex
}

// NewJournal begins a journal in a folder; the file comes with the first record. "" keeps nothing.
func NewJournal(dir string) *Journal { return &Journal{dir: dir} }

// JournalDir is the folder of the journals; "" when there is no home.
func JournalDir() string {
	if file := StateFile("history"); file != "" {
		return filepath.Dir(file)
	}
	return ""
}

// Add writes a record, a line without its newline, to the end of the journal. It is with the system when Add
// returns, whatever happens to the process, and on the disk soon after.
func (j *Journal) Add(record []byte) error {
	if j.dir == "" || j.lost != nil {
		return nil // was told
	}
	if j.lost = j.write(append(slices.Clip(record), '\n')); j.lost != nil {
		return j.lost
	}
	if j.syncing.TryLock() {
		go func(f *os.File) {
			defer j.syncing.Unlock()
			f.Sync() //nolint:errcheck // the system has it
		}(j.file)
	}
	return nil
}

func (j *Journal) write(line []byte) error {
	if j.file == nil {
		if err := os.MkdirAll(j.dir, 0o700); err != nil {
			return err
		}
		f, err := os.OpenFile(filepath.Join(j.dir, journalName(time.Now())), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		tryLock(f) //nolint:errcheck // nobody else knows the file
		j.file = f
	}
	_, err := j.file.Write(line)
	return err
}

const journalPrefix, journalSuffix = "session-", ".journal"

// journalName sorts by time.
func journalName(t time.Time) string {
	return journalPrefix + t.UTC().Format("20060102T150405.000000000Z") + journalSuffix
}

// Kept reports whether the journal has all records that it got.
func (j *Journal) Kept() bool { return j.file != nil && j.lost == nil }

// Done removes the journal of a session that ended as it should.
func (j *Journal) Done() {
	if j.file != nil {
		j.syncing.Lock() // nothing is synced any more
		j.file.Close()
		os.Remove(j.file.Name()) //nolint:errcheck // then it is offered, which loses nothing
		j.file = nil
		j.syncing.Unlock()
	}
}

// Left is a journal that a session left behind.
type Left struct {
	Path string
	Time time.Time // of its last record
}

// What is left behind is kept for a while, and the newest ones.
const (
	mostLeft  = 20
	keptLeft  = 30 * 24 * time.Hour
	mostBytes = 64 << 20
)

// LeftBehind lists the journals in a folder whose sessions live no more, the newest first. Where nobody can
// tell, for files cannot be locked, a session counts as one that lives. Journals beyond the newest ones and
// very old ones are removed.
func LeftBehind(dir string) []Left {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil // there is none yet, or it cannot be read: writing to it tells
	}
	var list []Left
	for _, file := range files {
		if !strings.HasPrefix(file.Name(), journalPrefix) || !strings.HasSuffix(file.Name(), journalSuffix) {
			continue
		}
		path := filepath.Join(dir, file.Name())
		f, err := openLocked(path)
		if err != nil {
			continue
		}
		if info, err := f.Stat(); err == nil {
			list = append(list, Left{path, info.ModTime()})
		}
		f.Close()
	}
	slices.SortFunc(list, func(a, b Left) int { return b.Time.Compare(a.Time) })
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

// Take reads the records of a journal that is left behind. Forget removes it, done leaves it for the next
// one; nobody else takes it before. What was written last may be cut short: a record ends with a newline.
func (l Left) Take() (records []string, forget, done func(), err error) {
	f, err := openLocked(l.Path)
	if err != nil {
		if errors.Is(err, errLocked) {
			err = errors.New("another session takes it right now")
		}
		return nil, nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > mostBytes {
		err = errors.New(l.Path + " is too large for a journal")
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(l.Path)
	}
	if err != nil {
		f.Close()
		return nil, nil, nil, err
	}
	end := strings.LastIndexByte(string(text), '\n') + 1
	for line := range strings.Lines(string(text[:end])) {
		records = append(records, strings.TrimSuffix(line, "\n"))
	}
	done = func() { f.Close() }
	forget = func() {
		f.Close()
		os.Remove(l.Path) //nolint:errcheck // then it is offered again, which loses nothing
	}
	return records, forget, done, nil
}

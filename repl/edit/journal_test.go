package edit

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// A session that did not end its journal leaves it behind; the journal of a live session is not listed, because it is
// locked: the system unlocks the files of a process that is gone. A journal stays until it is dropped, and gets a
// mark once it was seen.
func TestJournal(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	j := NewJournal(dir)
	if left := LeftBehind(dir); len(left) != 0 {
		t.Errorf("left before there is any: %v", left)
	}
	for _, record := range []string{"one", "two"} {
		if err := j.Add([]byte(record)); err != nil {
			t.Fatal(err)
		}
	}
	path := j.path
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left := LeftBehind(dir); len(left) != 0 {
		t.Errorf("the journal of a session that lives is offered: %v", left)
	}
	j.syncing.Lock()
	j.file.Close() // as the end of a process does
	left := LeftBehind(dir)
	if len(left) != 1 || left[0].Path != path {
		t.Fatalf("left: %v, want %s", left, path)
	}
	taken, err := left[0].Take()
	if err != nil || !slices.Equal(taken.Lines, []string{"one", "two"}) {
		t.Fatalf("taken %+v, %v", taken, err)
	}
	if again := LeftBehind(dir); len(again) != 0 {
		t.Errorf("what one session takes, another one is offered: %v", again)
	}
	taken.Seen()
	left = LeftBehind(dir)
	if len(left) != 1 || !left[0].Seen {
		t.Fatalf("left after it was seen: %v", left)
	}
	if taken, err = left[0].Take(); err != nil || len(taken.Lines) != 2 {
		t.Fatalf("taken %+v, %v", taken, err)
	}
	if err := taken.Drop(); err != nil || len(LeftBehind(dir)) != 0 {
		t.Errorf("left after it was dropped: %v, %v", LeftBehind(dir), err)
	}
	ended := NewJournal(dir)
	if err := ended.Add([]byte("x")); err != nil {
		t.Fatal(err)
	}
	ended.Done()
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("files %v, %v", files, err)
	}
}

// Of the journals that are left behind, the newest come first, and only mostLeft are kept.
func TestJournalsMany(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	begin := time.Now().Add(-time.Hour)
	for k := range mostLeft + 3 {
		path := filepath.Join(dir, journalName(begin.Add(time.Duration(k)*time.Second)))
		if err := os.WriteFile(path, []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, begin.Add(time.Duration(k)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	ancient := filepath.Join(dir, journalName(begin.Add(-keptLeft)))
	if err := os.WriteFile(ancient, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(ancient, time.Time{}, begin.Add(-keptLeft)); err != nil {
		t.Fatal(err)
	}
	left := LeftBehind(dir)
	if len(left) != mostLeft || !left[0].Time.After(left[1].Time) || left[mostLeft-1].Time.Before(begin.Add(2*time.Second)) {
		t.Errorf("left %v", left)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != mostLeft {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// faulty is a file of which one write fails after some bytes; with uncut, the truncation after it fails, too.
type faulty struct {
	JournalFile
	fails   int // the number of the write, from 1
	after   int // how many bytes that write writes
	uncut   bool
	written int
}

func (f *faulty) Write(b []byte) (int, error) {
	if f.written++; f.written != f.fails {
		return f.JournalFile.Write(b)
	}
	n, err := f.JournalFile.Write(b[:min(f.after, len(b))])
	return n, errors.Join(err, errors.New("no space left"))
}

func (f *faulty) Truncate(size int64) error {
	if f.uncut {
		return errors.New("may not")
	}
	return f.JournalFile.Truncate(size)
}

// When a record whose write failed is added again, the journal has all records. Where the part that the failed write
// left cannot be cut off, the journal has one more line, which is not a record.
func TestJournalFaults(t *testing.T) {
	t.Parallel()
	want := []string{"one", "two", "three"}
	for fails := range len(want) + 1 {
		for after := range len("three\n") {
			for _, uncut := range []bool{false, true} {
				dir := t.TempDir()
				j := NewJournal(dir)
				j.Create = func(path string) (JournalFile, error) {
					f, err := createLocked(path)
					return &faulty{JournalFile: f, fails: fails, after: after, uncut: uncut}, err
				}
				for i, record := range want {
					if err := j.Add([]byte(record)); (err != nil) != (i+1 == fails) || j.Kept() != (err == nil) {
						t.Errorf("write %d: record %d: %v, kept %v", fails, i+1, err, j.Kept())
					} else if err != nil {
						err = j.Add([]byte(record))
						if err != nil || !j.Kept() {
							t.Errorf("write %d: again: %v", fails, err)
						}
					}
				}
				j.syncing.Lock()
				j.file.Close()
				taken, err := LeftBehind(dir)[0].Take()
				if err != nil {
					t.Fatal(err)
				}
				got := taken.Lines
				if uncut {
					got = slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s == "" || !slices.Contains(want, s) })
					got = slices.Compact(got) // a line may have been written whole
				}
				if !slices.Equal(got, want) {
					t.Errorf("write %d fails after %d bytes, %v: the journal has %q", fails, after, uncut, taken.Lines)
				}
				taken.Done()
			}
		}
	}
}

// Nothing is kept while the folder cannot be made; once it can, records are kept.
func TestJournalNoFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	j := NewJournal(dir)
	if err := j.Add([]byte("one")); err == nil || j.Kept() {
		t.Errorf("a file for a folder: %v", err)
	}
	if err := errors.Join(os.Remove(dir), j.Add([]byte("one"))); err != nil || !j.Kept() {
		t.Error(err)
	}
	j.Done()
}

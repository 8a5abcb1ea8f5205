package edit

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The history lies below XDG_STATE_HOME, or below ~/.local/state. A path that is not absolute is to be
// ignored: XDG Base Directory Specification 0.8, Basics.
func TestHistoryFile(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	t.Setenv("XDG_STATE_HOME", "/state")
	if got, want := HistoryFile(), filepath.FromSlash("/state/commsplit/history"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, none := range []string{"", "state", "./state"} {
		t.Setenv("XDG_STATE_HOME", none)
		if got, want := HistoryFile(), filepath.FromSlash("/home/ada/.local/state/commsplit/history"); got != want {
			t.Errorf("%q: got %s, want %s", none, got, want)
		}
	}
}

// A line longer than 64 KB and bytes that are no UTF-8 lose nothing that comes after them, and stay as they are.
func TestHistoryOdd(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state", "history")
	long := strings.Repeat("x", 100_000)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	before := "one\n" + long + "\ntwo \xff\nz = 1\r\nhalf a li"
	if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	h := OpenHistory(file)
	h.Add("last")
	want := []string{"one", long, "two \uFFFD", "z = 1", "half a li", "last"}
	if got := h.Entries(); !slices.Equal(got, want) {
		t.Errorf("got %.100q", got)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != before+"\nlast\n" || h.Lost() != nil {
		t.Errorf("the file has %.100q, %v, %v", text, err, h.Lost())
	}
	if got := OpenHistory(file).Entries(); !slices.Equal(got, want) {
		t.Errorf("got %.100q again", got)
	}
}

// As in shells, a line that begins with a blank, repeats the last one or is empty is not kept. A block is one
// entry. What instances that live at the same time type is all there, in the order of typing.
func TestHistoryShared(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "history")
	a, b := OpenHistory(file), OpenHistory(file)
	const block = "for i in range(2):\n    if i:\n\n        print(i)"
	for _, entry := range []string{"a1", "a1", " secret", "\tsecret", "", "  "} {
		a.Add(entry)
	}
	b.Add("b1")
	a.Add(block + "\n\n")
	b.Add("b2")
	if got, want := OpenHistory(file).Entries(), []string{"a1", "b1", block, "b2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := b.Entries(), []string{"b1", "b2"}; !slices.Equal(got, want) {
		t.Errorf("the second instance has %q, want %q", got, want)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// Instances that write at the same time, while others cut the file, lose nothing that is new enough.
func TestHistoryCut(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "history")
	var old strings.Builder
	for k := range mostKept + slack + 1 {
		fmt.Fprintf(&old, "old %d\n", k)
	}
	if err := os.WriteFile(file, []byte(old.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var instances sync.WaitGroup
	for i := range 4 {
		instances.Go(func() {
			for k := range 25 {
				OpenHistory(file).Add(fmt.Sprintf("new %d %d", i, k))
			}
		})
	}
	instances.Wait()
	got := OpenHistory(file).Entries()
	count := 0
	for _, entry := range got {
		if strings.HasPrefix(entry, "new ") {
			count++
		}
	}
	if count != 100 || len(got) != mostKept || got[0] == "old 0" {
		t.Errorf("%d of 100 new entries, %d in all, the first %q", count, len(got), got[0])
	}
}

// A history that cannot be read or written is told of, and entered lines are recalled all the same.
func TestHistoryLost(t *testing.T) {
	t.Parallel()
	h := OpenHistory(t.TempDir()) // a folder
	if h.Add("a"); h.Lost() == nil || len(h.Entries()) != 1 {
		t.Errorf("lost %v, entries %q", h.Lost(), h.Entries())
	}
}

// A journal is left behind by a session that did not end it, and by none that lives: files are locked, and
// the system unlocks those of a process that is gone. What was cut short at its end is no record.
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
	path := j.file.Name()
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left := LeftBehind(dir); len(left) != 0 {
		t.Errorf("the journal of a session that lives is offered: %v", left)
	}
	j.file.WriteString("cut sh") //nolint:errcheck // it was written to before
	j.syncing.Lock()
	j.file.Close() // as the end of a process does
	left := LeftBehind(dir)
	if len(left) != 1 || left[0].Path != path {
		t.Fatalf("left: %v, want %s", left, path)
	}
	records, _, done, err := left[0].Take()
	if err != nil || !slices.Equal(records, []string{"one", "two"}) {
		t.Errorf("records %q, %v", records, err)
	}
	if again := LeftBehind(dir); len(again) != 0 {
		t.Errorf("what one session takes, another one is offered: %v", again)
	}
	done()
	_, forget, _, err := LeftBehind(dir)[0].Take()
	if err != nil {
		t.Fatal(err)
	}
	forget()
	if again := LeftBehind(dir); len(again) != 0 {
		t.Errorf("left after it was forgotten: %v", again)
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

// Of the journals that are left behind, the newest are offered first, and only so many are kept.
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

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
)

// The history lies below XDG_STATE_HOME, or below ~/.local/state. A relative path in XDG_STATE_HOME must be
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

// A line longer than 64 KB and bytes that are not UTF-8 stay as they are, and the entries after them are read.
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

// As in shells, a line that begins with a blank, repeats the last line or is empty is not kept. A block is one
// entry. The file has the entries of all instances that run at the same time, in the order of typing.
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

// Instances that write at the same time, while others shorten the file, lose none of the newest entries.
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

// Lost reports a history that cannot be read or written, and entered lines can be recalled nevertheless.
func TestHistoryLost(t *testing.T) {
	t.Parallel()
	h := OpenHistory(t.TempDir()) // a folder
	if h.Add("a"); h.Lost() == nil || len(h.Entries()) != 1 {
		t.Errorf("lost %v, entries %q", h.Lost(), h.Entries())
	}
}

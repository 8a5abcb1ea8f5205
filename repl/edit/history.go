// Package edit reads lines from a person at a terminal, with editing, history and completion, and keeps the
// files that outlive a session: the history of all instances, and the journals of sessions. It knows nothing
// of the language; the caller gives the proposals of Tab. Scripts are read whole, elsewhere.
package edit

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/hw/wholefile"
)

// HistoryFile returns the path of the file of lines typed at the prompt.
func HistoryFile() string { return StateFile("history") }

// StateFile returns $XDG_STATE_HOME/commsplit/NAME; without that variable ~/.local/state/commsplit/NAME; "" when
// there is no home.
func StateFile(name string) string {
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) { // unset, or to be ignored: XDG Base Directory Specification 0.8
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "commsplit", name)
}

// mostKept is how many entries the history keeps; slack is how many more its file may hold before it is shortened.
const (
	mostKept = 10000
	slack    = 1000
)

// History is the entries typed at the prompts of all instances, the oldest first. Its file has one entry on each
// line; the further lines of a block begin with a tab, and no entry does. An instance adds each entry to the file
// at once, so that none is lost, and sees entries of other instances that were in the file when it began.
type History struct {
	file    string // "": none is kept
	entries []string
	lost    error // the first reason why something was not kept
}

// OpenHistory reads a history file; with "" the history is empty and kept in no file. A missing file is an empty
// history.
func OpenHistory(file string) *History {
	h := &History{file: file}
	if file == "" {
		return h
	}
	text, err := wholefile.Read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.lost = err
	}
	raw := cutEntries(text)
	if len(raw) > mostKept+slack {
		h.note(h.cut())
	}
	for _, entry := range raw[max(0, len(raw)-mostKept):] {
		entry = bytes.ReplaceAll(entry, []byte("\n\t"), []byte("\n"))
		h.entries = append(h.entries, strings.ToValidUTF8(string(entry), "\uFFFD"))
	}
	return h
}

// cutEntries cuts the text of a history file into entries, unchanged but without the newline at the end.
func cutEntries(text []byte) [][]byte {
	var list [][]byte
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if last := len(list) - 1; last >= 0 && len(line) > 0 && line[0] == '\t' {
			list[last] = append(append(list[last], '\n'), line...)
		} else if len(line) > 0 {
			list = append(list, bytes.Clone(line))
		}
	}
	return list
}

// Entries lists the history, the oldest first. A block is one entry, of several lines.
func (h *History) Entries() []string { return h.entries }

// Add keeps an entry at once, unless the entry begins with a blank, repeats the last entry, or is empty, as in shells.
func (h *History) Add(entry string) {
	entry = strings.TrimRight(entry, " \t\n")
	last := ""
	if n := len(h.entries); n > 0 {
		last = h.entries[n-1]
	}
	if entry == "" || entry == last || strings.ContainsRune(" \t\n", rune(entry[0])) {
		return
	}
	h.entries = append(h.entries, entry)
	if h.file != "" {
		h.note(h.append(entry))
	}
}

// Lost returns the first error that kept an entry out of the file; nil when all are in it.
func (h *History) Lost() error { return h.lost }

func (h *History) note(err error) {
	if h.lost == nil {
		h.lost = err
	}
}

// append writes an entry to the end of the file in one write, which systems do not mix with writes of other
// instances. If the last line has no newline, as after a full disk, append adds it first.
func (h *History) append(entry string) error {
	unlock, _, err := h.lock()
	if err != nil {
		return err
	}
	defer unlock()
	f, err := os.OpenFile(h.file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	line := strings.ReplaceAll(entry, "\n", "\n\t") + "\n"
	if end, err := f.Seek(0, io.SeekEnd); err == nil && end > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, end-1); err == nil && last[0] != '\n' {
			line = "\n" + line
		}
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}

// cut leaves only the newest entries in the file, while no other instance writes to it. The file is replaced
// atomically: whatever happens, there is the old file or the new file.
func (h *History) cut() error {
	unlock, had, err := h.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if !had {
		return nil // a later start cuts the file
	}
	text, err := wholefile.Read(h.file) // others may have written since
	if err != nil {
		return err
	}
	raw := cutEntries(text)
	if len(raw) <= mostKept+slack {
		return nil // another instance was faster
	}
	kept := append(bytes.Join(raw[max(0, len(raw)-mostKept):], []byte("\n")), '\n')
	return wholefile.Write(h.file, kept, 0o600)
}

// lockWait is how long an instance waits for others, which hold the lock for no longer than a write takes.
const lockWait = 5 * time.Second

// lock keeps other instances from writing to the history. had is false where locks do not work, or the lock does
// not come free in time: writes to the end of the file stay whole nevertheless.
func (h *History) lock() (unlock func(), had bool, err error) {
	if err := os.MkdirAll(filepath.Dir(h.file), 0o700); err != nil {
		return nil, false, err
	}
	f, err := os.OpenFile(h.file+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, err
	}
	err = tryLock(f)
	for end := time.Now().Add(lockWait); errors.Is(err, errLocked) && time.Now().Before(end); err = tryLock(f) {
		time.Sleep(time.Millisecond)
	}
	return func() { f.Close() }, err == nil, nil // closing unlocks it
}

// errLocked says that another process has the lock of a file.
var errLocked = errors.New("another process has locked it")

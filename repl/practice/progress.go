package practice

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"commsplit/hw/wholefile"
	"commsplit/repl"
	"commsplit/repl/edit"
	"commsplit/scripts"
)

// Progress is which exercises a person has solved: a small text file, for its owner only, with a line "done NAME" for
// each. It keeps the embedded exercises only.
type Progress struct {
	path string // "" keeps nothing
	lost error  // why the file could not be written; nothing is written after that
	done map[string]bool
}

// File is $XDG_STATE_HOME/commsplit/practice, or the same below ~/.local/state; "" when there is no home.
func File() string { return edit.StateFile("practice") }

// ReadProgress reads the file of that name. Where there is no such file, the person begins.
func ReadProgress(path string) (*Progress, error) {
	p := &Progress{path: path, done: map[string]bool{}}
	if path == "" {
		return p, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return nil, &repl.InputError{Err: err}
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case len(words) == 2 && words[0] == "done":
			p.done[words[1]] = true
		default:
			return nil, &repl.InputError{Err: fmt.Errorf("%s:%d: %q is not \"done EXERCISE\"; commsplit practice --reset begins anew", path, i+1, line)}
		}
	}
	return p, nil
}

// Done reports whether an exercise was solved.
func (p *Progress) Done(name string) bool { return p.done[name] }

// Next is the first exercise that is not solved; ok is false when there is none.
func (p *Progress) Next() (e scripts.Example, ok bool) {
	for _, e := range scripts.Practice.Examples() {
		if !p.done[e.Name] {
			return e, true
		}
	}
	return scripts.Example{}, false
}

// Reset forgets everything.
func Reset(path string) error {
	if err := os.Remove(path); err != nil && path != "" && !errors.Is(err, fs.ErrNotExist) {
		return &repl.InputError{Err: err}
	}
	return nil
}

// Lost is why nothing is remembered; nil when all is well. Exercises go on without it.
func (p *Progress) Lost() error { return p.lost }

// Solved notes that an exercise is solved. The file is replaced at once, so that a crash leaves the old one or the
// new one.
func (p *Progress) Solved(name string) {
	p.done[name] = true
	if p.path == "" || p.lost != nil {
		return
	}
	var b strings.Builder
	for _, e := range scripts.Practice.Examples() {
		if p.done[e.Name] {
			fmt.Fprintf(&b, "done %s\n", e.Name)
		}
	}
	if p.lost = os.MkdirAll(filepath.Dir(p.path), 0o700); p.lost == nil {
		p.lost = wholefile.Write(p.path, []byte(b.String()), 0o600)
	}
}

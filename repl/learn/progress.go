package learn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"commsplit/hw/wholefile"
	"commsplit/repl"
	"commsplit/repl/edit"
	"commsplit/scripts"
)

// Progress is where a person is in the lessons: a small text file, for its owner only. Its lines are
// "done LESSON" and, at most once, "at LESSON STEPS", where so many steps were seen.
type Progress struct {
	path string // "" keeps nothing
	lost error  // why the file could not be written; nothing is written after that
	done map[string]bool
	at   string
	step int
}

// File is $XDG_STATE_HOME/commsplit/learn, or the same below ~/.local/state; "" when there is no home.
func File() string { return edit.StateFile("learn") }

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
		if !p.read(strings.Fields(line)) {
			return nil, &repl.InputError{Err: fmt.Errorf("%s:%d: %q is neither \"done LESSON\" nor \"at LESSON STEPS\"; "+
				"commsplit learn --reset begins anew", path, i+1, line)}
		}
	}
	return p, nil
}

func (p *Progress) read(words []string) bool {
	switch {
	case len(words) == 0:
		return true
	case len(words) == 2 && words[0] == "done":
		p.done[words[1]] = true
		return true
	case len(words) == 3 && words[0] == "at":
		n, err := strconv.Atoi(words[2])
		p.at, p.step = words[1], n
		return err == nil && n >= 0
	}
	return false
}

// Done reports whether a lesson was played to its end.
func (p *Progress) Done(lesson string) bool { return p.done[lesson] }

// Next is the lesson where the person stopped, or else the first that is not done; ok is false when
// there is none.
func (p *Progress) Next() (e scripts.Example, ok bool) {
	list := scripts.Lessons.Examples()
	i := slices.IndexFunc(list, func(e scripts.Example) bool { return e.Name == p.at })
	if i < 0 {
		i = slices.IndexFunc(list, func(e scripts.Example) bool { return !p.done[e.Name] })
	}
	if i < 0 {
		return scripts.Example{}, false
	}
	return list[i], true
}

// Reset forgets everything.
func Reset(path string) error {
	if err := os.Remove(path); err != nil && path != "" && !errors.Is(err, fs.ErrNotExist) {
		return &repl.InputError{Err: err}
	}
	return nil
}

// stepOf is how many steps of a lesson were seen when the person stopped in it.
func (p *Progress) stepOf(lesson string) int {
	if p.at != lesson {
		return 0
	}
	return p.step
}

func (p *Progress) reached(lesson string, step int) {
	p.at, p.step = lesson, step
	p.save()
}

// finished notes that a lesson is done, and which lesson comes next; next is "" after the last lesson.
func (p *Progress) finished(lesson, next string) {
	p.done[lesson] = true
	p.at, p.step = next, 0
	p.save()
}

// Lost is why nothing is remembered; nil when all is well. Lessons go on without it.
func (p *Progress) Lost() error { return p.lost }

// save replaces the file at once, so that a crash leaves the old one or the new one.
func (p *Progress) save() {
	if p.path == "" || p.lost != nil {
		return
	}
	var b strings.Builder
	for _, e := range scripts.Lessons.Examples() {
		if p.done[e.Name] {
			fmt.Fprintf(&b, "done %s\n", e.Name)
		}
	}
	if p.at != "" {
		fmt.Fprintf(&b, "at %s %d\n", p.at, p.step)
	}
	p.lost = replaceFile(p.path, b.String())
}

// replaceFile writes a file that only its owner may read.
func replaceFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return wholefile.Write(path, []byte(text), 0o600)
}

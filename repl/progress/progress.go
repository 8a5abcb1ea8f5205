// Package progress keeps how far a person is in a course: which lessons are done, which exercises are solved, and
// where the person stopped. It reads and writes the file of a course, and nothing else.
package progress

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/wholefile"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/scripts"
)

// Course is a list of scripts that a person goes through in order.
type Course struct {
	*scripts.Group
	Command string // of commsplit; the course's file has the same name
	Scripts string // the word for its scripts: "lessons"
	Ended   string // the word for a script that the person has finished: "done"
}

// Lessons and Exercises are the courses.
var (
	Lessons   = Course{scripts.Lessons, "learn", "lessons", "done"}
	Exercises = Course{scripts.Practice, "practice", "exercises", "solved"}
)

// File returns $XDG_STATE_HOME/commsplit/COMMAND; without that variable ~/.local/state/commsplit/COMMAND; "" when there
// is not a home.
func (c Course) File() string { return edit.StateFile(c.Command) }

// Reset removes the file of the course's progress.
func (c Course) Reset(path string) error {
	if err := os.Remove(path); path != "" && !errors.Is(err, fs.ErrNotExist) {
		return repl.AsInput(err)
	}
	return nil
}

// Progress is how far a person is in a course. It is kept in a small text file, for its owner only. Its lines are "done
// SCRIPT" and, at most once, "at SCRIPT STEPS", with the number of steps seen.
type Progress struct {
	course Course
	path   string // "" keeps nothing
	lost   error  // why the file could not be written; nothing is written after that
	done   map[string]bool
	at     string // the script in which the person stopped; "" for none
	step   int
}

// Read reads a file of progress. Where there is no such file, the person has done nothing yet.
func (c Course) Read(path string) (*Progress, error) {
	p := &Progress{course: c, path: path, done: map[string]bool{}}
	if path == "" {
		return p, nil
	}
	data, err := wholefile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return nil, repl.AsInput(err)
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if !p.read(strings.Fields(line)) {
			return nil, repl.AsInput(fmt.Errorf("%s:%d: %q is neither \"done NAME\" nor \"at NAME STEPS\"; "+
				"commsplit %s --reset starts over", path, i+1, line, c.Command))
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

// Done reports whether a script is done.
func (p *Progress) Done(name string) bool { return p.done[name] }

// Next returns the script in which the person stopped, or else the first that is not done; ok is false when all are
// done.
func (p *Progress) Next() (e scripts.Example, ok bool) {
	list := p.course.Examples()
	i := slices.IndexFunc(list, func(e scripts.Example) bool { return e.Name == p.at })
	if i < 0 {
		i = slices.IndexFunc(list, func(e scripts.Example) bool { return !p.done[e.Name] })
	}
	if i < 0 {
		return scripts.Example{}, false
	}
	return list[i], true
}

// Stopped reports whether the person stopped in the middle of a script, and after how many steps.
func (p *Progress) Stopped(name string) (steps int, ok bool) {
	if p.at != name {
		return 0, false
	}
	return p.step, true
}

// Reached notes how many steps of a script were seen.
func (p *Progress) Reached(name string, steps int) {
	p.at, p.step = name, steps
	p.save()
}

// Finished notes that a script is done, and with which script the person goes on; "" for none.
func (p *Progress) Finished(name, next string) {
	p.done[name] = true
	p.at, p.step = next, 0
	p.save()
}

// Lost returns why the progress is not saved, or nil if it is saved. Without a file, the course goes on.
func (p *Progress) Lost() error { return p.lost }

// save replaces the file atomically, so that a crash leaves the old file or the new file.
func (p *Progress) save() {
	if p.path == "" || p.lost != nil {
		return
	}
	var b strings.Builder
	for _, e := range p.course.Examples() {
		if p.done[e.Name] {
			fmt.Fprintf(&b, "done %s\n", e.Name)
		}
	}
	if p.at != "" {
		fmt.Fprintf(&b, "at %s %d\n", p.at, p.step)
	}
	if p.lost = os.MkdirAll(filepath.Dir(p.path), 0o700); p.lost == nil {
		p.lost = wholefile.Write(p.path, []byte(b.String()), 0o600)
	}
}

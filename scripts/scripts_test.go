package scripts_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/scripts"
)

// worldLine matches the line that sets a script's world. No script asks for "this", the machine that it runs on.
var worldLine = regexp.MustCompile(`(?m)^# commsplit:.* -n \d+ .*--topo (\S+)`)

// Every script has a line on what it shows, and a line on the hardware that it runs on; no two scripts share a name.
func TestFirstLines(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, e := range scripts.All() {
		m := worldLine.FindStringSubmatch(strings.ReplaceAll(e.Text, "# commsplit:", "# commsplit: "))
		switch {
		case names[e.Name]:
			t.Errorf("there are two scripts %s", e.Name)
		case !strings.HasPrefix(e.Text, "# "+e.Title) || len(e.Title) < 10:
			t.Errorf("%s: the first line is not a title: %q", e.Name, e.Title)
		case m == nil || m[1] == "this":
			t.Errorf("%s: the flags do not say the world", e.Name)
		case e.Section == "" && e.Group != scripts.Tours:
			t.Errorf("%s: the title does not end with its section", e.Name)
		case !strings.Contains(e.Text, "expect"):
			t.Errorf("%s expects nothing", e.Name)
		}
		names[e.Name] = true
	}
}

// All examples and figures of the documents have a script.
func TestDocumentsAreCovered(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"example-7.1", "example-7.2", "example-7.3", "example-7.4", "example-7.5", "figure-7.3", "example-9.1",
		"example-6.1", "example-6.2", "figure-6.1", "figure-6.2", "proposal-2019", "proposal-2019-variant-2",
	} {
		if !slices.ContainsFunc(scripts.Standard.Examples(), func(e scripts.Example) bool { return e.Name == name }) {
			t.Errorf("%s is missing", name)
		}
	}
}

// Lessons are numbered from 1. Each lesson names the wrong idea after it has failed, names the right idea, asks before
// it tells, and ends with a picture. No note comes between a call that blocks and the deadlock: the note would wait,
// too.
func TestLessonsTeach(t *testing.T) {
	t.Parallel()
	picture := regexp.MustCompile(`(?s)\n\.(show|explain) [^\n]*\n$`)
	for i, e := range scripts.Lessons.Examples() {
		if !strings.HasPrefix(e.Name, fmt.Sprintf("lesson-%02d-", i+1)) {
			t.Errorf("%s is not numbered %d", e.Name, i+1)
		}
		for _, part := range []string{"\nnote \"", "ask \"", "he wrong idea", "expect"} {
			if !strings.Contains(e.Text, part) {
				t.Errorf("%s has no %q", e.Name, part)
			}
		}
		if strings.Contains(e.Text, "he wrong idea:") {
			t.Errorf("%s says that an idea is wrong before it failed", e.Name)
		}
		if !picture.MatchString(e.Text) {
			t.Errorf("%s does not end with a picture", e.Name)
		}
	}
	if n := len(scripts.Lessons.Examples()); n != 23 {
		t.Errorf("%d lessons, not 23", n)
	}
}

// Scripts are found by name with and without extension, examples by their number, lessons by number or
// word.
func TestLookup(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"example-7.3": "example-7.3.py", "example-7.3.py": "example-7.3.py", "Example-7.3": "example-7.3.py", "7.3": "example-7.3.py",
		"lesson-3": "lesson-03-ties-and-keys.mpi", "ties-and-keys": "lesson-03-ties-and-keys.mpi", "first-split": "first-split.mpi",
		"example-7": "", "3": "", "lesson-99": "", "": "",
	} {
		if file, _, ok := scripts.Lookup(name); file != want || ok != (want != "") {
			t.Errorf("%s: found %q, %v, not %q", name, file, ok, want)
		}
	}
	for name, want := range map[string]string{
		"3": "lesson-03-ties-and-keys", "03": "lesson-03-ties-and-keys", "lesson-03-ties-and-keys": "lesson-03-ties-and-keys",
		"free": "lesson-11-free", "17": "lesson-17-leaders", "0": "", "23": "lesson-23-find-the-leak", "24": "", "example-7.3": "",
	} {
		if e, ok := scripts.Lesson(name); e.Name != want || ok != (want != "") {
			t.Errorf("lesson %s: found %q, %v, not %q", name, e.Name, ok, want)
		}
	}
}

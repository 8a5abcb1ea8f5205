package progress_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl/progress"
)

// The files of both courses have lines "done NAME" and "at NAME STEPS": a person goes on in the script in which the
// person stopped, else in the first that is not done, and new progress goes into the file.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		course                 progress.Course
		text, next, done, then string
		steps                  int
	}{
		{progress.Exercises, "done 01-evens-and-odds\n", "02-reversed-order", "02-reversed-order",
			"done 01-evens-and-odds\ndone 02-reversed-order\n", 0},
		{progress.Lessons, "done lesson-01-color-and-key\nat lesson-03-ties-and-keys 4\n", "lesson-03-ties-and-keys", "lesson-03-ties-and-keys",
			"done lesson-01-color-and-key\ndone lesson-03-ties-and-keys\n", 4},
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := c.course.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		next, ok := p.Next()
		if steps, _ := p.Stopped(c.next); !ok || next.Name != c.next || steps != c.steps {
			t.Errorf("%q: next is %s after %d steps", c.text, next.Name, steps)
		}
		p.Finished(c.done, "")
		if text, err := os.ReadFile(path); err != nil || string(text) != c.then || p.Lost() != nil {
			t.Errorf("%q: remembers %q, %v, %v", c.text, text, err, p.Lost())
		}
		if err := os.WriteFile(path, []byte("done a b\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := c.course.Read(path); err == nil || !strings.Contains(err.Error(), "file:1: \"done a b\" is neither") {
			t.Errorf("a malformed file: %v", err)
		}
	}
}

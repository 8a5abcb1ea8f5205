package cmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/scripts"
)

// runAt runs a command line on a terminal of that many columns.
func runAt(t *testing.T, columns int, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	s := cmd.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, OutTTY: true, Width: columns, Getenv: func(string) string { return "" }}
	args = append(args, "--color", "never")
	code := cmd.Run(t.Context(), s, args)
	return result{code, out.String(), errs.String()}
}

// Every embedded script has expectations, meets all of them, and ends with 0.
func TestExamplesHold(t *testing.T) {
	t.Parallel()
	for _, e := range scripts.All() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			got := run(t, "", "run", e.Name)
			if got.code != cmd.OK || !rulesMet.MatchString(got.out) {
				t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
			}
		})
	}
}

// The expectations can fail: with one of them changed, the script fails there.
func TestExamplesCanFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, old, new, message string }{
		{"example-7.5", "[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], [10, 11]])", "[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]])", "found [8, 9]"},
		{"example-7.5", `stands_for(1, "commsplit://Rack")`, `stands_for(1, "hwloc://Package")`, "level 1"},
		{"lesson-02-which-rank", "half.rank answer=2", "half.rank answer=5", "expected 5 (int), found 2 (int)"},
		{"lesson-04-undefined", "Split(0, 0)\nexpect_deadlock", "Split(0, 0)\n@4-5 world.Split(0, 0)\nexpect_deadlock", "no rank is blocked"},
	} {
		file, text, ok := scripts.Lookup(c.name)
		changed := strings.Replace(text, c.old, c.new, 1)
		if !ok || changed == text {
			t.Fatalf("%s does not hold %q", c.name, c.old)
		}
		path := filepath.Join(t.TempDir(), file)
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		line := strings.Count(text[:strings.Index(text, c.old)]+c.new, "\n") + 1
		got := run(t, "", "run", path)
		if where := "FAILED  " + file + ":" + strconv.Itoa(line); got.code != cmd.Unmet || !strings.Contains(got.out, where) ||
			!strings.Contains(strings.Join(strings.Fields(got.out), " "), c.message) {
			t.Errorf("%s with %s: code %d, want %s and %q in\n%s", c.name, c.new, got.code, where, c.message, got.out)
		}
	}
}

// said matches the texts that a script tells its reader, with note and ask.
var said = regexp.MustCompile(`(?m)^(?:@\S+ )?(?:note|ask)[ (](?:"([^"]*)"|'([^']*)')`)

// A script prints the same on every machine: its results depend neither on the width nor on the number
// of processors, and its text not on the latter. No line is wider than the terminal, unless the script
// prints it. A text for the reader is printed once, for all ranks that say it at once. Not parallel:
// GOMAXPROCS is everybody's.
func TestExamplesAreReproducible(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	at := func(columns, procs int, args ...string) string {
		runtime.GOMAXPROCS(procs)
		return runAt(t, columns, args...).out
	}
	for _, e := range scripts.All() {
		document, other := at(80, 1, "run", e.Name, "-o", "json"), at(200, 8, "run", e.Name, "-o", "json")
		if d := cmp.Diff(document, other); d != "" {
			t.Errorf("%s: the document depends on the width or on GOMAXPROCS:\n%s", e.Name, d)
		}
		text := at(80, 1, "run", e.Name)
		if d := cmp.Diff(text, at(80, 8, "run", e.Name)); d != "" {
			t.Errorf("%s: GOMAXPROCS matters (-1 +8):\n%s", e.Name, d)
		}
		readable(t, e, 80, text)
		readable(t, e, 200, at(200, 8, "run", e.Name))
	}
}

// readable checks the lines and the narration of a script's text.
func readable(t *testing.T, e scripts.Example, columns int, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if ansi.StringWidth(line) > columns || strings.HasSuffix(line, " ") {
			t.Errorf("%s in %d columns: %q", e.Name, columns, line)
		}
	}
	words := strings.Join(strings.Fields(text), " ")
	for _, m := range said.FindAllStringSubmatch(e.Text, -1) {
		if n := strings.Count(words, "· "+m[1]+m[2]); n != 1 {
			t.Errorf("%s says %d times to the reader: %s", e.Name, n, m[1]+m[2])
		}
	}
}

// The list names every script with its group, title and section.
func TestExamplesDocument(t *testing.T) {
	t.Parallel()
	var list []struct{ Name, File, Group, Title, Section string }
	if err := json.Unmarshal([]byte(run(t, "", "examples", "-o", "json").out), &list); err != nil {
		t.Fatal(err)
	}
	all := scripts.All()
	if len(list) != len(all) {
		t.Fatalf("%d scripts, not %d", len(list), len(all))
	}
	for i, e := range all {
		if x := list[i]; x.Name != e.Name || x.File != e.File || x.Group != e.Group.Name || x.Title != e.Title || x.Section != e.Section {
			t.Errorf("%+v, not %s", x, e.Name)
		}
	}
}

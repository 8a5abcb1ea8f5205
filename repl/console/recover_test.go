package console

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// prompt is a console that keeps a journal in dir, and what it wrote.
func prompt(t *testing.T, dir string, size int) (c *Console, out, errs *strings.Builder) {
	t.Helper()
	out, errs = &strings.Builder{}, &strings.Builder{}
	c, err := NewConsole(t.Context(), repl.Config{Size: size, Topo: "core:4"}, out, errs, render.Style{Width: 100})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Session.Close)
	c.Prompt, c.AllowFiles = true, true
	c.KeepJournal(dir)
	return c, out, errs
}

// types runs a line as a person types it.
func types(t *testing.T, c *Console, line string) error {
	t.Helper()
	chunks, err := lang.Split("<prompt>", line, repl.IsVerb)
	if err != nil || len(chunks) != 1 {
		t.Fatalf("%s: %d chunks, %v", line, len(chunks), err)
	}
	return c.Do(t.Context(), chunks[0])
}

// typed is the lines of the session's present world.
func typed(c *Console) []string {
	var list []string
	for _, chunk := range c.Session.Chunks() {
		list = append(list, chunk.Text)
	}
	return list
}

// independent are lines of which each runs without those before it.
var independent = []string{"a = dup world", "x = 5", "b = split world color=rank%2", "y = [1,\n2]", "c = world.Dup()", "z = 'last'"}

// write makes a journal, as a session of four ranks that was killed leaves it, with a world before the last one.
func write(t *testing.T) (records [][]byte) {
	t.Helper()
	dir := t.TempDir()
	c, _, _ := prompt(t, dir, 2)
	for _, line := range append([]string{"gone = 1", ".world 4"}, independent...) {
		if err := types(t, c, line); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.journal"))
	if err != nil || len(files) != 1 {
		t.Fatalf("journals %v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	c.EndJournal()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(func(yield func([]byte) bool) {
		for line := range strings.Lines(string(text)) {
			if !yield([]byte(line)) {
				return
			}
		}
	})
}

const left = "session-20200101T000000.000000000Z.journal"

// tears are ways in which a power failure or a full disk leaves a record.
var tears = map[string]func(record []byte) []byte{
	"nothing but NULs":              func(r []byte) []byte { return append(make([]byte, len(r)-1), '\n') },
	"NULs, also where it ended":     func(r []byte) []byte { return make([]byte, len(r)) },
	"its second half is NULs":       func(r []byte) []byte { return append(slices.Clone(r[:len(r)/2]), make([]byte, len(r)-len(r)/2)...) },
	"its first half is NULs":        func(r []byte) []byte { return append(make([]byte, len(r)/2), r[len(r)/2:]...) },
	"its end is not there":          func(r []byte) []byte { return r[:len(r)/2] },
	"its end is not there, but for": func(r []byte) []byte { return append(slices.Clone(r[:len(r)/2]), '\n') },
	"it is not there":               func([]byte) []byte { return nil },
}

// Whichever record of a journal is torn, and however, .recover brings back all the others, names the line that is
// missing, and keeps the file as it is until it is dropped.
func TestRecoverTorn(t *testing.T) {
	t.Parallel()
	records := write(t)
	first := len(records) - len(independent) // before it are two worlds, and a line of the first one
	for how, tear := range tears {
		for k := first - 1; k < len(records); k++ {
			damaged := slices.Clone(records)
			damaged[k] = tear(records[k])
			text := slices.Concat(damaged...)
			dir := t.TempDir()
			path := filepath.Join(dir, left)
			if err := errors.Join(os.WriteFile(path, text, 0o600)); err != nil {
				t.Fatal(err)
			}
			c, out, errs := prompt(t, dir, 3)
			if err := types(t, c, ".recover"); err != nil {
				t.Errorf("%s, record %d: %v", how, k, err)
			}
			want, size, says := slices.Clone(independent), 4, ""
			switch {
			case k < first:
				says, size = "the last world is damaged", 2
			case k == len(records)-1 && how == "it is not there": // nobody can know
				want = want[:len(want)-1]
			case k == len(records)-1:
				want, says = want[:len(want)-1], "the last record of the journal is damaged"
			default:
				want, says = slices.Delete(want, k-first, k-first+1), fmt.Sprintf("line %d is damaged", k-first+1)
			}
			if got := typed(c); !slices.Equal(got, want) || c.Session.Size() != size || !strings.Contains(out.String(), fmt.Sprintf("brought back %d lines", len(want))) {
				t.Errorf("%s, record %d: brought back %q on %d ranks\n%s", how, k, got, c.Session.Size(), out)
			}
			if got := errs.String(); !strings.Contains(got, says) || (got == "") != (says == "") {
				t.Errorf("%s, record %d: notes %q, want %q", how, k, got, says)
			}
			kept, err := os.ReadFile(strings.TrimSuffix(path, ".journal") + ".seen.journal")
			if err != nil || !slices.Equal(kept, text) {
				t.Errorf("%s, record %d: the journal has %q, %v", how, k, kept, err)
			}
			c.EndJournal()
			if lost := c.Lost(); !strings.Contains(lost, "is still kept after .recover: .recover drop removes it.") {
				t.Errorf("offered as %q", lost)
			}
			if err := types(t, c, ".recover drop"); err != nil || c.Lost() != "" {
				t.Errorf("after it was dropped: %v, %q", err, c.Lost())
			}
		}
	}
}

// A journal without any world runs on the world that is there; one of which nothing is whole is refused, and both are
// kept.
func TestRecoverWorldless(t *testing.T) {
	t.Parallel()
	records := write(t)
	dir := t.TempDir()
	path := filepath.Join(dir, left)
	if err := os.WriteFile(path, slices.Concat(records[len(records)-len(independent):]...), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, errs := prompt(t, dir, 3)
	if err := types(t, c, ".recover"); err != nil || !slices.Equal(typed(c), independent) || c.Session.Size() != 3 ||
		!strings.Contains(errs.String(), "the record of the world is damaged") {
		t.Errorf("%v, %q on %d ranks, %s", err, typed(c), c.Session.Size(), errs)
	}
	c.EndJournal()

	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, left), make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, _ = prompt(t, dir, 3)
	err := types(t, c, ".recover")
	if err == nil || !strings.Contains(err.Error(), "it has no whole line; its journal stays in "+dir) {
		t.Error(err)
	}
	if lost := edit.LeftBehind(dir); len(lost) != 1 || !lost[0].Seen {
		t.Errorf("left: %v", lost)
	}
}

// A line that needs one that is missing does not run; those behind it do, and the person is told.
func TestRecoverGoesOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := `{"world":{"Size":4,"Topo":"core:4"}}
` + "\x00\x00\x00\x00" + `
{"number":2,"text":"dup half"}
{"number":3,"text":"print('never: half comes first', half.size)"}
{"number":4,"text":"dup world"}
`
	if err := os.WriteFile(filepath.Join(dir, left), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, out, errs := prompt(t, dir, 1)
	if err := types(t, c, ".recover"); err != nil || !slices.Equal(typed(c), []string{"dup world"}) || !strings.Contains(out.String(), "brought back 1 line of") {
		t.Errorf("%v, %q\n%s", err, typed(c), out)
	}
	for _, want := range []string{"note: line 1 is damaged and missing\n", `note: "dup half" did not run again: `, `note: "print('never: half comes first', half.size)" did not run again: `} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("%q is not in %q", want, errs)
		}
	}
}

// drop removes what was brought back, or the only session that there is; of several it asks which.
func TestRecoverDrop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	names := []string{"session-1.journal", "session-2.journal", "session-3.journal"}
	lay := func(names ...string) {
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	lay(names...)
	c, out, _ := prompt(t, dir, 1)
	for _, step := range []struct {
		line, says string
		left       int
	}{
		{".recover drop", "none of the 3 sessions was brought back: .recover drop N removes session N", 3},
		{".recover drop 4", "there is no session 4", 3},
		{".recover drop some", "takes all, or the number of a session in the list, not some", 3},
		{".recover list 1", "not list 1", 3},
		{".recover forget", "not forget", 3},
		{".recover drop 2", "removed 1 session; 2 more kept\n", 2},
		{".recover", "it has no whole line", 2}, // and is seen
		{".recover drop", "removed 1 session; 1 more kept\n", 1},
		{".recover drop", "removed 1 session\n", 0},
		{".recover drop", "no session ended early", 0},
	} {
		out.Reset()
		err := types(t, c, step.line)
		if said := fmt.Sprint(out, err); !strings.Contains(said, step.says) || len(edit.LeftBehind(dir)) != step.left {
			t.Errorf("%s: %q, %d left", step.line, said, len(edit.LeftBehind(dir)))
		}
	}
	lay(names...)
	if err := types(t, c, ".recover drop all"); err != nil || len(edit.LeftBehind(dir)) != 0 {
		t.Errorf("%v, %d left", err, len(edit.LeftBehind(dir)))
	}
}

// failing is a file of which one write fails after half of its bytes.
type failing struct {
	edit.JournalFile
	left *int
}

func (f failing) Write(b []byte) (int, error) {
	if *f.left--; *f.left != 0 {
		return f.JournalFile.Write(b)
	}
	n, err := f.JournalFile.Write(b[:len(b)/2])
	return n, errors.Join(err, errors.New("no space left on device"))
}

// Whichever write of a journal fails, the next line writes what is lacking, too; both are told, once.
func TestJournalWriteFails(t *testing.T) {
	t.Parallel()
	session := append([]string{"gone = 1", ".world 4"}, independent...)
	for fails := 1; fails <= len(session)+1; fails++ { // each line writes a record, the first two
		dir := t.TempDir()
		c, _, errs := prompt(t, dir, 2)
		count := fails
		c.journal.Create = func(path string) (edit.JournalFile, error) {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
			return failing{f, &count}, err
		}
		for _, line := range append(slices.Clone(session), "more = 1") {
			if err := types(t, c, line); err != nil {
				t.Fatal(err)
			}
		}
		want := "note: your lines are not kept for .recover: no space left on device\nnote: your lines are kept for .recover again\n"
		if errs.String() != want {
			t.Errorf("write %d: notes %q", fails, errs)
		}
		after, _, damage := prompt(t, dir, 1)
		if err := types(t, after, ".recover"); err != nil || !slices.Equal(typed(after), append(slices.Clone(independent), "more = 1")) || damage.Len() > 0 {
			t.Errorf("write %d: %v, brought back %q, %s", fails, err, typed(after), damage)
		}
		c.EndJournal()
		after.EndJournal()
	}
}

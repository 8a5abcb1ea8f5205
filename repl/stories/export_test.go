package stories_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// commanding is a text that would set the title of a terminal, and erase it: each group of control characters is in it,
// C0, DEL and C1.
const commanding = "\x1b]0;PWN\x07\x7f\u009b2J"

// No program can make a file that commands the terminal on which somebody shows it: what a program names, notes and
// prints, and how its file is called, is in every format without control characters, but for ends of lines and tabs
// between the words.
func TestExportsWithoutControlCharacters(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, `note "noted \x1b]0;PWN\x07\x7f\u009b2J"`, `half = split world color=rank%2  # `+commanding,
		`half.Set_name("\x1b]0;PWN\x07\x7f\u009b2J")`, `print("said \x1b]0;PWN\x07\x7f\u009b2J")`)
	more := sessions.New(t, 4, `i = MPI.Info.Create({"k\x1b\u009b": "v\x1b\u009b"})`, `more = world.Dup_with_info(i)`, `more.Set_name("\x1b]0;PWN\x07")`,
		`expect more.name=="\x1b\u009b"`)
	formats, _ := stories.ExportFormats()
	for _, to := range formats {
		if to == "quiz" { // there are no questions
			continue
		}
		wants := []stories.Export{{To: to}}
		if to == "svg" {
			for _, picture := range stories.Pictures()[1:] {
				if picture != "sides" && picture != "waiting" { // which need two groups, and ranks that wait
					wants = append(wants, stories.Export{To: to, Picture: picture})
				}
			}
		}
		for _, e := range wants {
			e.Title, e.End = commanding, errors.New(commanding)
			var b bytes.Buffer
			if err := stories.ExportTo(&b, s, e); err != nil {
				t.Errorf("%s %s: %v", to, e.Picture, err)
			}
			if e.Picture != "buckets" && e.Picture != "split" {
				if err := stories.ExportTo(&b, more, e); err != nil {
					t.Errorf("%s %s: %v", to, e.Picture, err)
				}
			}
			if c, around, found := control(b.String()); found {
				t.Errorf("%s %s: %U in %q", to, e.Picture, c, around)
			}
		}
	}
}

// control finds the first character of a text that commands a terminal, and what is around it.
func control(text string) (c rune, around string, found bool) {
	for i, c := range text {
		if unicode.IsControl(c) && c != '\n' && c != '\t' {
			return c, text[max(i-40, 0):min(i+20, len(text))], true
		}
	}
	return 0, "", false
}

// What the program of a page shows has none either, also where its JSON escapes them; as in the other outputs, a sign
// stands for each.
func TestPageShowsNoControlCharacters(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 4, "half = split world color=rank%2", `half.Set_name("\x1b]0;PWN\x07\x7f\u009b2J")`, `print("said \x1b]0;PWN\x07\x7f\u009b2J")`)
	var b bytes.Buffer
	if err := stories.ExportTo(&b, s, stories.Export{To: "html", Title: commanding, End: errors.New(commanding)}); err != nil {
		t.Fatal(err)
	}
	data := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindSubmatch(b.Bytes())
	if data == nil {
		t.Fatal("the page has no data")
	}
	var doc any
	if err := json.Unmarshal(data[1], &doc); err != nil {
		t.Fatal(err)
	}
	signs := 0
	eachText(doc, func(text string) {
		if c, around, found := control(text); found {
			t.Errorf("the page shows %U in %q", c, around)
		}
		if strings.Contains(text, "\ufffd]0;PWN\ufffd\ufffd\ufffd2J") {
			signs++
		}
	})
	if signs < 4 { // the title, the name, what was printed, the end
		t.Errorf("the signs stand in %d texts", signs)
	}
}

// eachText calls see with every string of a JSON document.
func eachText(doc any, see func(text string)) {
	switch x := doc.(type) {
	case string:
		see(x)
	case []any:
		for _, y := range x {
			eachText(y, see)
		}
	case map[string]any:
		for _, y := range x {
			eachText(y, see)
		}
	}
}

// JSON loses nothing: its strings say in escapes which characters a name has.
func TestExportedJSONKeepsControlCharacters(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 2, "half = split world color=rank%2", `half.Set_name("\x1b]0;PWN\x07\x7f\u009b2J")`)
	var b bytes.Buffer
	if err := stories.ExportTo(&b, s, stories.Export{To: "json"}); err != nil {
		t.Fatal(err)
	}
	var doc struct{ Communicators []struct{ Name string } }
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for _, c := range doc.Communicators[1:] {
		if c.Name != commanding {
			t.Errorf("a communicator has the name %q, not %q", c.Name, commanding)
		}
	}
}

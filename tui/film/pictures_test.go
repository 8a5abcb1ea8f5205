package film

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/tui"
)

// filmed is a session of four ranks after some keys.
func filmed(t *testing.T, still bool, keys ...string) *Session {
	t.Helper()
	o := tui.Options{Config: repl.Config{Topo: "pack:2 core:2", Size: 4}, Colors: paint.Colors256, Dark: true, Still: still}
	return played(t, o, 80, 24, keys)
}

// played is a session on a screen of that size after some keys.
func played(t *testing.T, o tui.Options, width, height int, keys []string) *Session {
	t.Helper()
	s, err := Open(o, width, height)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for _, key := range keys {
		if err := s.Press(key); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// The pictures of the manual, each beside what it shows, on dark and on light terminals, are what the program draws
// now; UPDATE=1 makes them anew. Screens of 110 columns can be read in a column of text.
func TestManualPictures(t *testing.T) {
	t.Parallel()
	for _, p := range []struct {
		name   string
		height int
		config repl.Config
		keys   []string
	}{
		{"split", 32, repl.Config{Size: 12, Topo: "figure-7.3"}, []string{
			"sleep:1", "text:half = split world color=rank%2 key=-rank", "Enter", "sleep:5",
			`text:numa = split_type half HW_GUIDED resource="hwloc://NUMANode"`, "Enter", "sleep:6"}},
		{"explore", 38, repl.Config{Size: 64, Topo: "frontier"}, []string{"text:parts = split_type world HW_UNGUIDED", "Enter", "sleep:2"}},
		{"deadlock", 32, repl.Config{Size: 4, Topo: "pack:2 core:2"}, []string{
			"text:@0 barrier world", "Enter", "sleep:2", "text:@1-3 half = split world color=0", "Enter", "sleep:2"}},
	} {
		for suffix, dark := range map[string]bool{"-dark.svg": true, "-light.svg": false} {
			moves := p.name == "split"
			s := played(t, tui.Options{Config: p.config, Colors: paint.Colors256, Dark: dark, Still: !moves}, 110, p.height, p.keys)
			var now bytes.Buffer
			picture := s.Still
			if moves {
				picture = s.Moving
			}
			if err := picture(&now, dark); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("..", "pictures", p.name+suffix)
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(file, now.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if was, err := os.ReadFile(file); err != nil || !bytes.Equal(was, now.Bytes()) {
				t.Errorf("%s is stale (%v): UPDATE=1 makes it anew; look at it", file, err)
			}
		}
	}
}

var split = []string{"text:half = split world color=rank%2 key=-rank", "Enter", "sleep:2"}

// The same keys give the same bytes, still and moving, and the file is XML that holds the words of the screen.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	for _, moving := range []bool{false, true} {
		var pictures [2]bytes.Buffer
		for i := range pictures {
			s := filmed(t, !moving, split...)
			picture := s.Still
			if moving {
				picture = s.Moving
			}
			if err := picture(&pictures[i], true); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(pictures[0].Bytes(), pictures[1].Bytes()) {
			t.Errorf("moving %t: two pictures of the same session differ", moving)
		}
		words := wordsOf(t, pictures[0].String())
		for _, want := range []string{"4 ranks on pack:2 core:2", "1 Hardware", "world[4]> ", "half#3", "Enter"} {
			if !strings.Contains(words, strings.TrimSpace(want)) {
				t.Errorf("moving %t: no %q in\n%s", moving, want, words)
			}
		}
	}
}

// wordsOf is what the text elements of a picture hold.
func wordsOf(t *testing.T, picture string) string {
	t.Helper()
	var words []string
	d := xml.NewDecoder(strings.NewReader(picture))
	for inside := false; ; {
		token, err := d.Token()
		if err == io.EOF {
			return strings.Join(words, "\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local == "text"
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if inside {
				words = append(words, string(token))
			}
		}
	}
}

// Time passes only when a test says so: typing takes a while for each character, and what is asked for after a time
// comes in the order of the times.
func TestTimePasses(t *testing.T) {
	t.Parallel()
	s := filmed(t, true, "text:dup", "sleep:1.5")
	if want := 3*perKey + 1500*time.Millisecond; s.Length() != want {
		t.Errorf("%v have passed, want %v", s.Length(), want)
	}
	for i, shot := range s.Shots()[1:] {
		if shot.At <= s.Shots()[i].At {
			t.Errorf("the screen at %v comes after that at %v", s.Shots()[i].At, shot.At)
		}
	}
	if err := s.Press("Entr"); err == nil || !strings.Contains(err.Error(), `"Entr"`) {
		t.Errorf("a key that does not exist: %v", err)
	}
	if err := s.Press("sleep:-1"); err == nil {
		t.Error("time went back")
	}
}

// Each cell has its place and its looks: by the widths of Unicode, and by ECMA-48's numbers.
func TestRuns(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]run{
		"ab \x1b[1;38;5;214mc\x1b[0md": {{0, 3, "ab ", style{}}, {3, 1, "c", style{bold: true, fg: "#ffaf00"}}, {4, 1, "d", style{}}},
		"漢x":                           {{0, 2, "漢", style{}}, {2, 1, "x", style{}}},
		"\x1b[2;48;2;1;2;255mé":        {{0, 1, "é", style{faint: true, bg: "#0102ff"}}},
		"\x1b[7mlit\x1b[27m\x1b[3;4mn\x1b[23;24m.": {{0, 3, "lit", style{back: true}}, {3, 1, "n", style{italic: true, under: true}}, {4, 1, ".", style{}}},
		"─a":                  {{0, 1, "─", style{}}, {1, 1, "a", style{}}},
		"\x1b[31;107mA\x1b[m": {{0, 1, "A", style{fg: base[1], bg: base[15]}}},
		"\x1b[38;5;244mg":     {{0, 1, "g", style{fg: "#808080"}}},
	} {
		got := runsOf(line)
		if len(got) != len(want) {
			t.Errorf("%q is %+v, want %+v", line, got, want)
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%q: run %d is %+v, want %+v", line, i, got[i], want[i])
			}
		}
	}
}

// A moving picture has each row for the time that it shows; what does not play it shows the last screen.
func TestRowsHaveTheirTimes(t *testing.T) {
	t.Parallel()
	shots := []Shot{{0, "same\none"}, {time.Second, "same\ntwo"}, {3 * time.Second, "same\nend"}}
	var b strings.Builder
	if err := write(&b, shots, 4*time.Second, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<g><text x="0" y="14" textLength="36" lengthAdjust="spacingAndGlyphs" fill="#1a1a1a">same</text></g>`,
		`<g visibility="hidden"><set attributeName="visibility" to="visible" begin="loop.begin+0s" dur="1s"/><text x="0" y="32"`,
		`<g visibility="hidden"><set attributeName="visibility" to="visible" begin="loop.begin+1s" dur="2s"/>`,
		`<g><set attributeName="visibility" to="hidden" begin="loop.begin" dur="3s"/>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	if n := strings.Count(b.String(), ">same<"); n != 1 {
		t.Errorf("a row that stays is written %d times", n)
	}
}

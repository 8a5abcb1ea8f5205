package cmd_test

import (
	"bytes"
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// marks are the letters of one picture: a letter, with its color, is one communicator, and a communicator has one letter.
type marks struct {
	t       *testing.T
	picture string
	comms   map[string]string // by letter
	letters map[string]string // by communicator
	colors  map[string]string // by letter
}

func newMarks(t *testing.T, picture string) *marks {
	return &marks{t, picture, map[string]string{}, map[string]string{}, map[string]string{}}
}

// one notes a value, and fails the test where the key had another one.
func (m *marks) one(of map[string]string, key, value, text string) {
	m.t.Helper()
	if was, ok := of[key]; ok && was != value {
		m.t.Errorf("%s: %s is "+text, m.picture, key, was, value)
	}
	of[key] = value
}

// stands notes that a letter stands for a communicator, whose number comes after its name: "half#2".
func (m *marks) stands(letter, name string) {
	m.t.Helper()
	_, id, found := strings.Cut(name, "#")
	if !found {
		id = name
	}
	m.one(m.comms, letter, id, "#%s and #%s")
	m.one(m.letters, "#"+id, letter, "%s and %s")
}

func (m *marks) colored(letter, color string) {
	m.t.Helper()
	m.one(m.colors, letter, color, "in the colors %s and %s")
}

// reading is the pattern of the letters in a format. find matches pairs of a letter and a communicator, or of a letter
// and a color; swapped tells that a pair has the other order.
type reading struct {
	find    *regexp.Regexp
	color   bool
	swapped bool
}

var (
	described = reading{find: regexp.MustCompile(`(?:<desc id="desc">|: |\. )([A-Za-z]+) is (\S+#\d+): `)}
	lettered  = reading{find: regexp.MustCompile(`(\S+#\d+) \(([A-Za-z]+)\), `), swapped: true}
	filled    = reading{find: regexp.MustCompile(`<rect [^>]*class="p(\d+)"/>\n(?:<text [^>]*small[^>]*>[^<]*</text>)?\n?<text [^>]*>([A-Z]+)'?\d*</text>`), color: true, swapped: true}

	readings = map[string][]reading{
		"svg":      {described, lettered, filled},
		"dot":      {{find: regexp.MustCompile(`label="(\S+#\d+) \(([A-Za-z]+)\)`), swapped: true}, {find: regexp.MustCompile(`\(([A-Za-z]+)\)\\n[^"]*", color="(#\w+)"`), color: true}},
		"mermaid":  {{find: regexp.MustCompile(`\["([^"<]*?#35;\d+) \(([A-Za-z]+)\)<br>`), swapped: true}},
		"tikz":     {{find: regexp.MustCompile(`\\bfseries\{\}([A-Z]+)\};\n[^{]*\{([^{]*?\\#\d+):\}`)}, {find: regexp.MustCompile(`commsplit-p(\d+)[^\n]*\n(?:[^\n]*fontsize\{7\}[^\n]*\n)?[^\n]*\\bfseries\{\}([A-Z]+)'?\d*\}`), color: true, swapped: true}},
		"markdown": {{find: regexp.MustCompile(`(?m)^\| \S+ +\| ([A-Za-z]+) +\| ([^ |]*#\d+)`)}},
		"csv":      {{find: regexp.MustCompile(`(?m)^\d+,[^,]*,(\d+),([A-Za-z]+),`), swapped: true}},
		"table":    {{find: regexp.MustCompile(`([A-Za-z]+) #(\d+)(?: |$)`)}},
	}
)

// read notes the letters of a picture, and returns how many there are.
func (m *marks) read(format, text string) int {
	m.t.Helper()
	for _, r := range readings[format] {
		for _, pair := range r.find.FindAllStringSubmatch(text, -1) {
			letter, value := pair[1], strings.NewReplacer("#35;", "#", `\#`, "#").Replace(html.UnescapeString(pair[2]))
			if r.swapped {
				letter, value = pair[2], strings.NewReplacer("#35;", "#", `\#`, "#").Replace(html.UnescapeString(pair[1]))
			}
			if r.color {
				m.colored(letter, value)
			} else {
				m.stands(letter, value)
			}
		}
	}
	return len(m.comms)
}

// In every picture of every script a letter, with its color, is one communicator, whichever variables the picture shows.
func TestOneLetterIsOneCommunicator(t *testing.T) {
	t.Parallel()
	for _, e := range scripts.All() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			s := played(t, e.Name)
			v := s.ViewByHandle()
			held := 0
			for _, p := range render.PartingsOf(v.Snapshot, v.Handles) {
				held += p.Len()
			}
			for _, to := range []string{"dot", "mermaid", "markdown", "csv", "tikz"} {
				if n := newMarks(t, to).read(to, export(t, s, stories.Export{To: to})); n == 0 && held > 0 && to != "dot" && to != "mermaid" && to != "tikz" {
					t.Errorf("%s has no letters", to) // a graph may have folded all of them
				}
			}
			for _, picture := range stories.Pictures() {
				var b bytes.Buffer
				if stories.ExportTo(&b, s, stories.Export{To: "svg", Picture: picture}) == nil { // not all scripts have all pictures
					newMarks(t, picture).read("svg", b.String())
				}
			}
			var b bytes.Buffer
			if err := render.Table(&b, v, render.Style{Width: 400, Whole: true}); err != nil {
				t.Fatal(err)
			}
			newMarks(t, "table").read("table", b.String())
			moments(t, s)
		})
	}
}

// moments checks the screens of the terminal UI, after each step alone and with the step before beside it.
func moments(t *testing.T, s *repl.Session) {
	t.Helper()
	var now *moment.Moment
	for step := range s.Steps() + 1 {
		now = moment.NewMoment(s.View(), step, now)
		m := newMarks(t, "screen after step "+strconv.Itoa(step))
		shown := []*moment.Moment{now}
		if step > 0 {
			shown = append(shown, now.Before())
		}
		for _, at := range shown {
			for k := range at.Handles {
				for i := range at.Parting(k).Len() {
					if p := at.Parting(k); k > 0 {
						m.stands(p.Letter(i), strconv.Itoa(p.Comm(i)))
						m.colored(p.Letter(i), strconv.Itoa(p.Slot(i)))
					}
				}
			}
		}
	}
}

// played returns the session of a script that has run.
func played(t *testing.T, name string) *repl.Session {
	t.Helper()
	script, err := stories.FindScript(t.Context(), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := script.Chunks()
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := cmd.World(script.Flags)
	if err != nil {
		t.Fatal(err)
	}
	c, err := console.NewConsole(t.Context(), cfg, io.Discard, io.Discard, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Session.Close)
	c.Silent = true
	_ = c.Script(t.Context(), chunks) // scripts may end with an error, and have pictures nevertheless
	return c.Session
}

func export(t *testing.T, s *repl.Session, e stories.Export) string {
	t.Helper()
	var b bytes.Buffer
	if err := stories.ExportTo(&b, s, e); err != nil {
		t.Fatalf("%s: %v", e.To, err)
	}
	return b.String()
}

// The readers of letters find all letters: worked out by hand for the first split, whose variables hold half#2, #3,
// same#4, low#5, pair#6, #7 and pack#8, #9 in that order. Pictures of pack alone begin with A.
func TestLettersOfFirstSplit(t *testing.T) {
	t.Parallel()
	s := played(t, "first-split")
	all := map[string]string{"A": "2", "B": "3", "C": "4", "D": "5", "E": "6", "F": "7", "G": "8", "H": "9"}
	pack, split := map[string]string{"A": "8", "B": "9"}, map[string]string{"A": "8", "B": "9", "C": "0"}
	for _, tt := range []struct {
		to, picture string
		want        map[string]string
	}{
		{"dot", "", all}, {"mermaid", "", all}, {"markdown", "", all}, {"csv", "", all}, {"svg", "lineage", all}, {"svg", "split", split},
		{"svg", "partition", pack}, {"svg", "lanes", pack}, {"svg", "buckets", pack}, {"tikz", "", pack},
	} {
		m := newMarks(t, tt.to+" "+tt.picture)
		m.read(tt.to, export(t, s, stories.Export{To: tt.to, Picture: tt.picture}))
		if len(m.comms) != len(tt.want) {
			t.Errorf("%s: %v, want %v", m.picture, m.comms, tt.want)
		}
		for letter, id := range tt.want {
			if m.comms[letter] != id {
				t.Errorf("%s: %s is #%s, want #%s", m.picture, letter, m.comms[letter], id)
			}
		}
		if n := len(m.colors); tt.to == "svg" && n != len(tt.want) {
			t.Errorf("%s: %d letters have colors: %v", m.picture, n, m.colors)
		}
	}
}

package render

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Test is one test of a TAP stream.
type Test struct {
	OK      bool
	Name    string
	Skip    string      // why there was nothing to test; "" when there was
	Details [][2]string // what a failed one tells: names and texts
}

// Tests makes tests of expectations. ended is what ended the script before its end or went wrong there,
// nil for nothing: a failed test of its own.
func Tests(script string, list []Point, ended error) []Test {
	var tests []Test
	for _, p := range list {
		t := Test{OK: p.Failure == nil, Name: strings.TrimSpace(p.Where + " " + p.Text)}
		if f := p.Failure; f != nil {
			t.Details = append(t.Details, [2]string{"message", f.Message})
			if len(f.Ranks) > 0 {
				t.Details = append(t.Details, [2]string{"ranks", f.Ranks.String()})
			}
		}
		tests = append(tests, t)
	}
	if ended != nil {
		tests = append(tests, Test{Name: script + " runs to its end", Details: [][2]string{{"message", ended.Error()}}})
	}
	return tests
}

// TAP writes tests in the Test Anything Protocol, version 13, which harnesses such as prove read.
func TAP(w io.Writer, tests []Test) error {
	var b strings.Builder
	b.WriteString("TAP version 13\n")
	for i, t := range tests {
		if !t.OK {
			b.WriteString("not ")
		}
		fmt.Fprintf(&b, "ok %d - %s", i+1, tapName.Replace(t.Name))
		switch {
		case t.Skip != "" && t.OK:
			b.WriteString(" # SKIP " + t.Skip)
		case t.Skip != "":
			b.WriteString(" # " + t.Skip)
		}
		b.WriteString("\n")
		if len(t.Details) == 0 {
			continue
		}
		b.WriteString("  ---\n")
		for _, d := range t.Details {
			fmt.Fprintf(&b, "  %s: %s\n", d[0], tapText(d[1]))
		}
		b.WriteString("  ...\n")
	}
	fmt.Fprintf(&b, "1..%d", len(tests))
	if len(tests) == 0 {
		b.WriteString(" # SKIP there are no expectations")
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, Clean(b.String()))
	return err
}

// tapName keeps a name in its line, and apart from a directive.
var tapName = strings.NewReplacer("\\", `\\`, "#", `\#`, "\n", " ")

// tapText quotes text as YAML does, which takes JSON's strings.
func tapText(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // text always has an encoding
	}
	return strings.TrimSuffix(b.String(), "\n")
}

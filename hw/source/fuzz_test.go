package source

import (
	"strings"
	"testing"
)

// Any text is refused in one line, or its parts come in order, each with a machine and a
// number of copies within bounds.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"frontier*4+figure-7.3", "cn[01-04]=frontier", "a,b=core:1*2+[numa] 4", "core:2 pu:2(indexes=2*2:1*2)*2",
		"fsroot:/a+b*2", "+", "*", "=", "a=b=c", "x[1-2]=x.xml*3", "core:1 {pu:1;pu:2}+(", "a+b.xml*1+c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts, err := split(strings.TrimSpace(text))
		if err != nil {
			if strings.Contains(strings.TrimSpace(err.Error()), "\n") {
				t.Fatalf("%q: %q", text, err)
			}
			return
		}
		rest := text
		for _, p := range parts {
			at := strings.Index(rest, p.text)
			if at < 0 || p.copies < 0 || p.spec == "" && strings.TrimSpace(text) != "" || !strings.Contains(p.text, p.spec) {
				t.Fatalf("%q: %+v", text, p)
			}
			rest = rest[at+len(p.text):]
		}
	})
}

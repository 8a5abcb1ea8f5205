package synthetic_test

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// For any text, Parse returns a sound tree or an error with a place inside the
// text.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"pack:2 numa:2 l3:2 core:4 pu:2", "2 3 4", "rack:2 machine:4 pack:2 core:8",
		"pack:2(indexes=3,5) numa:2(memory=256GiB indexes=pack) pu:2(indexes=pack:numa)",
		"[numa(memory=1GB memorysidecachesize=1MB)] l2:4 pu:2(indexes=2*4:1*2)",
		"pack:1 {l3:1 {l2:2 core:1(kind=P efficiency=1) pu:2 ; l2:2(kind=E efficiency=0) core:4} ; core:2(kind=E)}",
		"row:2 {rack:2 machine:2(name=cn[01-08]) core:2 ; machine:1 core:4 disallow=0 offline=3} ",
		"pack:2 {core:1 pu:3; core:1}(indexes=2*4:1*2) restrict=0-3,5:1/2",
		"group:2(subtype=Rack) numa:2(memory=32GB) pack:2 core:2 pu:1 restrict=0-11",
		"{core:2(indexes=8,12) pu:1(indexes=5-6) ; core:1 [numa(subtype=HBM)] pu:2}", "{{;}", "{core:1;}(",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if large(text) {
			t.Skip("large counts only cost time here")
		}
		root, _, err := synthetic.Parse(text)
		var e *synthetic.Error
		if errors.As(err, &e) {
			if e.Offset < 0 || e.Offset > len(text) || e.Error() == "" {
				t.Fatalf("offset %d outside %q", e.Offset, text)
			}
			return
		}
		top := hw.New(text, root)
		for o := range top.Root.All() {
			if !nests(o) {
				t.Fatalf("%q: the children of %s %s overlap or stick out", text, o.Type, o.CPUSet)
			}
		}
		if len(top.Objects(hw.PU)) > 10000 || strings.Contains(text, "=0") {
			return // slow, or sizes of 0, which a description leaves to Parse to make up
		}
		if described, err := synthetic.Format(top); err == nil {
			readAgain(t, described)
		}
	})
}

// readAgain checks that a text from Format, parsed and formatted again, is the
// same.
func readAgain(t *testing.T, described string) {
	t.Helper()
	root, _, err := synthetic.Parse(described)
	if err != nil {
		t.Fatalf("%s: %v", described, err)
	}
	if text, err := synthetic.Format(hw.New("", root)); err != nil || text != described {
		t.Fatalf("%s is described as %s, %v", described, text, err)
	}
}

// nests reports whether o's children are inside o, apart from each other.
func nests(o *hw.Object) bool {
	var seen hw.Set
	for _, c := range o.Children {
		if o.Type != hw.Level && (!c.CPUSet.SubsetOf(o.CPUSet) || c.CPUSet.Intersects(seen)) {
			return false
		}
		seen = seen.Union(c.CPUSet)
	}
	return true
}

// count matches a number where a count can stand: first, behind a colon or a
// blank, or behind a bracket.
var count = regexp.MustCompile(`(?:^|[: \t\r\n;{})\]])(0x[0-9a-f]+|[0-9]+)`)

// large reports whether the counts in text may make many objects.
func large(text string) bool {
	product := 1.0
	for _, m := range count.FindAllStringSubmatch(strings.ToLower(text), -1) {
		n, err := strconv.ParseFloat(m[1], 64)
		if strings.HasPrefix(m[1], "0x") || err != nil {
			return true
		}
		product *= max(n, 1)
	}
	return product > 1<<16
}

package hostlist

import (
	"errors"
	"strings"
	"testing"
)

// The names are the output of "scontrol show hostnames LIST" by Slurm's documentation of
// hostlist expressions: brackets vary from the last to the first, zeros are kept.
func TestExpand(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a":                  "a",
		"cn[01-04]":          "cn01 cn02 cn03 cn04",
		"cn[8-11]":           "cn8 cn9 cn10 cn11",
		"cn[098-101]":        "cn098 cn099 cn100 cn101",
		"a,b-1.site,c_2":     "a b-1.site c_2",
		"cn[1,3-4,07]x,head": "cn1x cn3x cn4x cn07x head",
		"r[1-2]n[0-1]":       "r1n0 r1n1 r2n0 r2n1",
		"[1-2]":              "1 2",
	} {
		got, err := Expand(text, 100)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
}

// The error for a list that means nothing has the place of the mistake, and no list makes
// more names than allowed.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		offset int
		want   string
	}{
		{"", 0, "missing host name"},
		{"a,", 2, "missing host name"},
		{"a,,b", 2, "missing host name"},
		{"a b", 1, "letters, digits"},
		{"cn]", 2, "letters, digits"},
		{"cn[1-4", 2, "missing ']'"},
		{"cn[]", 3, "want a number"},
		{"cn[1,x]", 5, "want a number"},
		{"cn[1-2-3]", 3, "want a number"},
		{"cn[1-9999999999]", 3, "want a number"},
		{"cn[4-1]", 3, "runs backwards"},
		{"b,cn[1-3],cn2", 10, "cn2 is given twice"},
		{"cn[1-101]", 3, "more than 100"},
		{"cn[1-999999999]", 3, "more than 100"},
		{"a[1-50]b[1-3]", 9, "more than 100"},
		{"a[1-99],b[1-2]", 10, "more than 100"},
	} {
		_, err := Expand(c.text, 100)
		var e *Error
		if !errors.As(err, &e) || e.Offset != c.offset || !strings.Contains(e.Message, c.want) {
			t.Errorf("%q: got %+v, want %q at %d", c.text, err, c.want, c.offset)
		}
	}
}

// For any text, the result is an error with a place inside the text, or a bounded list of
// different names.
func FuzzExpand(f *testing.F) {
	for _, s := range []string{"cn[01-04,7]", "a,b", "r[1-2]n[0-3]", "[[1]", "a[1-999999999][1-9]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names, err := Expand(text, 50)
		var e *Error
		if errors.As(err, &e) {
			if e.Offset < 0 || e.Offset > len(text) {
				t.Fatalf("offset %d outside %q", e.Offset, text)
			}
			return
		}
		seen := map[string]bool{}
		for _, n := range names {
			if seen[n] || n == "" || strings.ContainsAny(n, "[], ") {
				t.Fatalf("%q: name %q", text, n)
			}
			seen[n] = true
		}
		if len(names) == 0 || len(names) > 50 {
			t.Fatalf("%q: %d names", text, len(names))
		}
	})
}

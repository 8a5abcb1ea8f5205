package repl_test

import (
	"testing"

	"commsplit/repl"
)

// A mistake is found before the line runs, at its column; what may still be right is none.
func TestCheck(t *testing.T) {
	t.Parallel()
	c, _, _ := console(t)
	tell(t, c, "half = split world color=rank%2")
	for _, k := range []struct {
		line string
		col  int // 0: no mistake
	}{
		{"dup half", 0},
		{"x = split half color=rank//2", 0},
		{"for i in range(3):", 0},
		{".undo", 0},
		{"@0-3 barrier world", 0},
		{"dup hlaf", 5},
		{"split world colour=0", 13},
		{"split world", 12},
		{"splt world color=0", 1},
		{".undoo", 2},
		{"@0-99 barrier world", 2},
		{"x = 1 +", 8},
		{"split world color=rank+", 24},
	} {
		err := c.Session.Check(k.line)
		switch {
		case err == nil && k.col != 0:
			t.Errorf("%q: no mistake, want one at column %d", k.line, k.col)
		case err != nil && err.Col != k.col:
			t.Errorf("%q: column %d, want %d (%v)", k.line, err.Col, k.col, err)
		}
	}
}

// What a line is about while it is typed: the verb and the parameter that is written.
func TestHint(t *testing.T) {
	t.Parallel()
	c, _, _ := console(t)
	for line, want := range map[string]string{
		"split ":                          "split comm",
		"split world ":                    "split color",
		"x = split world color=ra":        "split color",
		"@0-3 split world color=0 key=-r": "split key",
		"split":                           "split",
		"world.size":                      "",
		".und":                            ".undo",
		"x = 1":                           "",
	} {
		h, got := c.Session.Hint(line), ""
		switch {
		case h.Meta != nil:
			got = "." + h.Meta.Name
		case h.Verb != nil && h.Param >= 0:
			got = h.Verb.Name + " " + h.Verb.Params[h.Param].Name
		case h.Verb != nil:
			got = h.Verb.Name
		}
		if got != want {
			t.Errorf("%q is about %q, want %q", line, got, want)
		}
	}
}

// The past of a view: what a later line sets is not there, lists are variables an element each.
func TestPastView(t *testing.T) {
	t.Parallel()
	c, _, _ := console(t)
	tell(t, c, "half = split world color=rank%2", "both = [half, half.Dup()]")
	v := c.Session.View()
	names := func(k int) (list []string) {
		for _, h := range repl.PastView(v, k).Handles {
			list = append(list, h.Name)
		}
		return list
	}
	for k, want := range map[int]int{0: 0, 1: 1, 2: 3, 3: 3} { // half; and both[0], both[1] on the ranks whose Dup it is
		if got := names(k); len(got) != want {
			t.Errorf("after step %d: %v, want %d variables", k, got, want)
		}
	}
}

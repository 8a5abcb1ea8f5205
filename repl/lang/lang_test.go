package lang

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func verb(w string) bool {
	switch w {
	case "split", "split_type", "create", "dup", "free", "hw_info", "expect", "note":
		return true
	}
	return false
}

// A line of a verb and blank-separated arguments is a command; everything else is a statement
// (design of the language: "A command is a verb of the table and its arguments").
func TestKindOfLine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text                string
		kind                Kind
		ranks, target, verb string
		args                []string
	}{
		{"half = split world color=rank%2 key=-rank", Command, "", "half", "split", []string{"world", "color=rank%2", "key=-rank"}},
		{"half=split world color=0", Command, "", "half", "split", []string{"world", "color=0"}},
		{"hw = hw-info", Command, "", "hw", "hw_info", nil},
		{`n = split-type half HW_GUIDED resource="hwloc://NUMANode" # why`, Command, "", "n", "split_type", []string{"half", "HW_GUIDED", `resource="hwloc://NUMANode"`}},
		{"@0-3 sub = create world group=[0, 1, 2, 3]", Command, "0-3", "sub", "create", []string{"world", "group=[0, 1, 2, 3]"}},
		{"@1 x = 3", Program, "1", "", "", nil},
		{"x = 3", Program, "", "", "", nil},
		{"free = 3", Program, "", "", "", nil},
		{"free half", Command, "", "", "free", []string{"half"}},
		{"expect(1 == 1)", Program, "", "", "", nil},
		{`expect half.size==3 "three each"`, Command, "", "", "expect", []string{"half.size==3", `"three each"`}},
		{`note "a \" b # c"  # why`, Command, "", "", "note", []string{`"a \" b # c"`}},
		{`note 'it\'s # here' "\\" # why`, Command, "", "", "note", []string{`'it\'s # here'`, `"\\"`}},
		{"split + 1", Program, "", "", "", nil},
		{"for i in range(3): pass", Program, "", "", "", nil},
		{"print(1)", Program, "", "", "", nil},
		{".undo 2", Meta, "", "", "undo", []string{"2"}},
		{"  dup world", Command, "", "", "dup", []string{"world"}},
		{"create world group=[0,\n  1]", Command, "", "", "create", []string{"world", "group=[0,\n  1]"}},
	}
	for _, tt := range tests {
		list, err := Split("t", tt.text, verb)
		if err != nil || len(list) != 1 {
			t.Errorf("%q: %d chunks, %v", tt.text, len(list), err)
			continue
		}
		c := list[0]
		var args []string
		for _, a := range c.Args {
			if a.Name != "" {
				args = append(args, a.Name+"="+a.Text)
			} else {
				args = append(args, a.Text)
			}
		}
		got := []any{c.Kind, c.Ranks.Text, c.Target.Text, c.Verb.Text, args}
		want := []any{tt.kind, tt.ranks, tt.target, tt.verb, tt.args}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q: %s", tt.text, d)
		}
	}
}

// Blocks, brackets and triple quotes belong to one statement; blank lines and comments between
// statements belong to none.
func TestStatementsOfSeveralLines(t *testing.T) {
	t.Parallel()
	text := "# commsplit: -n 4\n\nif x:\n  a()\n\n  b()\nelse:\n  c()\nsplit world color=0\ny = [1,\n2]\ns = '''a\nb'''\nfor i in z:\n  d()\ntry:\n  f()\nexcept E:\n  g()\nfinally:\n  h()\n"
	list, err := Split("t", text, verb)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var lines []int
	for _, c := range list {
		got, lines = append(got, c.Text), append(lines, c.Line)
	}
	want := []string{"if x:\n  a()\n\n  b()\nelse:\n  c()", "split world color=0", "y = [1,\n2]", "s = '''a\nb'''", "for i in z:\n  d()", "try:\n  f()\nexcept E:\n  g()\nfinally:\n  h()"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{3, 9, 10, 12, 14, 16}, lines); d != "" {
		t.Error(d)
	}
}

// Arguments know where they stand, so that a caret can point at them.
func TestPositionsOfArguments(t *testing.T) {
	t.Parallel()
	list, err := Split("t", "@0 h = split world color=rank%2", verb)
	if err != nil {
		t.Fatal(err)
	}
	c := list[0]
	cols := []int{c.Ranks.Col, c.Target.Col, c.Verb.Col, c.Args[0].Col, c.Args[1].Col}
	if d := cmp.Diff([]int{2, 4, 8, 14, 26}, cols); d != "" {
		t.Error(d)
	}
}

// A mistake is reported with its line, its column and what is wrong.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"splitt world color=0":          `t:1:1: unknown verb "splitt"`,
		"h = splt world":                `t:1:5: unknown verb "splt"`,
		"a.b = split world 0":           "t:1:1: a.b cannot name a result: write NAME = split",
		"split world color= rank":       "t:1:13: color= needs a value without a blank after the =",
		"split world color = rank":      "t:1:19: write color=... without blanks around =",
		"split world color=rank % 2":    "t:1:24: write an argument without blanks outside brackets and quotes: color=rank%2",
		"split world rank %2":           "t:1:18: write an argument without blanks outside brackets and quotes: rank%2",
		"@0-3":                          "t:1:1: write the ranks behind @, then the line that only they issue: @0-3 split world color=0",
		"x = [1,\n2":                    "t:1:5: the bracket [ is not closed",
		"ok()\nx = 'abc":                "t:2:5: the string that starts with ' is not closed",
		"x = \"\"\"abc\n\nsplit w\n":    "t:1:5: the string that starts with \"\"\" is not closed",
		".":                             "t:1:1: a name is missing behind the dot: .help lists the meta commands",
		"split world color=0;dup world": "t:1:20: write what follows ; on a line of its own",
		"@0 dup world; @1 dup world":    "t:1:13: write what follows ; on a line of its own",
		"ok(); x = dup world":           "t:1:5: write what follows ; on a line of its own",
		"dup world;":                    "t:1:10: a line with a verb ends without ;",
	} {
		_, err := Split("t", text, verb)
		var e *Error
		if !errors.As(err, &e) || e.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// At a prompt, a blank line ends a block; a line that needs no more is a chunk at once.
func TestPrompt(t *testing.T) {
	t.Parallel()
	r := NewCutter("<input>", verb)
	var got []string
	for _, line := range []string{"x = 1", "z = [1,", "2]", "for i in y:", "  a(1,", "2)", "", "dup world"} {
		list, err := r.Feed(line, true)
		if err != nil {
			t.Fatal(err)
		}
		if line == "2]" && r.Pending() {
			t.Error("the bracket is closed, but the prompt waits")
		}
		for _, c := range list {
			got = append(got, c.Text)
		}
	}
	if d := cmp.Diff([]string{"x = 1", "z = [1,\n2]", "for i in y:\n  a(1,\n2)", "dup world"}, got); d != "" {
		t.Error(d)
	}
}

// The caret stands under its column, also behind tabs.
func TestCaret(t *testing.T) {
	t.Parallel()
	if got, want := Caret("\tab", 3), "    \tab\n    \t ^"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	long := strings.Repeat("é", 1<<20) + "here" + strings.Repeat("x", 1<<20)
	lines := strings.Split(Caret(long, 2<<20+1), "\n")
	if at := len([]rune(lines[1])) - 1; len(lines[0]) > 500 || !strings.HasPrefix(string([]rune(lines[0])[at:]), "here") {
		t.Errorf("of a long line: %q", lines)
	}
}

// Any text is cut without a panic, and the chunks hold all of its lines that are not blank or
// comments.
func FuzzSplit(f *testing.F) {
	f.Add("half = split world color=rank%2\nfor i in x:\n  y\n")
	f.Add("@0 x = '''\n'\n[(\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := Split("t", text, verb)
		if err != nil {
			return
		}
		n := 0
		for _, c := range list {
			if strings.TrimSpace(c.Text) == "" {
				t.Errorf("an empty chunk from %q", text)
			}
			if c.Line <= n {
				t.Errorf("lines run backwards in %q", text)
			}
			n = c.Line
		}
	})
}

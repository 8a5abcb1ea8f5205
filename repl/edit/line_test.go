package edit

import "testing"

// Each command does what the manual of GNU readline says of the command with its name; | is the cursor.
func TestLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line string
		do   func(l *Line)
		want string
	}{
		"backward-word":              {"split half color=ra|", func(l *Line) { l.Move(l.WordLeft()) }, "split half color=|ra"},
		"backward-word over signs":   {"split half color=|ra", func(l *Line) { l.Move(l.WordLeft()) }, "split half |color=ra"},
		"backward-word at the start": {"| ab", func(l *Line) { l.Move(l.WordLeft()) }, "| ab"},
		"forward-word":               {"split| half", func(l *Line) { l.Move(l.WordRight()) }, "split half|"},
		"forward-word at the end":    {"ab |", func(l *Line) { l.Move(l.WordRight()) }, "ab |"},
		"kill-word":                  {"dup| half x", func(l *Line) { l.Kill(l.WordRight()) }, "dup| x"},
		"backward-kill-word":         {"x color=rank|%2", func(l *Line) { l.Kill(l.WordLeft()) }, "x color=|%2"},
		"unix-word-rubout":           {"x color=rank|%2", func(l *Line) { l.Kill(l.BlankLeft()) }, "x |%2"},
		"yank":                       {"ab| cd", func(l *Line) { l.Kill(0); l.Move(l.Len()); l.Yank() }, " cdab|"},
		"yank of nothing":            {"ab|", func(l *Line) { l.Yank() }, "ab|"},
		"kills in a row are one":     {"a b| c", func(l *Line) { l.Kill(l.WordLeft()); l.Kill(l.WordLeft()); l.Kill(l.Len()); l.Yank() }, "a b c|"},
		"a move parts kills":         {"ab| cd", func(l *Line) { l.Kill(0); l.Move(1); l.Kill(l.Len()); l.Yank() }, " cd|"},
		"yank-pop": {"ab| cd", func(l *Line) {
			l.Kill(0)
			l.Move(1)
			l.Kill(l.Len())
			l.Yank()
			l.YankPop()
		}, " ab|"},
		"yank-pop after nothing":    {"ab|", func(l *Line) { l.Kill(0); l.YankPop() }, "|"},
		"undo of a kill":            {"ab cd|", func(l *Line) { l.Kill(0); l.Undo() }, "ab cd|"},
		"undo of typing":            {"|", func(l *Line) { typed(l, "ab cd"); l.Undo() }, "ab |"},
		"undo twice":                {"|", func(l *Line) { typed(l, "ab cd"); l.Undo(); l.Undo() }, "ab|"},
		"undo of nothing":           {"|", func(l *Line) { l.Undo() }, "|"},
		"revert-line":               {"x|", func(l *Line) { typed(l, "ab cd"); l.Kill(0); l.RevertLine() }, "x|"},
		"delete-char":               {"é|漢", func(l *Line) { l.DeleteChar(1) }, "é|"},
		"backward-delete-char":      {"é漢|", func(l *Line) { l.DeleteChar(-1) }, "é|"},
		"nothing to delete":         {"a|", func(l *Line) { l.DeleteChar(1) }, "a|"},
		"transpose-chars":           {"ab|cd", func(l *Line) { l.TransposeChars() }, "acb|d"},
		"transpose-chars at end":    {"abcd|", func(l *Line) { l.TransposeChars() }, "abdc|"},
		"transpose-chars at start":  {"|ab", func(l *Line) { l.TransposeChars() }, "|ab"},
		"upcase-word":               {"a| comm", func(l *Line) { l.ChangeWord(Upper) }, "a COMM|"},
		"downcase-word":             {"|COMM WORLD", func(l *Line) { l.ChangeWord(Lower) }, "comm| WORLD"},
		"capitalize-word":           {"| comm_WORLD", func(l *Line) { l.ChangeWord(Capital); l.ChangeWord(Capital) }, " Comm_World|"},
		"replace":                   {"dup wo|x", func(l *Line) { l.Replace(4, "world") }, "dup world|x"},
		"up":                        {"abc\n\nde|f", func(l *Line) { l.vertical(1); l.vertical(1); l.vertical(1) }, "|abc\n\ndef"},
		"up to a shorter line":      {"a\nbcd|", func(l *Line) { l.vertical(1) }, "a|\nbcd"},
		"down":                      {"a|b\nc\nd", func(l *Line) { l.vertical(-1); l.vertical(-1); l.vertical(-1) }, "ab\nc\nd|"},
		"the cursor stays in range": {"ab|", func(l *Line) { l.Move(-3); l.Insert([]rune("x")); l.Move(9) }, "xab|"},
	} {
		var l Line
		before, after := cut(c.line)
		l.Set(before + after)
		l.Move(len([]rune(before)))
		c.do(&l)
		b, a := l.Parts()
		if got := b + "|" + a; got != c.want || l.Text() != b+a || l.Cursor() != len([]rune(b)) {
			t.Errorf("%s: %q becomes %q, want %q", name, c.line, got, c.want)
		}
	}
}

// Alt-F takes the part of a proposal up to the end of its first word.
func TestFirstWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"ld color=rank": "ld", " color=rank": " color", "": "", " ": " "} {
		if got := FirstWord(text); got != want {
			t.Errorf("of %q: %q, want %q", text, got, want)
		}
	}
}

// typed inserts the characters of a text one by one, as keys do.
func typed(l *Line, text string) {
	for _, r := range text {
		l.Insert([]rune{r})
	}
}

func cut(line string) (before, after string) {
	for i, r := range line {
		if r == '|' {
			return line[:i], line[i+1:]
		}
	}
	return line, ""
}

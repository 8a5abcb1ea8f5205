package lang

import "regexp"

func isKeyword(w string) bool {
	switch w {
	case "for", "while", "if", "def", "return", "pass", "break", "continue", "not", "lambda", "load",
		"from", "import", "class", "try", "with", "global", "del", "assert", "raise", "elif", "else", "async", "await", "yield", "except", "finally", "nonlocal":
		return true
	}
	return false
}

var uri = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+.-]*://`)

// IsURI reports whether an argument is the bare name of a resource or process set. No expression
// looks like that.
func IsURI(arg string) bool { return uri.MatchString(arg) }

// OneWord reports whether text stays one argument in a line: it has no blank outside of brackets and
// quotes.
func OneWord(text string) bool { return len((&Chunk{}).words(Word{text, 1, 1})) == 1 }

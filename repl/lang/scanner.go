package lang

import "strings"

// scanner follows strings, brackets and comments over the lines of one statement, just enough to
// know whether it goes on.
type scanner struct {
	quote  string // the quote that is open: ', ", ''' or """; "" when none
	stack  []byte // brackets that are open
	joined bool   // the line ended with a backslash
	colon  bool   // the line ended with a colon: a block follows
	block  bool   // some line of the statement did
}

// line takes in the next line.
func (s *scanner) line(text string) {
	s.joined, s.colon = false, false
	last := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		if s.quote != "" {
			i = s.inString(text, i)
			last = '"'
			continue
		}
		switch c {
		case '#':
			i = len(text)
			continue
		case '"', '\'':
			s.quote = string(c)
			if triple := strings.Repeat(s.quote, 3); strings.HasPrefix(text[i:], triple) {
				s.quote = triple
				i += 2
			}
		case '(', '[', '{':
			s.stack = append(s.stack, c)
		case ')', ']', '}':
			if len(s.stack) > 0 {
				s.stack = s.stack[:len(s.stack)-1]
			}
		case '\\':
			s.joined = i == len(text)-1
		}
		if c != ' ' && c != '\t' {
			last = c
		}
	}
	s.colon = last == ':' && len(s.stack) == 0 && s.quote == ""
	s.block = s.block || s.colon
	if len(s.quote) == 1 {
		s.quote = s.quote + "!" // a plain string cannot cross lines: never closed
	}
}

// inString handles the byte at i inside a string and returns the index of the last one it took.
func (s *scanner) inString(text string, i int) int {
	if text[i] == '\\' {
		return i + 1
	}
	if strings.HasPrefix(text[i:], s.quote) {
		i += len(s.quote) - 1
		s.quote = ""
	}
	return i
}

// unfinished reports whether the next line must belong to the statement.
func (s *scanner) unfinished() bool {
	return len(s.quote) == 3 || s.joined || (len(s.stack) > 0 && len(s.quote) != 2)
}

// unclosed names what the statement leaves open: "the bracket [", or "".
func (s *scanner) unclosed() string {
	switch {
	case s.quote != "":
		return "the string that starts with " + strings.TrimSuffix(s.quote, "!")
	case len(s.stack) > 0:
		return "the bracket " + string(s.stack[len(s.stack)-1])
	}
	return ""
}

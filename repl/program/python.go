package program

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// importLine is what may stand at the top of a program so that it also runs under a real MPI.
var importLine = regexp.MustCompile(`^from\s+(mpi4py|commsplit)\s+import\s+([\w*][\w*, \t]*)(#.*)?$`)

// Importable lists the names that a program imports from commsplit under a real MPI.
var Importable = []string{"world", "here", "expect", "expect_parts", "expect_error", "note", "ask", "bind"}

// imports reports whether a line imports what there is.
func imports(line string) bool {
	m := importLine.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	known := append([]string{"*"}, Importable...)
	if m[1] == "mpi4py" {
		known = []string{"MPI"}
	}
	for name := range strings.SplitSeq(m[2], ",") {
		if !slices.Contains(known, strings.TrimSpace(name)) {
			return false
		}
	}
	return true
}

// blankImports empties the import lines of a program. Lines keep their numbers.
func blankImports(text string) string {
	lines := strings.Split(text, "\n")
	for _, i := range importLines(lines) {
		lines[i] = ""
	}
	return strings.Join(lines, "\n")
}

// WithoutImports is a program without its import lines: it will stand in one that has its own.
func WithoutImports(text string) string {
	lines := strings.Split(text, "\n")
	for _, i := range slices.Backward(importLines(lines)) {
		lines = slices.Delete(lines, i, i+1)
	}
	return strings.Join(lines, "\n")
}

// importLines are the places of the accepted import lines at the top of a program, before which only
// comments, blank lines and a docstring may stand.
func importLines(lines []string) []int {
	var list []int
	quote := "" // what ends the docstring that the line is in
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case quote != "":
			if strings.Contains(line, quote) {
				quote = ""
			}
		case trimmed == "" || trimmed[0] == '#':
		case imports(strings.TrimRight(line, "\r")):
			list = append(list, i)
		case strings.HasPrefix(line, `"""`), strings.HasPrefix(line, "'''"):
			if !strings.Contains(line[3:], line[:3]) {
				quote = line[:3]
			}
		default:
			return list
		}
	}
	return list
}

// source is the text that a syntax error lies in.
type source struct {
	text       string
	firstLine  int
	firstCol   int  // column of its first character, when it is not 1
	expression bool // one expression, not statements
}

var noImport = "nothing can be imported: MPI is already there; only `from mpi4py import MPI` and " +
	"`from commsplit import " + strings.Join(Importable, ", ") + "` are accepted, at the top"

const useExpectError = ": use expect_error(MPI.ERR_ARG, function, arguments...) for a call that must fail"

// statements are words that Python has and this language does not, with what to do instead.
var statements = map[string]string{
	"import":   noImport,
	"from":     noImport,
	"class":    "there are no classes: use functions, lists and dicts",
	"try":      "there is no try" + useExpectError,
	"except":   "there is no except" + useExpectError,
	"finally":  "there is no finally" + useExpectError,
	"raise":    "there is no raise: use fail(\"message\")",
	"with":     "there is no with: call the functions one after the other",
	"del":      "there is no del: use the pop method of a list or dict",
	"global":   "there is no global: return the value and assign it at the top level, or change a list or dict",
	"nonlocal": "there is no nonlocal: return the value, or change a list or dict",
	"yield":    "there are no generators: return a list",
	"async":    "there is no async: every rank runs on its own already",
	"await":    "there is no await: a call returns when it is complete",
	"assert":   "there is no assert: use expect(condition, \"message\")",
	"@":        "there are no decorators: call the function on the other one",
}

var firstWord = regexp.MustCompile(`^\s*(@|\w+)`)

// constructs are pieces of Python that this language does not have. The parser stops behind them
// with the message; the error is shown where the pattern is.
var constructs = []struct {
	message string // part of the parser's
	pattern *regexp.Regexp
	text    string
}{
	{"got string literal", regexp.MustCompile(`\b[rR]?[fF][rR]?["']`), "there are no f-strings: use \"%d of %d\" % (a, b) or \"{} of {}\".format(a, b)"},
	{"got is", regexp.MustCompile(`\bis\b`), "there is no is: use == or !="},
	{"'**'", regexp.MustCompile(`\*\*`), "there is no ** operator: multiply, or use 1 << n for powers of two"},
}

// hint is a syntax error with what to write instead where that can be told.
func (s source) hint(e syntax.Error) *Error {
	line := s.line(e.Pos)
	if m := firstWord.FindStringSubmatch(line); m != nil && !s.expression {
		if text, ok := statements[m[1]]; ok {
			return errorAt(e.Pos, text)
		}
	}
	for _, c := range constructs {
		if m := c.pattern.FindStringIndex(line); m != nil && strings.Contains(e.Msg, c.message) {
			at := errorAt(e.Pos, c.text)
			at.Col = utf8.RuneCountInString(line[:m[0]]) + s.columnOf(e.Pos)
			return at
		}
	}
	msg := e.Msg
	switch {
	case strings.Contains(msg, "does not associate"):
		msg += ": comparisons cannot be chained, write a < b and b < c"
	case strings.HasPrefix(strings.TrimSpace(line), "print ") && !s.expression:
		msg = "print is a function: print(...)"
	}
	return errorAt(e.Pos, msg)
}

// line is the text of the line of a position.
func (s source) line(pos syntax.Position) string {
	lines := strings.Split(s.text, "\n")
	if i := int(pos.Line) - s.firstLine; i >= 0 && i < len(lines) {
		return lines[i]
	}
	return ""
}

// columnOf is the column in the file of the first character of the position's line.
func (s source) columnOf(pos syntax.Position) int {
	if int(pos.Line) == s.firstLine {
		return max(s.firstCol, 1)
	}
	return 1
}

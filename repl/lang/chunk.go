// Package lang cuts the text of a session into chunks, the unit of the prompt, of undo and of
// stepping: a command (a verb and its arguments), a top-level program statement with its indented
// block, or a meta command that starts with a dot. It knows which words are verbs and where every
// piece stands in the source, so that errors can point at it; it neither evaluates expressions nor
// checks arguments, and it does not parse programs beyond finding where a statement ends.
package lang

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/tongue"
)

// Kind says whether a chunk is a program, a command or a meta command.
type Kind int

// The kinds of chunk.
const (
	Program Kind = iota // statements that every rank runs
	Command             // a verb and its arguments
	Meta                // .undo, .help ...: for the session itself
)

// Chunk is one unit of a session's text.
type Chunk struct {
	Kind   Kind
	File   string // name for messages: "demo.mpi", "<input>"
	Line   int    // line where the chunk begins, from 1
	Text   string // as written, without the final newline
	Ranks  Word   // the ranks behind "@"; empty text: every rank
	Body   Word   // the chunk without "@ranks"
	Target Word   // the name before "=" of a command; empty text: none
	Verb   Word   // of a command, with "_" for "-"; of a meta command, without the dot
	Args   []Arg
	Typed  bool // by the person who runs the session, at a prompt or behind -c, not in a file

	// Places lists, for each line of Text, the call site in a recorded program of the calls that the line makes again;
	// empty: the call site is the line itself.
	Places []engine.Site

	// Foreign says that the text is C or Fortran: the other fields have its translation, and Body is a program in
	// which rank and size may stand for those of MPI_COMM_WORLD.
	Foreign bool
	Sets    tongue.Scope // what a line of C or Fortran says about variables
	lines   []int        // of C or Fortran, by line of the translation

	// Whole says that the text is a whole program of C or Fortran.
	Whole bool
	// Arguments are those of the program: argv without its name.
	Arguments []string
}

// Comment returns the chunk as lines that do nothing.
func (c *Chunk) Comment() string {
	return "# " + strings.ReplaceAll(strings.TrimRight(c.Text, "\n"), "\n", "\n# ") + "\n"
}

// Statements returns the text of a chunk that is a program, without "@ranks" before it.
func (c *Chunk) Statements() string {
	if c.Foreign || c.Ranks.Text != "" {
		return c.Body.Text
	}
	return c.Text
}

// Command returns the command of the chunk as one types it.
func (c *Chunk) Command() string {
	var words []string
	if c.Target.Text != "" {
		words = append(words, c.Target.Text, "=")
	}
	words = append(words, c.Verb.Text)
	for _, a := range c.Args {
		text := Argument(a.Text)
		if a.Name != "" {
			text = a.Name + "=" + text
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

// operator matches a binary operator and the blanks around it.
var operator = regexp.MustCompile(`\s*([-+*/%<>=!&|^]+|,)\s*`)

// Argument returns an expression as one argument of a line: without blanks outside brackets and quotes.
func Argument(text string) string {
	if OneWord(text) {
		return text
	}
	if tight := operator.ReplaceAllString(text, "$1"); OneWord(tight) && !strings.ContainsAny(text, `"'`) {
		return tight
	}
	return "(" + text + ")"
}

// Site returns the call site of a line of the chunk; the first line is 0.
func (c *Chunk) Site(line int) engine.Site {
	if line < len(c.Places) {
		return c.Places[line]
	}
	return engine.Site{File: c.File, Line: int32(c.Line + line)}
}

// Sites returns the call sites of the lines that ranks run, where those differ from the lines of the text.
func (c *Chunk) Sites() []engine.Site {
	if len(c.Places) > 0 {
		return c.Places
	}
	var list []engine.Site
	for _, n := range c.lines {
		list = append(list, engine.Site{File: c.File, Line: int32(n)})
	}
	return list
}

// LineOf returns the line of the text that was translated to a line of the program.
func (c *Chunk) LineOf(line int) int {
	if k := line - c.Line; k >= 0 && k < len(c.lines) {
		return c.lines[k]
	}
	return line
}

// Word is a piece of a line and where it stands.
type Word struct {
	Text      string
	Line, Col int // from 1, Col in bytes
}

// Arg is one argument of a command: name=EXPR or EXPR.
type Arg struct {
	Name string // "" when positional
	Word        // the expression
}

// Error is a mistake in the text of a chunk.
type Error struct {
	File      string
	Line, Col int
	Source    string // the line, for a caret; "" when not at hand
	Message   string
	Unknown   string // the word that should have been a verb; "" for other mistakes
}

// Error returns "demo.mpi:3:7: message".
func (e *Error) Error() string { return e.Place() + ": " + e.Message }

// Place returns "demo.mpi:3:7".
func (e *Error) Place() string { return fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Col) }

// Caret returns the source line with a caret under the mistake, "" when the line is not known.
func (e *Error) Caret() string { return Caret(e.Source, e.Col) }

// Caret draws source, indented, and a caret under column col (from 1, in bytes); "" without source or column.
func Caret(source string, col int) string {
	if source == "" || col < 1 {
		return ""
	}
	source, col = excerpt(source, col)
	upTo := source[:min(col-1, len(source))]
	blank := strings.Map(func(r rune) rune {
		if r == '\t' {
			return '\t'
		}
		return ' '
	}, upTo)
	return "    " + source + "\n    " + blank + "^"
}

// longestSource is how many bytes of a line are shown with a mistake.
const longestSource = 400

// excerpt returns the part of a long line around a column, and the column in that part.
func excerpt(source string, col int) (string, int) {
	if len(source) <= longestSource {
		return source, col
	}
	at := min(col-1, len(source))
	from, to := max(0, at-longestSource/2), min(len(source), at+longestSource/2)
	for from > 0 && !utf8.RuneStart(source[from]) {
		from--
	}
	for to < len(source) && !utf8.RuneStart(source[to]) {
		to++
	}
	text, before := source[from:to], ""
	if from > 0 {
		before = "..."
	}
	if to < len(source) {
		text += "..."
	}
	return before + text, at - from + len(before) + 1
}

// LineText returns line n of the chunk's file, "" when the chunk does not have it.
func (c *Chunk) LineText(n int) string {
	lines := strings.Split(c.Text, "\n")
	if i := n - c.Line; i >= 0 && i < len(lines) {
		return lines[i]
	}
	return ""
}

// ErrorAt returns an error that points at a word of the chunk.
func (c *Chunk) ErrorAt(w Word, format string, args ...any) *Error {
	return &Error{File: c.File, Line: w.Line, Col: w.Col, Source: c.LineText(w.Line), Message: fmt.Sprintf(format, args...)}
}

var keywords = strings.Fields("for while if def return pass break continue not lambda load from import class try with global del assert raise elif " +
	"else async await yield except finally nonlocal and or in is True False None")

func isKeyword(w string) bool { return slices.Contains(keywords, w) }

var uri = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+.-]*://`)

// IsURI reports whether an argument is the bare name of a resource or process set. No expression
// looks like that.
func IsURI(arg string) bool { return uri.MatchString(arg) }

// OneWord reports whether text is one argument of a line: it has no blank outside brackets and quotes.
func OneWord(text string) bool { return len(new(Chunk).words(Word{text, 1, 1}, "")) == 1 }

// Words cuts a line at the blanks outside brackets and quotes.
func Words(text string) []string {
	var list []string
	for _, w := range new(Chunk).words(Word{text, 1, 1}, "") {
		list = append(list, w.Text)
	}
	return list
}

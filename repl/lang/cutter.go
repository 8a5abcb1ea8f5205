package lang

import (
	"regexp"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/tongue"
)

// Cutter cuts text into chunks, line by line, so that a prompt can tell whether a statement needs
// more lines.
type Cutter struct {
	// Typed marks the chunks as typed.
	Typed bool

	file  string
	verbs func(word string) bool
	line  int // number of the last line fed
	first int // number of the first line of buf
	buf   []string
	scan  scanner
}

// NewCutter reads the named file. verbs tells which words are verbs; words come with "_" for "-".
func NewCutter(file string, verbs func(word string) bool) *Cutter {
	return &Cutter{file: file, verbs: verbs}
}

// Behind numbers the next line as if it stood below the chunks.
func (r *Cutter) Behind(chunks []*Chunk) {
	for _, c := range chunks {
		r.line += strings.Count(c.Text, "\n") + 1
	}
}

// Pending reports whether a statement has begun that needs or may take more lines.
func (r *Cutter) Pending() bool { return len(r.buf) > 0 }

// Begins reports whether the next line begins a statement, and does not go on with the pending one.
func (r *Cutter) Begins(text string, interactive bool) bool {
	return !r.Pending() || !r.continues(text, interactive)
}

// Feed takes the next line, or a whole program of C or Fortran, and returns the chunks that are complete with it, none or
// up to two.
// interactive means that a blank line ends a block, as at Python's prompt.
func (r *Cutter) Feed(text string, interactive bool) ([]*Chunk, error) {
	if c := r.whole(text); c != nil && !r.Pending() {
		return []*Chunk{c}, nil
	}
	r.line++
	text = strings.TrimRight(text, "\r\n")
	var out []*Chunk
	if r.Pending() && r.Begins(text, interactive) {
		c, err := r.take()
		if err != nil {
			r.buf = nil
			return nil, err
		}
		out = append(out, c)
		if interactive && strings.TrimSpace(text) == "" {
			return out, nil
		}
	}
	if !r.Pending() {
		sign := tongue.Comment(r.file)
		if t := strings.TrimSpace(text); t == "" || t[0] == '#' || sign != "" && strings.HasPrefix(t, sign) {
			return out, nil
		}
		r.first = r.line
	}
	r.buf = append(r.buf, text)
	if r.scan.line(text); r.open(interactive) {
		return out, nil
	}
	c, err := r.take()
	if err != nil {
		return out, err
	}
	return append(out, c), nil
}

// whole returns a text that is a whole program of C or Fortran as a chunk; nil for other texts. Comments before the
// program, which may have flags, are left out.
func (r *Cutter) whole(text string) *Chunk {
	if tongue.Program(text) == "" {
		return nil
	}
	n := len(comments.FindString(text))
	c := &Chunk{Kind: Program, File: r.file, Line: r.line + 1 + strings.Count(text[:n], "\n"), Text: strings.TrimRight(text[n:], "\r\n"),
		Whole: true, Typed: r.Typed}
	r.line += strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	return c
}

// comments matches empty lines and comments of the language; directives of C are none.
var comments = regexp.MustCompile(`^([ \t]*(#[ \t]*(commsplit:.*|topology:.*|[^a-z\s].*)?)?\r?\n)*`)

// Close ends the text; a statement that was pending is the last chunk.
func (r *Cutter) Close() ([]*Chunk, error) {
	if !r.Pending() {
		return nil, nil
	}
	c, err := r.take()
	if err != nil {
		return nil, err
	}
	return []*Chunk{c}, nil
}

// Reset forgets a pending statement.
func (r *Cutter) Reset() { r.buf, r.scan = nil, scanner{} }

// open reports whether the pending statement is unfinished or may go on. At a prompt (interactive), a statement that
// may go on counts as finished.
func (r *Cutter) open(interactive bool) bool {
	if text, ok := r.foreign(); ok {
		return r.scan.unfinished() || tongue.Unfinished(r.file, text) || !interactive && tongue.GoesOn(r.file, text, "else")
	}
	return r.scan.unfinished() || r.scan.block && len(r.buf) > 1 || r.scan.colon
}

// foreign returns the pending statement without "@ranks" before it; ok is false where it is neither C nor Fortran.
func (r *Cutter) foreign() (text string, ok bool) {
	text = strings.TrimLeft(strings.Join(r.buf, "\n"), " \t")
	if strings.HasPrefix(text, "@") {
		_, text, _ = strings.Cut(text, " ")
	}
	_, ok = tongue.Foreign(r.file, text)
	return text, ok
}

// continues reports whether text belongs to the pending statement.
func (r *Cutter) continues(text string, interactive bool) bool {
	if r.scan.unfinished() {
		return true
	}
	if begun, ok := r.foreign(); ok {
		return tongue.Unfinished(r.file, begun) || tongue.GoesOn(r.file, begun, text)
	}
	if strings.TrimSpace(text) == "" {
		return !interactive
	}
	if text[0] == ' ' || text[0] == '\t' {
		return true
	}
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	word = strings.TrimSuffix(word, ":")
	switch word {
	case "else", "elif", "except", "finally":
		return r.scan.block
	}
	return false
}

func (r *Cutter) take() (*Chunk, error) {
	for len(r.buf) > 0 && strings.TrimSpace(r.buf[len(r.buf)-1]) == "" {
		r.buf = r.buf[:len(r.buf)-1]
	}
	c := &Chunk{File: r.file, Line: r.first, Typed: r.Typed, Text: strings.Join(r.buf, "\n")}
	err := r.scan.unclosed(c)
	if r.Reset(); err != nil {
		return nil, err
	}
	return c, c.parse(r.verbs)
}

// Split cuts a whole text into chunks. On an error, the chunks before it are returned too.
func Split(file, text string, verbs func(string) bool) ([]*Chunk, error) {
	r := NewCutter(file, verbs)
	if c := r.whole(text); c != nil {
		return []*Chunk{c}, nil
	}
	var all []*Chunk
	for _, line := range strings.Split(text, "\n") {
		list, err := r.Feed(line, false)
		all = append(all, list...)
		if err != nil {
			return all, err
		}
	}
	list, err := r.Close()
	return append(all, list...), err
}

package lang

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"codeberg.org/commsplit/commsplit/repl/tongue"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// parse finds out what kind of chunk c is and, for commands and meta commands, takes it apart.
func (c *Chunk) parse(verbs func(string) bool) error {
	rest := c.skipBlank(Word{c.Text, c.Line, 1})
	if strings.HasPrefix(rest.Text, ".") {
		c.Body = rest
		return c.parseMeta(rest)
	}
	if strings.HasPrefix(rest.Text, "@") {
		var err error
		if rest, err = c.cutRanks(rest); err != nil {
			return err
		}
	}
	c.Body = rest
	if _, foreign := tongue.Foreign(c.File, rest.Text); foreign {
		return c.parseForeign(rest, nil)
	}
	if strings.Contains(rest.Text, "\n") && !joinable(rest.Text) {
		return nil
	}
	words := c.words(rest, ";")
	if err := c.oneVerb(words, verbs); err != nil {
		return err
	}
	if target, verb, args, ok := asCommand(words, verbs); ok {
		if isKeyword(target.Text) {
			return c.ErrorAt(target, "%s is a keyword and cannot name a result", target.Text)
		}
		c.Kind, c.Target, c.Verb = Command, target, verb
		return c.parseArgs(args)
	}
	return c.checkVerb(words, verbs)
}

// ParseCommand takes a text apart that is one command, without NAME = and complete, as a shell has it. The text begins at
// line 1 of the file.
func ParseCommand(file, text string, verbs func(string) bool) (*Chunk, error) {
	c := &Chunk{Kind: Command, File: file, Line: 1, Text: strings.TrimRight(text, "\r\n"), Typed: true}
	var s scanner
	for line := range strings.SplitSeq(c.Text, "\n") {
		s.line(line)
	}
	if err := s.unclosed(c); err != nil {
		return nil, err
	}
	c.Body = Word{c.Text, 1, 1}
	words := c.words(c.Body, ";")
	if err := c.oneVerb(words, verbs); err != nil {
		return nil, err
	}
	c.Verb = words[0]
	return c, c.parseArgs(words[1:])
}

// Among returns the chunk as it reads behind lines that declared variables of C or Fortran, whose types it needs. A
// line that sets a variable of Fortran is Fortran if it can be read as such.
func (c *Chunk) Among(known tongue.Scope) (*Chunk, error) {
	if len(known) == 0 || !c.Foreign && c.Kind != Program {
		return c, nil
	}
	text := c.skipBlank(Word{c.Text, c.Line, 1})
	if c.Ranks.Text != "" {
		text, _ = c.cutRanks(text) //nolint:errcheck // it was cut before
	}
	if !c.Foreign && !known.SetsFortran(text.Text) {
		return c, nil
	}
	d := *c
	d.Kind, d.Target, d.Verb, d.Args = Program, Word{}, Word{}, nil
	switch err := d.parseForeign(text, known); {
	case err == nil:
		return &d, nil
	case c.Foreign:
		return nil, err
	}
	return c, nil
}

// parseForeign reads a line of C or Fortran, behind lines that declared variables.
func (c *Chunk) parseForeign(w Word, known tongue.Scope) error {
	at := func(p syntax.Pos, text string) Word {
		if p.Line > 1 {
			return Word{text, w.Line + p.Line - 1, p.Col}
		}
		return Word{text, w.Line, w.Col + p.Col - 1}
	}
	m, err := tongue.Read(c.File, w.Text, known)
	if err != nil {
		return c.ErrorAt(at(err.Pos, ""), "%s", err.Message)
	}
	c.Foreign, c.Sets = true, m.Sets
	for _, n := range m.Lines {
		c.lines = append(c.lines, w.Line+n)
	}
	if m.Command == nil {
		c.Body = Word{m.Program, w.Line, w.Col}
		return nil
	}
	c.Kind = Command
	c.Verb = Word{m.Command.Verb, w.Line, w.Col}
	if t := m.Command.Target; t.Text != "" {
		c.Target = at(t.At, t.Text)
	}
	for _, a := range m.Command.Args {
		c.Args = append(c.Args, Arg{Name: a.Name, Word: at(a.At, a.Text)})
	}
	return nil
}

// joinable reports whether a text of several lines may be a command: its brackets are still open behind the first
// line.
func joinable(text string) bool {
	var s scanner
	first, _, _ := strings.Cut(text, "\n")
	s.line(first)
	return len(s.stack) > 0
}

func (c *Chunk) skipBlank(w Word) Word {
	t := strings.TrimLeft(w.Text, " \t")
	return Word{t, w.Line, w.Col + len(w.Text) - len(t)}
}

// cutRanks takes "@0-3" off the front.
func (c *Chunk) cutRanks(w Word) (Word, error) {
	end := strings.IndexAny(w.Text, " \t")
	if end < 0 {
		end = len(w.Text)
	}
	c.Ranks = Word{w.Text[1:end], w.Line, w.Col + 1}
	rest := c.skipBlank(Word{w.Text[end:], w.Line, w.Col + end})
	if c.Ranks.Text == "" || rest.Text == "" {
		return rest, c.ErrorAt(w, "write the ranks behind @, then the line that only they issue: @0-3 split world color=0")
	}
	return rest, nil
}

func (c *Chunk) parseMeta(w Word) error {
	words := c.words(Word{w.Text[1:], w.Line, w.Col + 1}, "")
	if len(words) == 0 {
		return c.ErrorAt(w, "a name is missing behind the dot: .help lists the meta commands")
	}
	c.Kind, c.Verb = Meta, words[0]
	for _, a := range words[1:] {
		c.Args = append(c.Args, Arg{Word: a})
	}
	return nil
}

// words cuts a line at blanks outside brackets and quotes; marks become words of their own, and a comment ends the
// line.
func (c *Chunk) words(w Word, marks string) []Word {
	var list []Word
	var s scanner
	line, col, start := w.Line, w.Col, -1
	var startLine, startCol int
	flush := func(end int) {
		if start >= 0 {
			list = append(list, Word{w.Text[start:end], startLine, startCol})
			start = -1
		}
	}
	for i := 0; i < len(w.Text); i++ {
		b := w.Text[i]
		inside := s.quote != "" || len(s.stack) > 0
		switch {
		case !inside && (b == ' ' || b == '\t' || b == '\n'):
			flush(i)
		case !inside && b == '#':
			flush(i)
			return list
		case !inside && strings.IndexByte(marks, b) >= 0:
			flush(i)
			list = append(list, Word{w.Text[i : i+1], line, col})
		default:
			if start < 0 {
				start, startLine, startCol = i, line, col
			}
			from := i
			i = s.next(w.Text, i)
			col += i - from
		}
		if col++; b == '\n' {
			line, col = line+1, 1
		}
	}
	flush(len(w.Text))
	return list
}

// oneVerb refuses a verb that shares its line with something else: "split world color=0; dup world".
func (c *Chunk) oneVerb(words []Word, verbs func(string) bool) error {
	i := slices.IndexFunc(words, func(w Word) bool { return w.Text == ";" })
	if i < 0 {
		return nil
	}
	first, next := words[:i], words[i+1:]
	if len(next) > 0 && next[0].Text[0] == '@' {
		next = next[1:]
	}
	_, _, args, ok := asCommand(next, verbs)
	switch _, _, _, begins := asCommand(first, verbs); {
	case begins && i == len(words)-1:
		return c.ErrorAt(words[i], "a line with a verb ends without ;")
	case begins, ok && len(args) > 0:
		return c.ErrorAt(words[i], "write what follows ; on a line of its own")
	}
	return nil
}

// asCommand recognises [NAME =] VERB ARGS. A verb followed by an operator or "(" is an expression.
func asCommand(words []Word, verbs func(string) bool) (target, verb Word, args []Word, ok bool) {
	if len(words) >= 2 && words[1].Text == "=" && IsName(words[0].Text) {
		target, words = words[0], words[2:]
	} else if len(words) >= 1 {
		if name, rest, cut := strings.Cut(words[0].Text, "="); cut && IsName(name) && rest != "" && rest[0] != '=' {
			target = Word{name, words[0].Line, words[0].Col}
			words = append([]Word{{rest, words[0].Line, words[0].Col + len(name) + 1}}, words[1:]...)
		}
	}
	if len(words) == 0 {
		return target, verb, nil, false
	}
	verb = words[0]
	verb.Text = strings.ReplaceAll(verb.Text, "-", "_")
	if !verbs(verb.Text) || (len(words) > 1 && isOperator(words[1].Text)) {
		return target, verb, nil, false
	}
	return target, verb, words[1:], true
}

// isOperator reports whether an expression may continue with a word: "+", "==", "if", "and" ...
func isOperator(w string) bool {
	return slices.Contains([]string{"if", "else", "and", "or", "in", "not", "for", "is", "-"}, w) || strings.IndexByte("+*/%=<>!&|^,.?:", w[0]) >= 0
}

// IsName reports whether w can be the name of a variable.
func IsName(w string) bool {
	for i, r := range w {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return w != ""
}

// commaName matches an argument with a comma before the next name=, outside brackets and quotes.
var commaName = regexp.MustCompile(`^[^][(){}"',]*,\w+=[^=]`)

const noCommas = "separate arguments by blanks, not by commas"

// parseArgs takes the arguments apart: name=EXPR or EXPR.
func (c *Chunk) parseArgs(words []Word) error {
	for i, w := range words {
		if err := c.blanks(words, i); err != nil {
			return err
		}
		if len(w.Text) > 1 && strings.HasSuffix(w.Text, ",") {
			return c.ErrorAt(Word{",", w.Line, w.Col + len(w.Text) - 1}, noCommas)
		}
		if commaName.MatchString(w.Text) {
			return c.ErrorAt(Word{",", w.Line, w.Col + strings.IndexByte(w.Text, ',')}, noCommas)
		}
		a := Arg{Word: w}
		if name, expr, ok := strings.Cut(w.Text, "="); ok && IsName(name) && !strings.HasPrefix(expr, "=") {
			if expr == "" {
				return c.ErrorAt(w, "%s= needs a value without a blank after the =", name)
			}
			a = Arg{name, Word{expr, w.Line, w.Col + len(name) + 1}}
		}
		if IsURI(a.Text) {
			return c.ErrorAt(a.Word, "%s is text: write it in quotes, \"%s\"", a.Text, a.Text)
		}
		c.Args = append(c.Args, a)
	}
	return nil
}

// blanks refuses an argument that is written with blanks: "color = 0", "rank % 2".
func (c *Chunk) blanks(words []Word, i int) error {
	w, before := words[i], ""
	if i > 0 {
		before = words[i-1].Text
	}
	switch {
	case strings.HasPrefix(w.Text, "=") && !strings.HasPrefix(w.Text, "==") && IsName(before):
		return c.ErrorAt(w, "write %s=... without blanks around =", before)
	case i > 0 && strings.Trim(w.Text, "%*/+-<>=&|!") == "", i > 0 && strings.ContainsRune("%*/<>&|", rune(w.Text[0])):
		after := ""
		if len(words) > i+1 && strings.Trim(w.Text, "%*/+-<>=&|!") == "" {
			after = words[i+1].Text
		}
		return c.ErrorAt(w, "write an argument without blanks outside brackets and quotes: %s%s%s", before, w.Text, after)
	}
	return nil
}

// checkVerb refuses a line of bare words whose first word is not a verb, such as "splitt world color=0": it is no
// statement either.
func (c *Chunk) checkVerb(words []Word, verbs func(string) bool) error {
	i := 0
	if len(words) > 2 && words[1].Text == "=" {
		i = 2
	}
	for k := 1; k < min(4, len(words)-1); k++ {
		marked := strings.Trim(words[k-1].Text, ":=<->") == "" || k == 1 && strings.HasSuffix(words[0].Text, ":")
		if _, verb, args, ok := asCommand(words[k:], verbs); ok && len(args) > 0 && marked && !isKeyword(words[0].Text) {
			if IsName(words[0].Text) {
				return c.ErrorAt(words[0], "to name the result, write NAME = %s, with one word as NAME", verb.Text)
			}
			return c.ErrorAt(words[0], "%s cannot name a result: write NAME = %s", words[0].Text, verb.Text)
		}
	}
	if len(words) < i+2 || !IsName(strings.ReplaceAll(words[i].Text, "-", "_")) || isKeyword(words[i].Text) || words[i].Text == "print" {
		return nil
	}
	next := words[i+1].Text
	if isOperator(next) || strings.HasPrefix(next, "(") || strings.HasPrefix(next, "=") || strings.HasSuffix(words[i].Text, ",") {
		return nil
	}
	e := c.ErrorAt(words[i], "unknown verb %q", words[i].Text)
	e.Unknown = words[i].Text
	return e
}

// scanner follows strings, brackets and comments over the lines of one statement, just enough to
// know whether it goes on.
type scanner struct {
	lines  int    // that it has taken in
	quote  string // the quote that is open: ', ", ''' or """; "" when none
	quoted Word   // where that quote stands
	stack  []Word // brackets that are open, by line of the statement from 0
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
		if s.quote == "" && c == '#' {
			break
		}
		if s.quote == "" && c == '\\' {
			s.joined = i == len(text)-1
		}
		if s.quote != "" || c != ' ' && c != '\t' {
			last = c
		}
		i = s.next(text, i)
	}
	s.colon = last == ':' && len(s.stack) == 0 && s.quote == ""
	s.block = s.block || s.colon
	if len(s.quote) == 1 {
		s.quote = s.quote + "!" // a plain string cannot cross lines: never closed
	}
	s.lines++
}

// next follows quotes and brackets at a byte, and returns the index of the last byte that it took in.
func (s *scanner) next(text string, i int) int {
	switch c := text[i]; {
	case s.quote != "" && c == '\\':
		return i + 1
	case s.quote != "" && strings.HasPrefix(text[i:], s.quote):
		i += len(s.quote) - 1
		s.quote = ""
	case s.quote != "":
	case c == '"' || c == '\'':
		s.quote, s.quoted = string(c), Word{Line: s.lines, Col: i + 1}
		if triple := strings.Repeat(s.quote, 3); strings.HasPrefix(text[i:], triple) {
			s.quote = triple
			i += 2
		}
	case c == '(' || c == '[' || c == '{':
		s.stack = append(s.stack, Word{string(c), s.lines, i + 1})
	case (c == ')' || c == ']' || c == '}') && len(s.stack) > 0:
		s.stack = s.stack[:len(s.stack)-1]
	}
	return i
}

// unfinished reports whether the next line must belong to the statement.
func (s *scanner) unfinished() bool {
	return len(s.quote) == 3 || s.joined || (len(s.stack) > 0 && len(s.quote) != 2)
}

// unclosed returns the error for what the statement c leaves open, such as the bracket [; nil where everything is closed.
func (s *scanner) unclosed(c *Chunk) error {
	what, at := "", s.quoted
	switch {
	case s.quote != "":
		what = "the string that starts with " + strings.TrimSuffix(s.quote, "!")
	case len(s.stack) > 0:
		at = s.stack[len(s.stack)-1]
		what = "the bracket " + at.Text
	default:
		return nil
	}
	at.Line += c.Line
	return c.ErrorAt(at, "%s is not closed", what)
}

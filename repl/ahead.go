package repl

import (
	"errors"
	"strings"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/render"
	"commsplit/repl/lang"
	"commsplit/repl/program"
)

// Reader cuts the lines that a person types into chunks, and into entries of the history.
type Reader struct {
	lines   *lang.Reader
	begun   []string // lines of the entry that is not complete
	entries []string // complete since they were asked for
}

// NewReader reads lines; file names them in messages.
func NewReader(file string) *Reader {
	r := lang.NewReader(file, isVerb)
	r.Typed = true
	return &Reader{lines: r}
}

// Pending reports whether a statement has begun that needs or may take more lines.
func (r *Reader) Pending() bool { return r.lines.Pending() }

// Reset forgets a pending statement.
func (r *Reader) Reset() {
	r.lines.Reset()
	r.begun = nil
}

// Feed takes the next line and returns the chunks that are complete with it. interactive means that
// a blank line ends a block.
func (r *Reader) Feed(line string, interactive bool) ([]*lang.Chunk, error) {
	began := r.Pending()
	chunks, err := r.lines.Feed(bareWord(line), interactive)
	if began && len(chunks) > 0 && strings.TrimSpace(line) != "" && !strings.Contains(chunks[0].Text, line) {
		r.complete() // the block ended where this line began something else
	}
	r.begun = append(r.begun, line)
	if !r.Pending() {
		r.complete()
	}
	return chunks, suggestVerb(err)
}

func (r *Reader) complete() {
	r.entries = append(r.entries, strings.Join(r.begun, "\n"))
	r.begun = nil
}

// Entries lists what has become complete since it was asked last: lines as they were typed, a statement of
// several lines as one.
func (r *Reader) Entries() []string {
	list := r.entries
	r.entries = nil
	return list
}

// Typed cuts what was entered at once into lines. An entry of the history that has several is complete, and
// so an empty line ends it.
func Typed(entered string) []string {
	lines := strings.Split(entered, "\n")
	if len(lines) > 1 {
		lines = append(lines, "")
	}
	return lines
}

// Close ends the text; what was pending is the last chunk.
func (r *Reader) Close() ([]*lang.Chunk, error) {
	chunks, err := r.lines.Close()
	return chunks, suggestVerb(err)
}

// Check finds the mistake in a line that can be found without running it; nil when there is none. A
// statement of which this is only the first line has none yet.
func (s *Session) Check(line string) *lang.Error {
	r := NewReader("<input>")
	chunks, err := r.Feed(line, true)
	for _, c := range chunks {
		if err == nil {
			err = s.check(c)
		}
	}
	var at *lang.Error
	errors.As(err, &at)
	return at
}

func (s *Session) check(c *lang.Chunk) error {
	if _, err := s.checkRanks(c); err != nil {
		return err
	}
	switch c.Kind {
	case lang.Meta:
		if findMeta(c.Verb.Text) == nil {
			return c.ErrorAt(c.Verb, "unknown meta command .%s; .help lists them", c.Verb.Text)
		}
		return nil
	case lang.Program:
		if _, err := program.Compile(c.File, c.Body.Text, c.Line, s.known); err != nil {
			return s.position(err, c)
		}
		return nil
	}
	cmd, err := bind(c)
	if err != nil || cmd.verb.text == nil {
		return err
	}
	if err := s.compile(cmd); err != nil {
		return s.position(err, c)
	}
	return cmd.exists(s.place.std)
}

// Hint is what a line that is being typed is about.
type Hint struct {
	Verb  *Verb        // nil: it is no command
	Param int          // index of the parameter that is being written; -1: none, or not known
	Meta  *MetaCommand // of a line that begins with a dot
}

// Hint tells which verb and parameter stand where the line ends.
func (s *Session) Hint(line string) Hint {
	text := strings.TrimLeft(line, " ")
	if rest, ok := strings.CutPrefix(text, "."); ok {
		name, _, _ := strings.Cut(rest, " ")
		return Hint{Param: -1, Meta: findMeta(name)}
	}
	if strings.HasPrefix(text, "@") {
		_, text, _ = strings.Cut(text, " ")
	}
	if target, after, ok := strings.Cut(text, "="); ok && lang.IsName(strings.TrimSpace(target)) && strings.HasPrefix(after, " ") {
		text = strings.TrimLeft(after, " ")
	}
	word, args, ok := strings.Cut(text, " ")
	v := FindVerb(word)
	if v == nil || !ok {
		return Hint{Verb: v, Param: -1}
	}
	last := args[lastBlank(args):]
	if name, _, named := strings.Cut(last, "="); named && v.param(name) >= 0 {
		return Hint{Verb: v, Param: v.param(name)}
	}
	if k := len(strings.Fields(args[:lastBlank(args)])); k < len(v.Params) && !strings.Contains(args[:lastBlank(args)], "=") {
		return Hint{Verb: v, Param: k}
	}
	return Hint{Verb: v, Param: -1}
}

// PastView is the view as after step k: the communicators of then, and the variables as they were. An
// element of a list, name[0], is a variable of its own.
func PastView(v *render.View, k int) *render.View {
	past := *v
	past.Snapshot = v.Snapshot.At(k)
	if past.Snapshot != v.Snapshot {
		past.Handles = v.Before(k)
		past.Deadlock, past.Errors = nil, nil
		return &past
	}
	past.Handles = nil
	for _, h := range v.Handles {
		past.Handles = append(past.Handles, expandLists(h)...)
	}
	return &past
}

// Explain says why world ranks hold what they hold in a variable, or at a place in a list, now or as
// after the step of an earlier view: one rank in full, several by their reasons; rest are those whose
// reasons are left out.
func (s *Session) Explain(v *render.View, handle string, ranks engine.Ranks) (list []reason.Explanation, rest engine.Ranks, err error) {
	held, err := s.heldAt(v, handle)
	if err != nil {
		return nil, nil, err
	}
	if ranks.Len() == 1 {
		r := ranks.First()
		return []reason.Explanation{reason.Rank(v.Snapshot, held(r), r)}, nil, nil
	}
	list, rest = reason.Handle(v.Snapshot, held, ranks, mostReasons)
	return list, rest, nil
}

// PromptText carries the state: "world[8]> ", or who is blocked. pending: a statement goes on.
func (c *Console) PromptText(pending bool) string { return c.promptText(pending) }

// Quitting reports whether a line asked to leave.
func (c *Console) Quitting() bool { return c.quit }

// Describe says in a line what the session talks to: "8 ranks on figure-7.3, map-by core, ...".
func (s *Session) Describe() string {
	c := Console{Session: s}
	var b strings.Builder
	c.Out = &b
	c.describeWorld()
	return strings.TrimSpace(b.String())
}

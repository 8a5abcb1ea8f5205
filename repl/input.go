package repl

import (
	"regexp"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/tongue"
)

// bareWord lets help, quit and exit work without the dot when they stand alone, also as Python's functions, and takes
// NAME? for .help NAME, as IPython does.
func bareWord(line string) string {
	switch strings.TrimSpace(line) {
	case "help", "?", "help()":
		return ".help"
	case "quit", "exit", "quit()", "exit()":
		return ".quit"
	}
	if m := asksAbout.FindStringSubmatch(line); m != nil {
		return ".help " + m[1]
	}
	return line
}

// feed gives a cutter the next line that a person typed.
func feed(r *lang.Cutter, line string, interactive bool) ([]*lang.Chunk, error) {
	if r.Begins(line, interactive) {
		line = bareWord(line)
	}
	return r.Feed(line, interactive)
}

var asksAbout = regexp.MustCompile(`^\s*(\.?[A-Za-z_][\w.-]*)\s*\?\s*$`)

// Input cuts the lines that a person types into chunks, and into entries of the history.
type Input struct {
	cut     *lang.Cutter
	begun   []string // lines of the entry that is not complete
	entries []string // complete since they were asked for
}

// NewInput reads lines; file names them in messages.
func NewInput(file string) *Input {
	c := lang.NewCutter(file, IsVerb)
	c.Typed = true
	return &Input{cut: c}
}

// Pending reports whether a statement has begun that needs or may take more lines.
func (r *Input) Pending() bool { return r.cut.Pending() }

// Feed takes the next line and returns the chunks that are complete with it. interactive means that
// a blank line ends a block; empty lines before the line, as Typed gives them, do not.
func (r *Input) Feed(line string, interactive bool) ([]*lang.Chunk, error) {
	began := r.Pending()
	text := strings.TrimLeft(line, "\n")
	for range len(line) - len(text) {
		r.cut.Feed("", false) //nolint:errcheck // an empty line ends nothing then
	}
	chunks, err := feed(r.cut, text, interactive)
	if began && len(chunks) > 0 && strings.TrimSpace(line) != "" && !strings.Contains(chunks[0].Text, line) {
		r.complete() // the block ended where this line began something else
	}
	r.begun = append(r.begun, line)
	if !r.Pending() {
		r.complete()
	}
	return chunks, suggestVerb(err)
}

func (r *Input) complete() {
	r.entries = append(r.entries, strings.Join(r.begun, "\n"))
	r.begun = nil
}

// Entries lists the entries of the history that have become complete since the last call of Entries: lines as
// they were typed, a statement of several lines as one entry.
func (r *Input) Entries() []string {
	list := r.entries
	r.entries = nil
	return list
}

// Reset forgets a pending statement.
func (r *Input) Reset() {
	r.cut.Reset()
	r.begun = nil
}

// Close ends the text; a statement that was pending is the last chunk.
func (r *Input) Close() ([]*lang.Chunk, error) {
	chunks, err := r.cut.Close()
	return chunks, suggestVerb(err)
}

// Typed cuts a text that was entered at once into lines for Feed. A text of several lines is a complete entry of the
// history, so an empty line is added, which ends its block. Empty lines inside the block stay with the line behind
// them, as does the beginning of a text that edit.CutPaste cut out of a block.
func Typed(entered string) []string {
	lines := cut(entered)
	if len(lines) == 1 {
		return lines
	}
	var list []string
	blank := ""
	for i, line := range lines {
		if strings.TrimSpace(line) == "" && i < len(lines)-1 && edit.GoesOn(lines[i+1:]) {
			blank += "\n"
			continue
		}
		list = append(list, blank+line)
		blank = ""
	}
	if len(list) > 1 {
		list = append(list, "")
	}
	return list
}

// cut cuts a text into lines, but for a whole program of C or Fortran.
func cut(text string) []string {
	if tongue.Program(text) != "" {
		return []string{text}
	}
	return strings.Split(text, "\n")
}

// Split cuts a text into chunks; an error about an unknown verb names the nearest one.
func Split(file, text string) ([]*lang.Chunk, error) {
	list, err := lang.Split(file, text, IsVerb)
	return list, suggestVerb(err)
}

// ParseLines cuts texts that were typed and are complete in themselves into chunks, and adds them to those before them.
// The lines of all are numbered as if they stood one after the other.
func ParseLines(file string, texts []string, before ...*lang.Chunk) ([]*lang.Chunk, error) {
	r := lang.NewCutter(file, IsVerb)
	r.Typed = true
	r.Behind(before)
	all := before
	for _, text := range texts {
		for _, line := range cut(text) {
			list, err := feed(r, line, false)
			all = append(all, list...)
			if err != nil {
				return nil, suggestVerb(err)
			}
		}
		list, err := r.Close()
		if err != nil {
			return nil, suggestVerb(err)
		}
		all = append(all, list...)
	}
	return all, nil
}

// suggestVerb adds the nearest verb to an error about an unknown one.
func suggestVerb(err error) error {
	e, ok := err.(*lang.Error)
	if !ok || e.Unknown == "" {
		return err
	}
	call := func(v *Verb) bool { return v.Call != engine.CallNone && v.Call.String() == e.Unknown }
	switch hint := spell.DidYouMean(strings.ReplaceAll(e.Unknown, "-", "_"), VerbNames()); {
	case slices.ContainsFunc(Verbs, call):
		e.Message += " (did you mean " + Verbs[slices.IndexFunc(Verbs, call)].Name + "?)"
	case slices.Contains(MetaNames(), e.Unknown):
		e.Message += " (did you mean ." + e.Unknown + "?)"
	case hint != "":
		e.Message += hint
	default:
		e.Message += "; .help lists the verbs"
	}
	return e
}

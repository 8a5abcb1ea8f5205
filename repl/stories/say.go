package stories

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/page"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue"
)

// Tongues are the languages into which a line can be translated.
var Tongues = []string{"c", "f08", "mpi4py", "command"}

// tongueNames are the names of Tongues for people.
var tongueNames = map[string]string{"c": "C", "f08": "Fortran 2008", "mpi4py": "mpi4py", "command": "command"}

// NoTongue returns an advice for a word that is not one of Tongues; the word may be a language's own name.
func NoTongue(word string) string {
	var names []string
	for _, in := range Tongues {
		names = append(names, tongueNames[in])
	}
	text := spell.Choice(word, Tongues)
	near := spell.Nearest(word, names)
	if i := slices.Index(names, near); i >= 0 && spell.Nearest(word, Tongues) == "" {
		text += "; did you mean " + Tongues[i] + "?"
	}
	return text
}

// TongueName returns the name of one of Tongues for people: "Fortran 2008" for f08.
func TongueName(in string) string { return tongueNames[in] }

// Translated translates the latest line, which is c, into one of Tongues, a row for each line of the result; "" for a
// line that has no translation, that makes no call, or that was typed in that language.
func Translated(s *repl.Session, c *lang.Chunk, in string) string {
	if in == "" || c.Kind == lang.Meta || repl.Checks(c) {
		return ""
	}
	text, err := Say(s, in)
	if err != nil || strings.Contains(text, strings.TrimSpace(c.Text)) {
		return ""
	}
	var b strings.Builder
	for row := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(&b, "  %s: %s\n", TongueName(in), row)
	}
	return b.String()
}

// Unsaid is the error of a line that cannot be translated into a language.
type Unsaid struct{ In, Why string }

func (u *Unsaid) Error() string { return "this line cannot be translated to " + u.In + ": " + u.Why }

// Say translates the latest line of the session that does not narrate, ask or expect into one of Tongues. It returns a
// *Unsaid for a line that has no translation.
func Say(s *repl.Session, in string) (string, error) {
	list := s.Entries()
	for i, e := range slices.Backward(list) {
		if e.Program() != "" && !repl.Checks(e.Chunk) {
			return sayLines(s, list[i:i+1], in)
		}
	}
	return "", errors.New("no line has run yet that could be translated")
}

// sayLines translates lines that run one after the other.
func sayLines(s *repl.Session, lines []repl.Entry, in string) (string, error) {
	var texts []string
	for _, e := range lines {
		text := strings.TrimRight(e.Program(), "\n")
		if in == "command" {
			var err error
			if text, err = asCommand(s, e, text); err != nil {
				return "", err
			}
		}
		texts = append(texts, text)
	}
	text := strings.Join(texts, "\n")
	if in == "mpi4py" || in == "command" {
		return text, nil
	}
	said, err := speakerOf(s, in == "f08").Say(text)
	if err != nil {
		return "", &Unsaid{in, err.Error()}
	}
	if len(said) == 0 {
		return "", &Unsaid{in, "it makes no MPI call"}
	}
	return strings.Join(said, "\n"), nil
}

// asCommand returns the command that makes the call of a line, on the ranks that the line is for. text is the
// statement of the line.
func asCommand(s *repl.Session, e repl.Entry, text string) (string, error) {
	if e.Chunk.Kind == lang.Command && !e.Chunk.Foreign {
		return e.Chunk.Text, nil
	}
	who := ""
	if ranks := e.Chunk.Ranks.Text; ranks != "" { // text begins with the test for the ranks
		_, text, _ = strings.Cut(text, "\n")
		who = "@" + strings.TrimPrefix(ranks, "@") + " "
	}
	if e.Chunk.Kind == lang.Command {
		return who + e.Chunk.Command(), nil
	}
	if strings.Contains(text, "\n") {
		return "", &Unsaid{"command", "it has several lines, but a command makes one call"}
	}
	if cmd := speakerOf(s, false).Command(strings.TrimSpace(text), lang.Argument); cmd != "" {
		return who + cmd, nil
	}
	return "", &Unsaid{"command", "there is no verb for this statement"}
}

// spellerOf translates the lines that made the calls of the trace into each of Tongues.
type speller struct {
	s     *repl.Session
	steps []engine.Step
	lines []repl.Entry          // the lines of the present world that may have made calls
	at    map[engine.Site][]int // by line of a text: the indexes in lines of the entries that contain it
	until map[engine.Site]int   // by line of a text: the last step that the line made
	known map[string][]page.Spelling
}

func spellerOf(s *repl.Session, steps []engine.Step) *speller {
	w := &speller{s: s, steps: steps, at: map[engine.Site][]int{}, until: map[engine.Site]int{}, known: map[string][]page.Spelling{}}
	for _, e := range s.Entries() {
		if e.Void || e.Program() == "" {
			continue
		}
		for _, at := range sitesOf(e.Chunk) {
			w.at[at] = append(w.at[at], len(w.lines))
		}
		w.lines = append(w.lines, e)
	}
	for k := range steps {
		for _, p := range steps[k].Where {
			w.until[p.Site] = k + 1
		}
	}
	return w
}

// sitesOf returns the call site of each line of a chunk's text.
func sitesOf(c *lang.Chunk) []engine.Site {
	list := make([]engine.Site, strings.Count(c.Text, "\n")+1)
	for k := range list {
		list[k] = c.Site(k)
	}
	return list
}

// spelled returns the lines that made the call of a step, in each of Tongues, and the last step that these lines made.
func (w *speller) spelled(step int) (list []page.Spelling, last int) {
	n, _ := slices.BinarySearchFunc(w.lines, step, func(e repl.Entry, step int) int { return e.At.Steps - step })
	if n == 0 {
		return nil, step
	}
	last = len(w.steps)
	if n < len(w.lines) {
		last = w.lines[n].At.Steps
	}
	made := w.made(step, n)
	var lines []repl.Entry
	for _, i := range made {
		lines = append(lines, w.lines[i])
		for _, at := range sitesOf(w.lines[i].Chunk) {
			last = max(last, w.until[at])
		}
	}
	key := fmt.Sprint(made)
	if w.known[key] == nil {
		w.known[key] = spellLines(w.s, lines)
	}
	return w.known[key], last
}

// made returns the indexes of the lines, of the first n, that made the call of a step: the last of them, which ran when
// the last rank came to the call, and the earlier lines in which other ranks called. If a file was run twice, the lines
// of the last run count.
func (w *speller) made(step, n int) []int {
	var list []int
	for _, p := range w.steps[step-1].Where {
		all := w.at[p.Site]
		if k, _ := slices.BinarySearch(all, n); k > 0 {
			list = append(list, all[k-1])
		}
	}
	if !slices.Contains(list, n-1) { // the line called a function of another line
		return []int{n - 1}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// spellLines translates lines into each of Tongues.
func spellLines(s *repl.Session, lines []repl.Entry) []page.Spelling {
	var list []page.Spelling
	for _, in := range Tongues {
		x := page.Spelling{In: tongueNames[in]}
		text, err := sayLines(s, lines, in)
		var no *Unsaid
		if errors.As(err, &no) {
			x.Unsaid, text = true, "This cannot be translated: "+no.Why+"."
		}
		x.Text = text
		list = append(list, x)
	}
	return list
}

// speakerOf returns a translator to C or Fortran that knows the kinds of the session's variables and mpi4py's methods.
func speakerOf(s *repl.Session, fortran bool) *tongue.Speaker {
	return &tongue.Speaker{Fortran: fortran, Parameters: program.ParametersOf, Kind: func(name string) string {
		for _, r := range s.Ranks {
			if kind := program.KindInC(r.Vars.Get(name)); kind != "" {
				return kind
			}
		}
		return ""
	}}
}

package tui

import (
	"slices"
	"strings"

	"commsplit/repl"
	"commsplit/repl/edit"
)

// editor is the line at the prompt, its history and what Tab proposes.
type editor struct {
	line    []rune
	at      int // the cursor
	history []string
	back    int      // how far back in the history the line is; 0: it is new
	draft   []rune   // the new line, while an older one shows
	options []string // what Tab proposes
	option  int      // the one that stands in the line; -1: none yet
	start   int      // where options begin
}

func (e *editor) load(file string) { e.history = edit.LoadHistory(file) }

func (e *editor) save(file string) error { return edit.SaveHistory(file, e.history) }

func (e *editor) text() string { return string(e.line) }

func (e *editor) set(text string) {
	e.line = []rune(text)
	e.at = len(e.line)
	e.options = nil
}

// insert puts text where the cursor is.
func (e *editor) insert(text []rune) {
	e.line = slices.Insert(e.line, e.at, text...)
	e.at += len(text)
	e.changed()
}

func (e *editor) changed() { e.options, e.back = nil, 0 }

// take ends the line, which goes into the history.
func (e *editor) take() string {
	text := e.text()
	last := ""
	if n := len(e.history); n > 0 {
		last = e.history[n-1]
	}
	if edit.Keeps(text, last) {
		e.history = append(e.history, text)
	}
	e.back, e.draft = 0, nil
	e.set("")
	return text
}

// delete takes out the runes from a to b.
func (e *editor) delete(a, b int) {
	a, b = max(a, 0), min(b, len(e.line))
	if a < b {
		e.line = slices.Delete(e.line, a, b)
		e.at = a
		e.changed()
	}
}

// word is where the word before the cursor begins.
func (e *editor) word() int {
	i := e.at
	for i > 0 && e.line[i-1] == ' ' {
		i--
	}
	for i > 0 && e.line[i-1] != ' ' {
		i--
	}
	return i
}

// recall shows an older line (step 1) or a newer one (-1) that begins as what was typed.
func (e *editor) recall(step int) {
	if e.back == 0 {
		e.draft = slices.Clone(e.line)
	}
	for k := e.back + step; k >= 0 && k <= len(e.history); k += step {
		if k == 0 {
			e.set(string(e.draft))
			e.back = 0
			return
		}
		if text := e.history[len(e.history)-k]; strings.HasPrefix(text, string(e.draft)) && text != e.text() {
			e.set(text)
			e.back = k
			return
		}
	}
}

// ghost is what the newest line of the history that begins as this one goes on with.
func (e *editor) ghost() string {
	if len(e.line) == 0 || e.at < len(e.line) {
		return ""
	}
	for i := len(e.history) - 1; i >= 0; i-- {
		if rest, ok := strings.CutPrefix(e.history[i], e.text()); ok && rest != "" {
			return rest
		}
	}
	return ""
}

// propose completes the word at the cursor: as far as all options agree, then one after the other.
func (e *editor) propose(complete func(line string) (int, []string), step int) {
	if e.options != nil {
		e.option = (e.option + step + len(e.options)) % len(e.options)
		e.replace(e.options[e.option])
		return
	}
	head := string(e.line[:e.at])
	start, options := complete(head)
	if len(options) == 0 {
		return
	}
	e.start = len([]rune(head[:start]))
	prefix := options[0]
	for _, o := range options {
		for !strings.HasPrefix(o, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	if len([]rune(prefix)) > e.at-e.start || len(options) == 1 {
		e.replace(prefix)
	}
	if e.option = -1; len(options) > 1 {
		e.options = options
	} else if ends(options[0]) && e.at == len(e.line) {
		e.line = append(e.line, ' ')
		e.at++
	}
}

// ends reports whether a blank follows what Tab completes: not when a value or a file's name does, and a
// number of each rank most often goes on, as rank%2.
func ends(option string) bool {
	return !strings.HasSuffix(option, "=") && !strings.HasSuffix(option, "/") && !repl.IsNumber(option)
}

// replace puts an option where the word stands.
func (e *editor) replace(text string) {
	runes := []rune(text)
	e.line = slices.Concat(e.line[:e.start], runes, e.line[e.at:])
	e.at = e.start + len(runes)
}

package edit

import (
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// Completer proposes words for the end of line: each option replaces the text from byte start on.
type Completer func(line string) (start int, options []string)

// Editor is the line at a prompt, its history and the proposals of Tab. Prompt and terminal UI have the same
// editor; each of them decodes the keys and draws the line in its own way. Key carries out the keys of Bindings.
type Editor struct {
	Line
	// Complete proposes words; nil proposes nothing.
	Complete Completer
	// Beside returns the text behind a proposal in the list: " (3)"; nil: there is none.
	Beside func(option string) string
	// GoesOn reports whether more characters mostly follow a word, as rank in rank%2: Tab then adds no blank
	// after the word. nil: Tab adds a blank after each word.
	GoesOn func(word string) bool
	// Answers tells that the line is the answer to a question: the history proposes nothing behind the line.
	Answers bool

	history *History
	back    int      // how many lines back in the history the shown line is; 0: the line is new
	draft   string   // the new line, while an older one shows
	search  *search  // the search that Ctrl-R began; nil: there is none
	options []string // proposals of Tab
	option  int      // the proposal that stands in the line; -1: none yet
	start   int      // where options begin, in runes
}

// search looks for a part of an older line, as the person types the part.
type search struct {
	part   []rune
	at     int    // the index of the shown line in the history; the length of the history: none was found yet
	failed bool   // no older line has the part
	line   string // the text of the line before the search
}

// Begin begins the first line; a nil history is an empty history that is not kept.
func (e *Editor) Begin(h *History) {
	if e.history = h; h == nil {
		e.history = OpenHistory("")
	}
}

// older lists the history, the oldest entry first.
func (e *Editor) older() []string { return e.history.Entries() }

// Empty reports whether nothing is typed.
func (e *Editor) Empty() bool { return e.Len() == 0 }

// Set replaces the line, with the cursor at its end. Proposals of Tab end.
func (e *Editor) Set(text string) {
	e.Line.Set(text)
	e.options = nil
}

// Change carries out an action that changes the line. Proposals of Tab end, and the line is no longer one of the
// history.
func (e *Editor) Change(f func(l *Line)) {
	f(&e.Line)
	e.options, e.back = nil, 0
}

// Type puts text where the cursor is, or behind the part that Ctrl-R looks for.
func (e *Editor) Type(text []rune) {
	if s := e.search; s != nil {
		s.part = append(s.part, text...)
		e.find(min(s.at, len(e.older())-1), -1)
		return
	}
	e.Change(func(l *Line) { l.Insert(text) })
}

// move puts the cursor behind the first to characters.
func (e *Editor) move(to int) {
	e.Move(to)
	e.options = nil
}

// Take ends the line, and begins the next one.
func (e *Editor) Take() string {
	text := e.Text()
	e.back, e.draft, e.search = 0, "", nil
	e.Set("")
	return text
}

// Keep adds an entry to the history: a line, or the lines of a block.
func (e *Editor) Keep(entry string) { e.history.Add(entry) }

// recall shows the next older line (step 1) or newer line (-1) of the history that begins with the draft. In a
// block that is being edited, recall first moves the cursor a line up or down.
func (e *Editor) recall(step int) {
	if (e.back == 0 || e.Cursor() < e.Len()) && e.vertical(step) {
		e.options = nil
		return
	}
	if e.back == 0 {
		e.draft = e.Text()
	}
	for k := e.back + step; k >= 0 && k <= len(e.older()); k += step {
		if e.show(k) {
			return
		}
	}
}

// recallEnd shows the oldest line of the history (step 1) or the new line (-1).
func (e *Editor) recallEnd(step int) {
	if e.back == 0 {
		e.draft = e.Text()
	}
	if step < 0 {
		e.show(0)
		return
	}
	for k := len(e.older()); k > e.back; k-- {
		if e.show(k) {
			return
		}
	}
}

// show puts the line that is k lines back in the history into the editor; 0 is the draft. It reports
// false, and changes nothing, for a line that does not begin with the draft or is already shown.
func (e *Editor) show(k int) bool {
	text := e.draft
	if k > 0 {
		text = e.older()[len(e.older())-k]
		if !strings.HasPrefix(text, e.draft) || text == e.Text() {
			return false
		}
	}
	e.Set(text)
	e.back = k
	return true
}

// lastArgument types the last word of the newest line of the history, as Alt-. does in shells.
func (e *Editor) lastArgument() {
	if n := len(e.older()); n > 0 {
		words := strings.Fields(e.older()[n-1])
		e.Type([]rune(words[len(words)-1]))
	}
}

// Ghost returns the rest of the newest line of the history that begins with the present text; "" for none.
func (e *Editor) Ghost() string {
	if e.Answers || e.Empty() || e.Cursor() < e.Len() || e.search != nil {
		return ""
	}
	for _, older := range slices.Backward(e.older()) {
		if rest, ok := strings.CutPrefix(older, e.Text()); ok && rest != "" {
			return rest
		}
	}
	return ""
}

// forward moves the cursor; at the end it takes the ghost.
func (e *Editor) forward() {
	if ghost := e.Ghost(); ghost != "" {
		e.Type([]rune(ghost))
		return
	}
	e.move(e.Cursor() + 1)
}

// forwardWord moves the cursor by a word; at the end it takes a word of the ghost.
func (e *Editor) forwardWord() {
	if ghost := e.Ghost(); ghost != "" {
		e.Type([]rune(FirstWord(ghost)))
		return
	}
	e.move(e.WordRight())
}

// Searching reports whether Ctrl-R looks for a line.
func (e *Editor) Searching() bool { return e.search != nil }

// SearchPrompt returns the text before the line while Ctrl-R searches.
func (e *Editor) SearchPrompt() string {
	word := "search"
	if e.search.failed {
		word = "not found"
	}
	return "(" + word + ")`" + string(e.search.part) + "': "
}

// seek begins a search in the history.
func (e *Editor) seek() {
	e.options = nil
	e.search = &search{at: len(e.older()), line: e.Text()}
}

// find shows the next line that contains the part, from the i-th line of the history on, towards older lines
// (step -1) or newer lines (1).
func (e *Editor) find(i, step int) {
	s := e.search
	if len(s.part) == 0 {
		s.failed = false
		return
	}
	for ; i >= 0 && i < len(e.older()); i += step {
		before, _, found := strings.Cut(e.older()[i], string(s.part))
		if !found {
			continue
		}
		e.Set(e.older()[i])
		e.Move(len([]rune(before)))
		e.back, e.draft = len(e.older())-i, s.line
		s.at, s.failed = i, false
		return
	}
	s.failed = true
}

// SearchKey handles a key, by bubbletea's name, while Ctrl-R searches; typed characters go to Type. It reports
// false for a key that means nothing to the search: the search has then ended with the shown line, and the caller
// applies the key to that line.
func (e *Editor) SearchKey(name string) bool {
	s := e.search
	switch name {
	case "ctrl+r":
		e.find(s.at-1, -1)
	case "ctrl+s":
		e.find(s.at+1, 1)
	case "backspace", "ctrl+h":
		s.part = s.part[:max(0, len(s.part)-1)]
		e.find(len(e.older())-1, -1)
	case "ctrl+g", "ctrl+c":
		e.Set(s.line)
		e.search, e.back = nil, 0
	case "esc":
		e.search = nil
	default:
		e.search = nil
		return false
	}
	return true
}

// Propose completes the word at the cursor: first as far as all options agree; later calls put in one option after
// the other, forward (step 1) or backward (-1).
func (e *Editor) Propose(step int) {
	if e.options != nil {
		if e.option < 0 && step < 0 {
			e.option = 0 // one step back is the last option
		}
		e.option = (e.option + step + len(e.options)) % len(e.options)
		e.Replace(e.start, e.options[e.option])
		return
	}
	if e.Complete == nil || step < 0 {
		return
	}
	head, tail := e.Parts()
	last := strings.LastIndexByte(head, '\n') + 1 // of a block
	start, options := e.Complete(head[last:])
	if len(options) == 0 {
		return
	}
	start += last
	e.start = len([]rune(head[:start]))
	if prefix := agreed(options); len([]rune(prefix)) > e.Cursor()-e.start || len(options) == 1 {
		e.Replace(e.start, prefix)
	}
	if e.option = -1; len(options) > 1 {
		e.options = options
	} else if e.ends(options[0]) && tail == "" {
		e.Insert([]rune{' '})
	}
}

// agreed returns the beginning that all options share.
func agreed(options []string) string {
	prefix := []rune(options[0])
	for _, o := range options {
		for !strings.HasPrefix(o, string(prefix)) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return string(prefix)
}

// ends reports whether a blank follows a word that Tab completed: not where a value or the rest of a file's name
// follows.
func (e *Editor) ends(word string) bool {
	return !strings.HasSuffix(word, "=") && !strings.HasSuffix(word, "/") && (e.GoesOn == nil || !e.GoesOn(word))
}

// Proposing reports whether Tab has proposed several words, and the person has not yet gone on with one of them.
func (e *Editor) Proposing() bool { return e.options != nil }

// Proposals returns the words that Tab proposes, in at most width columns, with the word that stands in the line
// marked.
func (e *Editor) Proposals(width int) paint.Line {
	var l paint.Line
	first := 0
	shown := func(i int) string {
		if e.Beside == nil {
			return e.options[i]
		}
		return e.options[i] + e.Beside(e.options[i])
	}
	for used, i := 0, 0; i <= e.option; i++ {
		if used += paint.Width(shown(i)) + 2; used > width-4 {
			first, used = i, 0
		}
	}
	for i := range e.options[first:] {
		o := shown(first + i)
		if l.Width()+paint.Width(o) > width-2 {
			l.Add("…", paint.Faint)
			break
		}
		ink := paint.Plain
		if first+i == e.option {
			ink = ink.Lit()
		}
		l.Add(o, ink)
		l.Add("  ", paint.Plain)
	}
	return l
}

// Binding is a group of keys and their action on a line. Keys have bubbletea's names.
type Binding struct {
	Keys []string
	Show string // the keys as a person reads them
	Help string // what the keys do
	Do   func(e *Editor)
}

// Key carries out the action of a key; it reports false for a key that is not in Bindings.
func (e *Editor) Key(name string) bool {
	for i := range Bindings {
		if slices.Contains(Bindings[i].Keys, name) {
			Bindings[i].Do(e)
			return true
		}
	}
	return false
}

// changes makes a key's action of an edit; goes makes a key's action of a cursor movement.
func changes(f func(l *Line)) func(e *Editor) { return func(e *Editor) { e.Change(f) } }

func goes(to func(l *Line) int) func(e *Editor) { return func(e *Editor) { e.move(to(&e.Line)) } }

// Bindings are the keys that edit a line, in the order of the help.
var Bindings = []Binding{
	{[]string{"shift+tab"}, "Shift-Tab", "the previous suggestion", func(e *Editor) { e.Propose(-1) }},
	{[]string{"up", "ctrl+p"}, "↑", "the previous line with the same beginning; up in a block", func(e *Editor) { e.recall(1) }},
	{[]string{"down", "ctrl+n"}, "↓", "the next such line; down in a block", func(e *Editor) { e.recall(-1) }},
	{[]string{"alt+<"}, "Alt-<", "the oldest line of the history", func(e *Editor) { e.recallEnd(1) }},
	{[]string{"alt+>"}, "Alt->", "back to the new line", func(e *Editor) { e.recallEnd(-1) }},
	{[]string{"ctrl+r"}, "Ctrl-R", "search the history for a part of a line", (*Editor).seek},
	{[]string{"alt+."}, "Alt-.", "the last word of the previous line", (*Editor).lastArgument},
	{[]string{"right", "ctrl+f"}, "→", "forward; at the end, accept the suggestion of the history", (*Editor).forward},
	{[]string{"left", "ctrl+b"}, "←", "back", goes(func(l *Line) int { return l.Cursor() - 1 })},
	{[]string{"alt+f", "alt+right", "ctrl+right", "alt+ctrl+right"}, "Alt-F Ctrl-→",
		"forward by a word, also into the suggestion of the history", (*Editor).forwardWord},
	{[]string{"alt+b", "alt+left", "ctrl+left", "alt+ctrl+left"}, "Alt-B Ctrl-←", "back by a word", goes((*Line).WordLeft)},
	{[]string{"home", "ctrl+a", "ctrl+home"}, "Home Ctrl-A", "to the beginning of the line", goes(func(*Line) int { return 0 })},
	{[]string{"end", "ctrl+e", "ctrl+end"}, "End Ctrl-E", "to the end of the line", goes((*Line).Len)},
	{[]string{"backspace", "ctrl+h"}, "Backspace", "delete the character before the cursor", changes(func(l *Line) { l.DeleteChar(-1) })},
	{[]string{"delete"}, "Del", "delete the character at the cursor", changes(func(l *Line) { l.DeleteChar(1) })},
	{[]string{"ctrl+w"}, "Ctrl-W", "kill back to the previous blank", changes(func(l *Line) { l.Kill(l.BlankLeft()) })},
	{[]string{"alt+backspace", "alt+ctrl+h"}, "Alt-Backspace", "kill the word before the cursor", changes(func(l *Line) { l.Kill(l.WordLeft()) })},
	{[]string{"alt+d", "alt+delete"}, "Alt-D", "kill the word after the cursor", changes(func(l *Line) { l.Kill(l.WordRight()) })},
	{[]string{"ctrl+u"}, "Ctrl-U", "kill all before the cursor", changes(func(l *Line) { l.Kill(0) })},
	{[]string{"ctrl+k"}, "Ctrl-K", "kill all after the cursor", changes(func(l *Line) { l.Kill(l.Len()) })},
	{[]string{"ctrl+y"}, "Ctrl-Y", "insert the text that was killed last", changes((*Line).Yank)},
	{[]string{"alt+y"}, "Alt-Y", "after Ctrl-Y: insert the text killed before it", changes((*Line).YankPop)},
	{[]string{"ctrl+_"}, "Ctrl-_", "undo the last change of the line", changes((*Line).Undo)},
	{[]string{"alt+r"}, "Alt-R", "undo all changes of the line", changes((*Line).RevertLine)},
	{[]string{"ctrl+t"}, "Ctrl-T", "swap the characters before and at the cursor", changes((*Line).TransposeChars)},
	{[]string{"alt+u"}, "Alt-U", "make the word upper case", changes(func(l *Line) { l.ChangeWord(Upper) })},
	{[]string{"alt+l"}, "Alt-L", "make the word lower case", changes(func(l *Line) { l.ChangeWord(Lower) })},
	{[]string{"alt+c"}, "Alt-C", "capitalize the word", changes(func(l *Line) { l.ChangeWord(Capital) })},
}

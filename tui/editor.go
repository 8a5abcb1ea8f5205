package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/repl"
	"commsplit/repl/edit"
)

// editor is the line at the prompt, its history and the proposals of Tab.
type editor struct {
	edit.Line
	history *edit.History
	cut     *repl.Input // cuts what is typed into entries of the history
	back    int         // how far back in the history the line is; 0: it is new
	draft   string      // the new line, while an older one shows
	search  *search     // that Ctrl-R began; nil: there is none
	options []string    // proposals of Tab
	option  int         // the proposal that stands in the line; -1: none yet
	start   int         // where options begin, in runes
}

// search looks for a part of an older line, as the person types the part.
type search struct {
	part   []rune
	at     int    // the line of the history that shows; one past the newest: none was found yet
	failed bool   // no older line has the part
	line   string // what stood in the line before
}

// begin begins the first line; nil is an empty history that is not kept.
func (e *editor) begin(h *edit.History) {
	if e.history = h; h == nil {
		e.history = edit.OpenHistory("")
	}
	e.cut = repl.NewInput("")
}

// older lists the history, the oldest entry first.
func (e *editor) older() []string { return e.history.Entries() }

func (e *editor) text() string { return e.Line.Text() }

func (e *editor) empty() bool { return e.Len() == 0 }

func (e *editor) set(text string) {
	e.Set(text)
	e.options = nil
}

// change carries out an action that changes the line. Proposals of Tab end, and the line is a new one.
func (e *editor) change(f func()) {
	f()
	e.options, e.back = nil, 0
}

// move puts the cursor after so many characters.
func (e *editor) move(to int) {
	e.Move(to)
	e.options = nil
}

// insert puts text where the cursor is.
func (e *editor) insert(text []rune) { e.change(func() { e.Insert(text) }) }

// take ends the line. With the line that completes it, a statement goes into the history.
func (e *editor) take() string {
	text := e.text()
	for _, line := range repl.Typed(text) {
		e.cut.Feed(line, true) //nolint:errcheck // the history has mistakes, too
		for _, entry := range e.cut.Entries() {
			e.history.Add(entry)
		}
	}
	e.back, e.draft = 0, ""
	e.set("")
	return text
}

// recall shows the next older line (step 1) or newer line (-1) of the history that begins with the draft.
func (e *editor) recall(step int) {
	if e.back == 0 {
		e.draft = e.text()
	}
	for k := e.back + step; k >= 0 && k <= len(e.older()); k += step {
		if e.show(k) {
			return
		}
	}
}

// recallEnd shows the oldest line (step 1) or the new one (-1).
func (e *editor) recallEnd(step int) {
	if e.back == 0 {
		e.draft = e.text()
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
// false, and changes nothing, for a line that does not begin with the draft or stands there already.
func (e *editor) show(k int) bool {
	text := e.draft
	if k > 0 {
		text = e.older()[len(e.older())-k]
		if !strings.HasPrefix(text, e.draft) || text == e.text() {
			return false
		}
	}
	e.set(text)
	e.back = k
	return true
}

// lastArgument puts in the last word of the line before, as Alt-. does.
func (e *editor) lastArgument() {
	if n := len(e.older()); n > 0 {
		words := strings.Fields(e.older()[n-1])
		e.insert([]rune(words[len(words)-1]))
	}
}

// ghost is how the newest line of the history that begins with the present text goes on.
func (e *editor) ghost() string {
	if e.empty() || e.Cursor() < e.Len() || e.search != nil {
		return ""
	}
	for i := len(e.older()) - 1; i >= 0; i-- {
		if rest, ok := strings.CutPrefix(e.older()[i], e.text()); ok && rest != "" {
			return rest
		}
	}
	return ""
}

// seek begins a search in the history.
func (e *editor) seek() {
	e.options = nil
	e.search = &search{at: len(e.older()), line: e.text()}
}

// find shows the next line that has the part, from the i-th line of the history on, towards older lines
// (step -1) or newer lines (1).
func (e *editor) find(i, step int) {
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
		e.set(e.older()[i])
		e.Move(len([]rune(before)))
		e.back, e.draft = len(e.older())-i, s.line
		s.at, s.failed = i, false
		return
	}
	s.failed = true
}

// found ends the search with the line that shows; notFound puts back the line from before the search.
func (e *editor) found() { e.search = nil }

func (e *editor) notFound() {
	e.set(e.search.line)
	e.search, e.back = nil, 0
}

// propose completes the word at the cursor: as far as all options agree, then one after the other.
func (e *editor) propose(complete func(line string) (int, []string), step int) {
	if e.options != nil {
		e.option = (e.option + step + len(e.options)) % len(e.options)
		e.replace(e.options[e.option])
		return
	}
	head, tail := e.Parts()
	last := strings.LastIndexByte(head, '\n') + 1 // of a block
	start, options := complete(head[last:])
	if len(options) == 0 {
		return
	}
	start += last
	e.start = len([]rune(head[:start]))
	prefix := options[0]
	for _, o := range options {
		for !strings.HasPrefix(o, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	if len([]rune(prefix)) > e.Cursor()-e.start || len(options) == 1 {
		e.replace(prefix)
	}
	if e.option = -1; len(options) > 1 {
		e.options = options
	} else if ends(options[0]) && tail == "" {
		e.Insert([]rune{' '})
	}
}

// ends reports whether a blank follows a word that Tab completed: not when a value or a file's name does, and a
// number of each rank most often goes on, as rank%2.
func ends(option string) bool {
	return !strings.HasSuffix(option, "=") && !strings.HasSuffix(option, "/") && !repl.IsNumber(option)
}

// replace puts an option where the word stands.
func (e *editor) replace(text string) { e.Replace(e.start, text) }

// enter runs the line at the prompt.
func (m *Model) enter() tea.Cmd {
	switch {
	case m.asked != nil && m.player.on && m.prompt.empty():
		m.stepTo(m.latest()) // to the question
		m.notice = ""
		return nil
	case m.asked != nil:
		return m.predict()
	}
	line := m.prompt.take()
	if strings.TrimSpace(line) == "?" {
		m.help()
		return nil
	}
	if strings.TrimSpace(line) == "" && !m.lines.Pending() && len(m.queue) == 0 {
		return nil
	}
	return m.submit(repl.Typed(line)...)
}

func (m *Model) complete() {
	if m.prompt.text() == "" && m.prompt.options == nil {
		m.focusOn(m.focus)
		return
	}
	if m.idle() {
		m.prompt.propose(m.console.Session.Complete, 1)
	}
}

func (m *Model) completeBack() {
	if m.prompt.options != nil && m.idle() {
		m.prompt.propose(m.console.Session.Complete, -1)
	}
}

// forward moves the cursor; at the end it takes the ghost.
func (m *Model) forward() {
	if ghost := m.prompt.ghost(); ghost != "" && m.asked == nil {
		m.prompt.insert([]rune(ghost))
		return
	}
	m.prompt.move(m.prompt.Cursor() + 1)
}

// forwardWord moves the cursor by a word; at the end it takes a word of the ghost.
func (m *Model) forwardWord() {
	if ghost := m.prompt.ghost(); ghost != "" && m.asked == nil {
		m.prompt.insert([]rune(edit.FirstWord(ghost)))
		return
	}
	m.prompt.move(m.prompt.WordRight())
}

// giveUp is Ctrl-C at the prompt.
func (m *Model) giveUp() tea.Cmd {
	switch {
	case m.busy != nil && !m.busy.stopping:
		return m.interrupt()
	case len(m.queue) > 0: // the session is not open yet, or winds down
		m.dropQueue()
	case m.console == nil && m.prompt.empty():
		return m.leaveUnopened()
	case !m.prompt.empty() || m.lines.Pending():
		m.prompt.set("")
		m.lines.Reset()
		m.prompt.cut.Reset()
	default:
		m.notice = "Ctrl-D leaves; Esc goes to the panes"
	}
	return nil
}

// endOfInput is Ctrl-D at the prompt.
func (m *Model) endOfInput() tea.Cmd {
	if !m.prompt.empty() {
		m.prompt.change(func() { m.prompt.DeleteChar(1) })
		return nil
	}
	if m.asked != nil { // no prediction
		return m.predict()
	}
	return tea.Quit
}

// saveLine begins the line that saves the session.
func (m *Model) saveLine() {
	m.typing = true
	m.prompt.set(".save session.mpi")
}

// edit types into the line.
func (m *Model) edit(msg tea.KeyMsg) tea.Cmd {
	m.notice = ""
	if msg.Type == tea.KeySpace {
		m.prompt.insert([]rune{' '})
		return nil
	}
	if msg.Type != tea.KeyRunes {
		return nil
	}
	if msg.Alt { // a shell's key that this prompt does not have: it must not open anything
		m.notice = "Alt-" + string(msg.Runes) + " does nothing here: F1 lists the keys, Esc goes to the panes"
		return nil
	}
	if msg.Paste {
		return m.paste(msg.Runes)
	}
	if m.prompt.empty() && string(msg.Runes) == "?" { // no line begins so
		m.help()
		return nil
	}
	m.prompt.insert(msg.Runes)
	return nil
}

// paste types a text; every line that it ends is entered.
func (m *Model) paste(text []rune) tea.Cmd {
	var lines []string
	for {
		end := slices.IndexFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
		if end < 0 {
			m.prompt.insert(text)
			break
		}
		m.prompt.insert(text[:end])
		lines = append(lines, repl.Typed(m.prompt.take())...)
		if text[end] == '\r' && end+1 < len(text) && text[end+1] == '\n' {
			end++
		}
		text = text[end+1:]
	}
	if len(lines) == 0 {
		return nil
	}
	return m.submit(lines...)
}

// searchKey deals with a key while Ctrl-R looks for a line. A key that means nothing to the search ends
// the search and does its work in the line.
func (m *Model) searchKey(msg tea.KeyMsg) tea.Cmd {
	e := &m.prompt
	s := e.search
	switch name := msg.String(); {
	case name == "ctrl+r":
		e.find(s.at-1, -1)
	case name == "ctrl+s":
		e.find(s.at+1, 1)
	case name == "backspace" || name == "ctrl+h":
		s.part = s.part[:max(0, len(s.part)-1)]
		e.find(len(e.older())-1, -1)
	case name == "ctrl+g" || name == "ctrl+c":
		e.notFound()
	case name == "esc":
		e.found()
	case (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt:
		s.part = append(s.part, msg.Runes...)
		e.find(min(s.at, len(e.older())-1), -1)
	default:
		e.found()
		return m.key(msg)
	}
	return nil
}

// begin puts the beginning of a line at the prompt.
func (m *Model) begin(line string) {
	m.typing = true
	m.prompt.set(line)
}

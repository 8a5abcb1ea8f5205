package tui

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl/completion"
)

// promptLine returns the line that is typed, with the cursor and the proposal from the history.
func (m *Model) promptLine(width int) paint.Line {
	var l paint.Line
	text := "... "
	if m.console != nil {
		text = m.promptText()
	}
	ink := paint.Faint
	if m.typing && (m.resting() || m.busy != nil && m.busy.stopping) {
		ink = paint.Accent
	}
	l.Add(text, ink)
	e := &m.prompt
	before, after := e.Parts()
	before, after = inOneLine(before), inOneLine(after)
	room := max(width-l.Width()-1, 1)
	before = string([]rune(before)[max(0, e.Cursor()-room):]) // long lines scroll sideways
	if !m.typing {
		l.Add(before+after, paint.Plain)
		return l
	}
	l.Add(before, paint.Bold)
	under, rest := " ", ""
	if after != "" {
		_, n := utf8.DecodeRuneInString(after)
		under, rest = after[:n], after[n:]
	}
	ghost := []rune(inOneLine(e.Ghost()))
	if len(ghost) > 0 {
		under = string(ghost[0])
		ghost = ghost[1:]
	}
	l.Add(under, paint.Plain.Lit())
	l.Add(rest, paint.Bold)
	l.Add(string(ghost), paint.Faint)
	if told := m.wouldGive(); told != nil && beside(told, l.Width(), width) {
		l.Pad(width - told.Width() - 1)
		l = append(l, told...)
	} // otherwise it stands below: see hintLines
	return l
}

// beside reports whether a draft has room beside the line.
func beside(told paint.Line, line, width int) bool { return line+told.Width()+3 < width }

// inOneLine replaces the ends of lines of a block by signs.
func inOneLine(text string) string { return strings.ReplaceAll(text, "\n", "↵") }

// promptText returns the prompt: of the console, of a question, or of a search.
func (m *Model) promptText() string {
	switch {
	case m.prompt.Searching():
		return m.prompt.SearchPrompt()
	case m.asked != nil:
		return m.asked.prompt
	case m.halt != nil && m.prompt.Empty() && !m.lines.Pending():
		return "Enter goes on> "
	case m.halt != nil:
		return m.console.PromptText(m.lines.Pending())
	}
	if m.busy != nil {
		return m.head
	}
	return m.console.PromptText(m.lines.Pending())
}

// hintLines returns the lines below the prompt: a mistake with its caret, the proposals of Tab, or the verb with
// its parameters.
func (m *Model) hintLines(width, n int) []paint.Line {
	out := make([]paint.Line, n)
	if n == 0 {
		return out
	}
	line := m.prompt.Text()
	switch {
	case m.prompt.Searching():
		out[0] = paint.Text("Ctrl-R the previous match, Ctrl-S the next; Enter runs it, Esc edits it, Ctrl-C cancels", paint.Plain)
	case m.notice != "":
		out[0] = paint.Text(m.notice, paint.Note)
	case m.asked != nil && m.typing:
		out[0] = paint.Text("Enter alone shows the answer; Esc goes to the panes; Ctrl-C stops", paint.Plain)
	case m.halt != nil && m.typing:
		out[0] = paint.Text(haltHint, paint.Plain)
	case m.busy != nil && !m.resting():
		return m.progressLines(width, out)
	case m.console == nil:
		return m.openingLines(out)
	case m.prompt.Proposing() && m.typing && m.idle():
		out[0] = m.prompt.Proposals(width)
	case !m.typing || !m.idle() || strings.TrimSpace(line) == "":
		out[0] = m.crumbs()
	case strings.Contains(line, "\n"):
		out[0] = paint.Text(spell.Plural(strings.Count(line, "\n")+1, "line")+" of one block; Enter runs them", paint.Plain)
	default:
		if l := m.mistake(line, width); l != nil {
			out[0] = l
			break
		}
		out[0] = m.signature(line, width)
		if told := m.wouldGive(); told != nil && !beside(told, paint.Width(m.promptText()+inOneLine(line))+1, width) {
			out[0] = told
		}
		if n > 1 {
			out[1] = m.values(line, width)
		}
	}
	return out
}

// untold is the time within which a line that runs is not mentioned: nobody could read the words.
const untold = 300 * time.Millisecond

// spinner turns while lines run.
var spinner = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

// elapsed returns for how long lines have run, behind a sign that turns; "" for a time that is too short.
func (m *Model) elapsed(since time.Time) string {
	d := m.opts.Now().Sub(since)
	if d < untold && (m.busy == nil || !m.busy.stopping) { // Ctrl-C is answered at once
		return ""
	}
	return string(spinner[int(d/(100*time.Millisecond))%len(spinner)]) + " " + strconv.FormatFloat(d.Truncate(100*time.Millisecond).Seconds(), 'f', 1, 64) + " s"
}

// queued lists the lines that wait; "" for none.
func (m *Model) queued() string {
	if n := len(m.queue); n > 0 {
		return spell.Plural(n, "line") + " to run next: " + inOneLine(strings.Join(m.queue, "; "))
	}
	return ""
}

// openingLines tells for how long the world is being made.
func (m *Model) openingLines(out []paint.Line) []paint.Line {
	next := m.queued()
	if took := m.elapsed(m.opening); took != "" {
		out[0].Add("making the world  ", paint.Note)
		out[0].Add(took+"  Ctrl-C leaves  ", paint.Plain)
	}
	out[0].Add(next, paint.Plain)
	return out
}

// progressLines tells which line runs, for how long, how many ranks wait, and which lines come next.
func (m *Model) progressLines(width int, out []paint.Line) []paint.Line {
	r := m.busy
	took := m.elapsed(r.since)
	next := m.queued()
	if took == "" {
		out[0] = paint.Text(next, paint.Plain)
		return out
	}
	far, keys := "", "Ctrl-C stops"
	if p := m.console.Session.Progress(); p != nil {
		r.what, _, _ = strings.Cut(p.Chunk.Text, "\n")
		if n, ok := p.Waiting(); ok {
			far = strconv.Itoa(n) + " of " + spell.Plural(p.Ranks, "rank") + " wait"
		}
	}
	verb := "running "
	if r.stopping {
		verb, keys = "stopping ", "your next line runs after it"
	}
	var tail paint.Line
	for _, text := range []string{took, far, keys} {
		if text != "" && tail.Width()+paint.Width(text)+paint.Width(verb)+12 < width {
			tail.Add("  "+text, paint.Plain)
		}
	}
	out[0].Add(verb, paint.Note)
	out[0].Add(paint.Cut(r.what, width-tail.Width()-paint.Width(verb)), paint.Bold)
	out[0] = append(out[0], tail...)
	switch {
	case next != "" && len(out) > 1:
		out[1] = paint.Text(next, paint.Plain)
	case next != "":
		out[0] = paint.Text(strings.TrimSpace(verb)+" "+took+"; "+next, paint.Plain)
	}
	return out
}

// mistake returns a caret below the wrong word, with a message; nil if the line may still become right.
func (m *Model) mistake(line string, width int) paint.Line {
	if m.lines.Pending() {
		return nil
	}
	err := m.console.Session.Check(line)
	done := strings.TrimRight(line[:strings.LastIndexByte(line, ' ')+1], " ")
	if err == nil || err.Line != 1 || err.Col > len(done) {
		return nil
	}
	column := paint.Width(m.promptText()) + paint.Width(line[:min(err.Col-1, len(line))])
	var l paint.Line
	if text := "^ " + err.Message; column+paint.Width(text) <= width || column < width/2 {
		l.Pad(column)
		l.Add(paint.Cut(text, width-column), paint.Alarm)
		return l
	}
	text := paint.Cut(err.Message, column-1)
	l.Pad(column - paint.Width(text) - 1)
	l.Add(text+" ^", paint.Alarm)
	return l
}

// signature returns the verb with its parameters, and help on the parameter that is being written.
func (m *Model) signature(line string, width int) paint.Line {
	before, now, behind, about := completion.HintOf(line).Text()
	var l paint.Line
	switch {
	case before == "":
		l.Add("a verb, such as split, or a statement that every rank runs; Tab completes", paint.Plain)
	case now == "":
		l.Add(before+behind, paint.Bold)
	default:
		l.Add(before, paint.Plain)
		l.Add(now, paint.Accent)
		l.Add(behind, paint.Plain)
	}
	if now != "" && about != "" && l.Width()+2+paint.Width(about) > width {
		verb, _, _ := strings.Cut(before, " ")
		return paint.Text(verb+"  … "+about, paint.Plain)
	}
	if about != "" {
		l.Add("  "+about, paint.Plain)
	}
	return l
}

// values returns words that may stand at the end of the line.
func (m *Model) values(line string, width int) paint.Line {
	_, options := completion.Complete(m.console.Session, line)
	var l paint.Line
	l.Add("Tab: ", paint.Plain)
	if len(options) == 0 {
		return nil
	}
	for _, o := range options {
		o += m.besideProposal(o)
		if l.Width()+paint.Width(o) > width-4 {
			l.Add("…", paint.Plain)
			break
		}
		l.Add(o+"  ", paint.Plain)
	}
	return l
}

// crumbs returns the descent of the selected communicator, or the places of the selected rank.
func (m *Model) crumbs() paint.Line {
	switch {
	case m.moment == nil:
		return nil
	case m.find.typing:
		return paint.Text("/"+m.find.text+"▏ ranks such as 0-3, or a part of a name; Enter finds", paint.Accent)
	}
	var l paint.Line
	if c := m.moment.View.Snapshot.Comm(m.sel.Comm()); c != nil {
		names := m.moment.Words.Name(c.ID)
		for c.Parent >= 0 {
			c = m.moment.View.Snapshot.Comm(c.Parent)
			names = m.moment.Words.Name(c.ID) + " ▸ " + names
		}
		l.Add(names, paint.Plain)
		return l
	}
	if rank := m.sel.Rank(); rank >= 0 {
		l.Add(strings.Join(m.placesOf(rank), " · "), paint.Plain)
	}
	return l
}

// placesOf returns the places of a rank in all variables: "world 3", "half B1".
func (m *Model) placesOf(rank int) []string {
	list := []string{"world rank " + strconv.Itoa(rank)}
	if at := m.whereIs(rank); at != "" {
		list = append(list, at)
	}
	for k := 1; k < len(m.moment.Handles); k++ {
		list = append(list, m.moment.Handles[k].Name+" "+m.moment.Parting(k).Cell(int32(rank)))
	}
	return list
}

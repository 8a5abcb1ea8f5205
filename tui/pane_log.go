package tui

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// kind is the origin of a log entry.
type kind uint8

const (
	said  kind = iota // results, and the output of ranks
	wrong             // errors
	typed             // a line of the session
	noted             // a comment of a script, one line or several
)

// entry is a line of the log.
type entry struct {
	text string
	kind kind
}

// mostEntries is the most entries of the log.
const mostEntries = 5000

// logView is the pane with the lines of the session and their results.
type logView struct {
	plainPane
	entries []entry
	back    int // entries behind the last one that shows
	first   int // the first entry that shows completely
	found   int // the entry that / found, from 1; 0: none
}

func (v *logView) add(list ...entry) {
	v.entries = append(v.entries, list...)
	if extra := len(v.entries) - mostEntries; extra > 0 {
		v.entries = append(v.entries[:0:0], v.entries[extra:]...)
		v.found = max(0, v.found-extra)
	}
	if len(list) > 0 {
		v.back = 0
	}
}

// hidden returns which entries show.
func (v *logView) hidden(int) string {
	return rowsShown(v.first, len(v.entries)-v.back-v.first, len(v.entries))
}

func (v *logView) bookmark() (back func()) {
	was := v.back
	return func() { v.back = was }
}

func (v *logView) scroll(by int) { v.back = max(0, min(v.back-by, len(v.entries)-1)) }

// seek shows the found entry in the middle of the pane.
func (v *logView) seek(m *Model, text string, step int) string {
	from := v.found - 1
	if from < 0 {
		from = len(v.entries) - v.back - 1 // the last entry that shows
	}
	i := nextWith(len(v.entries), from, step, text, func(i int) string { return v.entries[i].text })
	if i < 0 {
		return ""
	}
	v.found = i + 1
	if r, ok := m.layout.of(logPane); ok {
		last := i
		for below := 0; last < len(v.entries)-1; last++ {
			if below += len(v.rowsOf(last+1, r.inner()-2)); below > r.h/2 {
				break
			}
		}
		v.back = len(v.entries) - 1 - last
	}
	return "line " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(v.entries))
}

// lines returns the end of the log, long entries on several lines. It wraps only the entries that show.
func (v *logView) lines(_ *Model, width, height int) []paint.Line {
	var out []paint.Line
	v.first = len(v.entries) - v.back
	for i := v.first - 1; i >= 0 && len(out) < height; i-- {
		e := v.entries[i]
		rows := v.rowsOf(i, width-2)
		for k := len(rows) - 1; k >= 0; k-- {
			out = append(out, paint.Line{{Text: " ", Ink: paint.Plain}, {Text: rows[k], Ink: entryInk(e)}})
		}
		if len(out) <= height {
			v.first = i
		}
	}
	slices.Reverse(out)
	return out[max(0, len(out)-height):]
}

// rowsOf returns the rows of an entry. A line with a caret below it moves to the left until the caret shows. A row
// of a table is cut, since nobody would find its columns again in a second row.
func (v *logView) rowsOf(i, width int) []string {
	text := paint.Clean(v.entries[i].text)
	caret := -1
	switch {
	case isCaret(text):
		caret = paint.Width(text)
	case i+1 < len(v.entries) && isCaret(v.entries[i+1].text):
		caret = paint.Width(v.entries[i+1].text)
	case paint.Width(text) > width && strings.Contains(strings.TrimSpace(text), "   "):
		return []string{paint.Cut(text, width)}
	}
	if caret < 0 || caret <= width && paint.Width(text) <= width {
		return wrapped(text, width)
	}
	runes := []rune(text)
	if from := caret - width*2/3; from > 0 {
		runes = append([]rune("…"), runes[min(from+1, len(runes)):]...)
		if isCaret(text) {
			runes[0] = ' '
		}
	}
	return []string{paint.Cut(string(runes), width)}
}

// isCaret reports whether a line only points at the line above.
func isCaret(text string) bool { return strings.TrimLeft(text, " ") == "^" }

// logWidth returns the columns of results in the log.
func (m *Model) logWidth() int {
	for _, r := range m.layout.rects {
		if slices.Contains(r.panes, logPane) {
			return r.inner() - 2
		}
	}
	return m.width - 2
}

// talks reports whether the log tells more than the last typed line and an answer of a line or two.
func (v *logView) talks(width int) bool {
	rows := 0
	for i := len(v.entries) - 1; i >= 0; i-- {
		if rows += len(v.rowsOf(i, width)); v.entries[i].kind == typed {
			return rows >= quietLog
		}
		if rows > mostEntries {
			break // a flood, whose line is long gone
		}
	}
	return rows > mostEntries
}

func entryInk(e entry) paint.Ink {
	switch {
	case e.kind == typed:
		return paint.Bold
	case e.kind == wrong && strings.HasPrefix(e.text, "note:"):
		return paint.Plain
	case e.kind == wrong:
		return paint.Alarm
	case e.kind == noted:
		return paint.Note
	}
	return paint.Plain
}

// output keeps the lines that a console writes until the screen takes them.
type output struct {
	mu      sync.Mutex
	entries []entry
	part    strings.Builder
}

// as returns a writer that adds entries of a kind.
func (o *output) as(k kind) *outputOf { return &outputOf{o, k} }

type outputOf struct {
	*output
	kind kind
}

// Write adds lines as entries. A comment comes in a single Write, with a mark on its first line.
func (o *outputOf) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	k := o.kind
	if o.part.Len() == 0 && strings.HasPrefix(strings.TrimLeft(string(p), "\n"), "· ") {
		k = noted
	}
	o.part.Write(p)
	text := o.part.String()
	end := strings.LastIndexByte(text, '\n')
	if end < 0 {
		return len(p), nil
	}
	o.part.Reset()
	o.part.WriteString(text[end+1:])
	for line := range strings.SplitSeq(text[:end], "\n") {
		o.entries = append(o.entries, entry{line, k})
	}
	if extra := len(o.entries) - mostEntries; extra > mostEntries {
		o.entries = append(o.entries[:0:0], o.entries[extra:]...)
	}
	return len(p), nil
}

func (o *output) take() []entry {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.entries
	o.entries = nil
	return list
}

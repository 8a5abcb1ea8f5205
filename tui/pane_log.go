package tui

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"commsplit/render/paint"
)

// kind tells where an entry of the log comes from.
type kind uint8

const (
	said  kind = iota // results, and the output of ranks
	wrong             // errors
	typed             // a line of the session
)

// entry is one line of the log.
type entry struct {
	text string
	kind kind
}

// mostEntries is how much the log keeps.
const mostEntries = 5000

// logView is the pane with the lines of the session and their results.
type logView struct {
	textPane
	entries []entry
	back    int // lines that the window is scrolled back from the end
}

func (v *logView) add(list ...entry) {
	v.entries = append(v.entries, list...)
	if extra := len(v.entries) - mostEntries; extra > 0 {
		v.entries = append(v.entries[:0:0], v.entries[extra:]...)
	}
	if len(list) > 0 {
		v.back = 0
	}
}

func (v *logView) note(*Model) string {
	if v.back > 0 {
		return strconv.Itoa(v.back) + " lines back"
	}
	return ""
}

func (v *logView) bookmark() (back func()) {
	was := v.back
	return func() { v.back = was }
}

func (v *logView) scroll(by int) { v.back = max(0, min(v.back-by, len(v.entries)-1)) }

// lines shows the end of the log, long entries on several lines. Only entries that show are wrapped.
func (v *logView) lines(_ *Model, width, height int) []paint.Line {
	var out []paint.Line
	for i := len(v.entries) - 1 - v.back; i >= 0 && len(out) < height; i-- {
		e := v.entries[i]
		rows := wrapped(e.text, width-2)
		for k := len(rows) - 1; k >= 0; k-- {
			out = append(out, paint.Line{{Text: " ", Ink: paint.Plain}, {Text: rows[k], Ink: entryInk(e)}})
		}
	}
	for i, k := 0, len(out)-1; i < k; i, k = i+1, k-1 {
		out[i], out[k] = out[k], out[i]
	}
	return out[max(0, len(out)-height):]
}

// logWidth is how wide results may be that the log shows.
func (m *Model) logWidth() int {
	for _, r := range m.layout.rects {
		if slices.Contains(r.tabs, logPane) {
			if r.x > 0 { // a column for the line on the left
				return r.w - 3
			}
			return r.w - 2
		}
	}
	return m.width - 2
}

func entryInk(e entry) paint.Ink {
	switch {
	case e.kind == typed:
		return paint.Bold
	case e.kind == wrong && strings.HasPrefix(e.text, "note:"):
		return paint.Faint
	case e.kind == wrong:
		return paint.Alarm
	case strings.HasPrefix(e.text, "· "):
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

// as is a writer of one kind of entries.
func (o *output) as(k kind) *outputOf { return &outputOf{o, k} }

type outputOf struct {
	*output
	kind kind
}

// Write takes lines.
func (o *outputOf) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.part.Write(p)
	text := o.part.String()
	end := strings.LastIndexByte(text, '\n')
	if end < 0 {
		return len(p), nil
	}
	o.part.Reset()
	o.part.WriteString(text[end+1:])
	for line := range strings.SplitSeq(text[:end], "\n") {
		o.entries = append(o.entries, entry{line, o.kind})
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

package cmd

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// untold is the time below which a running line shows no meter: nobody could read it. lookEvery is how often a
// meter looks how far the command is.
const (
	untold    = 500 * time.Millisecond
	lookEvery = 100 * time.Millisecond
)

// The activities of a command while no line runs.
const (
	makingWorld   = "making the world"
	drawingResult = "drawing the result"
	writingResult = "writing the result"
)

// meter shows at a terminal how far a command is, in one line. The line is gone before other output is written to
// the terminal, and when the command is done. A nil meter shows nothing.
type meter struct {
	out   io.Writer // the terminal of standard error
	width func() int

	mu      sync.Mutex
	which   string              // of several scripts; "" for a command that runs one
	place   map[*lang.Chunk]int // of the lines of the script, from 1
	phase   string              // what the command does while no line runs; "" for waiting for the person
	session *repl.Session
	line    int       // of the script
	since   time.Time // zero: since the next look
	rests   bool      // the person types, whatever the session still does
	shown   bool
	begun   bool // a line of other output is not complete

	stop func()
	done chan struct{}
}

// metered begins to show how far a command with these lines is. It returns streams whose output erases the meter's line
// first, and the meter, which is nil when nobody would see it.
func (s Streams) metered(phase string, chunks []*lang.Chunk) (Streams, *meter) {
	if s.Meter == nil || s.dumb() {
		return s, nil
	}
	m := &meter{out: s.Meter, width: s.MeterWidth, place: places(chunks), phase: phase, done: make(chan struct{})}
	looks, stop := s.looks()
	ended := make(chan struct{})
	m.stop = func() {
		stop()
		close(ended)
	}
	go func() {
		defer close(m.done)
		for {
			select {
			case now := <-looks:
				m.look(now)
			case <-ended:
				return
			}
		}
	}()
	s.Out, s.Err = m.before(s.Out, s.OutTTY), m.before(s.Err, true)
	return s, m
}

// looks returns a channel that tells a meter when to look, and a function that stops it.
func (s Streams) looks() (looks <-chan time.Time, stop func()) {
	if s.Looks != nil {
		return s.Looks, func() {}
	}
	t := time.NewTicker(lookEvery)
	return t.C, t.Stop
}

// end erases the meter's line. The meter writes nothing afterwards.
func (m *meter) end() {
	if m == nil {
		return
	}
	m.stop()
	<-m.done
	m.yield()
}

// with locks the meter and changes it; it does nothing for a nil meter.
func (m *meter) with(change func()) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

// follow lets the meter show which line a session runs, nil for none, and what the command does while no line runs; ""
// while it waits for the person.
func (m *meter) follow(s *repl.Session, phase string) {
	m.with(func() { m.session, m.phase = s, phase })
}

// begin lets the meter show the next script of a command that runs several; which is "script 2 of 3".
func (m *meter) begin(which string, chunks []*lang.Chunk) {
	m.with(func() {
		m.which, m.place, m.line, m.session, m.phase = which, places(chunks), 0, nil, makingWorld
	})
}

// places numbers the chunks of a script, from 1.
func places(chunks []*lang.Chunk) map[*lang.Chunk]int {
	place := map[*lang.Chunk]int{}
	for i, c := range chunks {
		place[c] = i + 1
	}
	return place
}

// look shows how far the command is.
func (m *meter) look(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text := m.text()
	switch {
	case text == "":
		m.since = time.Time{}
		m.erase()
		return
	case m.since.IsZero():
		m.since = now.Add(-lookEvery)
	}
	took := now.Sub(m.since)
	if took < untold || m.begun {
		return
	}
	text = fmt.Sprintf("%.1f s  %s", took.Seconds(), text)
	if w := m.width(); w > 1 {
		text = paint.Cut(text, w-1)
	}
	io.WriteString(m.out, "\r"+text+"\x1b[K") //nolint:errcheck // the person sees it or not
	m.shown = true
}

// text returns how far the command is; "" when it waits for the person.
func (m *meter) text() string {
	if m.rests {
		return ""
	}
	var now *repl.Progress
	if m.session != nil {
		now = m.session.Progress()
	}
	far := m.phase
	if now != nil {
		m.line = m.place[now.Chunk]
		far = "preparing the ranks"
		if n, ok := now.Waiting(); ok {
			far = fmt.Sprintf("ranks that have called: %d of %d", n, now.Ranks)
		}
		what, _, _ := strings.Cut(now.Chunk.Text, "\n")
		far += "  " + paint.Printable(what)
	}
	if far != "" && m.line > 0 && len(m.place) > 1 {
		far = fmt.Sprintf("line %d of %d  %s", m.line, len(m.place), far)
	}
	if far != "" && m.which != "" {
		far = m.which + "  " + far
	}
	return far
}

// yield erases the meter's line until the next look.
func (m *meter) yield() { m.with(m.erase) }

// rest erases the meter's line while the person types.
func (m *meter) rest(yes bool) {
	m.with(func() {
		if m.rests = yes; yes {
			m.erase()
		}
	})
}

// resting wraps a question to the person: the meter's line is gone while the person types the answer.
func (m *meter) resting(ask func(prompt string) (string, error)) func(prompt string) (string, error) {
	return func(prompt string) (string, error) {
		m.rest(true)
		defer m.rest(false)
		return ask(prompt)
	}
}

// erase erases the meter's line; the caller holds mu.
func (m *meter) erase() {
	if m.shown {
		io.WriteString(m.out, "\r\x1b[K") //nolint:errcheck // it is seen or not
		m.shown = false
	}
}

// before returns a writer to w that erases the meter's line first. terminal tells that w is a terminal, where the
// meter's line must not follow an incomplete line of other output.
func (m *meter) before(w io.Writer, terminal bool) io.Writer {
	if m == nil {
		return w
	}
	return &yielding{w, m, terminal}
}

type yielding struct {
	io.Writer
	m        *meter
	terminal bool
}

// Write erases the meter's line and writes p. A pipe may block for a long time, so Write does not hold the meter's lock
// while it writes to a pipe.
func (y *yielding) Write(p []byte) (int, error) {
	if !y.terminal {
		y.m.yield()
		return y.Writer.Write(p)
	}
	y.m.mu.Lock()
	defer y.m.mu.Unlock()
	y.m.erase()
	if len(p) > 0 {
		y.m.begun = p[len(p)-1] != '\n'
	}
	return y.Writer.Write(p)
}

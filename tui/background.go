package tui

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// The program asks the terminal for its background (OSC 11) after the first frame, and does not wait for the
// answer. The answer comes among the keys: at once, or late over a slow line, or never. hearing takes it out
// there, so that it never appears as typed text.

// answerBegins is the beginning of an answer; a BEL or an ST ends the answer.
const answerBegins = "\x1b]11;"

// longestAnswer is a number of bytes that no answer has.
const longestAnswer = 64

// hearing reads the keyboard of a terminal that was asked for its background.
type hearing struct {
	*os.File
	heard func(dark bool)

	held     []byte // an answer that is not complete
	begun    string // the end of the last read that may begin an answer: Esc, or Alt-], which may be a key, too
	answered atomic.Bool
}

// Read reads keys, without answers.
func (h *hearing) Read(p []byte) (int, error) {
	room := len(p) - len(h.held)
	if room <= 0 {
		h.held, room = nil, len(p)
	}
	n, err := h.File.Read(p[:room])
	return copy(p, h.keys(p[:n])), err
}

// keys returns what was typed among the bytes that came.
func (h *hearing) keys(came []byte) []byte {
	if rest := strings.TrimPrefix(answerBegins, h.begun); h.begun != "" && bytes.HasPrefix(came, []byte(rest+"rgb")) {
		came = append([]byte(h.begun), came...) // begun was not a key
	}
	came = append(h.held, came...)
	h.held, h.begun = nil, ""
	var typed []byte
	for {
		at := bytes.Index(came, []byte(answerBegins))
		if at < 0 {
			break
		}
		typed = append(typed, came[:at]...)
		came = came[at:]
		end := bytes.IndexAny(came[len(answerBegins):], "\a\\")
		switch {
		case end >= 0:
			h.answer(string(came[len(answerBegins) : len(answerBegins)+end]))
			came = came[len(answerBegins)+end+1:]
		case len(came) < longestAnswer:
			h.held = bytes.Clone(came)
			return typed
		default:
			return append(typed, came[len(answerBegins):]...)
		}
	}
	for n := min(len(answerBegins)-1, len(came)); n > 0; n-- {
		if begun := answerBegins[:n]; bytes.HasSuffix(came, []byte(begun)) {
			if n <= len("\x1b]") { // Esc, or Alt-]
				h.begun = begun
				break
			}
			h.held = []byte(begun)
			came = came[:len(came)-n]
			break
		}
	}
	return append(typed, came...)
}

func (h *hearing) answer(text string) {
	h.answered.Store(true)
	if dark, ok := isDark(strings.TrimSuffix(text, "\x1b")); ok {
		h.heard(dark)
	}
}

// isDark reports whether a color is dark: "rgb:1e1e/1e1e/1e1e", with one to four digits for each channel. ok is
// false for another text.
func isDark(color string) (dark, ok bool) {
	kind, parts, _ := strings.Cut(color, ":")
	list := strings.Split(parts, "/")
	if !strings.HasPrefix(kind, "rgb") || len(list) < 3 {
		return false, false
	}
	light := 0.0
	for i, share := range []float64{0.299, 0.587, 0.114} { // weights of the channels for brightness (ITU-R BT.601)
		n, err := strconv.ParseUint(list[i], 16, 16)
		if err != nil {
			return false, false
		}
		light += share * float64(n) / float64(uint(1)<<(4*len(list[i]))-1)
	}
	return light < 0.5, true
}

// lateAnswer is how long a program that was left waits for an answer: the shell would take a later answer for typed
// text.
const lateAnswer = time.Second

// beforeLeaving returns a filter of messages that delays Quit while an answer is still to come.
func (h *hearing) beforeLeaving(quit func()) func(tea.Model, tea.Msg) tea.Msg {
	began := time.Now()
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		if _, ok := msg.(tea.QuitMsg); !ok || h.answered.Load() || time.Since(began) > lateAnswer {
			return msg
		}
		time.AfterFunc(10*time.Millisecond, quit)
		return nil
	}
}

// setBackground applies the background that the terminal answered.
func (m *Model) setBackground(dark bool) {
	if dark == m.opts.Dark {
		return
	}
	m.opts.Dark = dark
	m.inks = paint.NewPalette(m.opts.Colors, dark)
	m.why.told = nil
}

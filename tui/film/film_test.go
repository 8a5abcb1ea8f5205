// Package film makes pictures of sessions of the terminal UI for the manual, without a terminal and without a clock: the
// same keys give the same bytes. It drives a tui.Model as bubbletea does, but waits for what runs, and time passes only
// when its user says so. A picture is an SVG file, still or moving, whose text is text.
package film

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/tui"
)

// perKey is how long a person takes for a character, and perPress for another key.
const (
	perKey   = 45 * time.Millisecond
	perPress = 250 * time.Millisecond
)

// Session is a terminal UI whose screen is filmed.
type Session struct {
	m      *tui.Model
	now    time.Duration
	timers []timer
	shots  []Shot
	over   bool
}

// Shot is the screen from a time on: lines with the sequences of a terminal that change how text looks.
type Shot struct {
	At    time.Duration
	Frame string
}

// timer is a message that comes at a time.
type timer struct {
	at  time.Duration
	msg tea.Msg
}

// Open opens a session on a screen of so many columns and rows. Its error is that of the session.
func Open(o tui.Options, width, height int) (*Session, error) {
	s := &Session{}
	epoch := time.Unix(0, 0)
	o.Now = func() time.Time { return epoch.Add(s.now) }
	o.After = s.after
	s.m = tui.New(o)
	s.send(tea.WindowSizeMsg{Width: width, Height: height})
	s.carryOut(s.m.Init())
	return s, s.m.Err()
}

// Close ends the session.
func (s *Session) Close() { s.m.Close() }

// after notes a message that comes later; no command waits for it.
func (s *Session) after(d time.Duration, msg tea.Msg) tea.Cmd {
	s.timers = append(s.timers, timer{s.now + d, msg})
	return nil
}

// carryOut carries out commands, and what follows from them, to their end.
func (s *Session) carryOut(cmd tea.Cmd) {
	if cmd == nil || s.over {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		s.over = true
	case tea.BatchMsg:
		for _, c := range msg {
			s.carryOut(c)
		}
	default:
		s.send(msg)
	}
}

func (s *Session) send(msg tea.Msg) {
	if s.over {
		return
	}
	_, cmd := s.m.Update(msg)
	s.carryOut(cmd)
	s.shoot()
}

// shoot takes the screen, if it is another one than before.
func (s *Session) shoot() {
	frame := s.m.View()
	switch n := len(s.shots); {
	case n > 0 && s.shots[n-1].Frame == frame:
	case n > 0 && s.shots[n-1].At == s.now:
		s.shots[n-1].Frame = frame
	default:
		s.shots = append(s.shots, Shot{s.now, frame})
	}
}

// Wait lets time pass.
func (s *Session) Wait(d time.Duration) {
	end := s.now + d
	for {
		slices.SortStableFunc(s.timers, func(a, b timer) int { return cmp.Compare(a.at, b.at) })
		if len(s.timers) == 0 || s.timers[0].at > end {
			break
		}
		t := s.timers[0]
		s.timers = s.timers[1:]
		s.now = max(s.now, t.at)
		s.send(t.msg)
	}
	s.now = end
}

// Press presses a key by the name that tmux has for it (Enter, Escape, C-c, M-b, F1, Up), types a text
// ("text:half = split world"), or lets time pass ("sleep:1.5", in seconds).
func (s *Session) Press(key string) error {
	if text, ok := strings.CutPrefix(key, "text:"); ok {
		for _, r := range text {
			s.Wait(perKey)
			s.send(typed(r))
		}
		return nil
	}
	if text, ok := strings.CutPrefix(key, "sleep:"); ok {
		seconds, err := strconv.ParseFloat(text, 64)
		if err != nil || seconds < 0 {
			return fmt.Errorf("%s: write sleep:SECONDS, such as sleep:1.5", key)
		}
		s.Wait(time.Duration(seconds * float64(time.Second)))
		return nil
	}
	msg, err := keyOf(key)
	if err != nil {
		return err
	}
	s.Wait(perPress)
	s.send(msg)
	return nil
}

// Shots are the screens so far, each from a time on.
func (s *Session) Shots() []Shot { return s.shots }

// Length is how long the session has taken.
func (s *Session) Length() time.Duration { return s.now }

func typed(r rune) tea.KeyMsg {
	if r == ' ' {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{r}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
}

// named are the keys that have a name.
var named = map[string]tea.KeyType{
	"Enter": tea.KeyEnter, "Escape": tea.KeyEsc, "Tab": tea.KeyTab, "BTab": tea.KeyShiftTab, "BSpace": tea.KeyBackspace,
	"Up": tea.KeyUp, "Down": tea.KeyDown, "Left": tea.KeyLeft, "Right": tea.KeyRight, "Home": tea.KeyHome, "End": tea.KeyEnd,
	"PPage": tea.KeyPgUp, "PageUp": tea.KeyPgUp, "NPage": tea.KeyPgDown, "PageDown": tea.KeyPgDown, "DC": tea.KeyDelete,
	"F1": tea.KeyF1, "F2": tea.KeyF2, "F3": tea.KeyF3, "F4": tea.KeyF4, "C-_": tea.KeyCtrlUnderscore,
}

// keyOf reads the name of a key. A single character is itself.
func keyOf(name string) (tea.KeyMsg, error) {
	if t, ok := named[name]; ok {
		return tea.KeyMsg{Type: t}, nil
	}
	if name == "Space" {
		return typed(' '), nil
	}
	if rest, ok := strings.CutPrefix(name, "M-"); ok {
		msg, err := keyOf(rest)
		msg.Alt = true
		return msg, err
	}
	if rest, ok := strings.CutPrefix(name, "C-"); ok && len(rest) == 1 && rest[0] >= 'a' && rest[0] <= 'z' {
		return tea.KeyMsg{Type: tea.KeyCtrlA + tea.KeyType(rest[0]-'a')}, nil
	}
	if r := []rune(name); len(r) == 1 {
		return typed(r[0]), nil
	}
	return tea.KeyMsg{}, fmt.Errorf("no key is named %q: keys are a, Enter, Escape, Tab, Up, F1, C-c, M-b, text:WORDS, sleep:SECONDS", name)
}

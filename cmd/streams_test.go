package cmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// Results that cannot be written are an input/output failure (exit code 5), wherever it happens.
func TestOutputThatFails(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"hw", "show", "--topo", "core:2"}, {"split", "world", "color=0", "--topo", "core:2"}, {"--help"}} {
		var errs bytes.Buffer
		s := Streams{In: strings.NewReader(""), Out: fullDisk{}, Err: &errs, Getenv: func(string) string { return "" }}
		if code := Run(context.Background(), s, args); code != IO || !strings.Contains(errs.String(), "disk full") {
			t.Errorf("%v: code %d, %q", args, code, errs.String())
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// Where the process ends with the command, an interrupted command returns although its run does not end: here, because
// nobody takes what the run writes. The exit code is 130.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	full := fullPipe(make(chan struct{}))
	s := Streams{In: strings.NewReader(""), Out: full, Err: io.Discard, Getenv: func(string) string { return "" }, Ends: true}
	code := make(chan Code, 1)
	go func() { code <- Run(ctx, s, []string{"split", "world", "color=0", "-n", "2", "--topo", "core:2"}) }()
	full <- struct{}{}
	interrupt()
	select {
	case c := <-code:
		if c != Interrupted {
			t.Errorf("code %d", c)
		}
	case <-time.After(time.Minute):
		t.Error("it goes on")
	}
}

// fullPipe tells when somebody writes to it, and takes nothing.
type fullPipe chan struct{}

func (p fullPipe) Write([]byte) (int, error) {
	<-p
	select {}
}

// COLORFGBG is "foreground;background" or "foreground;something;background", in the 16 colors of
// terminals: 0 to 6 and 8 are dark, 7 and 9 to 15 light. Without it, dark is assumed.
func TestBackground(t *testing.T) {
	t.Parallel()
	for value, dark := range map[string]bool{"": true, "15;0": true, "0;15": false, "0;default;7": false, "7;8": true, "x": true, "0;x": true} {
		env := map[string]string{"COLORFGBG": value}
		s := Streams{Getenv: func(name string) string { return env[name] }}
		if got, _ := s.background(""); got != dark {
			t.Errorf("COLORFGBG=%s: dark is %v, want %v", value, got, dark)
		}
		env["COMMSPLIT_THEME"] = "light" // wins, and the flag wins over it
		for theme, dark := range map[string]bool{"": false, "dark": true, "auto": false} {
			if got, _ := s.background(theme); got != dark {
				t.Errorf("COLORFGBG=%s, COMMSPLIT_THEME=light, --theme %s: dark is %v, want %v", value, theme, got, dark)
			}
		}
	}
}

// Nothing moves by itself where a person does not want it, and where frames may take long; COMMSPLIT_NO_ANIM=0 lets
// things move there.
func TestStill(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env   map[string]string
		still bool
	}{
		{map[string]string{"TERM": "xterm-256color"}, false},
		{map[string]string{"TERM": "xterm-256color", "COMMSPLIT_NO_ANIM": "1"}, true},
		{map[string]string{"TERM": "linux"}, true},
		{map[string]string{"TERM": "dumb"}, true},
		{map[string]string{"TERM": "xterm-256color", "SSH_CONNECTION": "10.0.0.1 5022 10.0.0.2 22"}, true},
		{map[string]string{"TERM": "xterm-256color", "SSH_TTY": "/dev/pts/3", "COMMSPLIT_NO_ANIM": "0"}, false},
	} {
		s := Streams{Getenv: func(name string) string { return c.env[name] }}
		if got := s.still(); got != c.still {
			t.Errorf("%v: still is %v", c.env, got)
		}
	}
}

// A program that prints forever ends when nobody takes its output any more.
func TestEndlessOutput(t *testing.T) {
	t.Parallel()
	s := Streams{In: strings.NewReader("while True: print('tick')\n"), Out: &reader{left: 3}, Err: io.Discard, Getenv: func(string) string { return "" }}
	if code := Run(t.Context(), s, []string{"run", "-", "-n", "2", "--topo", "core:2"}); code != IO {
		t.Errorf("code %d", code)
	}
}

// reader is a pipe whose reader leaves after that many writes.
type reader struct{ left int }

func (r *reader) Write(p []byte) (int, error) {
	if r.left--; r.left < 0 {
		return 0, errors.New("broken pipe")
	}
	return len(p), nil
}

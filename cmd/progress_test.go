package cmd_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/cmd"
)

// shown is a terminal that remembers what was written to it.
type shown struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *shown) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *shown) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// clear are the bytes that erase the meter's line.
const clear = "\r\x1b[K"

// watched runs a command that does not end by itself, at a terminal whose clock advances by a tenth of a second
// with each look, until the terminal shows want. Then it interrupts the command. It returns everything that the
// terminal showed.
func watched(t *testing.T, want string, args ...string) string {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	looks, ended := make(chan time.Time), make(chan struct{})
	screen := &shown{}
	s := cmd.Streams{
		In: strings.NewReader(""), Out: screen, OutTTY: true, Err: screen, Width: 80,
		Getenv: func(name string) string { return map[string]string{"TERM": "xterm"}[name] },
		Meter:  screen, MeterWidth: func() int { return 80 }, Looks: looks,
	}
	go func() {
		defer close(ended)
		cmd.Run(ctx, s, args)
	}()
	for now, end := time.Unix(0, 0), time.Now().Add(2*time.Minute); ; now = now.Add(100 * time.Millisecond) {
		select {
		case looks <- now:
		case <-ended:
			t.Fatalf("ended early:\n%q", screen)
		}
		if strings.Contains(screen.String(), want) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("never shows %q:\n%q", want, screen)
		}
	}
	interrupt()
	<-ended
	return screen.String()
}

const forEver = "while True: x = 1"

// After half a second the meter shows how far a command is: which line of how many runs, and how many of its ranks
// have called. The meter's line is gone before other output, and at the end.
func TestMeter(t *testing.T) {
	text := watched(t, "line 2 of 2  ranks that have called: 0 of 1  @3 "+forEver+"\x1b[K",
		"-n", "4", "--topo", "core:4", "-c", "@0-2 barrier world", "-c", "@3 "+forEver)
	line := text[strings.LastIndex(text, "have called"):]
	_, rest, gone := strings.Cut(line, clear)
	if !gone || strings.Contains(strings.TrimSuffix(line, rest), "\n") || !strings.Contains(rest, "interrupted") {
		t.Errorf("the line is not gone before what follows: %q", line)
	}
}

// The meter of a command with several scripts shows which script runs.
func TestMeterOfScripts(t *testing.T) {
	script := filepath.Join(t.TempDir(), "long.mpi")
	if err := os.WriteFile(script, []byte("# commsplit: -n 2 --topo core:2\nbarrier world\n"+forEver+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	watched(t, "script 2 of 2  line 2 of 2  ranks that have called: 0 of 2  while ", "check", "--timeout", "10m", "example-7.5", script)
}

// The meter also shows how far a script is that is run with --step or --update.
func TestMeterOfScript(t *testing.T) {
	script := filepath.Join(t.TempDir(), "long.mpi")
	if err := os.WriteFile(script, []byte("barrier world\n"+forEver+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--step", "--update"} {
		watched(t, "line 2 of 2  ranks that have called: 0 of 2  "+forEver+"\x1b[K", "run", flag, "-n", "2", "--topo", "core:2", script)
	}
}

// The meter shows nothing before half a second; its first line has half a second.
func TestMeterWaits(t *testing.T) {
	text := watched(t, "called: 0 of 4  "+forEver, "-n", "4", "--topo", "core:4", "-c", forEver)
	if first := strings.Index(text, " s  "); first < 0 || !strings.HasSuffix(text[:first], "\r0.5") {
		t.Errorf("the first line comes at another time: %q", text)
	}
}

// Off a terminal, and on one that takes nothing but lines, nothing is written.
func TestMeterSilent(t *testing.T) {
	for name, term := range map[string]string{"no terminal": "xterm", "dumb": "dumb"} {
		t.Run(name, func(t *testing.T) {
			const many = 100
			looks := make(chan time.Time, many)
			for i := range many {
				looks <- time.Unix(int64(i), 0)
			}
			screen, diagnoses := &shown{}, &shown{}
			s := cmd.Streams{In: strings.NewReader(""), Out: &shown{}, Err: diagnoses, Getenv: func(n string) string {
				return map[string]string{"TERM": term}[n]
			}, Looks: looks}
			if name == "dumb" {
				s.Meter, s.MeterWidth = screen, func() int { return 80 }
			}
			if code := cmd.Run(t.Context(), s, []string{"split", "world", "color=0", "-n", "2", "--topo", "core:2"}); code != cmd.OK {
				t.Errorf("code %d", code)
			}
			if len(looks) < many {
				t.Error("somebody looks at the clock")
			}
			if screen.String()+diagnoses.String() != "" {
				t.Errorf("tells %q%q", screen, diagnoses)
			}
		})
	}
}

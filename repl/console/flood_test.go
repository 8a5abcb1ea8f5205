package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
)

// A flood keeps its last lines, and says how many lines it left out; fewer lines are all kept.
func TestFloodKeepsItsEnd(t *testing.T) {
	t.Parallel()
	var f flood
	all := ""
	for i := range mostShown {
		line := fmt.Sprintln(i)
		all += line
		f.add(line)
	}
	if got := f.take(); got != all {
		t.Errorf("%d lines are not whole: %d bytes of %d", mostShown, len(got), len(all))
	}
	for i := range 3*mostShown + 7 {
		f.add(fmt.Sprintf("line %d\n", i))
	}
	got := f.take()
	if head := fmt.Sprintf("… %d lines left out\nline %d\n", 2*mostShown+7, 2*mostShown+7); !strings.HasPrefix(got, head) ||
		!strings.HasSuffix(got, fmt.Sprintf("\nline %d\n", 3*mostShown+6)) || strings.Count(got, "\n") != mostShown+1 {
		t.Errorf("of a flood there are %d lines, from %.60q to %q", strings.Count(got, "\n"), got, got[len(got)-20:])
	}
	if got := f.take(); got != "" {
		t.Errorf("there is more: %q", got)
	}
}

// Bytes are bounded, too: of long lines only a few are kept, and of a line that alone is too long only its beginning.
func TestFloodOfLongLines(t *testing.T) {
	t.Parallel()
	var f flood
	for range 100 {
		f.add(strings.Repeat("x", mostShownText/8-1) + "\n")
	}
	if got := f.take(); !strings.HasPrefix(got, "… 92 lines left out\nxxx") || strings.Count(got, "\n") != 9 {
		t.Errorf("of 100 long lines there are %d: %.40q", strings.Count(got, "\n"), got)
	}
	f.add("short\n" + strings.Repeat("é", mostShownText) + "\nend\n")
	got := strings.Split(f.take(), "\n")
	if len(got) != 4 || got[0] != "short" || !strings.HasSuffix(got[1], "é… 448 KB left out") || got[2] != "end" {
		t.Errorf("a line that is too long: %d lines, %.20q ... %q", len(got), got[1], got[1][max(0, len(got[1])-30):])
	}
}

// After a cut the last lines are kept; lines that were taken and given back count as left out.
func TestFloodIsCut(t *testing.T) {
	t.Parallel()
	var f flood
	for i := range 100 {
		f.add(fmt.Sprintln(i))
	}
	taken := f.take()
	f.add(fmt.Sprintln(100))
	f.giveBack(taken)
	f.cut()
	want := fmt.Sprintf("… %d lines left out\n", 101-screenful)
	for i := 101 - screenful; i <= 100; i++ {
		want += fmt.Sprintln(i)
	}
	if got := f.take(); got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

// notices is a writer that sends each text written to it.
type notices chan string

func (n notices) Write(p []byte) (int, error) {
	n <- string(p)
	return len(p), nil
}

// While a program computes forever, its output is shown at a tick, also the output of one rank alone, and Ctrl-C ends
// the program.
func TestOutputIsShownAtTicks(t *testing.T) {
	t.Parallel()
	out, ticks := make(notices), make(chan time.Time)
	c, err := NewConsole(t.Context(), repl.Config{Size: 2}, out, io.Discard, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Session.Close()
	c.Terminal, c.Session.Ticks = true, ticks
	chunks, err := repl.ParseLines("<input>", []string{"def f():\n    if world.rank == 0: print('begins')\n    while True: pass\n\n", "f()"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		for _, chunk := range chunks {
			if err := c.Do(ctx, chunk); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	shown := ""
	for shown == "" { // the ranks may not have printed at the first tick
		select {
		case ticks <- time.Time{}:
		case shown = <-out:
		}
	}
	stop()
	if err := <-ended; shown != "[0] begins\n" || err == nil || err.Error() != "interrupted" {
		t.Errorf("shown: %q; the end: %v", shown, err)
	}
}

// stopsAt is a pipe whose reader leaves after most bytes.
type stopsAt struct {
	bytes.Buffer
	most  int
	leave func()
}

func (s *stopsAt) Write(p []byte) (int, error) {
	s.Buffer.Write(p)
	if s.Len() >= s.most {
		s.leave()
	}
	return len(p), nil
}

// Without ticks, the output of a rank is written as soon as there is much of it: a program that prints forever fills a
// pipe and not the memory, and nothing is left out.
func TestPipeGetsAll(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out := &stopsAt{most: 1 << 20, leave: stop}
	c, err := NewConsole(t.Context(), repl.Config{Size: 3}, out, io.Discard, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Session.Close()
	c.Session.Ticks = make(chan time.Time)
	chunks, err := repl.ParseLines("<input>", []string{"n = 0\nwhile True:\n    n += 1\n    print(n)\n\n"})
	if err != nil {
		t.Fatal(err)
	}
	for _, chunk := range chunks {
		if err = c.Do(ctx, chunk); err != nil {
			break
		}
	}
	n := 0
	for line := range strings.Lines(out.String()[:out.most]) {
		if n++; strings.HasSuffix(line, "\n") && line != fmt.Sprintf("[0-2] %d\n", n) {
			t.Fatalf("line %d is %q", n, line)
		}
	}
	if err == nil || out.Len() > 4*out.most {
		t.Errorf("%d bytes went out; the end: %v", out.Len(), err)
	}
}

// The events of a session, which a page shows, have only the last part of a flood, after a line that says so. Notes
// stay.
func TestEventsOfAFlood(t *testing.T) {
	t.Parallel()
	c, err := NewConsole(t.Context(), repl.Config{Size: 2}, io.Discard, io.Discard, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Session.Close()
	const mostLines = 5000 // of a session's events
	chunks, err := repl.ParseLines("<input>", []string{"note \"before\"", fmt.Sprintf("for i in range(%d): print(i)\n\n", mostLines+3)})
	if err != nil {
		t.Fatal(err)
	}
	for _, chunk := range chunks {
		if err := c.Do(t.Context(), chunk); err != nil {
			t.Fatal(err)
		}
	}
	list := c.Session.Events()
	if len(list) != 1+1+mostLines || list[0].Line.Text != "before" || list[1].Line.Text != "… 3 lines left out" || list[2].Line.Text != "3" {
		t.Errorf("%d events: %v", len(list), list[:min(3, len(list))])
	}
}

// Ranks that compute for different times between what they print give the same output on every run.
func TestOutputIsTheSame(t *testing.T) {
	t.Parallel()
	const program = `def f():
    n = 0
    for i in range(30):
        for k in range(world.rank * 4000): n += k
        print(i)
        if i % 10 == world.rank: print("only", world.rank)

`
	first := ""
	for range 4 {
		var out bytes.Buffer
		c, err := NewConsole(t.Context(), repl.Config{Size: 4}, &out, io.Discard, render.Style{Width: 80})
		if err != nil {
			t.Fatal(err)
		}
		chunks, err := repl.ParseLines("<input>", []string{program, "f()"})
		if err != nil {
			t.Fatal(err)
		}
		for _, chunk := range chunks {
			if err := c.Do(t.Context(), chunk); err != nil {
				t.Fatal(err)
			}
		}
		c.Session.Close()
		if first == "" {
			first = out.String()
		}
		if out.String() != first || !strings.Contains(first, "[0-3] 0\n") {
			t.Fatalf("the output is\n%s\nand was\n%s", out.String(), first)
		}
	}
}

// A panic while output is shown, during a program that never ends, ends the program and is reported.
func TestShowingPanics(t *testing.T) {
	t.Parallel()
	ticks := make(chan time.Time)
	c, err := NewConsole(t.Context(), repl.Config{Size: 2}, io.Discard, io.Discard, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	c.Session.Ticks, c.Session.Shows = ticks, func(context.Context) { panic("defect") }
	chunks, err := repl.ParseLines("<input>", []string{"while True: pass\n"})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- repl.Guarded(func() error { return c.Do(t.Context(), chunks[0]) }) }()
	ticks <- time.Time{}
	var crash *repl.Crash
	if err := <-ended; !errors.As(err, &crash) || crash.Value != "defect" {
		t.Errorf("the end: %v", err)
	}
}

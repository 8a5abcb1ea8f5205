package desk

import (
	"strings"
	"testing"
	"time"
)

// The answer to a line that prints very much has the last part of the output, after a line that says how much is left
// out. The panes show the same.
func TestFlood(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, "n=2&topo=core:2")
	a := s.line("for i in range(30000): print(i)\n")
	text := transcript(a)
	s.says(a, "… 28000 lines left out\n[0-1] 28000\n", "[0-1] 29999\n")
	if n := strings.Count(text, "\n"); n > 2010 {
		t.Errorf("the answer has %d lines", n)
	}
	if len(a.Page) > 1<<20 || !strings.Contains(string(a.Page), "… 25000 lines left out") {
		t.Errorf("the panes get %d bytes", len(a.Page))
	}
}

// A line that takes longer than the page allows is stopped, and the session goes on without it.
func TestTimeOfALine(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, "n=2&topo=core:2")
	s.line("x = 1")
	s.Time = time.Nanosecond
	s.says(s.line("while True: x += 1\n"), "error: the line was stopped: on this page a line may take 1ns\n")
	s.Time = 0
	s.says(s.line("x"), "[0-1] 1\n")
}

// A session on a server with other sessions may use only its share of the memory, and the error says so.
func TestShareOfMemory(t *testing.T) {
	t.Parallel()
	s := &sitting{t, &Desk{Memory: 64 << 20, Shares: true}}
	t.Cleanup(s.Close)
	s.ask(&Request{Verb: "open", Text: "n=1&topo=core:1"})
	s.says(s.line("x = [0] * 10000000"), "a list of 10000000 elements would take 153 MB, and the session may have 64 MB in all: no page has more")
	s.says(s.line("x = 2\n"), "")
	s.says(s.line("x"), "[0] 2\n")
}

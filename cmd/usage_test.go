package cmd

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// The help by -h is about a screen of 80 columns long, and has what is promised:
// use, flags, examples and where more is. --help has more, and both are there for every command.
func TestShortHelp(t *testing.T) {
	t.Parallel()
	for _, c := range documented(newRoot(Streams{})) {
		words := strings.Fields(wordsOf(c))
		help := func(flag string) string {
			var out bytes.Buffer
			s := Streams{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: func(string) string { return "" }}
			if code := Run(t.Context(), s, append(words, flag)); code != OK {
				t.Fatalf("%s %s: code %d: %s", words, flag, code, &out)
			}
			return out.String()
		}
		short, long := help("-h"), help("--help")
		if lines := strings.Count(short, "\n"); lines > 31 {
			t.Errorf("%s -h has %d lines", c.CommandPath(), lines)
		}
		for _, part := range []string{"\nUsage:\n  commsplit", "\nMore: " + c.CommandPath() + " --help"} {
			if !strings.Contains(short, part) {
				t.Errorf("%s -h lacks %q:\n%s", c.CommandPath(), part, short)
			}
		}
		for line := range strings.Lines(short) {
			if len(line) > 81 {
				t.Errorf("%s -h: %s", c.CommandPath(), line)
			}
		}
		if !strings.Contains(long, "--help ") || strings.Contains(long, "(default )") {
			t.Errorf("%s --help:\n%s", c.CommandPath(), long)
		}
	}
}

// A pager is started on terminals alone, as git and gh choose it.
func TestPagerChosen(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no pager there")
	}
	for _, c := range []struct {
		tty        bool
		term       string
		value      string
		set        bool
		want, what string
	}{
		{true, "xterm", "more -s", true, "more -s", "PAGER"},
		{true, "xterm", "cat", true, "", "cat"},
		{true, "xterm", "", true, "", "an empty PAGER"},
		{false, "xterm", "more", true, "", "off a terminal"},
		{true, "dumb", "more", true, "", "a dumb terminal"},
	} {
		s := Streams{OutTTY: c.tty, Getenv: func(string) string { return c.term }}
		if got := s.pager(func(string) (string, bool) { return c.value, c.set }); got != c.want {
			t.Errorf("%s: pager %q, want %q", c.what, got, c.want)
		}
	}
}

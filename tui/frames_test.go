package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// Only the lines of a frame that differ from the frame before are written; all lines are written when the content
// of the screen is unknown; and none while the shell's screen is on. Bubbletea's own frames are dropped, its modes
// pass.
func TestFramesAreWritten(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	x := &terminal{w: &out}
	written := func() string { defer out.Reset(); return out.String() }
	x.frame("shell\nshell")
	if got := written(); got != "" {
		t.Errorf("on the shell's screen: %q", got)
	}
	x.WriteString(ansi.SetModeAltScreenSaveCursor) //nolint:errcheck // a builder takes all
	x.Write([]byte("a frame of bubbletea"))        //nolint:errcheck // it is dropped
	if got := written(); got != "\x1b[?1049h" {
		t.Errorf("the modes: %q", got)
	}
	for _, c := range []struct{ frame, want string }{
		{"one\ntwo", "\x1b[2J\x1b[Hone\x1b[2;1Htwo"},
		{"one\ntwo", ""},
		{"one\nTWO", "\x1b[2;1HTWO"},
		{"one\nTWO\nthree", "\x1b[2J\x1b[Hone\x1b[2;1HTWO\x1b[3;1Hthree"},
	} {
		x.frame(c.frame)
		if got := written(); got != c.want {
			t.Errorf("the frame %q is written as %q, want %q", c.frame, got, c.want)
		}
	}
	x.forget()
	x.frame("one\nTWO\nthree")
	if got := written(); !strings.HasPrefix(got, "\x1b[2J") {
		t.Errorf("another size: %q", got)
	}
	x.WriteString(ansi.ResetModeAltScreenSaveCursor) //nolint:errcheck // as above
	x.frame("four\nfive\nsix")
	if got := written(); got != "\x1b[?1049l" {
		t.Errorf("after the screen: %q", got)
	}
}

package repl

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
)

// Crash is a panic, which is a defect of ours: what it said, where, and how it came to that.
type Crash struct {
	Value any
	Where string // "superstep.go:14"
	Stack string
	Kept  string // the session's lines, a script; "" for none
}

// Error is one line to report.
func (c *Crash) Error() string {
	return fmt.Sprintf("a defect of commsplit: %v, in %s; please report this line", c.Value, c.Where)
}

// NewCrash describes a panic whose deferred functions run. Its place is the innermost function of ours.
func NewCrash(value any) *Crash {
	c := &Crash{Value: value, Where: "a place that is not known", Stack: string(debug.Stack())}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more, below := true, false; more; {
		var f runtime.Frame
		f, more = frames.Next()
		below = below || f.Function == "runtime.gopanic"
		if below && strings.HasPrefix(f.Function, "commsplit/") {
			c.Where = fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
			break
		}
	}
	return c
}

// Keep takes the lines of a session that crashed, which may be in any state; nil is none.
func (c *Crash) Keep(s *Session) {
	defer func() {
		if recover() != nil {
			c.Kept = ""
		}
	}()
	if s != nil {
		c.Kept = s.kept()
	}
}

// kept is Text, with what was to run next: the line that ran only as a comment, or the script would
// crash again.
func (s *Session) kept() string {
	b := s.Text()
	for i, e := range s.pending {
		if i == 0 {
			b += "# This line was running:\n" + comment(e.chunk)
		} else {
			b += e.chunk.Text + "\n"
		}
	}
	return b
}

// Report is the script in which what a crash left is kept, with what a report needs in comments.
func (c *Crash) Report(version string) string {
	text := fmt.Sprintf("commsplit %s: %v, in %s\n%s", version, c.Value, c.Where, c.Stack)
	return c.Kept + "\n# " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n# ") + "\n"
}

// Guarded returns what f does, or a *Crash after a panic: of f, or of ranks of the sessions whose
// Crashed is the function that f gets. What panicked is then left as it is.
func Guarded(f func(crashed func(any)) error) error {
	end := make(chan error, 2) // a panic that comes late stops nothing
	crashed := func(value any) {
		select {
		case end <- NewCrash(value):
		default:
		}
		select {}
	}
	go func() {
		defer func() {
			if v := recover(); v != nil {
				crashed(v)
			}
		}()
		end <- f(crashed)
	}()
	return <-end
}

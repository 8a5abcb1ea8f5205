package cmd

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"commsplit/render"
	"commsplit/repl"
)

// wrapped is a terminal that diagnoses go to: a line that is longer than the terminal is wide breaks
// at blanks, not in the midst of words. Elsewhere a diagnosis stays one line.
type wrapped struct {
	io.Writer
	width func() int // columns; 0 when unknown
}

// onTerminal wraps a file that is a terminal.
func onTerminal(f *os.File) io.Writer {
	if !term.IsTerminal(int(f.Fd())) {
		return f
	}
	return wrapped{f, func() int {
		w, _, _ := term.GetSize(int(f.Fd())) // 0 when it fails
		return w
	}}
}

// Write writes whole lines. Quoted source and its caret, which are indented, stay as they are.
func (w wrapped) Write(p []byte) (int, error) {
	width := w.width()
	if width <= 0 {
		return w.Writer.Write(p)
	}
	var b strings.Builder
	for line := range strings.Lines(string(p)) {
		text := strings.TrimSuffix(line, "\n")
		if len(text) > width && !strings.HasPrefix(text, "    ") {
			line = repl.Wrap(text, width, "") + line[len(text):]
		}
		b.WriteString(line)
	}
	if _, err := io.WriteString(w.Writer, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// cleaned is where diagnoses leave: what they quote of foreign files, names and arguments commands no
// terminal.
type cleaned struct{ io.Writer }

// Write writes whole characters.
func (c cleaned) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.Writer, render.Clean(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

package repl

import (
	"fmt"
	"strings"
	"sync"

	"commsplit/repl/program"
)

// Flood keeps lines for a person, who cannot read as fast as programs print: of what comes before somebody takes it, the
// last part. One line says how many lines were left out. Different goroutines may use it.
type Flood struct {
	mu    sync.Mutex
	lines []string // complete ones, with their ends
	first int      // of lines that is not taken yet
	size  int      // bytes of these
	part  []byte   // a line that is not complete
	left  int      // lines left out before these
}

// What comes at once is shown up to these bounds.
const (
	mostShown     = 2000      // lines
	mostShownText = 256 << 10 // bytes
	screenful     = 20        // lines that are left of what Ctrl-C cuts
)

// Write takes text.
func (f *Flood) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for line := range strings.Lines(string(p)) {
		if len(f.part) > 0 {
			line = string(f.part) + line
			f.part = nil
		}
		if !strings.HasSuffix(line, "\n") {
			f.part = []byte(line)
			break
		}
		f.add(shortened(line))
	}
	f.keep(mostShown, mostShownText)
	return len(p), nil
}

// shortened is a line without what is more of it than a flood may have altogether.
func shortened(line string) string {
	const most = mostShownText / 4
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "… " + program.Bytes(uint64(len(line)-most)) + " left out\n"
}

func (f *Flood) add(line string) {
	f.lines = append(f.lines, line)
	f.size += len(line)
}

// keep leaves out the first lines but for so many.
func (f *Flood) keep(lines, size int) {
	for len(f.lines)-f.first > lines || f.size > size {
		f.drop()
		f.left++
	}
	if f.first > len(f.lines)/2 {
		f.lines = append(f.lines[:0], f.lines[f.first:]...)
		f.first = 0
	}
}

// drop takes the first line.
func (f *Flood) drop() string {
	line := f.lines[f.first]
	f.lines[f.first] = ""
	f.first++
	f.size -= len(line)
	return line
}

// Cut leaves out all but the last few lines: somebody has seen enough.
func (f *Flood) Cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keep(screenful, mostShownText/screenful)
}

// Take takes the complete lines that are there. What was left out is told before them.
func (f *Flood) Take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.take()
}

func (f *Flood) take() string {
	var b strings.Builder
	if f.left > 0 {
		fmt.Fprintf(&b, "%s\n", LeftOut(f.left))
		f.left = 0
	}
	for f.first < len(f.lines) {
		b.WriteString(f.drop())
	}
	f.lines, f.first = f.lines[:0], 0
	return b.String()
}

// All takes everything, also a line that is not complete.
func (f *Flood) All() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := f.take() + string(f.part)
	f.part = nil
	return text
}

// giveBack puts lines back that were taken last.
func (f *Flood) giveBack(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	later := f.lines[f.first:]
	f.lines, f.first, f.size = nil, 0, 0
	for line := range strings.Lines(text) {
		f.add(line)
	}
	for _, line := range later {
		f.add(line)
	}
}

// LeftOut says how many lines of a flood are not shown.
func LeftOut(lines int) string {
	if lines == 1 {
		return "… 1 line left out"
	}
	return fmt.Sprintf("… %d lines left out", lines)
}

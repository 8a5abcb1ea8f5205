package repl

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"commsplit/repl/program"
)

// flood keeps lines for a person, who cannot read as fast as programs print: of what comes before somebody takes it, the
// last part. One line says how many lines were left out. Different goroutines may use it.
type flood struct {
	mu    sync.Mutex
	lines []string // with their ends
	size  int      // bytes of these
	left  int      // lines left out before these
}

// What comes at once is shown up to these bounds.
const (
	mostShown     = 2000      // lines
	mostShownText = 256 << 10 // bytes
	screenful     = 20        // lines that are left of what Ctrl-C cuts
)

// add adds complete lines.
func (f *flood) add(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for line := range strings.Lines(text) {
		line = shortened(line)
		f.lines = append(f.lines, line)
		f.size += len(line)
	}
	f.keep(mostShown, mostShownText)
}

// shortened is a line without what is more of it than a flood may have altogether.
func shortened(line string) string {
	const most = mostShownText / 4
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "… " + program.Bytes(uint64(len(line)-most)) + " left out\n"
}

// keep leaves out the first lines but for so many.
func (f *flood) keep(lines, size int) {
	for len(f.lines) > lines || f.size > size {
		f.size -= len(f.lines[0])
		f.lines = f.lines[1:]
		f.left++
	}
}

// cut leaves out all but the last few lines: somebody has seen enough.
func (f *flood) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keep(screenful, mostShownText/screenful)
}

// take takes the lines that are there. What was left out is told before them.
func (f *flood) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := strings.Join(f.lines, "")
	if f.left > 0 {
		text = leftOut(f.left) + "\n" + text
	}
	f.lines, f.size, f.left = nil, 0, 0
	return text
}

// giveBack puts lines back that were taken last.
func (f *flood) giveBack(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines = append(slices.Collect(strings.Lines(text)), f.lines...)
	f.size += len(text)
}

// leftOut says how many lines of a flood are not shown.
func leftOut(lines int) string {
	if lines == 1 {
		return "… 1 line left out"
	}
	return fmt.Sprintf("… %d lines left out", lines)
}

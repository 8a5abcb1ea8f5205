package console

import (
	"slices"
	"strings"
	"sync"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// flood keeps lines for a person, who cannot read as fast as programs print: until somebody takes the lines, it keeps
// only the last of them. One line says how many lines were left out. Several goroutines may use a flood at once.
type flood struct {
	mu    sync.Mutex
	lines []string // with their ends
	size  int      // bytes of lines
	left  int      // how many lines before them were left out
}

// How much of the output between two takes is shown.
const (
	mostShown     = 2000      // lines
	mostShownText = 256 << 10 // bytes
	screenful     = 20        // lines that stay after Ctrl-C
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

// shortened cuts a line after a fourth of the bytes that a flood may have altogether.
func shortened(line string) string {
	const most = mostShownText / 4
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "… " + program.Bytes(uint64(len(line)-most)) + " left out\n"
}

// keep leaves out the first lines, until at most so many lines and bytes stay.
func (f *flood) keep(lines, size int) {
	for len(f.lines) > lines || f.size > size {
		f.size -= len(f.lines[0])
		f.lines = f.lines[1:]
		f.left++
	}
}

// cut leaves out all but the last screenful of lines: somebody has seen enough.
func (f *flood) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keep(screenful, mostShownText/screenful)
}

// take returns the kept lines, after a line about those that were left out, and empties the flood.
func (f *flood) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := strings.Join(f.lines, "")
	if f.left > 0 {
		text = repl.LeftOut(f.left) + "\n" + text
	}
	f.lines, f.size, f.left = nil, 0, 0
	return text
}

// giveBack puts the lines back that take returned last.
func (f *flood) giveBack(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines = append(slices.Collect(strings.Lines(text)), f.lines...)
	f.size += len(text)
}

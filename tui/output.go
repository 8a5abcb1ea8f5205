package tui

import (
	"strings"
	"sync"
)

// output keeps what a console says until the screen takes it.
type output struct {
	mu      sync.Mutex
	entries []entry
	part    strings.Builder
}

// as is a writer of one kind of entries.
func (o *output) as(k kind) *outputOf { return &outputOf{o, k} }

type outputOf struct {
	*output
	kind kind
}

// Write takes lines.
func (o *outputOf) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.part.Write(p)
	text := o.part.String()
	end := strings.LastIndexByte(text, '\n')
	if end < 0 {
		return len(p), nil
	}
	o.part.Reset()
	o.part.WriteString(text[end+1:])
	for line := range strings.SplitSeq(text[:end], "\n") {
		o.entries = append(o.entries, entry{line, o.kind})
	}
	if extra := len(o.entries) - mostEntries; extra > mostEntries {
		o.entries = append(o.entries[:0:0], o.entries[extra:]...)
	}
	return len(p), nil
}

func (o *output) take() []entry {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.entries
	o.entries = nil
	return list
}

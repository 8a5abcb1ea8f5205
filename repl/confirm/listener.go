package confirm

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// listener reads the files that the processes of a run write, while they do.
type listener struct {
	paths []string
	files []*os.File // nil until there is one
	rest  [][]byte   // the beginning of a line
	total int
}

func newListener(folder string, size int) *listener {
	l := &listener{files: make([]*os.File, size), rest: make([][]byte, size)}
	for r := range size {
		l.paths = append(l.paths, filepath.Join(folder, "rank-"+strconv.Itoa(r)))
	}
	return l
}

// read hands over the lines that have come since. It reports false when they are too many.
func (l *listener) read(out *outcome) bool {
	buffer := make([]byte, 1<<16)
	for r := range l.files {
		if l.files[r] == nil {
			l.files[r], _ = os.Open(l.paths[r]) // not there yet
		}
		for l.files[r] != nil && l.total <= mostOutput {
			n, _ := l.files[r].Read(buffer) // at the end for now
			if n == 0 {
				break
			}
			l.total += n
			l.rest[r] = append(l.rest[r], buffer[:n]...)
			for {
				line, rest, ok := bytes.Cut(l.rest[r], []byte("\n"))
				if !ok {
					break
				}
				out.take(string(line))
				l.rest[r] = rest
			}
		}
	}
	return l.total <= mostOutput
}

func (l *listener) close() {
	for _, f := range l.files {
		if f != nil {
			_ = f.Close() // it was only read
		}
	}
}

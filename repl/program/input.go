package program

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"go.starlark.net/starlark"
)

// Input is the standard input of programs. As launchers of MPI do, rank 0 gets it, and the other ranks find it empty. It
// keeps what it has read, because a program may run again from its start.
type Input struct {
	Typed bool // by a person, who must see a question before the answer

	mu    sync.Mutex
	from  *bufio.Reader
	parts []string    // read so far: lines, or parts of long ones
	bytes int         // that parts has
	next  chan string // gets the part that is being read; nil: none is
	ended bool
}

// NewInput returns an input that reads from a file.
func NewInput(from io.Reader, typed bool) *Input {
	return &Input{Typed: typed, from: bufio.NewReader(from)}
}

// mostInput is how many bytes of input are kept.
const mostInput = 64 << 20

var errInputTooLarge = errors.New("standard input has more than 64 MB")

// part returns the k-th part; "" behind the last one. It stops waiting for it when stopped tells so.
func (in *Input) part(k int, stopped func() bool) (string, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.parts) <= k && !in.ended {
		if in.next == nil {
			next := make(chan string, 1)
			in.next = next
			go func() {
				part, _ := in.from.ReadSlice('\n')
				next <- string(part)
			}()
		}
		select {
		case part := <-in.next:
			in.next = nil
			if in.bytes += len(part); in.bytes > mostInput {
				return "", errInputTooLarge
			}
			if in.ended = part == ""; !in.ended {
				in.parts = append(in.parts, part)
			}
		case <-time.After(20 * time.Millisecond):
			if stopped() {
				return "", errStopped
			}
		}
	}
	if k >= len(in.parts) {
		return "", nil
	}
	return in.parts[k], nil
}

// ReadInput returns the next line of standard input, with its end, or a part of it; "" where there is no more. asks tells, before
// the rank waits, what the rank has printed of a line.
func (r *Rank) ReadInput(asks func()) (string, error) {
	in := r.all.Input
	switch {
	case in == nil:
		return "", errors.New("there is no standard input here: commsplit run FILE <INPUT gives the program one")
	case r.P.Rank() != 0:
		return "", nil
	case in.Typed:
		asks()
	}
	r.endTurn()
	part, err := in.part(r.read, r.stopped.Load)
	r.rarely().read++
	return part, err
}

// input carries out Python's input.
func input(c *call) (starlark.Value, error) {
	text, err := c.r.text(c.args[0])
	if err != nil {
		return nil, err
	}
	c.r.put(text)
	line := ""
	for !strings.HasSuffix(line, "\n") {
		part, err := c.r.ReadInput(c.r.endLine)
		if err != nil {
			return nil, err
		}
		if line += part; line == "" {
			return nil, &exception{class: "EOFError", args: starlark.Tuple{starlark.String("standard input is at its end: only rank 0 gets it")}}
		}
		if part == "" {
			break
		}
	}
	return starlark.String(strings.TrimRight(line, "\r\n")), nil
}

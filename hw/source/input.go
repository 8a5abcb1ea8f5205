package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
)

// piped is the text that names an hwloc file on standard input.
const piped = "-"

// input is standard input, which can be read only once. It keeps the topology,
// because a world may be made again.
type input struct {
	file io.Reader
	why  string // it cannot be read
	once sync.Once
	done chan struct{}
	read *hw.Topology
	err  error
}

type inputKey struct{}

// WithInput makes a context in which Load reads "-" from file.
func WithInput(ctx context.Context, file io.Reader) context.Context {
	return context.WithValue(ctx, inputKey{}, &input{file: file, done: make(chan struct{})})
}

// WithoutInput makes a context in which Load cannot read "-"; why is the reason
// for the error.
func WithoutInput(ctx context.Context, why string) context.Context {
	return context.WithValue(ctx, inputKey{}, &input{why: why})
}

// fromInput returns the topology in the hwloc file on standard input; the first
// call reads the file. It waits no longer than ctx lasts.
func fromInput(ctx context.Context) (*hw.Topology, error) {
	in, _ := ctx.Value(inputKey{}).(*input)
	switch {
	case in == nil:
		return nil, errors.New(`hardware "-": there is no standard input here`)
	case in.why != "":
		return nil, fmt.Errorf("hardware %q: %s", piped, in.why)
	}
	in.once.Do(func() {
		go func() {
			defer close(in.done)
			if in.read, in.err = hwlocxml.Read(in.file); in.err == nil {
				in.read.Name = "<stdin>"
			}
		}()
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-in.done:
	}
	if in.err != nil {
		return nil, fmt.Errorf("hardware %q: standard input: %w", piped, in.err)
	}
	return in.read, nil
}

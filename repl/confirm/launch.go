package confirm

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// How long a program that was asked to end may take, and what holds its output open behind it.
const (
	endDelay  = 3 * time.Second
	reapDelay = time.Second
)

// mostOutput is how much a program may print, in bytes: a line for each process and call is far less.
const mostOutput = 32 << 20

// launch runs a built program with a process for each rank. It ends by itself, when watch says that it
// has told all, when it has printed too much, or at the limit. The error is that it did not start or that
// ctx ended it.
func (j *job) launch(ctx context.Context, program string, watch func(*outcome) bool) (*outcome, error) {
	c := exec.Command(j.at.Mpirun, "-n", strconv.Itoa(j.view.Snapshot.Size), program)
	mark := "COMMSPLIT_CONFIRM=" + filepath.Base(j.dir)
	c.Dir, c.Env, c.WaitDelay = j.dir, append(environment(j.dir), mark), reapDelay
	own(c)
	out := newOutcome(j.view.Snapshot.Size)
	out.started = time.Now()
	lines, said := &splitter{take: out.take, enough: make(chan struct{})}, &beginning{most: 4 << 10}
	lines.watch = func() bool { return watch != nil && watch(out) }
	c.Stdout, c.Stderr = lines, said
	if err := c.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	defer func() {
		_ = killGroup(c) // what outlives its mpirun
		sweep(mark)
	}()
	limit := time.NewTimer(j.Limit)
	defer limit.Stop()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case out.err = <-ended:
			out.stderr, out.flooded = string(said.text), lines.flooded
			return out, nil
		case <-ctx.Done():
			finish(c, ended)
			return nil, ctx.Err()
		case <-lines.enough:
		case <-limit.C:
			out.late = true
		case <-tick.C:
			if !lines.ask() {
				continue
			}
		}
		finish(c, ended)
		out.stderr, out.flooded = string(said.text), lines.flooded
		return out, nil
	}
}

// finish ends a program, politely first: then mpirun removes what it has made.
func finish(c *exec.Cmd, ended <-chan error) {
	terminate(c)
	select {
	case <-ended:
	case <-time.After(endDelay):
		_ = killGroup(c)
		<-ended
	}
}

// environment lets libraries take more ranks than processors, wait without burning them, and keep their
// files in dir, which is removed. Each library leaves the others' words alone.
func environment(dir string) []string {
	return append(append(os.Environ(), "TMPDIR="+dir, "OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_mpi_yield_when_idle=1",
		"PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe"), allowances()...)
}

// splitter hands over whole lines, until they are too many.
type splitter struct {
	mu      sync.Mutex
	take    func(line string)
	watch   func() bool
	enough  chan struct{}
	closed  bool
	rest    []byte
	total   int
	flooded bool
}

func (s *splitter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.total += len(p); s.total > mostOutput {
		s.flooded = true
		s.close()
		return len(p), nil
	}
	s.rest = append(s.rest, p...)
	for {
		line, rest, ok := bytes.Cut(s.rest, []byte("\n"))
		if !ok {
			break
		}
		s.take(string(line))
		s.rest = rest
	}
	if s.watch() {
		s.close()
	}
	return len(p), nil
}

func (s *splitter) close() {
	if !s.closed {
		s.closed = true
		close(s.enough)
	}
}

// ask asks the watcher between lines.
func (s *splitter) ask() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watch()
}

// beginning keeps the beginning of what is written, and drops the rest.
type beginning struct {
	text []byte
	most int
}

func (t *beginning) Write(p []byte) (int, error) {
	t.text = append(t.text, p[:min(len(p), t.most-len(t.text))]...)
	return len(p), nil
}

// said is what a program that failed said of it.
func (o *outcome) said() string {
	text := first(o.stderr)
	if o.err != nil {
		return fmt.Sprintf(": %v%s", o.err, text)
	}
	return text
}

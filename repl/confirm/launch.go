package confirm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/job/probe"
	"codeberg.org/commsplit/commsplit/render/source"
)

// How long a program that was asked to end may take, and how long processes that it left may keep its output open.
const (
	endDelay  = 3 * time.Second
	reapDelay = time.Second
)

// mostOutput is how much a program may print, in bytes: a line for each process and call is far less.
const mostOutput = 32 << 20

// launch runs a built program with a process for each rank. Its only argument is a folder, where each process writes
// its lines to a file. The run ends when the program ends, when watch reports true, when the program has printed too
// much, or at the limit. launch returns an error when the program did not start, printed too much, or ctx ended it.
func (j *job) launch(ctx context.Context, program, folder string, watch func(*outcome) bool) (*outcome, error) {
	size := j.report.Ranks
	c := exec.Command(j.at.Mpirun, j.at.command(size, program, folder)...)
	mark := "COMMSPLIT_CONFIRM=" + filepath.Base(j.dir)
	c.Dir, c.Env, c.WaitDelay = j.dir, append(environment(j.dir), mark), reapDelay
	own(c)
	said := &beginning{most: 4 << 10}
	c.Stdout, c.Stderr = said, said
	out := &outcome{started: time.Now(), ranks: make([]progress, size), holds: map[key]held{}, got: map[key]held{}}
	listen := newListener(folder, size)
	defer listen.close()
	ended, err := start(c)
	if err != nil {
		return nil, err
	}
	defer func() {
		_ = killGroup(c) // ranks that outlive their mpirun
		sweep(mark)
	}()
	limit := time.NewTimer(j.Limit)
	defer limit.Stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for running := true; running; {
		select {
		case out.err = <-ended:
			running = false
		case <-ctx.Done():
			finish(c, ended, mark)
			return nil, ctx.Err()
		case <-limit.C:
			out.late, running = true, false
			finish(c, ended, mark)
		case <-tick.C:
			flooded := !listen.read(out) || said.total.Load() > mostOutput
			if !flooded && (watch == nil || !watch(out)) {
				continue
			}
			finish(c, ended, mark)
			if flooded {
				return nil, fmt.Errorf("%s prints without end: it was ended after %d MB%s", j.at.Mpirun, mostOutput>>20, first(string(said.text)))
			}
			running = false
		}
	}
	listen.read(out)
	out.said = string(said.text)
	return out, nil
}

// start starts a program; ended gets its error when it has ended. The same thread starts the program and waits for it:
// the kernel takes the end of the starting thread for the end of the program's parent, and Go ends threads.
func start(c *exec.Cmd) (ended <-chan error, err error) {
	started, end := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := c.Start()
		started <- err
		if err == nil {
			end <- c.Wait()
		}
	}()
	return end, <-started
}

// finish ends a program, politely first, so that mpirun can remove its files. Ranks that finish has to kill leave
// their shared memory behind, which finish removes.
func finish(c *exec.Cmd, ended <-chan error, mark string) {
	shared := sharedMemory(mark)
	terminate(c)
	select {
	case <-ended:
	case <-time.After(endDelay):
		_ = killGroup(c)
		<-ended
	}
	sweep(mark)
	for _, file := range shared {
		_ = os.Remove(file) // mostly gone already
	}
}

// environment returns the variables that let libraries run more ranks than processors, wait without using
// processor time, and keep their files in dir, which is removed. Each library ignores variables of other libraries.
func environment(dir string) []string {
	return append(append(os.Environ(), "TMPDIR="+dir, "OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_mpi_yield_when_idle=1",
		"UCX_POSIX_DIR="+dir, "OMPI_MCA_btl_vader_backing_directory="+dir, "OMPI_MCA_btl_sm_backing_directory="+dir,
		"PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe"), allowances()...)
}

// beginning keeps the first bytes written to it, at most most, and counts all of them.
type beginning struct {
	text  []byte
	most  int
	total atomic.Int64
}

func (b *beginning) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), b.most-len(b.text))]...)
	b.total.Add(int64(len(p)))
	return len(p), nil
}

// lastWords returns the error of mpirun and the beginning of its output.
func (o *outcome) lastWords() string {
	text := first(o.said)
	if o.err != nil {
		return fmt.Sprintf(": %v%s", o.err, text)
	}
	return text
}

// Placement asks a launcher where it runs that many ranks, and on what hardware: a probe program runs under the launcher
// and writes the file, which job:FILE makes the hardware of a session. Its errors are those of [Run].
func Placement(ctx context.Context, o Options, ranks int, file string) error {
	o.Limit = cmp.Or(o.Limit, usualLimit)
	return outside(ctx, o.probe(ctx, ranks, file))
}

func (o Options) probe(ctx context.Context, ranks int, file string) error {
	at, err := o.find()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "commsplit-confirm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	j := &job{Options: o, at: at, dir: dir, report: &Report{Ranks: ranks}}
	program := filepath.Join(dir, "probe")
	if err := os.WriteFile(program+".c", []byte(probe.C()), 0o600); err != nil {
		return err
	}
	if err := at.build(ctx, program+".c", program, dir, "-ldl"); err != nil {
		return err
	}
	out, err := j.launch(ctx, program, file, nil)
	switch {
	case err != nil:
		return err
	case out.late:
		return fmt.Errorf("the probe, which tells where ranks run, was still at work under %s after %v: --limit SECONDS gives it more", at.Mpirun, o.Limit)
	case out.err != nil:
		return errors.New("the probe, which tells where ranks run, failed under " + at.Mpirun + out.lastWords())
	}
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("the probe, which tells where ranks run, wrote nothing under %s%s", at.Mpirun, out.lastWords())
	}
	return nil
}

// check writes a program for comparing. It has the calls that depend on the hardware only if the ranks stay where the
// launcher put them from the first call to the last.
func (j *job) check(w io.Writer, a source.Attempt, seconds int) (*source.Coverage, error) {
	a.Placed = j.Placed && !slices.ContainsFunc(j.view.Snapshot.Steps, func(s engine.Step) bool { return s.Call == engine.CallBind })
	return source.Check(w, j.view, a, seconds)
}

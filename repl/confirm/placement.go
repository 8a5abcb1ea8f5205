package confirm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/job/probe"
	"codeberg.org/commsplit/commsplit/render/source"
	"codeberg.org/commsplit/commsplit/repl"
)

// Placement asks a launcher where it runs so many ranks, and on what hardware: a probe program runs under the launcher
// and writes the file, which job:FILE makes the hardware of a session. The errors are as those of [Run].
func Placement(ctx context.Context, o Options, ranks int, file string) error {
	if o.Limit == 0 {
		o.Limit = usualLimit
	}
	err := o.probe(ctx, ranks, file)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &repl.InputError{Err: err}
	}
	return nil
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

// check writes a program for comparing, with calls that depend on the hardware if stays reports true.
func (j *job) check(w io.Writer, a source.Attempt, seconds int) (*source.Coverage, error) {
	a.Placed = j.stays()
	return source.Check(w, j.view, a, seconds)
}

// stays reports whether the ranks run where the launcher put them from the first call to the last.
func (j *job) stays() bool {
	return j.Placed && !slices.ContainsFunc(j.view.Snapshot.Steps, func(s engine.Step) bool { return s.Call == engine.CallBind })
}

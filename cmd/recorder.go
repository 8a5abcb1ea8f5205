package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/hw/job/probe"
	"codeberg.org/commsplit/commsplit/hw/job/recorder"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/recording"
	"codeberg.org/commsplit/commsplit/repl/recording/launch"
	replayed "codeberg.org/commsplit/commsplit/repl/replay"
)

func newRecorder(s Streams) *cobra.Command {
	keep, stacks := "", false
	c := s.writesProgram(recorder.C, described("record", &cobra.Command{
		Use:   "record [FILE] | record [-o FILE.tar] -- COMMAND...",
		Short: "run a program under its MPI and see its communicators",
	}))
	write := c.RunE
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w; write the command to record behind --, as in commsplit record -- mpirun -n 4 ./app", flagError(c, err))
	})
	c.Args = func(c *cobra.Command, args []string) error {
		switch dash := c.ArgsLenAtDash(); {
		case dash > 0, dash == 0 && (c.Flags().Changed("to") || c.Flags().Changed("force")):
			return errors.New("record writes the recorder to a FILE, or runs a command behind --: not both")
		case dash == 0 && len(args) == 0:
			return errors.New("record -- needs a command: commsplit record -- mpirun -n 4 ./app")
		case dash < 0 && keep != "":
			return errors.New("-o keeps the recording of a command: commsplit record -o FILE.tar -- mpirun -n 4 ./app")
		case dash < 0 && (len(args) > 1 || len(args) == 1 && args[0] != "-" && filepath.Ext(args[0]) != ".c" && !c.Flags().Changed("to")):
			return fmt.Errorf("write the command to record behind --: commsplit record -- %s", strings.Join(args, " "))
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if c.ArgsLenAtDash() < 0 {
			return write(c, args)
		}
		return recordCommand(c.Context(), s, args, keep, detailOf(true, stacks))
	}
	c.Flags().StringVarP(&keep, "output", "o", "", "keep the recording of a command in `FILE.tar`")
	c.Flags().BoolVar(&stacks, "stacks", false, "below each place in the report, print its callers, the nearest first")
	return c
}

// exited is the error of a recorded command that ended with an exit code of its own, which is that of record, too.
type exited struct{ code int }

// Error tells the exit code.
func (e *exited) Error() string { return fmt.Sprintf("the command ended with exit code %d", e.code) }

// recordCommand runs a command with the recorder and opens the recording.
func recordCommand(ctx context.Context, s Streams, words []string, keep string, detail replayed.Detail) error {
	if keep != "" { // before a job that may take hours
		f, err := os.OpenFile(keep, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			err = fmt.Errorf("%s already exists, and record does not overwrite a recording", keep)
		}
		if err != nil {
			return repl.AsInput(err)
		}
		f.Close()
		os.Remove(keep) // the recorder makes it
	}
	r, err := launch.Prepare(ctx, words, keep)
	if err != nil {
		return asInput(err)
	}
	defer r.Close()
	code, err := r.Start(s.In, whole(s.Out), whole(s.Err), s.heard())
	if err != nil {
		return asInput(err)
	}
	ctx = context.WithoutCancel(ctx) // the signal was the command's: what it did until then is shown
	err = showRecorded(ctx, s, r, code, keep != "", detail)
	if code == 0 {
		return err
	}
	if err != nil {
		repl.WriteError(s.Err, err)
	}
	return &exited{code}
}

// asInput turns an error about a machine that lacks something into an InputError; other errors stay errors of usage.
func asInput(err error) error {
	var missing *launch.Missing
	var failed *launch.Failed
	var path *os.PathError
	if errors.As(err, &missing) || errors.As(err, &failed) || errors.As(err, &path) {
		return repl.AsInput(err)
	}
	return err
}

// showRecorded opens the recording of a command that ended with an exit code: on a terminal in the terminal UI, else as a
// report.
func showRecorded(ctx context.Context, s Streams, r *launch.Run, code int, keep bool, detail replayed.Detail) error {
	switch _, err := os.Stat(r.File); {
	case err != nil && code != 0:
		return repl.AsInput(fmt.Errorf("nothing was recorded: the command ended with exit code %d before a rank called MPI_Init", code))
	case err != nil:
		return repl.AsInput(errors.New("nothing was recorded: no rank loaded the recorder and called MPI_Init; the launcher must pass LD_PRELOAD on, " +
			"and a program linked statically with MPI cannot load the recorder"))
	}
	if keep {
		if err := recording.Complete(ctx, r.File); err != nil {
			return repl.AsInput(err)
		}
	}
	for _, other := range r.Others() {
		fmt.Fprintf(s.Err, "note: %s holds another MPI_COMM_WORLD of this command", filepath.Base(other))
		if !keep {
			fmt.Fprint(s.Err, ", and is removed: -o FILE.tar keeps it")
		}
		fmt.Fprintln(s.Err)
	}
	f := newWorldFlags()
	if s.InTTY && s.OutTTY {
		return screen(ctx, s, f, ".open "+r.File)
	}
	var report bytes.Buffer // nothing is left behind when nobody reads the output
	buffered := s
	buffered.Out = &report
	err := replayRecording(ctx, buffered, f, r.File, detail)
	r.Close()
	if _, failed := s.Out.Write(report.Bytes()); failed != nil {
		return repl.AsInput(failed)
	}
	switch codeOf(err) {
	case OK, Unmet, Deadlock, Erroneous: // the report says so; the exit code is that of the command
		return nil
	}
	return err
}

// heard returns the signals that record passes on to its command. Signals of a terminal reach all its programs, also the
// command: record drops these, so that it outlives the command.
func (s Streams) heard() <-chan os.Signal {
	passed := make(chan os.Signal, 8)
	dropped := passed
	if s.InTTY {
		dropped = make(chan os.Signal, 1)
	}
	signal.Notify(passed, append([]os.Signal{syscall.SIGTERM}, launch.UserSignals...)...)
	signal.Notify(dropped, os.Interrupt, syscall.SIGQUIT)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(dropped, syscall.SIGHUP)
	}
	return passed
}

// whole returns the file behind an output, so that a command writes to it directly; an output that is not a file is
// itself.
func whole(w io.Writer) io.Writer {
	switch o := w.(type) {
	case *checkedWriter:
		return whole(o.Writer)
	case cleaned:
		return whole(o.Writer)
	case wrapped:
		return whole(o.Writer)
	}
	return w
}

func newProbe(s Streams) *cobra.Command {
	return s.writesProgram(probe.C, described("probe", &cobra.Command{
		Use:   "probe [FILE]",
		Short: "write a program that learns where the ranks of a job run",
	}))
}

// clusterLanguages are the programming languages of the programs for clusters.
var clusterLanguages = []string{"c"}

// writesProgram completes a command that writes a program for a cluster.
func (s Streams) writesProgram(program func() string, c *cobra.Command) *cobra.Command {
	to, force := clusterLanguages[0], false
	c.Args = atMost("FILE")
	c.RunE = func(_ *cobra.Command, args []string) error { return s.deliver(args, []byte(program()), force) }
	c.Flags().SortFlags = false
	c.Flags().Var(oneOf(&to, clusterLanguages), "to", "language: "+strings.Join(clusterLanguages, " or "))
	forceFlag(c, &force)
	return c
}

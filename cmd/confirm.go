package cmd

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"commsplit/engine"
	"commsplit/repl"
	"commsplit/repl/confirm"
	"commsplit/scripts"
)

// confirmation is the flags of confirm.
type confirmation struct {
	confirm.Options
	seconds int
}

// mostSeconds is the longest limit of a run: a day.
const mostSeconds = 24 * 60 * 60

func newConfirm(s Streams) *cobra.Command {
	f := newWorldFlags().atOnce()
	o := confirmation{}
	c := &cobra.Command{
		Use:   "confirm SCRIPT|EXAMPLE|-",
		Short: "a session under the real MPI of this machine, compared",
		Long: `Write a session as a C program, build it, run it under the MPI of this machine,
and compare what each rank holds at the end with what it holds here. A
communicator is equal, or it differs in a way that is known of this library (see
run --as), or it is a difference, which means exit code 1.

Calls that the library is too old for, and calls that depend on the hardware
where they run, such as MPI_Comm_split_type, are not compared; the report says
so at its end. Each erroneous call and a deadlock have a run of their own.

A run that hangs is ended after two minutes, or after --limit; no process is
left behind. confirm takes mpirun and the compiler mpicc of one installation:
--mpirun mpirun.mpich goes with mpicc.mpich.`,
		Example: `  commsplit confirm first-split
  commsplit confirm --mpirun mpirun.mpich lecture.mpi`,
		Args: exactly("SCRIPT|EXAMPLE|-"),
		RunE: func(c *cobra.Command, args []string) error {
			o.Limit = time.Duration(o.seconds) * time.Second
			return o.run(c.Context(), s, f, args[0])
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return scripts.Names(), cobra.ShellCompDirectiveDefault
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&o.Mpirun, "mpirun", "", "the mpirun to use: a name or a `PATH` (default: the first one found)")
	c.Flags().Var(&count{&o.seconds, mostSeconds, "a limit is 1 to %d seconds"}, "limit", "seconds that a run may take (default: 120)")
	c.Flags().StringVar(&o.Keep, "keep", "", "write the C programs into a `FOLDER`, too")
	f.add(c, true, "color", "picture", "theme")
	f.addFiles(c)
	f.addMemory(c)
	return c
}

// differs is the error of a confirmation that found a difference nobody knows.
type differs struct{ library string }

// Error says it in one line.
func (d *differs) Error() string { return d.library + " differs" }

// run runs the script silently, then what came of it under a real MPI. That the script itself fails is
// what the library is asked about: the exit code is that of the comparison.
func (o *confirmation) run(ctx context.Context, s Streams, f *worldFlags, name string) error {
	ctx, script, err := f.findScript(ctx, s, name)
	if err != nil {
		return err
	}
	console, end := unshown(ctx, s, f, script)
	if console == nil {
		return end
	}
	defer console.Session.Close()
	if !judged(end) {
		return end
	}
	report, err := confirm.Run(ctx, console.Session.ViewByHandle(), o.Options)
	if err != nil {
		return err
	}
	if f.output == "json" {
		err = report.JSON(s.Out)
	} else {
		err = report.Text(s.Out, s.style("never").Width)
	}
	if err != nil {
		return &repl.InputError{Err: err}
	}
	if report.Verdict() == confirm.Different.String() {
		return &differs{report.Library.Name}
	}
	return nil
}

// judged reports whether a script came to an end that can be compared: it is all right, expects
// something else, calls MPI erroneously, or waits for ever.
func judged(end error) bool {
	var (
		unmet    *repl.Unmet
		deadlock *engine.Deadlock
		failed   *repl.Failed
	)
	switch {
	case end == nil, errors.As(end, &unmet), errors.As(end, &deadlock):
		return true
	case errors.As(end, &failed):
		return !failed.Interrupted && len(failed.Program) == 0 && len(failed.MPI) > 0
	}
	return false
}

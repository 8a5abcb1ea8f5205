package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/confirm"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// confirmation is the flags of confirm.
type confirmation struct {
	confirm.Options
	seconds  int
	launcher string
}

// mostSeconds is the longest limit of a run: a day.
const mostSeconds = 24 * 60 * 60

func newConfirm(s Streams) *cobra.Command {
	f := newWorldFlags().atOnce()
	o := confirmation{}
	c := described("confirm", &cobra.Command{
		Use:   "confirm SCRIPT|EXAMPLE|-",
		Short: "compare a session with the real MPI of this machine",
		Args:  exactly("SCRIPT|EXAMPLE|-"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.readLauncher(c.Flags()); err != nil {
				return err
			}
			o.Limit = time.Duration(o.seconds) * time.Second
			return o.run(c.Context(), s, f, args[0])
		},
		ValidArgsFunction: scriptNames,
	})
	c.Flags().SortFlags = false
	c.Flags().StringVar(&o.Mpirun, "mpirun", "", "the mpirun to use: a name or a `PATH` (default: the first one found)")
	c.Flags().StringVar(&o.launcher, "launcher", "", "the `WORDS` that start a program on its hosts: also compares hardware splits")
	c.Flags().Var(count(&o.seconds, mostSeconds, "a limit must be 1 to %d seconds"), "limit", "seconds that a run may take (default: 120)")
	c.Flags().StringVar(&o.Keep, "keep", "", "also write the C programs into a `FOLDER`")
	f.add(c, true, "picture")
	f.addFiles(c)
	f.addMemory(c)
	return c
}

// run runs the script silently, then the same calls under a real MPI. A script that fails is compared,
// too: the exit code is that of the comparison.
func (o *confirmation) run(ctx context.Context, s Streams, f *worldFlags, name string) error {
	ctx, script, err := f.findScript(ctx, s, name)
	if err != nil {
		return err
	}
	console, end := unshown(ctx, s, f, script)
	if console == nil {
		return end
	}
	defer func() { console.Session.Close() }()
	if len(o.Words) > 0 && judged(end) {
		again, ending := o.placed(ctx, s, f, script, console.Session.Size())
		if again == nil {
			return ending
		}
		console.Session.Close()
		console, end = again, ending
	}
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
		err = report.Text(s.Out, f.style(s))
	}
	if err != nil {
		return repl.AsInput(err)
	}
	if report.Verdict() == confirm.Different.String() {
		return saysNo("%s differs", report.Library.Name)
	}
	return nil
}

// readLauncher reads --launcher, which alone determines where ranks run: --mpirun and --topo beside it
// are errors.
func (o *confirmation) readLauncher(set *pflag.FlagSet) error {
	if !set.Changed("launcher") {
		return nil
	}
	for _, other := range []string{"mpirun", "topo"} {
		if set.Changed(other) {
			return fmt.Errorf("--launcher names the mpirun and places the ranks: leave out --%s", other)
		}
	}
	words, unclosed := stories.FlagWords(o.launcher)
	if unclosed >= 0 {
		return fmt.Errorf("--launcher: the quote at byte %d is not closed", unclosed+1)
	}
	o.Words, o.Placed = words, true
	return nil
}

// placed runs the script again on the hosts where the launcher puts that many ranks.
func (o *confirmation) placed(ctx context.Context, s Streams, f *worldFlags, script *stories.Script, ranks int) (*console.Console, error) {
	dir, err := os.MkdirTemp("", "commsplit-confirm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "job.tar")
	if err := confirm.Placement(ctx, o.Options, ranks, file); err != nil {
		return nil, err
	}
	chunks, err := f.chunksOf(script)
	if err != nil {
		return nil, err
	}
	f.config.Topo, f.config.Policy = "job:"+file, placement.Policy{}
	_, m := s.metered(makingWorld, nil)
	defer m.end()
	console, end := hushed(ctx, s, m, f, "", chunks)
	if console != nil && console.Session.Config().Topo != f.config.Topo {
		console.Session.Close()
		return nil, repl.AsInput(errors.New("the script changes the hardware, but the launcher runs ranks only on its hosts: leave out .topo in the script"))
	}
	return console, end
}

// judged reports whether a script came to an end that can be compared: it succeeds, fails an
// expectation, calls MPI erroneously, or waits forever.
func judged(end error) bool {
	var (
		unmet    *console.Unmet
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

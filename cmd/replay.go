package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/confirm"
	"codeberg.org/commsplit/commsplit/repl/recording"
	replayed "codeberg.org/commsplit/commsplit/repl/replay"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

func newReplay(s Streams) *cobra.Command {
	f := newWorldFlags()
	sites, stacks, complete := false, false, false
	c := &cobra.Command{
		Use:   "replay ARCHIVE|TRACE",
		Short: "the communicators of a real program, from its recording",
		Long: `Make the calls again that a program with the library of "commsplit record" made,
each rank its own, on the hardware where the program ran. Every communicator is
compared with the one that the library gave: it is equal, or it differs in a way
that is known of this library or that the standard leaves open, or it is a
difference, which means exit code 1. Ranks that wait for each other forever
are a deadlock, exit code 4. Where a process died of a fault, the report says
where, and the exit code is 3.

With --sites, replay lists the places of the program that make and free
communicators: calls, communicators made, left at the end and the most at once
on one rank, their sizes, the hosts, packages and NUMA nodes that one of them
spans, and the time in the library. First comes, as a leak, a place of whose
communicators a rank has more and more, and then one where they grow and are
freed at the end. A place is the first line on the way from MPI outwards that is
not of MPI, the system, or a layer such as HDF5, PETSc or mpi4py; with --stacks
the way there is below it.

The functions and lines of places are looked up in the files of the program, at
the paths where it ran. A file that is not there, or is another build, is not
used, and its places are addresses. Before you take an archive to another
machine, replay it with --complete: the functions and lines are then written
into it, and so are the files of app.tar.parts.

In place of an archive, replay reads traces of other tools as text: of DUMPI the
.meta file, beside the text that dumpi2ascii makes of each process, and of OTF2
(Score-P, TAU) what "otf2-print -A" prints. The first lines say what a trace
does not tell; nothing is compared.

With --topo, --map-by and the like the ranks are placed otherwise, and the table
has what communicators span before and after; nothing is compared then.

An archive is a script to the other commands: run, export (with --to c or
mpi4py a program that makes the same communicators), and .open in a session.`,
		Example: `  commsplit replay app.tar --sites
  commsplit replay app.tar --sites --map-by node
  commsplit export app.tar --to c reproducer.c`,
		Args: exactly("ARCHIVE|TRACE"),
		RunE: func(c *cobra.Command, args []string) error {
			return f.within(c.Context(), func(ctx context.Context) error {
				if complete {
					if err := recording.Complete(ctx, args[0]); err != nil {
						return &repl.InputError{Err: err}
					}
				}
				return replayRecording(ctx, s, f, args[0], detailOf(sites, stacks))
			})
		},
	}
	f.add(c, false, "psets", "color", "picture", "theme")
	c.Flags().BoolVar(&sites, "sites", false, "list the places in the program that make and free communicators")
	c.Flags().BoolVar(&stacks, "stacks", false, "list them, and below each the way there, the nearest caller first")
	c.Flags().BoolVar(&complete, "complete", false, "write functions and lines into the archive first, for other machines")
	f.addLimits(c)
	return c
}

// detailOf returns how much two flags ask for.
func detailOf(sites, stacks bool) replayed.Detail {
	switch {
	case stacks:
		return replayed.Stacks
	case sites:
		return replayed.Sites
	}
	return replayed.Leaks
}

// replayRecording replays an archive and tells what came of it.
func replayRecording(ctx context.Context, s Streams, f *worldFlags, path string, detail replayed.Detail) error {
	rec, err := recording.Read(ctx, path)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return &repl.InputError{Err: err}
	}
	if n := len(rec.Processes); f.config.Size != 0 && f.config.Size != n {
		return fmt.Errorf("-n %d: the recording has %d ranks, and each makes its own calls", f.config.Size, n)
	}
	moved := f.config.Topo != "" || f.config.Launch != nil || slices.ContainsFunc(placement.Flags, func(g placement.Flag) bool { return f.set.Changed(g.Name) })
	script := stories.NewRecorded(rec)
	if f.output == "jsonl" {
		return replayScript(ctx, s, f, script)
	}
	console, end := unshown(ctx, s, f, script)
	if console == nil {
		return end
	}
	defer console.Session.Close()
	if failed := (*repl.Failed)(nil); ctx.Err() != nil || errors.As(end, &failed) && failed.Interrupted {
		return end
	}
	report, err := replayed.New(ctx, console.Session, rec, moved)
	if err != nil {
		return errors.Join(end, err)
	}
	if f.output == "json" {
		err = report.JSON(s.Out)
	} else {
		err = report.Text(s.Out, s.style("never").Width, detail)
	}
	switch {
	case err != nil:
		return &repl.InputError{Err: err}
	case end != nil && !report.Stopped:
		return end
	case report.Verdict() == confirm.Different.String():
		return &differs{rec.Library.Name}
	case rec.Crashed().Len() > 0:
		return &crashed{rec.Crashed()}
	}
	return nil
}

// crashed is the error of a replay of a program in which processes died of a fault.
type crashed struct{ ranks engine.Ranks }

// Error names the ranks that crashed, in one line.
func (c *crashed) Error() string {
	return "the recorded program crashed: " + c.ranks.Noun() + " died of a signal"
}

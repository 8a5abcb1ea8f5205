package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

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
	c := described("replay", &cobra.Command{
		Use:   "replay ARCHIVE|TRACE",
		Short: "replay the communicators of a recorded program",
		Args:  exactly("ARCHIVE|TRACE"),
		RunE: func(c *cobra.Command, args []string) error {
			return f.within(c.Context(), func(ctx context.Context) error {
				if complete {
					if err := recording.Complete(ctx, args[0]); err != nil {
						return repl.AsInput(err)
					}
				}
				return replayRecording(ctx, s, f, args[0], detailOf(sites, stacks))
			})
		},
	})
	f.add(c, true)
	c.Flags().BoolVar(&sites, "sites", false, "list the places in the program that make and free communicators")
	c.Flags().BoolVar(&stacks, "stacks", false, "list the places, and below each its callers, the nearest first")
	c.Flags().BoolVar(&complete, "complete", false, "first write functions and lines into the archive, for other machines")
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

// replayRecording replays an archive and prints the report.
func replayRecording(ctx context.Context, s Streams, f *worldFlags, path string, detail replayed.Detail) error {
	rec, err := recording.Read(ctx, path)
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return repl.AsInput(err)
	}
	if n := len(rec.Processes); f.config.Size != 0 && f.config.Size != n {
		return fmt.Errorf("-n %d: the recording has %d ranks, each with its own calls: leave out -n", f.config.Size, n)
	}
	moved := f.config.Topo != "" || f.config.Launch != nil || slices.ContainsFunc(placement.Flags, func(g placement.Flag) bool { return f.set.Changed(g.Name) })
	script := stories.NewRecorded(rec)
	if f.output == "jsonl" {
		return replayScript(ctx, s, f, script)
	}
	more, err := f.parseChunks()
	switch {
	case err != nil:
		return err
	case len(more) > 0 && f.output == "json":
		return errors.New("-c shows the results of lines below the report: leave out -o json")
	}
	f.chunks = nil
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
		err = report.Text(s.Out, f.style(s), detail)
	}
	if err == nil && len(more) > 0 {
		console.Out, console.Err, console.Silent = s.Out, s.Err, false
		if err := console.Script(ctx, more); err != nil {
			return err
		}
	}
	switch {
	case err != nil:
		return repl.AsInput(err)
	case end != nil && !report.Stopped:
		return end
	case report.Verdict() == confirm.Different.String():
		return saysNo("%s differs", rec.Library.Name)
	case rec.Crashed().Len() > 0:
		return &ended{Erroneous, "the recorded program crashed: " + rec.Crashed().Noun() + " died of a signal"}
	}
	return nil
}

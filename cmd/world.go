package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"commsplit/repl"
	"commsplit/repl/edit"
)

func newRepl(s Streams) *cobra.Command {
	f := newWorldFlags()
	c := &cobra.Command{
		Use:   "repl",
		Short: "prompt for lines of the language",
		Args:  nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			if len(f.chunks) > 0 {
				return f.within(c.Context(), func(ctx context.Context) error { return runChunks(ctx, s, f) })
			}
			return prompt(c.Context(), s, f)
		},
	}
	f.add(c, true)
	f.addFiles(c)
	f.addLimits(c)
	return c
}

// prompt talks to a person; without a terminal it reads lines plainly.
func prompt(ctx context.Context, s Streams, f *worldFlags) error {
	if !s.InTTY {
		return f.within(ctx, func(ctx context.Context) error { return runScript(ctx, s, f, "-") })
	}
	if f.output != "text" {
		return fmt.Errorf("-o %s is for run and one-shot commands; at the prompt, write .mode json and .show", f.output)
	}
	if err := f.untimed(); err != nil {
		return err
	}
	ctx, err := f.withoutInput(ctx, "the lines of the prompt")
	if err != nil {
		return err
	}
	// Ctrl-C ends the line that runs, not the session: also not between two lines, when only this
	// channel listens.
	ctx, stop := untilEnded(context.WithoutCancel(ctx))
	defer stop()
	unheard := make(chan os.Signal, 1)
	signal.Notify(unheard, os.Interrupt)
	defer signal.Stop(unheard)
	console, err := f.console(ctx, s, s.Out, s.Err)
	if err != nil {
		return err
	}
	defer console.Session.Close()
	console.Prompt = true
	console.KeepJournal(edit.JournalDir())
	console.Welcome()
	history := edit.OpenHistory(edit.HistoryFile())
	lines := edit.Terminal(ctx, history, console.Session.Complete)
	err = repl.Guarded(func(crashed func(any)) error {
		console.Session.Crashed = crashed
		return console.Loop(ctx, lines, "<input>")
	})
	if crash := (*repl.Crash)(nil); errors.As(err, &crash) {
		crash.Keep(console.Session)
	}
	lines.Close()
	if err == nil {
		console.EndJournal()
	}
	s.tellLost(history)
	return err
}

func newOneShots(s Streams) []*cobra.Command {
	var list []*cobra.Command
	for _, v := range repl.Verbs {
		if v.OneShot {
			list = append(list, newOneShot(s, v))
		}
	}
	return list
}

package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/playground/server"
	"codeberg.org/commsplit/commsplit/repl/progress"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/tui"
)

func newRepl(s Streams) *cobra.Command {
	f := newWorldFlags()
	c := &cobra.Command{
		Use:   "repl",
		Short: "open a prompt for lines of the language",
		Args:  nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			if len(f.chunks) > 0 {
				return runChunks(c.Context(), s, f)
			}
			return prompt(c.Context(), s, f)
		},
	}
	f.add(c, true)
	f.addFiles(c)
	f.addLimits(c)
	return c
}

// prompt reads lines from a person and runs them; without a terminal it runs standard input as a script.
func prompt(ctx context.Context, s Streams, f *worldFlags) error {
	if !s.InTTY {
		return runScript(ctx, s, f, "-")
	}
	if f.output != "text" {
		return fmt.Errorf("-o %s is only for run and one-shot commands; at the prompt, write .mode json and .show", f.output)
	}
	if err := f.untimed(); err != nil {
		return err
	}
	ctx, err := f.withoutInput(ctx, "the lines of the prompt")
	if err != nil {
		return err
	}
	ctx, stop := atPrompt(ctx)
	defer stop()
	_, m := s.metered(makingWorld, nil)
	defer m.end()
	f.config.Start = f.config.Unasked()
	console, err := stoppable(ctx, func(ctx context.Context) (*console.Console, error) {
		return f.console(ctx, s, m.before(s.Out, s.OutTTY), m.before(s.alarming(f.color, f.theme), true))
	})
	if err != nil {
		return err
	}
	m.follow(console.Session, "")
	console.Prompt, console.Waits = true, m.rest
	console.KeepJournal(edit.JournalDir())
	console.Welcome()
	history := edit.OpenHistory(edit.HistoryFile())
	reading := f.reading(s)
	reading.History, reading.Complete, reading.GoesOn = history, console.Complete, repl.IsNumber
	reading.Beside = console.Beside
	lines := edit.Open(ctx, reading)
	err = repl.Guarded(func() error { return console.Loop(ctx, lines, "<input>") })
	if crash := (*repl.Crash)(nil); errors.As(err, &crash) {
		stories.Keep(crash, console.Session)
	}
	if console.Close() && err == nil {
		console.EndJournal()
	}
	s.tellLost(history)
	return err
}

// atPrompt returns a context in which Ctrl-C ends a line that runs, not the command: between two lines only a channel
// hears it.
func atPrompt(ctx context.Context) (context.Context, func()) {
	ctx, stop := untilEnded(context.WithoutCancel(ctx))
	unheard := make(chan os.Signal, 1)
	signal.Notify(unheard, os.Interrupt)
	return ctx, func() {
		signal.Stop(unheard)
		stop()
	}
}

// stoppable opens a session, until Ctrl-C: to make the world of a large cluster takes a while. After Ctrl-C the
// making goes on in a goroutine until the process ends.
func stoppable(ctx context.Context, open func(context.Context) (*console.Console, error)) (*console.Console, error) {
	making, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	var made *console.Console
	err := repl.Await(making, func() (err error) {
		made, err = open(making)
		return err
	})
	switch {
	case err == nil:
		return made, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return nil, err
}

// screen opens the terminal UI, which runs lines first, or the prompt on a terminal that cannot draw the UI.
func screen(ctx context.Context, s Streams, f *worldFlags, lines ...string) error {
	in, isIn := s.In.(*os.File)
	out, isOut := s.Out.(interface{ file() *os.File })
	if !isIn || !isOut || out.file() == nil || s.dumb() {
		return prompt(ctx, s, f)
	}
	if f.output != "text" {
		return fmt.Errorf("-o %s is only for run and one-shot commands; here, write .mode json and .show", f.output)
	}
	if err := f.untimed(); err != nil {
		return err
	}
	f.config.Start, f.config.Memory = f.config.Unasked(), f.memory
	history := edit.OpenHistory(edit.HistoryFile())
	looks := f.reading(s)
	err := tui.Run(ctx, tui.Options{
		Config: f.config, AllowFiles: f.files, Colors: looks.Colors, Dark: looks.Dark, Ask: s.asks(f.color, f.theme),
		Still: s.still(), Mouse: s.Getenv("COMMSPLIT_NO_MOUSE") == "",
		Lines: lines, History: history, Journal: edit.JournalDir(), Practice: progress.Exercises.File(), Flags: f.world,
	}, in, out.file())
	s.tellLost(history)
	return err
}

// reading returns how lines are read at the terminal: its colors, and whether it is dark or dumb.
func (f *worldFlags) reading(s Streams) edit.Options {
	dark, _ := s.background(f.theme)
	return edit.Options{Colors: s.colors(f.color), Dark: dark, Dumb: s.dumb()}
}

// still reports whether nothing on the screen shall move by itself: the person wishes so, or frames reach the
// terminal slowly. Over SSH nothing tells the speed, so nothing moves. COMMSPLIT_NO_ANIM=0 lets things move there,
// too.
func (s Streams) still() bool {
	switch s.Getenv("COMMSPLIT_NO_ANIM") {
	case "":
		term := s.Getenv("TERM")
		return term == "dumb" || term == "linux" || s.Getenv("SSH_CONNECTION") != "" || s.Getenv("SSH_TTY") != ""
	case "0":
		return false
	}
	return true
}

// World returns the configuration of the world that the flags of a script ask for.
func World(words []string) (repl.Config, error) { return bounds{}.world(words) }

// world does as World, within bounds.
func (b bounds) world(words []string) (repl.Config, error) {
	fresh := newWorldFlags()
	err := fresh.merge("the script", words)
	fresh.config.Memory = b.memory
	return fresh.config, err
}

// tellLost prints a note when the history was not kept; the session goes on nevertheless.
func (s Streams) tellLost(h *edit.History) {
	if err := h.Lost(); err != nil {
		fmt.Fprintf(s.Err, "note: the history was not saved: %v\n", err)
	}
}

func newServe(s Streams) *cobra.Command {
	port := 0
	c := described("serve", &cobra.Command{
		Use:   "serve",
		Short: "show sessions in a browser on this machine",
		Args:  nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			err := server.Serve(c.Context(), port, func(address string) {
				fmt.Fprintf(s.Out, "%s\nOpen this address in a browser on this machine; Ctrl-C ends.\n", address)
			})
			if err != nil && !errors.Is(err, context.Canceled) && signalOf(c.Context()) == nil {
				return repl.AsInput(err)
			}
			return err
		},
	})
	c.Flags().Var(count(&port, 65535, "a port must be from 1 to %d; without --port, commsplit takes a free port"), "port", "`PORT` to listen on (default: a free port)")
	return c
}

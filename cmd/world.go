package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"commsplit/engine/deviation"
	"commsplit/render"
	"commsplit/repl"
	"commsplit/repl/edit"
	"commsplit/repl/lang"
	"commsplit/scripts"
)

func newRepl(s Streams) *cobra.Command {
	f := newWorldFlags()
	c := &cobra.Command{
		Use:   "repl",
		Short: "prompt for lines of the language",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if len(f.chunks) > 0 {
				return runChunks(c.Context(), s, f)
			}
			return prompt(c.Context(), s, f)
		},
	}
	f.add(c, true)
	return c
}

// prompt talks to a person; without a terminal it reads lines plainly.
func prompt(ctx context.Context, s Streams, f *worldFlags) error {
	if !s.InTTY {
		return runScript(ctx, s, f, "-")
	}
	if f.output != "text" {
		return errors.New("-o json is for run and one-shot commands; at the prompt, write .mode json and .show")
	}
	ctx, err := f.withoutInput(ctx, "the lines of the prompt")
	if err != nil {
		return err
	}
	// Ctrl-C ends the line that runs, not the session: also not between two lines, when only this
	// channel listens.
	ctx = context.WithoutCancel(ctx)
	unheard := make(chan os.Signal, 1)
	signal.Notify(unheard, os.Interrupt)
	defer signal.Stop(unheard)
	console, err := repl.NewConsole(ctx, f.config, s.Out, s.Err, s.style(f.color))
	if err != nil {
		return err
	}
	defer console.Session.Close()
	console.Prompt = true
	console.Welcome()
	lines := edit.Terminal(edit.HistoryFile(), console.Session.Complete)
	err = console.Loop(ctx, lines, "<input>")
	if close := lines.Close(); close != nil {
		fmt.Fprintf(s.Err, "note: the history was not saved: %v\n", close)
	}
	return err
}

func newRunCommand(s Streams) *cobra.Command {
	f := newWorldFlags()
	c := &cobra.Command{
		Use:   "run SCRIPT|EXAMPLE|-",
		Short: "replay a script; the exit code says how it ended",
		Long: `Replay a script: NAME.mpi (lines as typed at the prompt), NAME.py (a program
that every rank runs), an embedded example, or standard input (-). Flags in its
first lines ("# commsplit: -n 12") are overridden by those of the command line.

With --as, the end tells what MPICH or Open MPI would give otherwise: each call
is judged by itself, as if everything before it had gone as here.`,
		Args: exactly("SCRIPT|EXAMPLE|-"),
		RunE: func(c *cobra.Command, args []string) error {
			return runScript(c.Context(), s, f, args[0])
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return scripts.Names(), cobra.ShellCompDirectiveDefault
		},
	}
	f.add(c, true)
	c.Flags().BoolVar(&f.leaks, "leaks", false, "tell at the end what was never freed, and where it was made")
	addAs(c, f)
	return c
}

// exactly wants one argument and says which.
func exactly(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s takes one argument: %s", c.CommandPath(), what)
		}
		return nil
	}
}

// runScript replays a file, an example or standard input.
func runScript(ctx context.Context, s Streams, f *worldFlags, name string) error {
	if name == "-" {
		var err error
		if ctx, err = f.withoutInput(ctx, "the script"); err != nil {
			return err
		}
	}
	script, err := repl.FindScript(ctx, name, s.In)
	if err != nil {
		return err
	}
	return replayScript(ctx, s, f, script)
}

// replayScript replays a script, then the lines of -c.
func replayScript(ctx context.Context, s Streams, f *worldFlags, script *repl.Script) error {
	chunks, err := f.chunksOf(script)
	if err != nil {
		return err
	}
	return replay(ctx, s, f, chunks)
}

// chunksOf takes in a script's flags, and adds the lines of -c to its own.
func (f *worldFlags) chunksOf(script *repl.Script) ([]*lang.Chunk, error) {
	if err := f.merge(script.Name, script.Flags); err != nil {
		return nil, err
	}
	chunks, err := script.Chunks()
	if err != nil {
		return nil, err
	}
	more, err := f.parseChunks()
	return append(chunks, more...), err
}

// runChunks runs the lines of -c.
func runChunks(ctx context.Context, s Streams, f *worldFlags) error {
	chunks, err := f.parseChunks()
	if err != nil {
		return err
	}
	return replay(ctx, s, f, chunks)
}

func (f *worldFlags) parseChunks() ([]*lang.Chunk, error) {
	return repl.ParseLines("<command>", f.chunks)
}

// replay runs chunks on a fresh world and tells the result: as it comes in text, or as a document
// at the end, also when it fails.
func replay(ctx context.Context, s Streams, f *worldFlags, chunks []*lang.Chunk) error {
	console, err := repl.NewConsole(ctx, f.config, s.Out, s.Err, s.style(f.color))
	if err != nil {
		return err
	}
	defer console.Session.Close()
	console.Silent = f.output == "json"
	end := console.Script(ctx, chunks)
	return errors.Join(end, f.document(s.Out, console))
}

// document writes what comes at the end.
func (f *worldFlags) document(w io.Writer, console *repl.Console) error {
	v := console.Session.View()
	if f.leaks {
		v = console.Session.ViewLeaks()
	}
	if f.as != deviation.None {
		v.As = deviation.Compare(f.as, v.Snapshot, v.Errors, v.Deadlock)
	}
	var err error
	switch e := v.Expectations; {
	case f.output == "json":
		err = render.JSON(w, v)
	case e.Passed+e.Failed > 0:
		err = render.Report(w, v, console.Style)
	}
	if err == nil && f.leaks && f.output == "text" {
		err = render.Leaks(w, v, console.Style)
	}
	if err == nil && v.As != nil && f.output == "text" {
		err = render.As(w, v, console.Style)
	}
	if err != nil {
		return &repl.InputError{Err: err}
	}
	return nil
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

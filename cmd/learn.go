package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"commsplit/repl"
	"commsplit/repl/edit"
	"commsplit/repl/learn"
	"commsplit/scripts"
)

func newLearn(s Streams) *cobra.Command {
	var list, reset bool
	say := ""
	c := &cobra.Command{
		Use:   "learn [N|LESSON]",
		Short: "walk through the lessons, with questions to predict",
		Long: `Walk through the lessons in order, from where you stopped the last time or from
the one that you name. A question waits for your prediction; Enter alone just
shows the answer. After a step, Enter goes on, back shows the step before again,
and you can type lines that look, such as .explain wrong @3. You can try other
lines, too; they are taken back when the lesson goes on. .say c or .say f08 says
the lines in C or Fortran from then on, as --say does from the beginning. q or
Ctrl-D leaves.

Without a terminal, learn plays the lesson that you name, or all, as run does,
and remembers nothing.`,
		Args: atMost("N|LESSON"),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case (list || reset) && len(args) > 0, list && reset:
				return errors.New("learn takes a lesson, --list or --reset: one of them")
			case reset:
				return learn.Reset(learn.File())
			case list:
				return listLessons(s)
			}
			return playLessons(c.Context(), s, say, args)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, e := range scripts.Lessons.Examples() {
				names = append(names, e.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().Var(&oneOf{&say, repl.Tongues}, "say", "at a terminal, say each line of a lesson also in `LANGUAGE`: "+either(repl.Tongues)+" (default: mpi4py alone)")
	c.Flags().BoolVar(&list, "list", false, "list the lessons and mark those that are done")
	c.Flags().BoolVar(&reset, "reset", false, "forget which lessons are done")
	return c
}

// listLessons writes the lessons with their numbers.
func listLessons(s Streams) error {
	p, err := learn.ReadProgress(learn.File())
	if err != nil {
		return err
	}
	next, _ := p.Next()
	for i, e := range scripts.Lessons.Examples() {
		mark := ""
		switch {
		case e.Name == next.Name:
			mark = "next"
		case p.Done(e.Name):
			mark = "done"
		}
		fmt.Fprintf(s.Out, "%2d  %-4s  %s\n", i+1, mark, e.Title)
	}
	return nil
}

// playLessons plays to a person, or plainly where there is none.
func playLessons(ctx context.Context, s Streams, say string, args []string) error {
	lessons := scripts.Lessons.Examples()
	if len(args) > 0 {
		e, ok := scripts.Lesson(args[0])
		if !ok {
			return &repl.InputError{Err: fmt.Errorf("lesson %s: %w; commsplit learn --list lists them", args[0], fs.ErrNotExist)}
		}
		lessons = []scripts.Example{e}
	}
	if s.InTTY && s.OutTTY {
		return walk(ctx, s, say, lessons[:len(args)])
	}
	for _, e := range lessons {
		fmt.Fprintf(s.Out, "%s\n", repl.Wrap(e.Title, s.style("auto").Width, ""))
		if err := replayScript(ctx, s, newWorldFlags(), repl.NewScript(e.File, e.Text)); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		fmt.Fprintln(s.Out)
	}
	return nil
}

// walk plays at a terminal, from the lesson in first or from where the person stopped.
func walk(ctx context.Context, s Streams, say string, first []scripts.Example) error {
	p, err := learn.ReadProgress(learn.File())
	if err != nil {
		return err
	}
	from, ok := p.Next()
	if len(first) > 0 {
		from, ok = first[0], true
	}
	if !ok {
		fmt.Fprintln(s.Out, "All lessons are done. commsplit learn N repeats one, commsplit learn --reset begins anew.")
		return nil
	}
	lines := edit.Open(ctx, s.reading("auto"))
	var crashed func(any)
	player := &learn.Player{
		Out: s.Out, Ask: lines.Answer, Progress: p, Width: s.style("auto").Width, Say: say,
		Open: func(ctx context.Context, script *repl.Script) (*repl.Console, error) {
			f := newWorldFlags()
			if err := f.merge(script.Name, script.Flags); err != nil {
				return nil, err
			}
			console, err := repl.NewConsole(ctx, f.config, s.Out, s.Err, f.style(s))
			if err == nil {
				console.Terminal, console.Draws, console.Session.Crashed = true, true, crashed
			}
			return console, err
		},
	}
	err = repl.Guarded(func(tell func(any)) error {
		crashed = tell
		return player.From(ctx, from)
	})
	if lost := p.Lost(); lost != nil {
		fmt.Fprintf(s.Err, "note: where you stopped is not remembered: %v\n", lost)
	}
	return err
}

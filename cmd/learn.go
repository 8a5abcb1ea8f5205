package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/learn"
	"codeberg.org/commsplit/commsplit/repl/progress"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

func newLearn(s Streams) *cobra.Command {
	k := course{Course: progress.Lessons, look: newWorldFlags()}
	say := ""
	c := described("learn", &cobra.Command{
		Use:   "learn [N|LESSON]",
		Short: "walk through the lessons, with questions to predict",
		Args:  atMost("N|LESSON"),
		RunE: func(c *cobra.Command, args []string) error {
			if ok, err := k.asked(s, len(args) > 0); ok {
				return err
			}
			return k.play(c.Context(), s, say, args)
		},
	})
	c.Flags().Var(choice(&say, stories.Tongues, stories.NoTongue), "say", "at a terminal, also translate each line of a lesson to `LANGUAGE`: "+spell.Either(stories.Tongues)+" (default: only mpi4py)")
	k.add(c, cobra.ShellCompDirectiveNoFileComp)
	k.look.addOnly(c, "color", "picture", "theme", "full")
	return c
}

// play plays lessons to a person at a terminal, or plainly without a person.
func (k *course) play(ctx context.Context, s Streams, say string, args []string) error {
	lessons := scripts.Lessons.Examples()
	if len(args) > 0 {
		e, ok := scripts.Lesson(args[0])
		if !ok {
			return repl.AsInput(scripts.NoLesson(args[0]))
		}
		lessons = []scripts.Example{e}
	}
	if s.InTTY && s.OutTTY {
		return k.walk(ctx, s, say, lessons[:len(args)])
	}
	for _, e := range lessons {
		fmt.Fprintf(s.Out, "%s\n", repl.Wrap(e.Title, k.look.style(s).Line(), ""))
		if err := replayScript(ctx, s, k.flags(), stories.NewScript(e.File, e.Text)); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		fmt.Fprintln(s.Out)
	}
	return nil
}

// walk plays lessons at a terminal, from the lesson in first or from where the person stopped.
func (k *course) walk(ctx context.Context, s Streams, say string, first []scripts.Example) error {
	p, err := k.Read(k.File())
	if err != nil {
		return err
	}
	from, ok := p.Next()
	if len(first) > 0 {
		from, ok = first[0], true
	}
	if !ok {
		k.allEnded(s)
		return nil
	}
	s, m := s.metered("", nil)
	defer m.end()
	lines := edit.Open(ctx, k.look.reading(s))
	player := &learn.Player{
		Out: s.Out, Ask: m.resting(lines.Answer), Progress: p, Width: k.look.style(s).Line(), Say: say,
		Open: func(ctx context.Context, script *stories.Script) (*console.Console, error) {
			f := k.flags()
			if err := f.merge(script.Name, script.Flags); err != nil {
				return nil, err
			}
			m.follow(nil, makingWorld)
			console, err := console.NewConsole(ctx, f.config, s.Out, s.Err, f.style(s))
			if err == nil {
				m.follow(console.Session, drawingResult)
				console.Terminal, console.Draws = true, true
			}
			return console, err
		},
	}
	err = repl.Guarded(func() error { return player.From(ctx, from) })
	k.lost(s, p, "where you stopped")
	return err
}

// course is a command that leads a person through lessons or exercises, with the flags --list and --reset. The scripts
// choose their worlds; look has the flags that tell how they look.
type course struct {
	progress.Course
	list, reset bool
	look        *worldFlags
}

// flags returns flags for the world of another script, which looks as asked for.
func (k *course) flags() *worldFlags {
	f := newWorldFlags()
	f.color, f.draw, f.theme, f.full = k.look.color, k.look.draw, k.look.theme, k.look.full
	return f
}

func (k *course) add(c *cobra.Command, files cobra.ShellCompDirective) {
	c.Flags().BoolVar(&k.list, "list", false, fmt.Sprintf("list the %s and mark those that are %s", k.Scripts, k.Ended))
	c.Flags().BoolVar(&k.reset, "reset", false, fmt.Sprintf("forget which %s are %s", k.Scripts, k.Ended))
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return k.Names(), files
	}
}

// asked carries out --list and --reset; ok is false without them. named tells that the command line names a script.
func (k *course) asked(s Streams, named bool) (ok bool, err error) {
	switch {
	case !k.list && !k.reset:
		return false, nil
	case named || k.list && k.reset:
		return true, fmt.Errorf("commsplit %s takes only one of a name, --list and --reset", k.Command)
	case k.reset:
		return true, k.Reset(k.File())
	}
	p, err := k.Read(k.File())
	if err != nil {
		return true, err
	}
	next, _ := p.Next()
	for i, e := range k.Examples() {
		mark := ""
		switch {
		case e.Name == next.Name:
			mark = "next"
		case p.Done(e.Name):
			mark = "done"
		}
		fmt.Fprintf(s.Out, "%2d  %-4s  %s\n", i+1, mark, e.Title)
	}
	return true, nil
}

// allEnded tells the person what to do when no lesson or exercise is left.
func (k *course) allEnded(s Streams) {
	fmt.Fprintf(s.Out, "All %s are %s. commsplit %s N repeats one, commsplit %[3]s --reset starts over.\n", k.Scripts, k.Ended, k.Command)
}

// lost prints a note if progress could not be saved; what names the loss: "where you stopped".
func (k *course) lost(s Streams, p *progress.Progress, what string) {
	if err := p.Lost(); err != nil {
		fmt.Fprintf(s.Err, "note: %s is not remembered: %v\n", what, err)
	}
}

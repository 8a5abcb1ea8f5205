package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"commsplit/repl"
	"commsplit/repl/lang"
	"commsplit/repl/practice"
	"commsplit/scripts"
)

// solving is the exercise of a session.
type solving struct {
	*practice.Exercise
	aid  practice.Aid
	done bool
}

// exercise begins the session of an exercise: its task and its goal are reported, and its given lines have run.
func (d *Desk) exercise(ctx context.Context, name string, q *Request) error {
	e, ok := scripts.Exercise(name)
	if !ok {
		return scripts.SuggestExercise(name, fmt.Errorf("there is no exercise %s", name))
	}
	x, err := practice.Read(repl.NewScript(e.File, e.Text), func(words []string) (repl.Config, error) {
		cfg, err := worldOf(words)
		cfg.Memory = d.Memory
		return cfg, err
	})
	if err != nil {
		return err
	}
	if err := d.begin(ctx, x.Worlds[0].Config, q); err != nil {
		return err
	}
	d.solves = &solving{Exercise: x, aid: practice.Aid{Exercise: x}}
	if err := d.task(ctx); err != nil {
		return err
	}
	d.script = &opened{key: "practice", name: x.Name, title: e.Title, until: -1}
	for line := range strings.SplitSeq(x.Given(), "\n") {
		if x.Given() != "" {
			_ = d.run(ctx, line) // what goes wrong is reported
		}
	}
	d.script.chunks = d.console.Session.Chunks()
	return nil
}

// task tells what is to be done, and draws the goal.
func (d *Desk) task(ctx context.Context) error {
	x, width := d.solves.Exercise, d.console.Style.Width
	out := stream{d, "out"}
	for _, text := range x.Task {
		fmt.Fprintln(out, repl.Wrap(text, width, ""))
	}
	if x.Repair != "" {
		fmt.Fprintf(out, "\nThe program to repair:\n    %s\n", strings.ReplaceAll(x.Repair, "\n", "\n    "))
	}
	goal, err := x.Goal(ctx)
	if err != nil {
		return err
	}
	if len(goal.Handles) > 0 {
		fmt.Fprintln(out, "\nThe goal:")
		if err := goal.Draw(out, d.console.Style); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "\nType the lines of your answer, then press check.")
	return nil
}

var errNoExercise = errors.New("this session is no exercise: choose one in practice")

// grade grades the lines that came behind the given ones, at every size of the exercise.
func (d *Desk) grade(ctx context.Context, q *Request, a *Answer) error {
	if d.solves == nil {
		return errNoExercise
	}
	d.columns(q)
	out, width := stream{d, "out"}, d.console.Style.Width
	own := d.console.Session.Chunks()[min(len(d.script.chunks), len(d.console.Session.Chunks())):]
	g, err := d.solves.Grade(ctx, own)
	switch at := (*lang.Error)(nil); {
	case errors.As(err, &at), err != nil && ctx.Err() != nil:
		d.tell(err)
		return nil
	case err != nil:
		return err
	}
	g.Tell(out, width)
	if g.Right {
		for _, text := range d.solves.Told {
			fmt.Fprintln(out, repl.Wrap(text, width, ""))
		}
		a.Solved, d.solves.done = d.solves.Name, true
	}
	return nil
}

// hint tells the next hint.
func (d *Desk) hint(_ context.Context, q *Request, _ *Answer) error {
	if d.solves == nil {
		return errNoExercise
	}
	d.columns(q)
	d.say("out", repl.Wrap(d.solves.aid.Hint(), d.console.Style.Width, "")+"\n")
	return nil
}

// solution shows the teacher's lines to a person who has solved the exercise, or asks twice.
func (d *Desk) solution(_ context.Context, q *Request, _ *Answer) error {
	if d.solves == nil {
		return errNoExercise
	}
	d.columns(q)
	about, lines := d.solves.aid.Solution(d.solves.done)
	d.say("out", repl.Wrap(about, d.console.Style.Width, "")+"\n"+lines+"\n")
	return nil
}

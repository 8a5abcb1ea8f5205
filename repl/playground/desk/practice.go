package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/practice"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// exercise begins the session of an exercise: its task and its goal are reported, and its given lines have run.
func (d *Desk) exercise(ctx context.Context, name string, q *Request) error {
	e, ok := scripts.Exercise(name)
	if !ok {
		return scripts.SuggestExercise(name, fs.ErrNotExist)
	}
	x, err := practice.Read(stories.NewScript(e.File, e.Text), func(words []string) (repl.Config, error) {
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
	d.script = &opened{key: "practice", name: x.Name, title: e.Title, until: -1}
	goal, err := x.Goal(ctx)
	if err != nil {
		return err
	}
	if err := d.task(x, goal); err != nil {
		return err
	}
	if given := x.Given(); given != "" {
		for line := range strings.SplitSeq(given, "\n") {
			_ = d.run(ctx, line) // what goes wrong is reported
		}
	}
	d.script.chunks = d.console.Session.Chunks()
	d.solves, err = x.Begin(ctx, d.console, func(text string) { d.wrapped(text) })
	return err
}

// task tells what is to be done, and draws the goal.
func (d *Desk) task(x *practice.Exercise, goal *practice.Goal) error {
	out := stream{d, "out"}
	d.wrapped(x.Task...)
	if x.Repair != "" {
		fmt.Fprintf(out, "\nThe program to repair:\n    %s\n", strings.ReplaceAll(x.Repair, "\n", "\n    "))
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

// wrapped tells texts in lines that fit the page.
func (d *Desk) wrapped(texts ...string) {
	for _, text := range texts {
		d.say("out", repl.Wrap(text, d.console.Style.Width, "")+"\n")
	}
}

// ofExercise makes a verb that needs an exercise.
func ofExercise(does func(d *Desk, ctx context.Context, a *Answer) error) func(*Desk, context.Context, *Request, *Answer) error {
	return func(d *Desk, ctx context.Context, q *Request, a *Answer) error {
		if d.solves == nil {
			return errors.New("this session is not an exercise: choose one in practice")
		}
		d.columns(q)
		return does(d, ctx, a)
	}
}

// grade grades the lines that came behind the given ones, at every size of the exercise.
func (d *Desk) grade(ctx context.Context, a *Answer) error {
	r, err := d.solves.Check(ctx)
	switch g := r.Grade; {
	case r.Bad != nil:
		d.tell(r.Bad)
	case g != nil:
		g.Tell(stream{d, "out"}, d.console.Style.Width)
		if g.Right {
			d.wrapped(d.solves.Told...)
			a.Solved = d.solves.Name
		}
	}
	return err
}

// hint tells the next hint.
func (d *Desk) hint(context.Context, *Answer) error {
	d.wrapped(d.solves.Hint())
	return nil
}

// solution shows the teacher's lines to a person who has solved the exercise, or asks twice.
func (d *Desk) solution(context.Context, *Answer) error {
	about, lines := d.solves.Solution()
	d.wrapped(about)
	d.say("out", lines+"\n")
	return nil
}

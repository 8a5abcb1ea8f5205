package cmd

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/practice"
	"codeberg.org/commsplit/commsplit/repl/progress"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// practicing is the flags of practice.
type practicing struct {
	bounds
	course
	answer string
	output string
}

func newPractice(s Streams) *cobra.Command {
	k := practicing{bounds: bounds{timeout: checkTimeout}, course: course{Course: progress.Exercises, look: newWorldFlags()}, output: "text"}
	c := described("practice", &cobra.Command{
		Use:   "practice [N|NAME|FILE]",
		Short: "solve exercises; wrong answers are explained",
		Args:  atMost("N|NAME|FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			return k.run(c.Context(), s, name)
		},
	})
	c.Flags().StringVar(&k.answer, "answer", "", "grade the answer in `FILE` (- for standard input): NAME.py is a program, any other file has lines")
	addOutput(c, &k.output, "output of --answer: ")
	k.add(c, cobra.ShellCompDirectiveDefault)
	k.look.addOnly(c, "color", "picture", "theme", "full")
	k.addLimits(c)
	return c
}

// run lists, resets, grades or plays, as the flags ask for.
func (k *practicing) run(ctx context.Context, s Streams, name string) error {
	if ok, err := k.asked(s, name != "" || k.answer != ""); ok {
		return err
	}
	switch {
	case k.answer == "" && k.output == "json":
		return errors.New("-o json works only with --answer: it prints the grade of an answer")
	case k.answer != "" && name == "":
		return errors.New("--answer needs an exercise: practice EXERCISE --answer FILE")
	case k.answer != "":
		return k.grade(ctx, s, name)
	}
	return k.play(ctx, s, name)
}

// play lets a person, or the lines of standard input, solve exercises.
func (k *practicing) play(ctx context.Context, s Streams, name string) error {
	person := s.InTTY && s.OutTTY
	p, err := k.Read(k.File())
	if err != nil && person {
		return err
	}
	list, at, err := k.chosen(ctx, s, p, name, person)
	if list == nil {
		return err
	}
	player := &practice.Player{Out: s.Out, Style: k.look.style(s), Timeout: k.timeout, Person: person, Line: piped(ctx, s.In)}
	if person {
		var stop func()
		ctx, stop = atPrompt(ctx)
		defer stop()
		reading := k.look.reading(s)
		reading.Complete, reading.GoesOn = player.Complete, repl.IsNumber
		player.Line, player.Progress = edit.Open(ctx, reading).Line, p
	}
	solved := false
	err = repl.Guarded(func() error {
		player.Open = func(ctx context.Context, w practice.World) (*console.Console, error) {
			console, err := console.NewConsole(ctx, w.Config, s.Out, s.Out, k.look.style(s))
			if err == nil {
				console.Terminal = s.OutTTY
			}
			return console, err
		}
		var err error
		solved, err = player.Play(ctx, list, at)
		return err
	})
	if person {
		k.lost(s, p, "what you solved")
	}
	if err == nil && !solved && !person {
		err = saysNo("not solved")
	}
	return err
}

// chosen returns the exercises to go through and the index of the first: a teacher's own exercise alone, or all
// embedded exercises.
func (k *practicing) chosen(ctx context.Context, s Streams, p *progress.Progress, name string, person bool) ([]*practice.Exercise, int, error) {
	if _, embedded := scripts.Exercise(name); name == "" || embedded && !stories.IsScript(name) {
		return k.embedded(s, p, name, person)
	}
	if name == "-" {
		return nil, 0, errors.New("standard input has the lines of the answer, so it cannot have the exercise: give --answer FILE")
	}
	x, err := k.exercise(ctx, s, name)
	if err != nil {
		return nil, 0, err
	}
	return []*practice.Exercise{x}, 0, nil
}

// embedded returns the embedded exercises and the index of the first to solve; nil for a person who has solved all and
// names none.
func (k *practicing) embedded(s Streams, p *progress.Progress, name string, person bool) (list []*practice.Exercise, at int, err error) {
	first, ok := scripts.Exercise(name)
	if name == "" {
		if first, ok = scripts.Practice.Examples()[0], true; person {
			first, ok = p.Next()
		}
	}
	if !ok {
		k.allEnded(s)
		return nil, 0, nil
	}
	for i, e := range scripts.Practice.Examples() {
		x, err := practice.Read(stories.NewScript(e.File, e.Text), k.world)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, x)
		if e.Name == first.Name {
			at = i
		}
	}
	return list, at, nil
}

// piped returns a function that reads lines from an input that is not a terminal.
func piped(ctx context.Context, in io.Reader) func(prompt, more string) (string, error) {
	lines := bufio.NewReader(in)
	return func(string, string) (string, error) {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		line, err := lines.ReadString('\n')
		if err == io.EOF && line != "" {
			err = nil
		}
		return strings.TrimRight(line, "\r\n"), err
	}
}

// exercise reads an exercise, checks that it is sound, and that its worlds keep to the limits. --timeout is for
// answers; reading an exercise may take checkTimeout.
func (b bounds) exercise(ctx context.Context, s Streams, name string) (x *practice.Exercise, err error) {
	own := bounds{timeout: checkTimeout}
	err = own.within(ctx, func(ctx context.Context) error {
		x, err = practice.Find(ctx, name, s.In, b.world)
		if err == nil {
			err = x.Check(ctx)
		}
		return err
	})
	return x, err
}

// grade grades one answer without a person.
func (k *practicing) grade(ctx context.Context, s Streams, name string) error {
	if name == "-" && k.answer == "-" {
		return errors.New("exercise and answer cannot both come from standard input")
	}
	x, err := k.exercise(ctx, s, name)
	if err != nil {
		return err
	}
	script, err := stories.ReadScript(ctx, k.answer, s.In)
	if err != nil {
		return err
	}
	var g *practice.Grade
	err = k.within(ctx, func(ctx context.Context) error {
		g, err = graded(ctx, x, script)
		return err
	})
	var at *lang.Error
	if malformed := (*practice.Malformed)(nil); errors.As(err, &at) && !errors.As(err, &malformed) {
		if k.output == "text" {
			repl.WriteError(s.Err, err)
		}
		g, err = x.Unread(at), nil
	}
	if err != nil {
		return err
	}
	if k.output == "json" {
		err = document.Write(s.Out, g.Document(x, script.Name))
	} else if at == nil {
		g.Tell(s.Out, k.look.style(s).Line())
	}
	if err != nil {
		return repl.AsInput(err)
	}
	return verdictOf(g)
}

// verdictOf returns the error with which a command ends that graded an answer; nil for a right answer.
func verdictOf(g *practice.Grade) error {
	switch {
	case g.Right:
		return nil
	case g.Limited():
		return &repl.Limit{Message: "the answer did not reach its end"}
	}
	return saysNo("the answer is wrong")
}

// graded grades an answer; a defect of commsplit becomes the error of this answer alone.
func graded(ctx context.Context, x *practice.Exercise, script *stories.Script) (*practice.Grade, error) {
	answer, err := practice.Answer(script)
	if err != nil {
		return nil, err
	}
	var g *practice.Grade
	err = repl.Guarded(func() error {
		var err error
		g, err = x.Grade(ctx, answer)
		return err
	})
	return g, err
}

// answers grades the answers in many files, and tells in one line how each was graded.
func (k *checking) answers(ctx context.Context, s Streams, names []string) error {
	x, err := k.exercise(ctx, s, k.against)
	if err != nil {
		return err
	}
	var all []render.Test
	table := [][]string{{"file", "exercise", "result", "verdict"}}
	wrong := 0
	for _, name := range names {
		test := k.one(ctx, x, name)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		word, result := "ok", "right"
		if !test.OK {
			wrong++
			word, result = "not ok", "wrong"
		}
		switch {
		case k.csv:
			table = append(table, []string{name, k.against, result, test.Details[0][1]})
		case !k.tap:
			row(s, names, word, name, test.Details[0][1])
		}
		if test.OK {
			test.Details = nil
		}
		all = append(all, test)
	}
	switch {
	case k.csv:
		err = csv.NewWriter(cleaned{s.Out}).WriteAll(table)
	case k.tap:
		err = render.TAP(s.Out, all)
	default:
		fmt.Fprintf(s.Out, "%d of %d right\n", len(names)-wrong, len(names))
	}
	if err != nil {
		return repl.AsInput(err)
	}
	if wrong > 0 {
		return saysNo("%d of %s %s wrong", wrong, spell.Plural(len(names), "answer"), spell.Agreeing(wrong, "is", "are"))
	}
	return nil
}

// one grades the answer in a file within the limits. The verdict is the first detail of the test.
func (k *checking) one(ctx context.Context, x *practice.Exercise, name string) render.Test {
	test := render.Test{Name: name}
	err := k.within(ctx, func(ctx context.Context) error {
		script, err := stories.ReadScript(ctx, name, nil)
		if err != nil {
			return err
		}
		g, err := graded(ctx, x, script)
		if err != nil {
			return err
		}
		test.OK = g.Right
		test.Details = [][2]string{{"graded", g.Line()}}
		return nil
	})
	if err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		test.Details = [][2]string{{"error", line}}
	}
	return test
}

package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"commsplit/hw/spell"
	"commsplit/render"
	"commsplit/repl"
	"commsplit/repl/practice"
	"commsplit/scripts"
)

// practicing is the flags of practice.
type practicing struct {
	bounds
	answer string
	list   bool
	reset  bool
}

func newPractice(s Streams) *cobra.Command {
	k := practicing{bounds: bounds{timeout: checkTimeout}}
	c := &cobra.Command{
		Use:   "practice [N|NAME|FILE]",
		Short: "exercises: write the calls; a wrong try gets its why",
		Long: `Grade an answer to an exercise: an embedded one, by number or name, or a
teacher's own FILE. The answer runs on a fresh world at each size of the
exercise, and is right if each rank then holds what the teacher's solution
gives it; what the answer expects of itself does not count. The exit code is 0
for a right answer, 1 for a wrong one, 2 where the exercise is malformed or the
answer does not parse.`,
		Example: `  commsplit practice evens-and-odds --answer mine.mpi
  commsplit practice sheet/rows.mpi --answer handed-in/ana.py`,
		Args: atMost("N|NAME|FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || k.answer == "" {
				return errors.New("practice takes an exercise and --answer FILE")
			}
			return k.grade(c.Context(), s, args[0])
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, e := range scripts.Practice.Examples() {
				names = append(names, e.Name)
			}
			return names, cobra.ShellCompDirectiveDefault
		},
	}
	c.Flags().StringVar(&k.answer, "answer", "", "grade the answer in `FILE`, - for standard input: NAME.py is a program, any other file has lines")
	k.addLimits(c)
	return c
}

// incorrect is the end of grading a wrong answer. What is wrong was told with the results.
type incorrect struct{ text string }

// Error is the verdict.
func (e *incorrect) Error() string { return e.text }

// exercise reads a sound exercise, whose worlds keep to the limits. --timeout is for answers; an exercise has the usual
// time for itself.
func (b bounds) exercise(ctx context.Context, s Streams, name string) (x *practice.Exercise, err error) {
	own := bounds{timeout: checkTimeout}
	err = own.within(ctx, func(ctx context.Context) error {
		x, err = practice.Find(ctx, name, s.In, func(words []string) (repl.Config, error) { return world(words, b) })
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
	script, err := repl.ReadScript(ctx, k.answer, s.In)
	if err != nil {
		return err
	}
	var g *practice.Grade
	err = k.within(ctx, func(ctx context.Context) error {
		g, err = graded(ctx, x, script)
		return err
	})
	if err != nil {
		return err
	}
	g.Tell(s.Out, s.style("auto").Width)
	return verdictOf(g)
}

// verdictOf is the end of a command that graded an answer.
func verdictOf(g *practice.Grade) error {
	switch {
	case g.Right:
		return nil
	case g.Limited():
		return &repl.Limit{Message: "the answer did not come to its end"}
	}
	return &incorrect{"the answer is wrong"}
}

// graded grades an answer; a defect of ours ends nothing but that.
func graded(ctx context.Context, x *practice.Exercise, script *repl.Script) (*practice.Grade, error) {
	answer, err := practice.Answer(script)
	if err != nil {
		return nil, err
	}
	var g *practice.Grade
	err = repl.Guarded(func(crashed func(any)) error {
		x.Crashed = crashed
		var err error
		g, err = x.Grade(ctx, answer)
		return err
	})
	return g, err
}

// answers grades the answers of many, and tells in one line how each was graded.
func (k *checking) answers(ctx context.Context, s Streams, names []string) error {
	x, err := k.exercise(ctx, s, k.against)
	if err != nil {
		return err
	}
	width := 0
	for _, name := range names {
		width = max(width, utf8.RuneCountInString(name))
	}
	var all []render.Test
	wrong := 0
	for _, name := range names {
		test := k.one(ctx, x, name)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		word := "ok"
		if !test.OK {
			wrong++
			word = "not ok"
		}
		if !k.tap {
			fmt.Fprintf(cleaned{s.Out}, "%-6s  %-*s  %s\n", word, width, name, test.Details[0][1])
		}
		if test.OK {
			test.Details = nil
		}
		all = append(all, test)
	}
	if !k.tap {
		fmt.Fprintf(s.Out, "%d of %d right\n", len(names)-wrong, len(names))
	} else if err := render.TAP(s.Out, all); err != nil {
		return &repl.InputError{Err: err}
	}
	if wrong > 0 {
		return &incorrect{fmt.Sprintf("%d of %s wrong", wrong, are(len(names)))}
	}
	return nil
}

// are is "1 answer is", "3 answers are".
func are(n int) string {
	if n == 1 {
		return "1 answer is"
	}
	return spell.Plural(n, "answer") + " are"
}

// one grades the answer in a file within the limits. The verdict is the first of the test's details.
func (k *checking) one(ctx context.Context, x *practice.Exercise, name string) render.Test {
	test := render.Test{Name: name}
	err := k.within(ctx, func(ctx context.Context) error {
		script, err := repl.ReadScript(ctx, name, nil)
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

package cmd

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

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
		Short: "exercises: write the calls, and learn which ranks differ and why",
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
			return k.within(c.Context(), func(ctx context.Context) error { return k.grade(ctx, s, args[0]) })
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

// exercise reads an exercise whose worlds keep to the limits.
func (b bounds) exercise(ctx context.Context, s Streams, name string) (*practice.Exercise, error) {
	return practice.Find(ctx, name, s.In, func(words []string) (repl.Config, error) { return world(words, b) })
}

// grade grades one answer without a person.
func (k *practicing) grade(ctx context.Context, s Streams, name string) error {
	if name == "-" && k.answer == "-" {
		return errors.New("exercise and answer cannot both come from standard input")
	}
	x, err := k.exercise(ctx, s, name)
	if err == nil {
		err = x.Check(ctx)
	}
	if err != nil {
		return err
	}
	script, err := repl.ReadScript(ctx, k.answer, s.In)
	if err != nil {
		return err
	}
	g, err := graded(ctx, x, script)
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

package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// predicted runs a question and holds its output back until the person has predicted the answer. Then it prints the
// output and the verdict.
func (c *Console) predicted(ctx context.Context, chunk *lang.Chunk) (*repl.Outcome, error) {
	var lines []engine.Line
	c.hold = func(more []engine.Line) { lines = append(lines, more...) }
	o, err := c.Session.Run(ctx, chunk)
	c.hold = nil
	for _, l := range lines {
		if l.Note {
			fmt.Fprintf(c.Out, "\n%s\n", c.wrapped("? ", l.Text))
		} else {
			c.printLines([]engine.Line{l})
		}
	}
	c.endFlood(ctx)
	if err != nil {
		return o, err
	}
	prediction, err := c.Predict("your prediction> ")
	if err != nil && err != io.EOF {
		return o, err
	}
	verdict, why := repl.VerdictOn(c.Session.LastNote(), prediction, o.Values), ""
	fmt.Fprintln(c.Out, c.wrapped("  ", verdict))
	if !strings.HasPrefix(verdict, repl.RightWord) {
		if why = c.why(chunk, o); why != "" {
			fmt.Fprintln(c.Out, c.wrapped("  ", why))
		}
	}
	if c.Judged != nil {
		c.Judged(verdict, why)
	}
	return o, nil
}

// why returns the text for a person who did not know the answer: the reason that the script gives; without a reason,
// where the question is about the place of one rank, the explanation of that place; else "".
func (c *Console) why(chunk *lang.Chunk, o *repl.Outcome) string {
	if o.Why != "" {
		return o.Why
	}
	v, list := c.Session.PlaceAsked(chunk)
	if list == nil {
		return ""
	}
	var b strings.Builder
	st := c.plain()
	if st.Width -= 2; render.Explain(&b, v, list, nil, st) != nil {
		return ""
	}
	return strings.TrimRight(b.String(), "\n")
}

// added returns the expectations that now has and before does not have. Their number is never negative, although a line
// may take earlier expectations back.
func added(now, before render.Expectations) render.Expectations {
	told := map[string]int{}
	for _, f := range before.Failures {
		told[failureKey(f)]++
	}
	e := render.Expectations{Passed: max(0, now.Passed-before.Passed)}
	for _, f := range now.Failures {
		if k := failureKey(f); told[k] > 0 {
			told[k]--
		} else {
			f.Source = "" // the line was just typed
			e.Failures = append(e.Failures, f)
		}
	}
	e.Failed = len(e.Failures)
	return e
}

func failureKey(f render.Failure) string { return f.Where + " " + f.Ranks.String() + " " + f.Message }

func metaSay(_ context.Context, c *Console, args []string) error {
	if len(args) > 1 || len(args) == 1 && !slices.Contains(stories.Tongues, args[0]) {
		return fmt.Errorf(".say %s: %s", strings.Join(args, " "), stories.NoTongue(args[0]))
	}
	if len(args) == 1 {
		text, err := stories.Say(c.Session, args[0])
		if err != nil {
			return err
		}
		fmt.Fprintln(c.Out, text)
		return nil
	}
	for i, in := range stories.Tongues {
		text, err := stories.Say(c.Session, in)
		var no *stories.Unsaid
		switch {
		case errors.As(err, &no):
			text = "(" + no.Why + ")"
		case err != nil:
			return err
		}
		if i > 0 {
			fmt.Fprintln(c.Out)
		}
		fmt.Fprintf(c.Out, "%s:\n    %s\n", in, strings.ReplaceAll(text, "\n", "\n    "))
	}
	return nil
}

package repl

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/repl/lang"
	"commsplit/repl/prediction"
)

// predicted runs a question for a person: what came is told only after the prediction.
func (c *Console) predicted(ctx context.Context, chunk *lang.Chunk) (*Outcome, error) {
	var lines []engine.Line
	c.hold = func(l engine.Line) { lines = append(lines, l) }
	o, err := c.Session.Run(ctx, chunk)
	c.hold = nil
	for _, l := range lines {
		if l.Note {
			fmt.Fprintf(c.Out, "\n%s\n", c.wrapped("? ", l.Text))
		} else {
			c.printLine(l)
		}
	}
	if err != nil {
		return o, err
	}
	prediction, err := c.Predict("your prediction> ")
	if err != nil && err != io.EOF {
		return o, err
	}
	verdict, why := verdictOn(c.Session.lastNote(), prediction, o.Values), ""
	fmt.Fprintln(c.Out, c.wrapped("  ", verdict))
	if !strings.HasPrefix(verdict, rightWord) {
		if why = c.why(chunk, o); why != "" {
			fmt.Fprintln(c.Out, c.wrapped("  ", why))
		}
	}
	if c.Judged != nil {
		c.Judged(verdict, why)
	}
	return o, nil
}

// why is what to tell of a question to a person who did not know the answer: what the script says of it; else, where
// it asks for the communicator of one rank, the explanation of that; "" for nothing.
func (c *Console) why(chunk *lang.Chunk, o *Outcome) string {
	ranks, err := c.Session.checkRanks(chunk)
	if o.Why != "" || err != nil || ranks.Len() != 1 || len(chunk.Args) < 2 {
		return o.Why
	}
	asked := asksForPlace.FindStringSubmatch(chunk.Args[1].Text)
	if asked == nil {
		return ""
	}
	v := c.Session.View()
	list, rest, err := c.Session.Explain(v, asked[1], ranks)
	if err != nil {
		return "" // it is no variable of communicators
	}
	var b strings.Builder
	st := c.plain()
	if st.Width -= 2; render.Explain(&b, v, list, rest, st) != nil {
		return ""
	}
	return strings.TrimRight(b.String(), "\n")
}

// asksForPlace matches an expression for the place of a rank in what a variable holds.
var asksForPlace = regexp.MustCompile(`\b(\w+)(?:\.(?:rank|size)\b| *[=!]= *MPI\.COMM_NULL)`)

// ExpectsDeadlock reports whether a line lets ranks go that are blocked, as was expected.
func ExpectsDeadlock(c *lang.Chunk) bool {
	return c.Kind == lang.Command && c.Verb.Text == "expect_deadlock"
}

// answered tells what came where nobody predicts.
func (c *Console) answered(o *Outcome) {
	fmt.Fprintln(c.Out, c.wrapped("  ", verdictOn("", "", o.Values)))
}

// rightWord begins the verdict on a prediction that is right.
const rightWord = "Right: "

// verdictOn tells what came of a question and whether the prediction was right. An empty one is none.
func verdictOn(question, said string, came []ValueGroup) string {
	if len(came) != 1 {
		var parts []string
		for _, g := range came {
			parts = append(parts, answerText(g.Text)+" on "+g.Ranks.Noun())
		}
		return "Answer: " + strings.Join(parts, ", ") + "."
	}
	answer := answerOf(came)
	said = strings.TrimSpace(said)
	switch {
	case said == "":
		return "Answer: " + answer + "."
	case prediction.Right(prediction.JudgeOf(question, answer), said):
		return rightWord + answer + "."
	}
	return "You said " + said + ". Answer: " + answer + "."
}

// answerOf is what is right; "" when ranks differ, and no prediction can be judged.
func answerOf(came []ValueGroup) string {
	if len(came) != 1 {
		return ""
	}
	return answerText(came[0].Text)
}

// answerText is a value in the words of an answer.
func answerText(value string) string {
	switch value {
	case "True":
		return "yes"
	case "False":
		return "no"
	}
	return value
}

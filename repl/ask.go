package repl

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/render"
	"commsplit/repl/lang"
	"commsplit/repl/prediction"
)

// predicted runs a question and holds its output back until the person has predicted the answer. Then it prints the
// output and the verdict.
func (c *Console) predicted(ctx context.Context, chunk *lang.Chunk) (*Outcome, error) {
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

// why returns the text for a person who did not know the answer: the reason that the script gives; without a reason,
// where the question is about the place of one rank, the explanation of that place; else "".
func (c *Console) why(chunk *lang.Chunk, o *Outcome) string {
	if o.Why != "" {
		return o.Why
	}
	v, list := c.Session.placeAsked(chunk)
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

// whyInWords returns the text of why in a few sentences, without columns: "World rank 4 is rank 0 of 3 in team#2:
// color 0, ...".
func (s *Session) whyInWords(chunk *lang.Chunk, o *Outcome) string {
	if o.Why != "" {
		return o.Why
	}
	v, list := s.placeAsked(chunk)
	if list == nil {
		return ""
	}
	t := render.NewWords(v).Telling(&list[0], "World rank "+list[0].Ranks.String(), strconv.Itoa(list[0].Rank))
	var facts []string
	for _, f := range t.Facts {
		if f.Name != "call" {
			facts = append(facts, f.Name+" "+f.Text)
		}
	}
	if t.Order != nil && len(t.Order.Seats) <= mostSeats {
		facts = append(facts, inOrder(t.Order))
	}
	text := t.Head
	if len(facts) > 0 {
		text += ": " + strings.Join(facts, "; ")
	}
	return strings.TrimRight(text+". "+t.Rule, " ")
}

// mostSeats is how many ranks a sentence lists.
const mostSeats = 12

// inOrder returns "sorted by key: world rank 3 (key -3), 2 (-2), 1 (-1)".
func inOrder(o *reason.Order) string {
	var b strings.Builder
	b.WriteString("sorted by key: world rank ")
	for i, seat := range o.Seats {
		if i > 0 {
			fmt.Fprintf(&b, ", %d (%d)", seat.World, seat.Key)
		} else {
			fmt.Fprintf(&b, "%d (key %d)", seat.World, seat.Key)
		}
	}
	return b.String()
}

// placeAsked explains the communicator that a rank holds, where a question is about the place of that rank; nil for
// other questions.
func (s *Session) placeAsked(chunk *lang.Chunk) (*render.View, []reason.Explanation) {
	ranks, err := s.checkRanks(chunk)
	if err != nil || ranks.Len() != 1 || len(chunk.Args) < 2 {
		return nil, nil
	}
	asked := asksForPlace.FindStringSubmatch(chunk.Args[1].Text)
	if asked == nil {
		return nil, nil
	}
	v := s.View()
	list, _, err := s.Explain(v, asked[1], ranks)
	if err != nil || len(list) == 0 || list[0].Unset {
		return nil, nil // the variable holds no communicator
	}
	return v, list
}

// asksForPlace matches an expression for the place of a rank in the communicator of a variable: team.rank.
var asksForPlace = regexp.MustCompile(`\b(\w+)(?:\.(?:rank|size)\b| *[=!]= *MPI\.COMM_NULL)`)

// ExpectsDeadlock reports whether a line is expect_deadlock, which lets blocked ranks go.
func ExpectsDeadlock(c *lang.Chunk) bool {
	return c.Kind == lang.Command && c.Verb.Text == "expect_deadlock"
}

// answered prints the answer to a question where nobody predicts.
func (c *Console) answered(o *Outcome) {
	fmt.Fprintln(c.Out, c.wrapped("  ", verdictOn("", "", o.Values)))
}

// rightWord begins the verdict on a prediction that is right.
const rightWord = "Right: "

// verdictOn tells the answer to a question and whether the prediction, said, was right. An empty said is no prediction.
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

// answerOf returns the right answer; "" when ranks differ, and no prediction can be judged.
func answerOf(came []ValueGroup) string {
	if len(came) != 1 {
		return ""
	}
	return answerText(came[0].Text)
}

// answerText puts a value into the words of an answer.
func answerText(value string) string {
	switch value {
	case "True":
		return "yes"
	case "False":
		return "no"
	}
	return value
}

package repl

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/prediction"
)

// whyInWords returns the reason for an answer in a few sentences, without columns: "World rank 4 is rank 0 of 3 in
// team#2: color 0, ...".
func whyInWords(s *Session, chunk *lang.Chunk, o *Outcome) string {
	if o.Why != "" {
		return o.Why
	}
	v, list := s.PlaceAsked(chunk)
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

// PlaceAsked explains the communicator that a rank holds, if a question is about the place of that rank; nil for other
// questions.
func (s *Session) PlaceAsked(chunk *lang.Chunk) (*render.View, []reason.Explanation) {
	ranks, err := s.RanksOf(chunk)
	if err != nil || ranks.Len() != 1 || len(chunk.Args) < 2 {
		return nil, nil
	}
	asked := asksForPlace.FindStringSubmatch(chunk.Args[1].Text)
	if asked == nil {
		return nil, nil
	}
	v := s.View()
	list, _, err := s.Explain(v, asked[1], ranks, 1)
	if err != nil || len(list) == 0 || list[0].Unset {
		return nil, nil // the variable holds no communicator
	}
	return v, list
}

// asksForPlace matches an expression for the place of a rank in the communicator of a variable: team.rank.
var asksForPlace = regexp.MustCompile(`\b(\w+)(?:\.(?:rank|size)\b| *[=!]= *MPI\.COMM_NULL)`)

// RightWord begins the verdict on a prediction that is right.
const RightWord = "Right: "

// VerdictOn returns a sentence with the answer to a question, and whether the prediction said was right. An empty said
// is not a prediction.
func VerdictOn(question, said string, came []ValueGroup) string {
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
		return RightWord + answer + "."
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

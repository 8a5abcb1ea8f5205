package repl

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
	"commsplit/render/page"
	"commsplit/repl/lang"
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
	verdict := verdictOn(prediction, o.Values)
	fmt.Fprintln(c.Out, c.wrapped("  ", verdict))
	if c.Judged != nil {
		c.Judged(verdict)
	}
	return o, nil
}

// answered tells what came where nobody predicts.
func (c *Console) answered(o *Outcome) {
	fmt.Fprintln(c.Out, c.wrapped("  ", verdictOn("", o.Values)))
}

// verdictOn tells what came and whether the prediction was right. An empty one is none.
func verdictOn(prediction string, came []ValueGroup) string {
	if len(came) != 1 {
		var parts []string
		for _, g := range came {
			parts = append(parts, answerText(g.Text)+" on "+g.Ranks.Noun())
		}
		return "Answer: " + strings.Join(parts, ", ") + "."
	}
	answer := answerOf(came)
	prediction = strings.TrimSpace(prediction)
	switch {
	case prediction == "":
		return "Answer: " + answer + "."
	case sameAnswer(prediction, answer):
		return "Right: " + answer + "."
	}
	return "You said " + prediction + ". Answer: " + answer + "."
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

// sameAnswer compares in the way of a teacher: case, brackets, commas and the word rank do not matter,
// y is yes, and 2-5 is 2, 3, 4, 5.
func sameAnswer(a, b string) bool { return slices.Equal(answerWords(a), answerWords(b)) }

var (
	answerWord = regexp.MustCompile(`[\p{L}_]+|-?\d+(\.\d+)?`)
	answerSpan = regexp.MustCompile(`\b\d+-\d+\b`)
)

// answerRules are those of sameAnswer, for a page that compares by itself.
func answerRules() *page.Rules {
	return &page.Rules{Word: answerWord.String(), Span: answerSpan.String(), Longest: longestSpan, Spoken: spokenWords}
}

// spokenWords are other ways to write a word of an answer; "" is a word that says nothing.
var spokenWords = map[string]string{
	"y": "yes", "true": "yes", "n": "no", "false": "no", "rank": "", "ranks": "", "and": "", "world": "", "the": "",
	"mpi_comm_null": "null", "comm_null": "null",
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
}

func answerWords(text string) []string {
	text = answerSpan.ReplaceAllStringFunc(strings.ToLower(text), spelledOut)
	var words []string
	for _, w := range answerWord.FindAllString(text, -1) {
		if other, ok := spokenWords[w]; ok {
			w = other
		}
		if w != "" {
			words = append(words, w)
		}
	}
	return words
}

// longestSpan is how many ranks a span of an answer may name.
const longestSpan = 64

// spelledOut is "2 3 4 5" for "2-5".
func spelledOut(span string) string {
	low, high, _ := strings.Cut(span, "-")
	lo, errLo := strconv.Atoi(low)
	hi, errHi := strconv.Atoi(high)
	if errLo != nil || errHi != nil || hi < lo || hi-lo >= longestSpan {
		return span
	}
	var words []string
	for k := lo; k <= hi; k++ {
		words = append(words, strconv.Itoa(k))
	}
	return strings.Join(words, " ")
}

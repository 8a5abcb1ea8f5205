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
	"commsplit/render"
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
func verdictOn(question, prediction string, came []ValueGroup) string {
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
	case right(judgeOf(question, answer), prediction):
		return rightWord + answer + "."
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

// judgeOf works out which predictions are right where answer is. Terminal, screen and page judge by it.
//
// A prediction says the same as the answer when it has the same words, see answerWords. The members of a
// list may come in any order, unless the question asks for one or the answer is not in ascending order
// itself. A question for yes or no is answered by how the prediction begins; one that asks whether a call
// returns is also answered by "it hangs".
func judgeOf(question, answer string) *render.Judge {
	if answer == "yes" || answer == "no" {
		means, against := polarity(strings.ToLower(question), answer)
		return &render.Judge{Means: means, Against: against}
	}
	j := &render.Judge{Words: answerWords(answer)}
	if isSet(answer, j.Words) && !asksForOrder.MatchString(question) {
		j.Set = true
		slices.Sort(j.Words)
	}
	return j
}

var (
	asksForOrder   = regexp.MustCompile(`(?i)\b(order|ordered|sorted|sequence)\b`)
	asksWhoReturns = regexp.MustCompile(`\b(returns?|gets? on|goes? on|proceeds?|completes?|finish(es)?)\b`)
	asksWhoHangs   = regexp.MustCompile(`\b(deadlocks?|hangs?|blocks?|blocked|waits?|stuck)\b`)
	asksForAny     = regexp.MustCompile(`\bany(body|one|thing)?\b`)
)

// polarity is the first words that mean the answer, and the words that mean the contrary.
func polarity(question, answer string) (means, against []string) {
	yes, no := []string{"yes"}, []string{"no"}
	returns, hangs := asksWhoReturns.MatchString(question), asksWhoHangs.MatchString(question)
	switch {
	case returns && !hangs:
		yes, no = append(yes, "return"), append(no, "hang")
	case hangs && !returns:
		yes, no = append(yes, "hang"), append(no, "return")
	}
	if asksForAny.MatchString(question) {
		no = append(no, "null")
	}
	if answer == "yes" {
		return yes, no
	}
	return no, yes
}

// isSet reports whether an answer is a flat list in ascending order, or a set.
func isSet(answer string, words []string) bool {
	if strings.HasPrefix(answer, "set(") {
		return true
	}
	if !strings.HasPrefix(answer, "[") || strings.ContainsAny(answer[1:], "[(") {
		return false
	}
	return slices.IsSortedFunc(words, func(a, b string) int {
		m, errA := strconv.Atoi(a)
		n, errB := strconv.Atoi(b)
		if errA != nil || errB != nil {
			return 0
		}
		return m - n
	})
}

// right reports whether a prediction says what is right. js/question.js does the same in a browser.
func right(j *render.Judge, prediction string) bool {
	words := answerWords(prediction)
	if len(j.Means) > 0 {
		against := func(w string) bool { return slices.Contains(j.Against, w) }
		return len(words) > 0 && slices.Contains(j.Means, words[0]) && !slices.ContainsFunc(words, against)
	}
	if j.Set {
		slices.Sort(words)
	}
	return slices.Equal(words, j.Words)
}

// answerPhrases are replaced one after the other before words are read: pattern, and what stands for it.
var answerPhrases = [][2]string{
	{`[\[({]\s*[\])}]`, ` null `}, // the empty list
	{`(?:mpi[ ._]+)?comm[ _]null\b|\bnull communicator\b`, ` null `},
	{`(?:\bno ?one|\bnobody|\bnone|\bnever|\bnot|\bcannot|n[’']t)\b[^.,;]*\b(?:returns?|gets? on|goes? on|proceeds?|completes?|finish(?:es)?)\b`, ` no `},
	{`\bno ?(?:one|ranks?)\b`, ` null `},
	{`\b\p{L}+n[’']t\b`, ` no `},
	{`[’']s\b`, ``},
	{`(\d) *(?:–|\.\.\.?|\bto\b|\bthrough\b) *(\d)`, `$1-$2`},
}

var (
	phrasePatterns = compiled(answerPhrases)
	answerWord     = regexp.MustCompile(`[\p{L}_]+|-?\d+(\.\d+)?`)
	answerSpan     = regexp.MustCompile(`\b\d+-\d+\b`)
)

func compiled(phrases [][2]string) []*regexp.Regexp {
	var list []*regexp.Regexp
	for _, p := range phrases {
		list = append(list, regexp.MustCompile(p[0]))
	}
	return list
}

// answerRules are those of answerWords, for a page that reads predictions by itself.
func answerRules() *page.Rules {
	return &page.Rules{Phrases: answerPhrases, Word: answerWord.String(), Span: answerSpan.String(), Longest: longestSpan, Spoken: spokenWords}
}

// spokenWords are the words of answers, and what each is taken for; "" says nothing.
var spokenWords = sameWords(map[string]string{
	"yes":          "y yep yeah true sure",
	"no":           "n nope false not never cannot",
	"hang":         "hangs hung deadlock deadlocks deadlocked block blocks blocked wait waits stuck",
	"return":       "returns",
	"error":        "errors err fail fails failure exception",
	"null":         "none nothing nobody empty",
	"communicator": "comm communicators",
	"":             "a an the and of it its is are be to does do did will would can in on at with rank ranks world process processes member members each set list",
	"0":            "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six",
	"7": "seven", "8": "eight", "9": "nine", "10": "ten", "11": "eleven", "12": "twelve",
})

// sameWords turns the lists of words that are taken for one round.
func sameWords(lists map[string]string) map[string]string {
	spoken := map[string]string{}
	for word, others := range lists {
		for other := range strings.FieldsSeq(others) {
			spoken[other] = word
		}
	}
	return spoken
}

// answerWords is what a prediction or an answer says: in small letters, phrases replaced, spans of ranks
// spelled out, and each word as spokenWords takes it. A text of words that say nothing is those words.
func answerWords(text string) []string {
	text = strings.ToLower(text)
	for i, p := range phrasePatterns {
		text = p.ReplaceAllString(text, answerPhrases[i][1])
	}
	text = answerSpan.ReplaceAllStringFunc(text, spelledOut)
	all := answerWord.FindAllString(text, -1)
	var words []string
	for _, w := range all {
		if other, ok := spokenWords[w]; ok {
			w = other
		}
		if w != "" {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return all
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
